package xboard

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"gogotb/cmd/internal/dialect"
	"gogotb/cmd/internal/engine"
	"gogotb/rules"
)

// search is a search that is on.
type search struct {
	endless bool // analysis
	begin   time.Time
	cancel  context.CancelFunc
	answer  chan engine.Answer          // has one answer in the end
	last    atomic.Pointer[engine.Info] // the latest line, for those who ask; nil: none yet
	post    atomic.Bool                 // lines are wanted as they come
	took    time.Duration               // set when it has ended
}

// think begins to think about the position on the board.
func (s *Session) think(endless bool) {
	var limits engine.Limits
	if !endless {
		limits = s.limits()
	}
	s.search, s.analysis = s.begin(s.game.forEngine(), limits, endless, s.post || endless), nil
}

// limits returns those of the clock, and of the depth.
func (s *Session) limits() engine.Limits {
	l := engine.Limits{Depth: s.depth}
	l.Budget, l.Slack = s.clock.budget(len(s.game.moves)/2, s.overhead)
	return l
}

// begin begins a search.
func (s *Session) begin(g *engine.Game, limits engine.Limits, endless, post bool) *search {
	s.openTables()
	ctx, cancel := context.WithCancel(context.Background())
	q := &search{endless: endless, begin: time.Now(), cancel: cancel, answer: make(chan engine.Answer, 1)}
	q.post.Store(post)
	go func() {
		defer cancel()
		q.answer <- s.engine.Think(ctx, g, limits, func(i engine.Info) { s.report(q, i) })
	}()
	return q
}

// thinkAhead begins to think about the position after the reply that the engine expects, if it expects one that
// does not end the game. What it finds is not said before that is played.
func (s *Session) thinkAhead() {
	p := s.game.position()
	if s.hint == 0 || p.Legal(s.hint) != nil {
		return
	}
	ahead := s.game
	ahead.moves = append(slices.Clone(ahead.moves), s.hint)
	if ahead.over() {
		return
	}
	limits := s.limits()
	limits.Budget, limits.Later = 0, limits.Budget
	s.pondering = s.begin(ahead.forEngine(), limits, false, false)
}

// ponderHit says that the reply that the engine expected has been played: from now on it thinks in its own time.
func (s *Session) ponderHit() {
	q := s.pondering
	s.search, s.pondering = q, nil
	limits := s.limits()
	limits.Budget, limits.Later = 0, limits.Budget
	time.AfterFunc(limits.LaterEnd(), q.cancel)
	if q.post.Store(s.post); s.post && q.last.Load() != nil {
		s.line(q.last.Load())
	}
}

// stopPondering ends a search in the opponent's time, if one is on.
func (s *Session) stopPondering() {
	if s.pondering != nil {
		s.pondering.cancel()
		<-s.pondering.answer
		s.pondering = nil
	}
}

// openTables sees to it that the tables are open. No search may be on.
func (s *Session) openTables() {
	if err := s.engine.OpenTables(s.tablePath); err != nil {
		s.say("telluser tables: %v", err)
	}
}

// report says what the engine finds.
func (s *Session) report(q *search, i engine.Info) {
	switch {
	case i.Alarm:
		s.tell("%s", i.Text)
	case i.Text != "":
		s.remark(i.Text)
	case i.Bound != dialect.Exact: // XBoard has no word for it, and would take it for the value
	default:
		if q.last.Store(&i); q.post.Load() {
			s.line(&i)
		}
	}
}

// line says depth, score, time in hundredths of a second, nodes, and moves.
func (s *Session) line(i *engine.Info) {
	s.say("%d %d %d %d\t%s", i.Depth, score(i.Score), i.Duration.Milliseconds()/10, i.Nodes, dialect.UCI.Line(i.PV))
}

// score returns a score in centipawns; mates in n moves are 100000+n, for either side.
func score(s dialect.Score) int {
	moves, mate := s.Moves()
	switch {
	case !mate:
		return s.Centipawns()
	case s > 0:
		return 100_000 + moves
	}
	return moves - 100_000
}

// abort ends all searches, and drops their answers.
func (s *Session) abort() {
	s.analysis = nil
	s.stopPondering()
	if s.search != nil {
		s.search.cancel()
		<-s.search.answer
		s.search = nil
		s.pong()
	}
}

// status answers "." in analysis: time, nodes, depth, and how many moves are still to be searched, which is not known.
func (s *Session) status() {
	q := s.search
	if q == nil {
		q = s.analysis
	}
	if q == nil {
		return
	}
	took, last := q.took, q.last.Load()
	if took == 0 {
		took = time.Since(q.begin)
	}
	if last == nil {
		last = &engine.Info{}
	}
	s.say("stat01: %d %d %d 0 0", took.Milliseconds()/10, last.Nodes, last.Depth)
}

// suggest returns a move for the side to move: what the engine expects, or the result of a short search.
func (s *Session) suggest() (rules.Move, bool) {
	if p := s.game.position(); s.hint != 0 && p.Legal(s.hint) == nil {
		return s.hint, true
	}
	s.openTables()
	const moment = 200 * time.Millisecond
	a := s.engine.Think(context.Background(), s.game.forEngine(), engine.Limits{Budget: moment}, func(engine.Info) {})
	return a.Move, !a.None
}

// clock is what XBoard has said about time.
type clock struct {
	moves     int           // in a session; 0: for the whole game
	base      time.Duration // for them
	increment time.Duration
	perMove   time.Duration // st: exactly this
	remaining time.Duration // ours; 0: not told yet
}

// restart forgets what is left, not how time is given.
func (c *clock) restart() { c.remaining = 0 }

// unlimited is how long a move takes if XBoard has said nothing of time.
const unlimited = 5 * time.Second

// budget returns how long to think when this number of our moves have been played, and how much longer the answer may take.
func (c *clock) budget(played int, overhead time.Duration) (budget, slack time.Duration) {
	if c.perMove > 0 { // at most
		return engine.Clock{Byoyomi: c.perMove, Limited: true, Overhead: overhead}.Budget()
	}
	if c.base == 0 && c.increment == 0 && c.remaining == 0 {
		return unlimited, engine.Unlimited
	}
	e := engine.Clock{Remaining: c.remaining, Increment: c.increment, Limited: true, Overhead: overhead}
	if e.Remaining == 0 {
		e.Remaining = c.base
	}
	if c.moves > 0 {
		e.Moves = c.moves - played%c.moves
	}
	return e.Budget()
}

// level reads "level 40 5 0", "level 0 2:30 12": moves, minutes and seconds for them, seconds added after each move.
func (c *clock) level(words []string) error {
	if len(words) < 3 {
		return fmt.Errorf("moves, time and increment wanted")
	}
	moves, err := strconv.Atoi(words[0])
	if err != nil || moves < 0 {
		return fmt.Errorf("%q is no number of moves", words[0])
	}
	minutes, seconds, _ := strings.Cut(words[1], ":")
	m, err := strconv.Atoi(minutes)
	sec := 0
	if err == nil && seconds != "" {
		sec, err = strconv.Atoi(seconds)
	}
	if err != nil || m < 0 || sec < 0 || m > 1<<20 {
		return fmt.Errorf("%q is no time", words[1])
	}
	increment, err := strconv.ParseFloat(words[2], 64)
	if err != nil || !(increment >= 0 && increment < 1<<20) {
		return fmt.Errorf("%q is no increment", words[2])
	}
	*c = clock{
		moves: moves, base: time.Duration(m)*time.Minute + time.Duration(sec)*time.Second,
		increment: time.Duration(increment * float64(time.Second)),
	}
	return nil
}

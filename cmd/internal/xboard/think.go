package xboard

import (
	"context"
	"fmt"
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
	took    time.Duration               // set when it has ended
}

// think begins to think about the position on the board.
func (s *Session) think(endless bool) {
	s.openTables()
	limits := engine.Limits{Depth: s.depth}
	if !endless {
		limits.Budget = s.clock.budget(len(s.game.moves) / 2)
	} else {
		limits.Depth = 0
	}
	ctx, cancel := context.WithCancel(context.Background())
	q := &search{endless: endless, begin: time.Now(), cancel: cancel, answer: make(chan engine.Answer, 1)}
	g := s.game.forEngine()
	report := s.reporter(q, s.post || endless)
	s.search, s.analysis = q, nil
	go func() {
		defer cancel()
		q.answer <- s.engine.Think(ctx, g, limits, report)
	}()
}

// openTables sees to it that the tables are open. No search may be on.
func (s *Session) openTables() {
	if err := s.engine.OpenTables(s.tablePath); err != nil {
		s.say("telluser tables: %v", err)
	}
}

// reporter writes what the engine finds: depth, score, time in hundredths of a second, nodes, line.
func (s *Session) reporter(q *search, post bool) func(engine.Info) {
	return func(i engine.Info) {
		if i.Text != "" {
			s.remark(i.Text)
			return
		}
		q.last.Store(&i)
		if post {
			texts := make([]string, len(i.PV))
			for j, m := range i.PV {
				texts[j] = moveText(m)
			}
			s.say("%d %d %d %d\t%s", i.Depth, score(i.Score), i.Duration.Milliseconds()/10, i.Nodes, strings.Join(texts, " "))
		}
	}
}

// score is a score in centipawns; mates in n moves are 100000+n, for either side.
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

// abort ends a search, if one is on, and drops its answer.
func (s *Session) abort() {
	s.analysis = nil
	if s.search == nil {
		return
	}
	s.search.cancel()
	<-s.search.answer
	s.search = nil
	for _, p := range s.pings {
		s.say("pong %s", p)
	}
	s.pings = nil
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

// suggest is a move for the side to move: what the engine expects, or the result of a short search.
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

// budget is how long to think when so many moves of ours have been played.
func (c *clock) budget(played int) time.Duration {
	if c.perMove > 0 {
		return engine.Clock{PerMove: c.perMove}.Budget()
	}
	if c.base == 0 && c.increment == 0 && c.remaining == 0 {
		return unlimited
	}
	e := engine.Clock{Remaining: c.remaining, Increment: c.increment, Limited: true}
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

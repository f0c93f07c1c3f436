package usi

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"gogotb/cmd/internal/dialect"
	"gogotb/cmd/internal/engine"
	"gogotb/verify/mate"
)

// search is a search that is on.
type search struct {
	later   time.Duration // how long it goes on once the ponder move has been played; 0: it is not pondering, or ends by itself
	cancel  context.CancelFunc
	release func()        // lets it answer, if the protocol has it hold its answer back; may be called more than once
	done    chan struct{} // closed when the answer has been given
}

// begin searches in a goroutine of its own, and answers when hold is over.
func (s *Session) begin(hold bool, run func(ctx context.Context) (answer string)) *search {
	ctx, cancel := context.WithCancel(s.ctx)
	held := make(chan struct{})
	q := &search{cancel: cancel, release: sync.OnceFunc(func() { close(held) }), done: make(chan struct{})}
	if !hold {
		q.release()
	}
	go func() {
		defer close(q.done)
		defer cancel()
		answer := run(ctx)
		<-held
		s.say("%s", answer)
	}()
	return q
}

// think obeys go.
func (s *Session) think(words []string) {
	s.stop()
	s.configure()
	sideToMove := s.start.SideToMove()
	if len(s.moves)%2 == 1 {
		sideToMove = sideToMove.Other()
	}
	r, err := parseGo(s.dialect, words, sideToMove, time.Duration(s.options.moveOverhead)*time.Millisecond)
	if err != nil {
		s.remark("%v", err)
	}
	g, err := s.game()
	hold := r.infinite || r.ponder
	d := s.dialect
	switch {
	case err != nil:
		s.remark("no position, so no move: %v", err)
		s.search = s.begin(hold || r.mate && r.mateTime == 0, func(context.Context) string { return nothing(d, r) })
	case r.mate:
		s.search = s.begin(false, func(ctx context.Context) string { return s.checkmate(ctx, g, r) })
	default:
		var later time.Duration
		if hold && r.limits.Budget > 0 { // the end comes from outside
			r.limits.Budget, r.limits.Later = 0, r.limits.Budget
			later = r.limits.LaterEnd()
		}
		s.search = s.begin(hold, func(ctx context.Context) string {
			return bestMove(d, s.engine.Think(ctx, g, r.limits, func(i engine.Info) { s.info(d, i) }))
		})
		s.search.later = later
	}
}

// game returns the game that the position and its moves are; the error says why there is none.
func (s *Session) game() (*engine.Game, error) {
	if s.refused != nil {
		return nil, s.refused
	}
	return engine.NewGame(s.start, s.moves, s.options.repetition)
}

// nothing answers a go without a position.
func nothing(d dialect.Dialect, r request) string {
	if r.mate {
		return "checkmate timeout"
	}
	return bestMove(d, engine.Answer{None: true})
}

// searching tells whether a search is on.
func (s *Session) searching() bool {
	if s.search == nil {
		return false
	}
	select {
	case <-s.search.done:
		s.search = nil
	default:
	}
	return s.search != nil
}

// stop ends a search, if one is on, and waits for its answer.
func (s *Session) stop() {
	if s.search != nil {
		s.search.cancel()
		s.search.release()
		<-s.search.done
		s.search = nil
	}
}

// ponderhit says that the move that was pondered on has been played: the clock runs from now on.
func (s *Session) ponderhit() {
	if !s.searching() {
		return
	}
	q := s.search
	q.release()
	if q.later > 0 {
		time.AfterFunc(q.later, q.cancel)
	}
}

func (s *Session) info(d dialect.Dialect, i engine.Info) {
	if i.Text != "" {
		s.remark("%s", i.Text)
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "info depth %d multipv %d score %s", i.Depth, i.MultiPV, d.Text(i.Score))
	if i.Bound != dialect.Exact {
		fmt.Fprintf(&b, " %v", i.Bound)
	}
	fmt.Fprintf(&b, " nodes %d", i.Nodes)
	if seconds := i.Took.Seconds(); seconds > 0.001 && i.Nodes > 0 {
		fmt.Fprintf(&b, " nps %.0f", float64(i.Nodes)/seconds)
	}
	fmt.Fprintf(&b, " tbhits %d time %d", i.TBHits, i.Duration.Milliseconds())
	if len(i.PV) > 0 {
		fmt.Fprintf(&b, " pv %s", d.Line(i.PV))
	}
	s.say("%s", b.String())
}

// bestMove returns the command that answers go.
func bestMove(d dialect.Dialect, a engine.Answer) string {
	switch {
	case a.None && d == dialect.UCI:
		return "bestmove (none)"
	case a.None:
		return "bestmove resign"
	case a.Ponder != 0:
		return fmt.Sprintf("bestmove %s ponder %s", d.Move(a.Move), d.Move(a.Ponder))
	}
	return "bestmove " + d.Move(a.Move)
}

// checkmate returns the answer to USI's go mate, which is about mate by checks alone, as in a tsume problem.
func (s *Session) checkmate(ctx context.Context, g *engine.Game, r request) string {
	if r.mateTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.mateTime)
		defer cancel()
	}
	result, err := s.engine.Tsume(ctx, g)
	if err != nil {
		s.remark("mate solver: %v", err)
	}
	switch result.Verdict {
	case mate.MateIn:
		return "checkmate " + dialect.USI.Line(result.Line)
	case mate.NoMate:
		return "checkmate nomate"
	}
	return "checkmate timeout"
}

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

// search is a search that is on. Its answer is held back until release, if the protocol says so.
type search struct {
	endless bool          // it does not end by itself
	later   time.Duration // once the ponder move has been played
	cancel  context.CancelFunc
	release func()        // may be called more than once
	done    chan struct{} // closed when the answer has been given
}

// think obeys go.
func (s *Session) think(words []string) {
	s.stop()
	s.configure()
	turn := s.start.Turn()
	if len(s.moves)%2 == 1 {
		turn = turn.Other()
	}
	r, err := parseGo(s.dialect, words, turn)
	if err != nil {
		s.remark("%v", err)
	}
	if s.refused != nil {
		s.remark("no position: %v", s.refused)
		s.giveUp(r)
		return
	}
	g, err := engine.NewGame(s.start, s.moves, s.options.repetition)
	if err != nil {
		s.remark("%v", err)
		s.giveUp(r)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	held := make(chan struct{})
	q := &search{
		cancel: cancel, release: sync.OnceFunc(func() { close(held) }), done: make(chan struct{}),
		endless: r.infinite || r.ponder || r.mate && r.mateTime == 0,
	}
	if r.infinite || r.ponder { // the end comes from outside
		if r.limits.Budget > 0 {
			r.limits.Budget, r.limits.Later = 0, r.limits.Budget
			q.later = r.limits.LaterEnd()
		}
	} else {
		q.release()
	}
	s.search = q
	d := s.dialect
	go func() {
		defer close(q.done)
		defer cancel()
		if r.mate {
			s.say("%s", s.checkmate(ctx, g, r))
			return
		}
		a := s.engine.Think(ctx, g, r.limits, func(i engine.Info) { s.info(d, i) })
		<-held
		s.say("%s", bestMove(d, a))
	}()
}

// giveUp answers a go without a position.
func (s *Session) giveUp(r request) {
	if r.mate {
		s.say("checkmate timeout")
		return
	}
	s.say("%s", bestMove(s.dialect, engine.Answer{None: true}))
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
		s.wait()
	}
}

// wait waits for the answer of a search.
func (s *Session) wait() {
	if s.search != nil {
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
		q.endless = false
		time.AfterFunc(q.later, q.cancel)
	}
}

func (s *Session) info(d dialect.Dialect, i engine.Info) {
	if i.Text != "" {
		s.remark("%s", i.Text)
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "info depth %d multipv %d score %s nodes %d", i.Depth, i.Rank, d.Text(i.Score), i.Nodes)
	if seconds := i.Took.Seconds(); seconds > 0.001 && i.Nodes > 0 {
		fmt.Fprintf(&b, " nps %.0f", float64(i.Nodes)/seconds)
	}
	fmt.Fprintf(&b, " tbhits %d time %d", i.TBHits, i.Duration.Milliseconds())
	if len(i.PV) > 0 {
		fmt.Fprintf(&b, " pv %s", d.Line(i.PV))
	}
	s.say("%s", b.String())
}

// bestMove is the command that answers go.
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

// checkmate is the answer to USI's go mate, which is about mate by checks alone, as in a tsume problem.
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

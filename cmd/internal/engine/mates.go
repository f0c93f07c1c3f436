package engine

import (
	"context"
	"slices"
	"sync"
	"time"

	"gogotb/cmd/internal/dialect"
	"gogotb/rules"
	"gogotb/verify/mate"
)

// DefaultMateShare is a share that finds most mates, and that another search hardly feels.
const DefaultMateShare = 10

// mostForMate is how long the mate solver may look for a shorter mate once it has found one.
const mostForMate = 2 * time.Second

// besideMates lets another search work, and the mate solver at the same time. A mate by either side that the solver
// proves ends the search, and is the answer, for nothing could be better; it is reported.
func (t *thought) besideMates(ctx context.Context, report func(Info), search func(context.Context) (Answer, bool)) (Answer, bool) {
	if t.MateShare <= 0 || t.limits.Nodes > 0 {
		return search(ctx)
	}
	searching, found := context.WithCancel(ctx)
	defer found()
	hunting, stop := context.WithCancel(ctx)
	defer stop() // the hunt is not waited for: another one will be
	opt := mate.Options{MaxPlies: withinReach(t.limits.Depth), Pause: pauses(hunting, t.MateShare)}
	h := t.hunt(hunting, opt, t.part(4, mostForMate), found)
	a, ok := search(searching)
	select {
	case <-h.proved:
		return h.answer(t, report)
	default:
		return a, ok
	}
}

// mateAlone looks for a mate, and for nothing else.
func (t *thought) mateAlone(ctx context.Context, report func(Info)) (Answer, bool) {
	return t.hunt(ctx, mate.Options{MaxPlies: withinReach(t.limits.Mate), Jobs: t.Jobs}, 0, func() {}).answer(t, report)
}

// hunt is a search for mates in a goroutine of its own.
type hunt struct {
	proved chan struct{} // closed when there is a mate that can be played: some
	done   chan struct{} // closed when nothing more is searched; then best is the shortest that was found, as far as is known
	some   mate.Result
	best   mate.Result
	err    error
}

// hunt looks for a mate by either side, calls found when there is one, and then looks for the shortest one, until
// limit if there is one. A mate is of use only if the history of the game does not spoil it.
func (t *thought) hunt(ctx context.Context, opt mate.Options, limit time.Duration, found func()) *hunt {
	h := &hunt{proved: make(chan struct{}), done: make(chan struct{})}
	p := t.game.Position()
	hash := t.hash()
	go func() {
		defer close(h.done)
		opt.AnyLength = true
		if h.some, h.err = t.solver.solve(ctx, hash, &p, opt); h.err != nil || !t.playable(&h.some) {
			return
		}
		h.best = h.some
		close(h.proved)
		found()
		opt.AnyLength, opt.Pause, opt.Jobs = false, nil, t.Jobs // nobody else works now
		opt.Timeout = limit
		if r, err := t.solver.solve(ctx, hash, &p, opt); err == nil && r.Verdict == h.some.Verdict && t.playable(&r) {
			h.best = r
		}
	}()
	return h
}

// playable tells whether a result is a mate whose line begins with one of the moves to choose from.
func (t *thought) playable(r *mate.Result) bool {
	return (r.Verdict == mate.MateIn || r.Verdict == mate.MatedIn) && len(r.Line) > 0 && slices.Contains(t.moves, r.Line[0]) &&
		!t.game.spoils(r.Line[0])
}

// answer waits for the end of a hunt, and reports the mate at once, and again if it turns out to be shorter; ok is
// false if there is none.
func (h *hunt) answer(t *thought, report func(Info)) (a Answer, ok bool) {
	say := func(r *mate.Result) {
		score := dialect.MateIn(r.Plies)
		if r.Verdict == mate.MatedIn {
			score = dialect.MatedIn(r.Plies)
		}
		report(Info{Depth: r.Plies, MultiPV: 1, Score: score, Nodes: r.Nodes, Took: r.Elapsed, PV: r.Line})
		a, ok = answer(r.Line, score), true
	}
	select {
	case <-h.proved:
	case <-h.done:
	}
	select {
	case <-h.proved: // although it may be h.done that was chosen, where both were there
		say(&h.some)
	default:
		if h.err != nil {
			t.remark("mate solver: %v", h.err)
		}
		return a, false
	}
	<-h.done
	if !slices.Equal(h.best.Line, h.some.Line) {
		say(&h.best)
	}
	return a, ok
}

// pauses returns a function that waits, until the context ends, so that whoever calls it every few milliseconds
// works for this percentage of the time.
func pauses(ctx context.Context, percent int) func() {
	if percent >= 100 {
		return nil
	}
	resumed := time.Now()
	return func() {
		wait := time.NewTimer(time.Since(resumed) * time.Duration(100-percent) / time.Duration(percent))
		defer wait.Stop()
		select {
		case <-wait.C:
		case <-ctx.Done():
		}
		resumed = time.Now()
	}
}

// withinReach returns a number of plies for the mate solver: any number, 0, where it is more than it knows.
func withinReach(plies int) int {
	if plies > mate.MaxMaxPlies {
		return 0
	}
	return plies
}

// solver is a mate solver that is kept from one thought to the next, because it remembers what it has proved. It
// may be busy for a moment after the thought that it was for.
type solver struct {
	mu     sync.Mutex
	solver *mate.Solver
	hash   int64 // bytes that it was made with
}

func (s *solver) solve(ctx context.Context, hash int64, p *rules.Position, opt mate.Options) (mate.Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.solver == nil || s.hash != hash {
		s.solver, s.hash = mate.New(hash), hash
	}
	return s.solver.Solve(ctx, p, opt)
}

// Tsume looks for the shortest mate in which every move of the side to move gives check. Tables cannot tell
// one from other mates, but where they know that there is no win, there is no mate.
func (e *Engine) Tsume(ctx context.Context, g *Game) (mate.Result, error) {
	p := g.Position()
	if e.Tables != nil {
		limited, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		if o, err := e.Tables.Within(limited).Outcome(&p); err == nil && o != rules.MateWin {
			return mate.Result{Verdict: mate.NoMate}, nil
		}
	}
	return e.solver.solve(ctx, e.hash(), &p, mate.Options{Tsume: true, Jobs: e.Jobs})
}

package review

import (
	"context"
	"errors"
	"sync/atomic"

	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/verify/mate"
)

// Reviewer reviews one game after another, and remembers positions that come again.
type Reviewer struct {
	options Options
	lend    func(context.Context) (context.Context, *mate.Solver, func(), error)
	cache   cache
}

// New makes a Reviewer. The error is an *OptionError.
func New(options Options) (*Reviewer, error) {
	if err := options.complete(); err != nil {
		return nil, err
	}
	r := &Reviewer{options: options, lend: options.Lend}
	if r.lend == nil {
		r.lend = ownSolvers(options.Jobs, options.Hash)
	}
	return r, nil
}

// game is a game under review.
type game struct {
	moves []rules.Move
	at    []place // before each move, and the end

	first   rules.Color  // who made the first move
	status  rules.Status // by the rules, after so many plies:
	plies   int
	limited bool // in plies
	remarks []Remark
}

// place is a position of a game.
type place struct {
	position rules.Position
	own      Value // by itself
	value    Value // the one that counts
	ended    Value // by the rules, if its field ended says so
	others   *others
	judged   Move // the move made here

	searched, settled, done step
}

// step is a part of the work on a position.
type step struct {
	over chan struct{}
	err  error
}

func (s *step) end(err error) {
	s.err = err
	close(s.over)
}

func (s *step) wait() error {
	<-s.over
	return s.err
}

func newGame(r *record.Game, options rules.GameOptions) *game {
	g := &game{moves: r.Played(), limited: options.MaxPlies > 0}
	p := r.Start
	for i := range len(g.moves) + 1 {
		at := place{position: p}
		for _, s := range []*step{&at.searched, &at.settled, &at.done} {
			s.over = make(chan struct{})
		}
		g.at = append(g.at, at)
		if i < len(g.moves) {
			p.Make(g.moves[i])
		}
	}
	g.adjudicate(options)
	return g
}

// Review judges the moves of a game's main line, and tells each in order, as soon as it can, to a function whose error
// ends the review. Of a review that is ended, by such an error or the context's, the summary is about the moves told.
func (r *Reviewer) Review(ctx context.Context, rec *record.Game, tell func(*Move) error) (Summary, error) {
	g := newGame(rec, r.options.Game)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	var finished atomic.Int64
	tasks := r.tasks(ctx, g)
	total := len(tasks)
	go func() {
		defer close(done)
		r.work(tasks, &finished)
	}()
	defer func() { // nothing of it may go on when the caller has the result
		cancel()
		<-done
	}()
	sum := Summary{Status: g.status, End: rec.End}
	for ply := range g.moves {
		at := &g.at[ply]
		if err := at.done.wait(); err != nil {
			return sum, err
		}
		sum.count(&at.judged)
		if err := tell(&at.judged); err != nil {
			return sum, err
		}
		if r.options.Progress != nil {
			r.options.Progress(int(finished.Load()), total)
		}
	}
	last := &g.at[len(g.moves)]
	if err := last.settled.wait(); err != nil {
		return sum, err
	}
	if m := rec.Illegal; m != 0 {
		judged := illegalMove(len(g.moves)+1, last, m)
		sum.count(&judged)
		if err := tell(&judged); err != nil {
			return sum, err
		}
	}
	if last.ended.ended && last.ended.By != ByMate {
		sum.Last = last.ended
	} else {
		sum.Last = last.value
	}
	g.holdAgainst(rec.End)
	sum.Remarks = g.remarks
	return sum, nil
}

// illegalMove is the judgement of a move that breaks a rule.
func illegalMove(ply int, at *place, m rules.Move) Move {
	judged := Move{Ply: ply, Position: at.position, Move: m, Before: at.value, After: unknown(), Judgement: Illegal, Proved: true}
	var why *rules.IllegalMoveError
	if errors.As(at.position.Legal(m), &why) {
		judged.Broken = why.Rule
	}
	return judged
}

// Parts returns how many parts the work on a game has, as Options.Progress counts them.
func Parts(rec *record.Game) int { return 2 * (len(rec.Moves) + 1) }

// tasks returns the work on a game, in an order in which each part waits only for those before it.
func (r *Reviewer) tasks(ctx context.Context, g *game) []func() {
	var tasks []func()
	n := len(g.at)
	// A position is settled with the own values of two neighbours on each side. What other workers have begun a moment ago
	// is not waited for, if there is something else to do.
	lag := 2 + r.options.Jobs
	for i := range n + lag + 1 {
		if i < n {
			tasks = append(tasks, func() { r.search(ctx, g, i) })
		}
		if k := i - lag; k >= 0 && k < n {
			tasks = append(tasks, func() { r.settleAndJudge(ctx, g, k) })
		}
	}
	return tasks
}

// work does tasks with as many workers as there are jobs.
func (r *Reviewer) work(tasks []func(), finished *atomic.Int64) {
	var next atomic.Int64
	done := make(chan struct{})
	for range r.options.Jobs {
		go func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(tasks) {
					break
				}
				tasks[i]()
				finished.Add(1)
			}
			done <- struct{}{}
		}()
	}
	for range r.options.Jobs {
		<-done
	}
}

// search finds the own value of a position.
func (r *Reviewer) search(ctx context.Context, g *game, i int) {
	at := &g.at[i]
	err := ctx.Err()
	if err == nil {
		at.own, err = r.valued(ctx, &at.position, g.first)
	}
	at.searched.end(err)
}

// settleAndJudge settles the value of a position, and then judges the move that led to it.
func (r *Reviewer) settleAndJudge(ctx context.Context, g *game, i int) {
	at := &g.at[i]
	err := ctx.Err()
	for k := max(i-2, 0); k <= min(i+2, len(g.moves)) && err == nil; k++ {
		err = g.at[k].searched.wait()
	}
	if err == nil {
		err = r.settle(ctx, g, i)
	}
	at.settled.end(err)
	if i == 0 {
		return
	}
	before := &g.at[i-1]
	if err == nil {
		err = before.settled.wait()
	}
	if err == nil {
		before.judged, err = r.judge(ctx, g, i-1)
	}
	before.done.end(err)
}

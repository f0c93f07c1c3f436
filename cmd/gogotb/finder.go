package main

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"gogotb/cmd/internal/answer"
	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage"
)

// criteria are what a position has to be, for find.
type criteria struct {
	category string // "": any
	by       string // "": any
	dtm      int    // plies to mate, -1: any
	rank     int    // by perpetual check, -1: any
	zugzwang bool   // a mutual zugzwang
}

// finder looks for positions of a set.
//
// Tables hold outcomes of all positions, but numbers of losses only; that of a win takes
// a look at the positions after all moves. So wins in n plies are sought in one of two
// ways: among all wins, one by one; or, where few positions are lost in n-1 plies,
// among the positions from which a move leads to one of these.
type finder struct {
	set     *storage.Set
	want    criteria
	numbers bool // the numbers of wins are wanted, too
	jobs    int
	bar     *progressBar
	// backFrom is the number of losses, as counted in statistics, from which taking back
	// moves is slower than looking at all wins.
	backFrom uint64
}

// backFromLosses is the usual finder.backFrom. Taking back the moves to a position costs as
// much as the numbers of some hundred wins.
const backFromLosses = 20000

// found is a position with what is known of it.
type found struct {
	index  uint64
	p      rules.Position
	result storage.Result
}

// find gives the positions that meet the criteria to emit, in the order of the index, a
// few at a time, until emit wants no more.
func (f *finder) find(ctx context.Context, emit func([]found) (more bool, err error)) error {
	w := &f.want
	if w.dtm%2 == 1 && w.dtm > 0 && !w.zugzwang && w.category != "loss" && w.category != "draw" && (w.by == "" || w.by == answer.ByMate) {
		stats := f.set.Stats()
		if w.dtm-1 < len(stats.Histogram) && stats.Histogram[w.dtm-1] < f.backFrom {
			return f.goBack(ctx, emit)
		}
	}
	return f.scan(ctx, emit)
}

// scan looks at block after block, some at the same time.
func (f *finder) scan(ctx context.Context, emit func([]found) (more bool, err error)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(f.jobs + 1)
	// Results in order: each block has a channel of its own, and the channels queue.
	queue := make(chan chan []found, 4*f.jobs)
	g.Go(func() error {
		defer close(queue)
		for block := range f.set.Blocks() {
			result := make(chan []found, 1)
			select {
			case queue <- result:
			case <-ctx.Done():
				return nil
			}
			g.Go(func() error {
				defer close(result)
				if ctx.Err() != nil {
					return nil
				}
				here, err := f.block(block)
				result <- here
				return err
			})
		}
		return nil
	})
	var failed error
	done := uint64(0)
	more := true
	for result := range queue {
		here := <-result
		done++
		if more && len(here) > 0 {
			if more, failed = emit(here); !more {
				stop()
			}
		}
		f.bar.set(done, "looking through "+f.set.Index().Material().String(), "")
	}
	return cmp.Or(g.Wait(), failed)
}

// block finds the positions of a block that meet the criteria.
func (f *finder) block(block uint64) (list []found, err error) {
	first, values, err := f.set.Values(block, nil)
	if err != nil {
		return nil, err
	}
	c := f.set.Index().Cursor(first)
	for _, v := range values {
		if f.possible(v) {
			p := c.Position()
			if !p.Attacked(p.King(rules.Gote), rules.Sente) { // a legal position
				r, ok, err := f.check(&p, v)
				if err != nil {
					return nil, err
				}
				if ok {
					list = append(list, found{c.Index(), p, r})
				}
			}
		}
		c.Next()
	}
	return list, nil
}

// possible tells whether a stored value, in which the numbers of wins are missing, can
// be one that is wanted.
func (f *finder) possible(v rules.Value) bool {
	o := v.Outcome()
	w := &f.want
	category := answer.Categories[storage.Adjudication{}.Verdict(o, rules.Sente)]
	lost := category == "loss"
	switch {
	case w.category != "" && w.category != category, w.by != "" && w.by != answer.By(o), w.zugzwang && !lost:
		return false
	case w.dtm >= 0:
		return answer.By(o) == answer.ByMate && (w.dtm%2 == 0) == lost && (!lost || v.Number() == w.dtm)
	case w.rank >= 0:
		return answer.By(o) == answer.ByPerpetual && (!lost || v.Number() == w.rank)
	}
	return true
}

// check tells whether a position whose stored value is possible is wanted indeed, and
// completes the value.
func (f *finder) check(p *rules.Position, v rules.Value) (r storage.Result, ok bool, err error) {
	if f.want.zugzwang {
		if ok, err = f.zugzwang(p); err != nil || !ok {
			return r, false, err
		}
	}
	won := v.Outcome() == rules.MateWin || v.Outcome() == rules.PerpetualWin
	number := max(f.want.dtm, f.want.rank)
	if won && (number >= 0 || f.numbers) {
		r, err = f.set.Probe(p)
		return r, err == nil && (number < 0 || r.Value.Number() == number), err
	}
	return storage.Result{Value: v, Exact: f.set.HasDistances() && !won}, true, nil
}

// zugzwang tells whether a lost position is a mutual zugzwang.
func (f *finder) zugzwang(p *rules.Position) (bool, error) {
	if p.InCheck() {
		return false, nil
	}
	o, err := f.set.Outcome(pass(p))
	return o == rules.MateLoss || o == rules.PerpetualLoss, err
}

// pass is the position with the other side to move.
func pass(p *rules.Position) *rules.Position {
	var board [rules.Squares]rules.Piece
	for s := range board {
		board[s] = p.At(rules.Square(s))
	}
	q := rules.Place(&board, &[2]rules.Hand{p.Hand(rules.Sente), p.Hand(rules.Gote)}, p.Turn().Other())
	return &q
}

// goBack finds the wins in want.dtm plies from the losses in one ply less.
func (f *finder) goBack(ctx context.Context, emit func([]found) (more bool, err error)) error {
	losses := *f
	losses.want = criteria{dtm: f.want.dtm - 1, rank: -1}
	var mu sync.Mutex
	wins := map[uint64]rules.Value{}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(f.jobs)
	err := losses.scan(ctx, func(list []found) (bool, error) {
		for _, loss := range list {
			g.Go(func() error {
				near, err := f.winsBefore(&loss.p)
				mu.Lock()
				defer mu.Unlock()
				for i, v := range near {
					wins[i] = v
				}
				return err
			})
		}
		return ctx.Err() == nil, nil
	})
	if err := cmp.Or(g.Wait(), err); err != nil {
		return err
	}
	var list []found
	for i, v := range wins {
		p, err := f.set.Index().Unrank(i)
		if err != nil {
			return err
		}
		list = append(list, found{i, p, storage.Result{Value: v, Exact: true}})
	}
	slices.SortFunc(list, func(a, b found) int { return cmp.Compare(a.index, b.index) })
	_, err = emit(list)
	return err
}

// winsBefore are the positions that are won in want.dtm plies by a move to a lost one.
func (f *finder) winsBefore(loss *rules.Position) (map[uint64]rules.Value, error) {
	x := f.set.Index()
	wins := map[uint64]rules.Value{}
	var failed error
	predecessors(loss, func(q rules.Position) {
		r, err := f.set.Probe(&q)
		if err == nil && r.Value.Outcome() == rules.MateWin && r.Value.Number() == f.want.dtm {
			var i uint64
			if i, err = x.Rank(&q); err == nil {
				wins[i] = r.Value
			}
		}
		failed = cmp.Or(failed, err)
	})
	return wins, failed
}

// report is a position found, in the terms of JSON.
func (h *found) report(m index.Material) findReport {
	return findReport{m.String(), h.index, h.p.SFEN(), answer.ValueOf(&h.p, h.result, storage.Adjudication{})}
}

package search

import (
	"cmp"
	"context"
	"iter"

	"golang.org/x/sync/errgroup"

	"gogotb/rules"
	"gogotb/storage"
)

// scan looks at block after block, some at the same time.
func (f *finder) scan(ctx context.Context) iter.Seq2[[]Found, error] {
	return func(yield func([]Found, error) bool) {
		scanning, stop := context.WithCancel(ctx)
		defer stop()
		g, scanning := errgroup.WithContext(scanning)
		g.SetLimit(f.options.Jobs + 1)
		more, done := true, uint64(0)
		for result := range f.results(scanning, g) {
			here := <-result
			done++
			if more && len(here) > 0 && !yield(here, nil) {
				more = false
				stop()
			}
			if f.options.Progress != nil {
				f.options.Progress(done)
			}
		}
		if err := cmp.Or(g.Wait(), ctx.Err()); more && err != nil {
			yield(nil, err)
		}
	}
}

// results begins the work on all blocks. Results come in order: each block has a channel of its own, and the
// channels queue.
func (f *finder) results(ctx context.Context, g *errgroup.Group) <-chan chan []Found {
	queue := make(chan chan []Found, 4*f.options.Jobs)
	g.Go(func() error {
		defer close(queue)
		for n := range f.set.BlockCount() {
			result := make(chan []Found, 1)
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
				here, err := f.block(n)
				result <- here
				return err
			})
		}
		return nil
	})
	return queue
}

// block finds the positions of block number n.
func (f *finder) block(n uint64) (list []Found, err error) {
	b, err := f.set.Block(n, nil)
	if err != nil {
		return nil, err
	}
	c := f.set.Index().Cursor(b.First)
	for _, v := range b.Values {
		if f.query.mayBe(v) {
			p := c.Position()
			if !p.Attacked(p.King(rules.Gote), rules.Sente) { // a legal position
				r, ok, err := f.check(&p, v)
				if err != nil {
					return nil, err
				}
				if ok {
					list = append(list, Found{c.Index(), p, r})
				}
			}
		}
		c.Next()
	}
	return list, nil
}

// check tells whether a position that may be wanted by its stored value is so indeed, and completes the value.
func (f *finder) check(p *rules.Position, v rules.Value) (r storage.Result, ok bool, err error) {
	if f.query.MutualZugzwang {
		if ok, err = f.zugzwang(p); err != nil || !ok {
			return r, false, err
		}
	}
	if n := f.query.Number; v.Wins() && (n != AnyNumber || f.options.WinNumbers) {
		r, err = f.set.Probe(p)
		return r, err == nil && (n == AnyNumber || r.Value.Number() == n), err
	}
	return storage.Result{Value: v, Exact: v.Outcome() == rules.Open || f.set.HasDistances() && !v.Wins()}, true, nil
}

// zugzwang tells whether a lost position is a mutual zugzwang.
func (f *finder) zugzwang(p *rules.Position) (bool, error) {
	if p.InCheck() {
		return false, nil
	}
	o, err := f.set.Outcome(pass(p))
	return o.Loses(), err
}

// pass returns the position with the other side to move.
func pass(p *rules.Position) *rules.Position {
	var board [rules.Squares]rules.Piece
	for s := range board {
		board[s] = p.At(rules.Square(s))
	}
	q := rules.Place(&board, &[2]rules.Hand{p.Hand(rules.Sente), p.Hand(rules.Gote)}, p.SideToMove().Other())
	return &q
}

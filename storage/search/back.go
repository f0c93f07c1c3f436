package search

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"gogotb/rules"
	"gogotb/storage"
)

// goBack finds the wins by mate in Query.Number plies from the losses in one ply less. Nothing else can be wanted:
// Query.Number is odd, losses by mate have even numbers, and the query asks for no perpetual check.
func (f *finder) goBack(ctx context.Context) iter.Seq2[[]Found, error] {
	return func(yield func([]Found, error) bool) {
		list, err := f.winsByRetraction(ctx)
		if err != nil {
			yield(nil, err)
		} else if len(list) > 0 {
			yield(list, nil)
		}
	}
}

func (f *finder) winsByRetraction(ctx context.Context) ([]Found, error) {
	losses := *f
	losses.query = Query{Outcomes: []rules.Outcome{rules.MateLoss}, Number: f.query.Number - 1}
	var mu sync.Mutex
	wins := map[uint64]rules.Value{}
	g, scanning := errgroup.WithContext(ctx)
	g.SetLimit(f.options.Jobs)
	var failed error
	for list, err := range losses.scan(scanning) {
		failed = err
		for _, loss := range list {
			g.Go(func() error {
				near, err := f.winsBefore(&loss.Position)
				mu.Lock()
				defer mu.Unlock()
				for i, v := range near {
					wins[i] = v
				}
				return err
			})
		}
	}
	if err := cmp.Or(g.Wait(), failed); err != nil {
		return nil, err
	}
	var list []Found
	for i, v := range wins {
		p, err := f.set.Index().Decode(i)
		if err != nil {
			return nil, err
		}
		list = append(list, Found{i, p, storage.Result{Value: v, Exact: true}})
	}
	slices.SortFunc(list, func(a, b Found) int { return cmp.Compare(a.Index, b.Index) })
	return list, nil
}

// winsBefore finds the positions that are won in Query.Number plies by a move to a lost one.
func (f *finder) winsBefore(loss *rules.Position) (map[uint64]rules.Value, error) {
	x := f.set.Index()
	wins := map[uint64]rules.Value{}
	for q := range loss.Predecessors() {
		r, err := f.set.Probe(&q)
		if err != nil {
			return nil, err
		}
		if r.Value != rules.MakeValue(rules.MateWin, f.query.Number) {
			continue
		}
		i, err := x.Encode(&q)
		if err != nil {
			return nil, err
		}
		wins[i] = r.Value
	}
	return wins, nil
}

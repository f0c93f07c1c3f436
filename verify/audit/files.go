package audit

import (
	"context"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage"
)

// NoDistancesError says that only the outcomes of a set are installed. Without distances
// nothing can be proved of them: a circle of false wins looks as good as true ones.
type NoDistancesError struct{ Material index.Material }

func (e *NoDistancesError) Error() string {
	return fmt.Sprintf("the table of distances for %s is not installed; outcomes alone cannot be audited", e.Material)
}

// Table audits the tables of a set: their values, unpacked into memory (two bytes a placement,
// and about a hundred for each position that mate leaves undecided), and the
// statistics. The error is a *NoDistancesError, one of reading the tables, or one of Values.
func Table(ctx context.Context, s *storage.Set, opt Options) (*Report, error) {
	if !s.HasDistances() {
		return nil, &NoDistancesError{s.Index().Material()}
	}
	t := newTable(s.Index().Size())
	var next atomic.Uint64
	g, ctx2 := errgroup.WithContext(ctx)
	for range opt.workers() {
		g.Go(func() error {
			var room []rules.Value
			for ctx2.Err() == nil {
				n := next.Add(1) - 1
				if n >= s.BlockCount() {
					return nil
				}
				b, err := s.Block(n, room)
				if err != nil {
					return err
				}
				t.put(b.First, b.Values)
				room = b.Values
			}
			return ctx2.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return run(ctx, s.Index(), t, s.Stats(), opt, true)
}

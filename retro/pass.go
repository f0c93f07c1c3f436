package retro

import (
	"bytes"
	"context"
	"math/bits"
	"sync"
	"sync/atomic"
	"time"

	"gogotb/rules"
)

// The analysis is a sequence of passes. In a pass every worker takes unit after unit; it
// reads any rows of the pass's sources, but writes only rows, flags and logs of its own
// unit in the pass's targets, which are no sources. So the result does not depend on the
// number of workers, and nothing needs a lock.

// each runs f on the units, spread over the workers. Passes are separated by it: it
// returns when all units are done, or early with the error of ctx, or with that of the
// scratch file.
func (s *solver) each(ctx context.Context, units []int, f func(w *worker, unit int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for _, w := range s.workers {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(units) {
					return
				}
				f(w, units[i])
				s.trim()
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil || s.scratch == nil {
		return err
	}
	return s.scratch.failed()
}

// trim gives memory back if the process takes nearly too much.
func (s *solver) trim() {
	if s.scratch != nil {
		s.scratch.trim(time.Now())
	}
}

// parallel runs f for 0..n-1, spread over as many goroutines as there are workers.
func (s *solver) parallel(n int, f func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range s.workers {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wg.Wait()
}

// eachRow runs f on every row of the units, with w.place set.
func (s *solver) eachRow(ctx context.Context, units []int, f func(w *worker)) error {
	return s.each(ctx, units, func(w *worker, i int) {
		u := s.layout.units[i]
		sl := &s.layout.slices[u.slice]
		for pair := u.pair; pair < u.ends; pair++ {
			for r := range sl.rows {
				w.place.set(sl, pair, r)
				f(w)
			}
			s.trim()
		}
	})
}

// eachFlagged runs f on the flagged rows of t, with w.place set. f may change the row
// that it is called for, and its flags.
func (s *solver) eachFlagged(ctx context.Context, t flags, f func(w *worker)) error {
	return s.each(ctx, s.all, func(w *worker, i int) {
		u := s.layout.units[i]
		sl := &s.layout.slices[u.slice]
		for pair := u.pair; pair < u.ends; pair++ {
			for r := range t.rows(sl, pair) {
				w.place.set(sl, pair, r)
				f(w)
			}
			s.trim()
		}
	})
}

// sweep runs f on the flagged rows of target from which the mover of k may reach a row
// flagged in from. What f records gets the value v in the log; sweep returns how many
// positions that are.
func (s *solver) sweep(ctx context.Context, k *kernel, from flags, target *set, log int, v rules.Value, f func(w *worker)) (uint64, error) {
	var found atomic.Uint64
	err := s.each(ctx, s.sweeps[k.mover], func(w *worker, i int) {
		u := s.layout.units[i]
		sl := &s.layout.slices[u.slice]
		w.startLog(u)
		for pair := u.pair; pair < u.ends; pair++ {
			if !target.flags.any(sl, pair) || !k.reachablePair(from, sl, pair) {
				continue
			}
			for g, board := range target.flags.pair(sl, pair) {
				if board == 0 {
					continue
				}
				for board &= k.reachable(from, sl, pair, g); board != 0; board &= board - 1 {
					w.place.set(sl, pair, g*rules.Squares+bits.TrailingZeros32(board))
					f(w)
				}
			}
			s.trim()
		}
		s.keepLog(w, log, i, v)
		found.Add(w.recorded)
	})
	return found.Load() / weightUnit, err
}

// recordEach runs f on the flagged rows of t and keeps what it records, as sweep does.
func (s *solver) recordEach(ctx context.Context, t *set, log int, v rules.Value, f func(w *worker)) (uint64, error) {
	var found atomic.Uint64
	err := s.each(ctx, s.all, func(w *worker, i int) {
		u := s.layout.units[i]
		sl := &s.layout.slices[u.slice]
		w.startLog(u)
		for pair := u.pair; pair < u.ends; pair++ {
			for r := range t.flags.rows(sl, pair) {
				w.place.set(sl, pair, r)
				f(w)
			}
			s.trim()
		}
		s.keepLog(w, log, i, v)
		found.Add(w.recorded)
	})
	return found.Load() / weightUnit, err
}

// startLog prepares the worker to record rows of a unit.
func (w *worker) startLog(u unit) {
	w.log.reset()
	w.logPair, w.recorded = u.pair, 0
}

// record records the row at w.place.
func (w *worker) record(r *row) {
	p := &w.place
	w.log.add((p.pair-w.logPair)*p.s.rows+p.r, r)
	w.recorded += weigh(p.s, p.pair, r)
}

// keepLog moves what was recorded of unit i to a log.
func (s *solver) keepLog(w *worker, log, i int, v rules.Value) {
	if len(w.log.bytes) > 0 {
		s.logBytes.Add(int64(len(w.log.bytes)))
		s.logs[log][i] = append(s.logs[log][i], chunk{v, s.epoch, bytes.Clone(w.log.bytes)})
	}
}

// clear empties a set.
func (s *solver) clear(ctx context.Context, t *set) error {
	return s.each(ctx, s.all, func(_ *worker, i int) {
		u := s.layout.units[i]
		for pair := u.pair; pair < u.ends; pair++ {
			t.clearPair(&s.layout.slices[u.slice], pair)
		}
	})
}

// weigh is how many legal positions the bits of a row stand for, in weightUnits: mirror
// images are counted, identical pieces are not told apart.
func weigh(s *slice, pair int, r *row) uint64 {
	n := uint64(r.count()) * weightUnit / uint64(s.twins)
	k := kingPairs[pair].king
	if k[rules.Sente].Column() != k[rules.Gote].Column() {
		n *= 2
	}
	return n
}

// weightUnit makes the weight of a bit whole: a placement has at most four cells.
const weightUnit = 4

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

// The analysis is a sequence of passes. In a pass every worker takes unit after unit; it reads any
// rows of the pass's sources, but writes only rows, flags and logs of its own unit in the pass's
// targets, which are no sources. So the result does not depend on the number of workers, and
// nothing needs a lock.
//
// visit and record are the passes over rows: visit changes sets, record also puts results into the
// log. Which rows they visit is a choice.

// choice says which rows a pass visits, and in which order it takes the units.
type choice struct {
	units   []int
	flagged flags // only rows that are flagged here; nil: all
	// Only rows from which the kernel's mover may reach a row flagged in reached; nil: all.
	kernel       *kernel
	reached      flags
	reachedPairs pairFlags // of reached, as it is before the pass
}

// allRows chooses all rows with side c to move, in the order of passes of its moves.
func (s *solver) allRows(c rules.Color) choice { return choice{units: s.order[c]} }

// flaggedRows chooses the rows flagged in f, copies of other parts' rows, too. Who visits them may
// change the flag of the row visited.
func (s *solver) flaggedRows(f flags) choice { return choice{units: s.all, flagged: f} }

// ownRows chooses the rows with side c to move that are flagged in f. Copies are left out.
func (s *solver) ownRows(c rules.Color, f flags) choice { return choice{units: s.own[c], flagged: f} }

// copiedRows chooses the copies of rows with side c to move that are flagged in f.
func (s *solver) copiedRows(c rules.Color, f flags) choice {
	return choice{units: s.copied[c], flagged: f}
}

// rowsReaching chooses the rows flagged in f from which the mover of k may reach a row that is
// flagged in reached.
func (s *solver) rowsReaching(reached flags, k *kernel, f flags) choice {
	pairs, count := reached.anyOfPairs(s.layout)
	if s.scratch != nil {
		s.scratch.expect(count*fewRows > s.rows)
	}
	return choice{s.order[k.mover], f, k, reached, pairs}
}

// fewRows: passes to less than one in so many rows come to a small part of the scratch file, and page by page is better.
const fewRows = 16

// skips tells whether no row of a king pair is chosen, as far as that is easily told.
func (c *choice) skips(s *slice, pair int) bool {
	return c.flagged != nil && !c.flagged.any(s, pair) || c.kernel != nil && !c.kernel.reachesPair(c.reachedPairs, s, pair)
}

// rows returns flags of the chosen rows of board g of a king pair that is not skipped.
func (c *choice) rows(s *slice, pair, g int) uint32 {
	rows := s.boardFlags()
	if c.flagged != nil {
		rows = c.flagged[s.id][pair*s.boards+g]
	}
	if c.kernel != nil && rows != 0 {
		rows &= c.kernel.reachingRows(c.reached, s, pair, g)
	}
	return rows
}

// visit runs f on the chosen rows, with w.place set.
func (s *solver) visit(ctx context.Context, rows choice, f func(w *worker)) error {
	s.turn()
	visit := eachRow(f)
	return s.eachUnit(ctx, rows.units, func(w *worker, i int) { s.visitUnit(w, i, &rows, visit) })
}

// eachRow makes of a function for rows one for the rows of a board.
func eachRow(f func(w *worker)) func(w *worker, rows uint32) {
	return func(w *worker, rows uint32) {
		for ; rows != 0; rows &= rows - 1 {
			w.place.setRow(bits.TrailingZeros32(rows))
			f(w)
		}
	}
}

// record runs f on the chosen rows of each board, with w.place set to the board, and keeps in the log, with the
// value v, the rows that f records. It returns how many positions these have.
func (s *solver) record(ctx context.Context, rows choice, log DeltaKind, v rules.Value, f func(w *worker, rows uint32)) (uint64, error) {
	s.turn()
	var found atomic.Uint64
	err := s.eachUnit(ctx, rows.units, func(w *worker, i int) {
		w.startLog(s.layout.units[i])
		s.visitUnit(w, i, &rows, f)
		s.keepLog(w, log, i, v)
		found.Add(w.recorded)
	})
	return found.Load() / quarters, err
}

// change does what visit does. Other parts have copies of the rows that f changes: f tells them
// what it has added or taken from each. It returns how many rows were told of.
func (s *solver) change(ctx context.Context, rows choice, kind DeltaKind, f func(w *worker)) (changed uint64, err error) {
	s.turn()
	visit := eachRow(f)
	var n atomic.Uint64
	err = s.eachUnit(ctx, rows.units, func(w *worker, i int) {
		w.startLog(s.layout.units[i])
		w.told, w.others = 0, s.part != nil
		s.visitUnit(w, i, &rows, visit)
		s.keepLog(w, kind, i, 0)
		if w.told > 0 {
			n.Add(w.told)
		}
	})
	return n.Load(), err
}

func (s *solver) visitUnit(w *worker, i int, rows *choice, f func(w *worker, rows uint32)) {
	u := s.layout.units[i]
	sl := &s.layout.slices[u.slice]
	for pair := u.pair; pair < u.ends; pair++ {
		if rows.skips(sl, pair) {
			continue
		}
		for g := range sl.boards {
			if chosen := rows.rows(sl, pair, g); chosen != 0 {
				w.place.setBoard(sl, pair, g)
				f(w, chosen)
			}
		}
		s.trim()
	}
}

// turn makes every other pass begin at the end, where a scratch file is used: what the pass before has come to last is still in
// memory.
func (s *solver) turn() { s.back = !s.back && s.scratch != nil }

// eachUnit runs f on the units, spread over the workers. Passes are separated by it: it returns
// when all units are done, or early with the error of ctx, or with that of the scratch file.
func (s *solver) eachUnit(ctx context.Context, units []int, f func(w *worker, unit int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for _, w := range s.workers {
		wg.Go(func() {
			if s.cores != nil {
				s.cores <- struct{}{}
				defer func() { <-s.cores }()
			}
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(units) {
					return
				}
				if s.back {
					i = len(units) - 1 - i
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

// startLog prepares the worker to record rows of a unit.
func (w *worker) startLog(u unit) {
	w.log.reset()
	w.logPair, w.recorded = u.pair, 0
}

// record records positions of the row at w.place.
func (w *worker) record(r *row) {
	dst := w.logRow()
	w.log.end(packRow(dst, r))
	w.recorded += r.positions(&w.place)
}

// logRow begins to record the row at w.place. It returns where packRow's bytes go.
func (w *worker) logRow() []byte {
	p := &w.place
	return w.log.begin((p.pair-w.logPair)*p.s.rows + p.r)
}

// takeWins takes from need, the row at w.place, the positions that w.sum has, and records them. It tells
// whether there are any, and whether need has others.
func (w *worker) takeWins(need *row) (any, left bool) {
	cells, free, squares := w.place.distinctCells()
	words, n, left := takeWins(w.logRow(), need, w.sum, cells, free, squares)
	if words == 0 {
		return false, true
	}
	w.log.end(words)
	w.recorded += n * w.place.weight
	return true, left
}

// takeLosses takes from need, the row at w.place, the positions that w.sum lacks, puts them into taken, and
// records them. It tells whether there are any, and whether need has others.
func (w *worker) takeLosses(need, taken *row) (any, left bool) {
	words, n, left := takeLosses(w.logRow(), need, w.sum, taken)
	if words == 0 {
		return false, true
	}
	w.log.end(words)
	w.recorded += n * w.place.weight
	return true, left
}

// tell tells other parts, if there are any, of what was added to the row at w.place or taken from it.
func (w *worker) tell(r *row) {
	w.told++
	if w.others {
		w.record(r)
	}
}

// keepLog moves what was recorded of unit i to a log, or to the deltas of the step.
func (s *solver) keepLog(w *worker, log DeltaKind, i int, v rules.Value) {
	switch {
	case len(w.log.bytes) == 0:
	case s.part != nil:
		s.part.keep(s, log, i, v, bytes.Clone(w.log.bytes))
	default:
		s.logBytes.Add(int64(len(w.log.bytes)))
		s.logs[log][i] = append(s.logs[log][i], chunk{v, s.epoch, w.kept.keep(w.log.bytes)})
	}
}

// clear empties a set.
func (s *solver) clear(ctx context.Context, t *set) error {
	if t.stored == nil {
		t.flags.clear()
		return ctx.Err()
	}
	return s.eachUnit(ctx, s.all, func(_ *worker, i int) { t.clear(s.layout.units[i]) })
}

// positions counts the positions that the bits of the row at p stand for, in quarters of a position:
// mirror images count, and identical pieces are not told apart.
func (r *row) positions(p *place) uint64 {
	return uint64(r.count()) * p.weight
}

// weight returns how many quarters of a position a bit of a row stands for.
func (s *slice) weight(pair int) uint64 {
	w := uint64(quarters / s.twins)
	if king := &s.pairs[pair].king; king[rules.Sente].Column() != king[rules.Gote].Column() {
		w *= 2
	}
	return w
}

// A placement has at most four cells, so that each is a whole number of quarters.
const quarters = 4

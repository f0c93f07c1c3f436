package retro

import (
	"context"
	"math/bits"
	"sync"

	"gogotb/index"
	"gogotb/rules"
)

// Solution holds the values of a solved set, compressed.
type Solution struct {
	solver *solver
	index  *index.Index
}

// Index is the perfect index that the values are in the order of.
func (s *Solution) Index() *index.Index { return s.index }

// Values calls emit with the values of all placements in index order, a slice of the
// set at a time, with Sente to move. Illegal positions have the value 0. emit must not
// keep what it is given. Values returns the statistics, or the error of ctx or of emit.
func (s *Solution) Values(ctx context.Context, emit func([]rules.Value) error) (index.Stats, error) {
	slices := s.solver.layout.slices
	total := tally{MaxWin: -1, MaxLoss: -1}
	workers := len(s.solver.workers)
	// A ring of results: slice i is made in place i % workers, by one goroutine each, and
	// handed on in order.
	type result struct {
		values []rules.Value
		tally  tally
	}
	done := make([]chan *result, workers)
	free := make([]chan *result, workers)
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	for n := range workers {
		done[n], free[n] = make(chan *result), make(chan *result, 1)
		free[n] <- new(result)
		wg.Go(func() {
			var cells []rules.Value
			for i := n; i < len(slices); i += workers {
				var r *result
				select {
				case r = <-free[n]:
				case <-ctx.Done():
					return
				}
				cells = s.decode(&slices[i], cells)
				r.values, r.tally = s.collect(&slices[i], cells, r.values[:0])
				select {
				case done[n] <- r:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	defer wg.Wait()
	defer cancel()
	for i := range slices {
		select {
		case r := <-done[i%workers]:
			if err := emit(r.values); err != nil {
				return index.Stats{}, err
			}
			total.merge(&r.tally)
			free[i%workers] <- r
		case <-ctx.Done():
			return index.Stats{}, ctx.Err()
		}
	}
	stats := index.Stats(total)
	stats.Checkmates = s.solver.mated
	if len(stats.Histogram) > 0 {
		stats.Stalemates = stats.Histogram[0] - stats.Checkmates
	}
	stats.MutualZugzwangs = s.solver.zugzwangs
	return stats, nil
}

// decode unpacks the values of a slice: a cell for each bit of its rows. Wins and open
// positions are recorded in the slice, losses in the turned one.
func (s *Solution) decode(sl *slice, cells []rules.Value) []rules.Value {
	l := s.solver.layout
	n := len(kingPairs) * sl.rows * rowCells(sl.n)
	if cap(cells) < n {
		cells = make([]rules.Value, n)
	}
	cells = cells[:n]
	clear(cells)

	open := rules.MakeValue(rules.Open, 0)
	for at := range s.solver.notWon.rows[sl.id] {
		r := &s.solver.notWon.rows[sl.id][at]
		for x, w := range r.words() {
			for ; w != 0; w &= w - 1 {
				cells[at*rowCells(sl.n)+x*rules.Squares+bits.TrailingZeros32(w)] = open
			}
		}
	}
	turned := newTurner(sl, sl.turned)
	for i, u := range l.units {
		if u.slice == sl.id {
			for _, c := range s.solver.logs[wins][i] {
				c.each(func(row, x int, w uint32) {
					at := (u.pair*sl.rows+row)*rowCells(sl.n) + x*rules.Squares
					for ; w != 0; w &= w - 1 {
						cells[at+bits.TrailingZeros32(w)] = c.value
					}
				})
			}
		}
		if u.slice == sl.turned.id {
			for _, c := range s.solver.logs[losses][i] {
				c.each(func(row, x int, w uint32) {
					turned.word(u.pair+row/sl.rows, row%sl.rows, x, w, func(cell int) { cells[cell] = c.value })
				})
			}
		}
	}
	return cells
}

// rowCells is how many cells a row has.
func rowCells(n int) int { return [...]int{1, rules.Squares, rules.Squares * rules.Squares}[min(n, 2)] }

// turner finds the cells of a slice for positions of the turned slice.
type turner struct {
	to, from *slice
	stride   [index.MaxPieces]int // in cells of to, by dimension of from
}

// cellStride is how far apart the cells are that differ by one square in dimension d.
func (s *slice) cellStride(d int) int {
	switch s.role(d) {
	case yRole:
		return 1
	case xRole:
		return rules.Squares
	}
	return s.stride[d] * rules.Squares * rules.Squares
}

func newTurner(to, from *slice) turner {
	t := turner{to: to, from: from}
	for d := range to.n {
		t.stride[d] = to.cellStride(d)
	}
	for _, d := range to.swapAt {
		t.stride[d], t.stride[d+1] = t.stride[d+1], t.stride[d]
	}
	return t
}

// word calls f for the cells of the bits of word x in row r of a king pair of from.
func (t *turner) word(pair, r, x int, w uint32, f func(cell int)) {
	n := t.to.n
	cell := kingPairs[pair].turned * t.to.rows * rowCells(n)
	squares := &t.from.places[r].squares
	for d := range t.from.outer() {
		cell += (24 - int(squares[d])) * t.stride[d]
	}
	if n > 1 {
		cell += (24 - x) * t.stride[n-2]
	}
	if n == 0 {
		f(cell)
		return
	}
	for ; w != 0; w &= w - 1 {
		f(cell + (24-bits.TrailingZeros32(w))*t.stride[n-1])
	}
}

// collect brings the cells of a slice into index order and counts them.
func (s *Solution) collect(sl *slice, cells []rules.Value, values []rules.Value) ([]rules.Value, tally) {
	t := tally{MaxWin: -1, MaxLoss: -1}
	var stride [index.MaxPieces]int
	for d := range sl.n {
		stride[d] = sl.cellStride(d)
	}
	perPair := sl.rows * rowCells(sl.n)
	end := s.index.SliceStart(sl.id + 1)
	for c := s.index.Cursor(s.index.SliceStart(sl.id)); c.Index() < end; c.Next() {
		at := int(kingPairOf[c.Own][c.Opposing]) * perPair
		for d := range sl.n {
			at += int(c.Squares[d]) * stride[d]
		}
		v := cells[at]
		values = append(values, v)
		t.add(v, uint64(c.Weight), c.Index())
	}
	return values, t
}

// tally counts values.
type tally index.Stats

func (t *tally) add(v rules.Value, weight, at uint64) {
	n := v.Number()
	switch v.Outcome() {
	case rules.Illegal:
		return
	case rules.Open:
		t.Open += weight
	case rules.MateWin:
		t.MateWins += weight
		count(&t.Histogram, n, weight)
		if n > t.MaxWin {
			t.MaxWin, t.LongestWin = n, at
		}
	case rules.MateLoss:
		t.MateLosses += weight
		count(&t.Histogram, n, weight)
		if n > t.MaxLoss {
			t.MaxLoss, t.LongestLoss = n, at
		}
	case rules.PerpetualWin:
		t.PerpetualWins += weight
		count(&t.RankWins, n-1, weight)
	case rules.PerpetualLoss:
		t.PerpetualLosses += weight
		count(&t.RankLosses, n-1, weight)
	}
	t.Legal += weight
}

// count adds weight to h[n].
func count(h *[]uint64, n int, weight uint64) {
	for len(*h) <= n {
		*h = append(*h, 0)
	}
	(*h)[n] += weight
}

// merge adds what was counted later in index order.
func (t *tally) merge(u *tally) {
	t.Legal += u.Legal
	t.MateWins += u.MateWins
	t.MateLosses += u.MateLosses
	t.PerpetualWins += u.PerpetualWins
	t.PerpetualLosses += u.PerpetualLosses
	t.Open += u.Open
	if u.MaxWin > t.MaxWin {
		t.MaxWin, t.LongestWin = u.MaxWin, u.LongestWin
	}
	if u.MaxLoss > t.MaxLoss {
		t.MaxLoss, t.LongestLoss = u.MaxLoss, u.LongestLoss
	}
	for _, h := range []struct{ into, from *[]uint64 }{
		{&t.Histogram, &u.Histogram}, {&t.RankWins, &u.RankWins}, {&t.RankLosses, &u.RankLosses},
	} {
		for n, weight := range *h.from {
			count(h.into, n, weight)
		}
	}
}

package retro

import (
	"context"
	"math/bits"

	"gogotb/index"
	"gogotb/rules"
)

// Solution holds the values of a solved set, compressed.
type Solution struct {
	solver     *solver
	index      *index.Index
	placements uint64
}

// Index returns the perfect index that the values are in the order of.
func (s *Solution) Index() *index.Index { return s.index }

// Values calls emit with the values of all placements in index order, a slice of the set at a time,
// with Sente to move. Illegal positions have the value 0. emit must not keep what it is given;
// meanwhile the next slice is made. Values returns the statistics, or the error of ctx or of emit;
// the results are then in the checkpoint.
func (s *Solution) Values(ctx context.Context, emit func([]rules.Value) error) (rules.Stats, error) {
	stats, err := s.values(ctx, emit)
	if err != nil && s.solver.checkpoint != nil {
		if failed := s.solver.save(); failed != nil && ctx.Err() != nil {
			return rules.Stats{}, failed
		}
	}
	return stats, err
}

// PlacementCount returns how many legal positions Values has found, mirror images counted once.
func (s *Solution) PlacementCount() uint64 { return s.placements }

// Close lets go of the checkpoint, in which what was saved stays, and of the scratch file.
func (s *Solution) Close() { s.solver.close() }

func (s *Solution) values(ctx context.Context, emit func([]rules.Value) error) (rules.Stats, error) {
	for _, w := range s.solver.workers {
		w.tally = newTally()
	}
	emitted := make(chan error, 1)
	emitted <- nil
	var buffers [2][]rules.Value
	for i := range s.solver.layout.slices {
		values, err := s.slice(ctx, &s.solver.layout.slices[i], buffers[i%2])
		if failed := <-emitted; err == nil {
			err = failed
		}
		if err != nil {
			return rules.Stats{}, err
		}
		buffers[i%2] = values
		go func() { emitted <- emit(values) }()
	}
	if err := <-emitted; err != nil {
		return rules.Stats{}, err
	}
	total := newTally()
	for _, w := range s.solver.workers {
		total.merge(w.tally)
		w.tally = nil
	}
	var stats rules.Stats
	stats, s.placements = total.stats()
	stats.Checkmates = s.solver.mated
	if len(stats.Histogram) > 0 {
		stats.Stalemates = stats.Histogram[0] - stats.Checkmates
	}
	stats.MutualZugzwangs = s.solver.zugzwangs
	return stats, nil
}

// slice makes the values of a slice in index order, unit by unit, and counts them.
func (s *Solution) slice(ctx context.Context, sl *slice, values []rules.Value) ([]rules.Value, error) {
	start := s.index.SliceStart(sl.id)
	n := int(s.index.SliceStart(sl.id+1) - start)
	if cap(values) < n {
		values = make([]rules.Value, n)
	}
	values = values[:n]
	won, err := s.solver.chunks(wins, sl.id)
	if err != nil {
		return nil, err
	}
	lost, err := s.solver.chunks(losses, sl.rotated.id)
	if err != nil {
		return nil, err
	}
	firstUnit, rotatedFirst := s.solver.layout.firstUnit[sl.id], s.solver.layout.firstUnit[sl.rotated.id]
	err = s.solver.eachUnit(ctx, s.solver.layout.unitsOf(sl), func(w *worker, i int) {
		u := s.solver.layout.units[i]
		rotated := s.solver.layout.rotatedUnit(i)
		s.decode(sl, u, won[i-firstUnit], s.solver.layout.units[rotated], lost[rotated-rotatedFirst], w)
		for pair := u.pair; pair < u.ends; pair++ {
			first := (pair - u.pair) * sl.rows * rowCells(sl.n)
			s.collect(sl, pair, w.cells[first:], values, start, w.tally)
			s.solver.trim()
		}
	})
	return values, err
}

// decode unpacks the values of a unit u of a slice into w.cells: a cell for each bit of its rows.
// Wins and open positions are recorded in the slice, losses in the rotated one: the lost chunks are
// of its unit lostUnit.
func (s *Solution) decode(sl *slice, u unit, won []chunk, lostUnit unit, lost []chunk, w *worker) {
	perRow := rowCells(sl.n)
	n := (u.ends - u.pair) * sl.rows * perRow
	if cap(w.cells) < n {
		w.cells = make([]rules.Value, n)
	}
	cells := w.cells[:n]
	w.cells = cells
	clear(cells)

	open := rules.MakeValue(rules.Open, 0)
	for pair := u.pair; pair < u.ends; pair++ {
		for r := range sl.rows {
			a := sl.address(pair, r)
			if !s.solver.open.flags.has(a) {
				continue
			}
			at := ((pair-u.pair)*sl.rows + r) * perRow
			for x, b := range s.solver.open.readFlagged(a).words() {
				for ; b != 0; b &= b - 1 {
					cells[at+x*rules.Squares+bits.TrailingZeros32(b)] = open
				}
			}
		}
	}
	for _, c := range won {
		c.each(func(row, x int, b uint32) {
			at := row*perRow + x*rules.Squares
			for ; b != 0; b &= b - 1 {
				cells[at+bits.TrailingZeros32(b)] = c.value
			}
		})
	}
	rotated := newRotatedCells(sl)
	for _, c := range lost {
		c.each(func(row, x int, b uint32) {
			pair := sl.pairs[lostUnit.pair+row/sl.rows].rotated - u.pair
			rotated.set(cells, pair, row%sl.rows, x, b, c.value)
		})
	}
}

// rowCells returns how many cells a row has.
func rowCells(n int) int { return [...]int{1, rules.Squares, rules.Squares * rules.Squares}[min(n, 2)] }

// cellStride returns how far apart the cells are that differ by one square in dimension d.
func (s *slice) cellStride(d int) int {
	switch s.role(d) {
	case yRole:
		return 1
	case xRole:
		return rules.Squares
	}
	return s.stride[d] * rules.Squares * rules.Squares
}

// rotatedCells finds the cells of a slice for positions of the rotated slice.
type rotatedCells struct {
	to     *slice
	stride [index.MaxPieces]int // in cells of to, by dimension of the rotated slice
}

func newRotatedCells(to *slice) rotatedCells {
	t := rotatedCells{to: to}
	for d := range to.n {
		t.stride[d] = to.cellStride(d)
	}
	for _, d := range to.reorderAt {
		t.stride[d], t.stride[d+1] = t.stride[d+1], t.stride[d]
	}
	return t
}

// set sets the cells of the bits b of word x, row r, in the rotated slice; pair is the number of
// the king pair in the cells.
func (t *rotatedCells) set(cells []rules.Value, pair, r, x int, b uint32, v rules.Value) {
	n := t.to.n
	cell := pair * t.to.rows * rowCells(n)
	squares := &t.to.places[r].squares
	for d := range t.to.outer() {
		cell += (24 - int(squares[d])) * t.stride[d]
	}
	if n > 1 {
		cell += (24 - x) * t.stride[n-2]
	}
	if n == 0 {
		cells[cell] = v
		return
	}
	for ; b != 0; b &= b - 1 {
		cells[cell+(24-bits.TrailingZeros32(b))*t.stride[n-1]] = v
	}
}

// collect brings the cells of a king pair, if the index has it, to their places in the values of
// the slice, which start at index start, and counts them.
func (s *Solution) collect(sl *slice, pair int, cells, values []rules.Value, start uint64, t *tally) {
	kings := sl.pairs[pair].king
	first, ok := s.index.PairStart(sl.id, kings[rules.Sente], kings[rules.Gote])
	if !ok {
		return
	}
	var stride [index.MaxPieces]int
	for d := range sl.n {
		stride[d] = sl.cellStride(d)
	}
	out := values[first-start:]
	c := s.index.Cursor(first)
	for more := true; more && c.Slice == sl.id && c.Own == kings[rules.Sente] && c.Opposing == kings[rules.Gote]; more = c.Next() {
		at, counts := c.Index(), &t.twice
		if c.Weight == 1 {
			counts = &t.once
		}
		dim, squares := c.Run()
		cell := 0
		for d := range sl.n {
			if d != dim {
				cell += int(c.Squares[d]) * stride[d]
			}
		}
		if squares == 0 { // no piece on the board
			squares = 1
		}
		for ; squares != 0; squares &= squares - 1 {
			v := cells[cell+int(squares.First())*stride[dim]]
			out[at-first] = v
			counts[v]++
			if at < t.first[v] {
				t.first[v] = at
			}
			at++
		}
	}
}

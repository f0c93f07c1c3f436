package retro

import (
	"context"
	"encoding/binary"
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
	s.beginTally()
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
	total := s.takeTally()
	var stats rules.Stats
	stats, s.placements = total.Stats(Totals{Mated: s.solver.mated, Zugzwangs: s.solver.zugzwangs})
	return stats, nil
}

func (s *Solution) beginTally() {
	for _, w := range s.solver.workers {
		w.tally = newTally()
	}
}

// takeTally returns what the workers have counted.
func (s *Solution) takeTally() *Tally {
	total := newTally()
	for _, w := range s.solver.workers {
		total.Merge(w.tally)
		w.tally = nil
	}
	return total
}

// slice makes the values of a slice in index order, and counts them.
func (s *Solution) slice(ctx context.Context, sl *slice, values []rules.Value) ([]rules.Value, error) {
	won, err := s.solver.chunks(wins, sl.id)
	if err != nil {
		return nil, err
	}
	lost, err := s.solver.chunks(losses, sl.rotated.id)
	if err != nil {
		return nil, err
	}
	return s.sliceOf(ctx, sl, won, lost, values)
}

// sliceOf makes them of what was recorded of the slice and of the rotated one, unit by unit.
func (s *Solution) sliceOf(ctx context.Context, sl *slice, won, lost [][]chunk, values []rules.Value) ([]rules.Value, error) {
	start := s.index.SliceStart(sl.id)
	n := int(s.index.SliceStart(sl.id+1) - start)
	if cap(values) < n {
		values = make([]rules.Value, n)
	}
	values = values[:n]
	firstUnit, rotatedFirst := s.solver.layout.firstUnit[sl.id], s.solver.layout.firstUnit[sl.rotated.id]
	err := s.solver.eachUnit(ctx, s.solver.layout.unitsOf(sl), func(w *worker, i int) {
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

// decode unpacks the values of a unit u of a slice into w.cells, a cell for each bit of its rows, and counts those that
// are decided. Wins and open positions are recorded in the slice, losses in the rotated one: the lost chunks are
// of its unit lostUnit. The set of the open positions still has the losses by perpetual check, which take their cells.
// Where nobody has kept that set, all legal positions stand for it.
func (s *Solution) decode(sl *slice, u unit, won []chunk, lostUnit unit, lost []chunk, w *worker) {
	perRow := rowCells(sl.n)
	n := (u.ends-u.pair)*sl.rows*perRow + 1 // packCells reads behind the last one
	if cap(w.cells) < n {
		w.cells = make([]rules.Value, n)
	}
	cells := w.cells[:n]
	w.cells = cells
	clear(cells)

	open := rules.MakeValue(rules.Open, 0)
	packed := make([]byte, packedRow)
	for pair := u.pair; pair < u.ends; pair++ {
		for r := range sl.rows {
			undecided := &noRow
			var legal row
			if a := sl.address(pair, r); s.solver.open == nil {
				w.place.set(sl, pair, r)
				legal = legalRow(&w.place, rules.Sente)
				undecided = &legal
			} else if s.solver.open.flags.has(a) {
				undecided = s.solver.open.readFlagged(a)
			}
			if undecided != &noRow {
				words := packRow(packed, undecided)
				at := ((pair-u.pair)*sl.rows + r) * perRow
				setCells(cells[at:], packed[4:], words, open)
			}
		}
	}
	for _, c := range won {
		sum := uint64(0)
		for r := c.reader(); r.read(); {
			sum += sl.weight(u.pair+r.row/sl.rows) * setCells(cells[r.row*perRow:], r.at, r.words, c.value)
		}
		w.tally.add(c.value, sum)
	}
	rotated := newRotatedCells(sl)
	for _, c := range lost {
		sum := uint64(0)
		for r := c.reader(); r.read(); {
			pair, row := lostUnit.pair+r.row/sl.rows, r.row%sl.rows
			sum += sl.weight(pair) * rotated.set(cells, sl.pairs[pair].rotated-u.pair, row, r.at, r.words, c.value)
		}
		w.tally.add(c.value, sum)
	}
}

// setCellsGo sets the cells of the bits of a packed row, of which words has the mask, to a value. It returns the
// number of bits.
func setCellsGo(cells []rules.Value, packed []byte, words uint32, v rules.Value) (n uint64) {
	for ; words != 0; words &= words - 1 {
		b := binary.LittleEndian.Uint32(packed)
		packed = packed[4:]
		n += uint64(bits.OnesCount32(b))
		for at := bits.TrailingZeros32(words) * rules.Squares; b != 0; b &= b - 1 {
			cells[at+bits.TrailingZeros32(b)] = v
		}
	}
	return n
}

// setCellsApart does the same with cells whose places begin at cell, x apart and y apart for the squares of x and y,
// which count down from the last one.
func setCellsApart(cells []rules.Value, cell, x, y int, packed []byte, words uint32, v rules.Value) (n uint64) {
	for ; words != 0; words &= words - 1 {
		b := binary.LittleEndian.Uint32(packed)
		packed = packed[4:]
		n += uint64(bits.OnesCount32(b))
		for at := cell + (rules.Squares-1-bits.TrailingZeros32(words))*x; b != 0; b &= b - 1 {
			cells[at+(rules.Squares-1-bits.TrailingZeros32(b))*y] = v
		}
	}
	return n
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

// set sets the cells of a packed row, row r of the rotated slice, to a value; pair is the number of
// the king pair in the cells. It returns the number of bits.
func (t *rotatedCells) set(cells []rules.Value, pair, r int, packed []byte, words uint32, v rules.Value) uint64 {
	n := t.to.n
	cell := pair * t.to.rows * rowCells(n)
	squares := &t.to.places[r].squares
	for d := range t.to.outer() {
		cell += (24 - int(squares[d])) * t.stride[d]
	}
	switch {
	case n == 0:
		return setCellsGo(cells[cell:], packed, words, v)
	case n == 1:
		return setCellsApart(cells, cell-(rules.Squares-1), 1, 1, packed, words, v) // x is 0
	case t.stride[n-1] == 1 && t.stride[n-2] == rules.Squares:
		return setRotatedCells(cells[cell:cell+rules.Squares*rules.Squares], packed, words, v)
	}
	return setCellsApart(cells, cell, t.stride[n-2], t.stride[n-1], packed, words, v)
}

// collect brings the cells of a king pair, if the index has it, to their places in the values of
// the slice, which start at index start, and counts them.
func (s *Solution) collect(sl *slice, pair int, cells, values []rules.Value, start uint64, t *Tally) {
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
		at, twice := c.Index(), c.Weight == 2
		dim, squares := c.Run()
		if squares == 0 { // no piece on the board
			squares = 1
		}
		cell := 0
		for d := range sl.n {
			if d != dim {
				cell += int(c.Squares[d]) * stride[d]
			}
		}
		run := out[at-first:][:squares.Count()]
		legal, wins, losses := packCells(run, cells[cell:], stride[dim], uint32(squares), t.win.value, t.loss.value)
		if twice {
			t.twice += uint64(bits.OnesCount32(legal))
		} else {
			t.once += uint64(bits.OnesCount32(legal))
		}
		if wins|losses != 0 {
			t.win.look(run, wins, at)
			t.loss.look(run, losses, at)
		}
	}
}

// packCellsGo writes the cells of some squares, a stride apart, to run, one after the other. It returns, as sets of
// what it has written, the legal positions, the wins by mate from win on, and the losses by mate from loss on.
func packCellsGo(run, cells []rules.Value, stride int, squares uint32, win, loss rules.Value) (legal, wins, losses uint32) {
	for i := range run {
		v := cells[bits.TrailingZeros32(squares)*stride]
		squares &= squares - 1
		run[i] = v
		if v != 0 {
			legal |= 1 << i
		}
		if v >= win && v.Outcome() == rules.MateWin {
			wins |= 1 << i
		}
		if v >= loss && v.Outcome() == rules.MateLoss {
			losses |= 1 << i
		}
	}
	return legal, wins, losses
}

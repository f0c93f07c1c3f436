package retro

import (
	"iter"
	"math/bits"

	"gogotb/rules"
)

// set is a set of positions with one side to move: its rows by slice, ordered by king
// pair and row, and a flag for each row. A row without a flag is empty.
type set struct {
	rows  [][]row
	flags flags
}

// flags has a flag for every row, by slice. The flags of the rows that differ in the last
// outer piece are a board: bit b is the row in which it stands on square b. Slices
// without outer pieces use bit 0 only. Different king pairs share no board, so workers on
// different units can set flags at once.
type flags [][]uint32

func newSet(l *layout) *set {
	t := &set{flags: newFlags(l)}
	for i := range l.slices {
		t.rows = append(t.rows, make([]row, l.slices[i].rows*len(kingPairs)))
	}
	return t
}

func newFlags(l *layout) (f flags) {
	for i := range l.slices {
		f = append(f, make([]uint32, l.slices[i].boards*len(kingPairs)))
	}
	return f
}

// row r of a king pair in a slice.
func (t *set) row(s *slice, pair, r int) *row { return &t.rows[s.id][pair*s.rows+r] }

// put stores the row at p and its flag.
func (t *set) put(p *place, r *row) {
	*t.row(p.s, p.pair, p.r) = *r
	t.flags.put(p.s, p.pair, p.r, !r.empty())
}

// clearPair empties the rows of a king pair.
func (t *set) clearPair(s *slice, pair int) {
	for r := range t.flags.rows(s, pair) {
		*t.row(s, pair, r) = row{}
	}
	clear(t.flags.pair(s, pair))
}

// copyUnit copies the rows and flags of a unit.
func (t *set) copyUnit(l *layout, i int, from *set) {
	u := l.units[i]
	s := &l.slices[u.slice]
	copy(t.rows[s.id][u.pair*s.rows:u.ends*s.rows], from.rows[s.id][u.pair*s.rows:u.ends*s.rows])
	copy(t.flags[s.id][u.pair*s.boards:u.ends*s.boards], from.flags[s.id][u.pair*s.boards:u.ends*s.boards])
}

// pair are the boards of a king pair.
func (f flags) pair(s *slice, pair int) []uint32 {
	return f[s.id][pair*s.boards : (pair+1)*s.boards]
}

func (f flags) has(s *slice, pair, r int) bool {
	return f[s.id][pair*s.boards+r/rules.Squares]>>(r%rules.Squares)&1 != 0
}

func (f flags) put(s *slice, pair, r int, on bool) {
	board, bit := &f[s.id][pair*s.boards+r/rules.Squares], uint32(1)<<(r%rules.Squares)
	if on {
		*board |= bit
	} else {
		*board &^= bit
	}
}

// any tells whether a row of a king pair is flagged.
func (f flags) any(s *slice, pair int) bool {
	var or uint32
	for _, board := range f.pair(s, pair) {
		or |= board
	}
	return or != 0
}

// clear removes all flags.
func (f flags) clear() {
	for _, boards := range f {
		clear(boards)
	}
}

// fill sets all flags.
func (f flags) fill(l *layout) {
	for i, boards := range f {
		all := uint32(1)
		if l.slices[i].outer() > 0 {
			all = uint32(rules.Board)
		}
		for j := range boards {
			boards[j] = all
		}
	}
}

// rows are the numbers of the flagged rows of a king pair. The flag of the row that it
// stands at may change.
func (f flags) rows(s *slice, pair int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for g, board := range f.pair(s, pair) {
			for ; board != 0; board &= board - 1 {
				if !yield(g*rules.Squares + bits.TrailingZeros32(board)) {
					return
				}
			}
		}
	}
}

package retro

import (
	"iter"
	"math/bits"

	"gogotb/rules"
)

// set is a set of positions with one side to move: its rows, and a flag for each row. A
// row without a flag is empty. The rows that differ in the last outer piece, 25 of them, or
// the one row of slices without outer pieces, are a board; boards that have never held a
// position are nil.
type set struct {
	boards  [][][]row // by slice, then king pair and squares of the outer pieces but the last
	flags   flags
	scratch *scratch // where boards of 25 rows are, nil: in ordinary memory
}

// flags has a flag for every row, by slice: a word for each board, in which bit b is the
// row where the last outer piece stands on square b. Slices without outer pieces use bit 0. Different king pairs share no board, so workers on
// different units can set flags at once.
type flags [][]uint32

func newSet(l *layout, f *scratch) *set {
	t := &set{flags: newFlags(l), scratch: f}
	for i := range l.slices {
		t.boards = append(t.boards, make([][]row, l.slices[i].boards*len(kingPairs)))
	}
	return t
}

func newFlags(l *layout) (f flags) {
	for i := range l.slices {
		f = append(f, make([]uint32, l.slices[i].boards*len(kingPairs)))
	}
	return f
}

// noRow is what row gives for a row of a board that is nil.
var noRow row

// row is row r of a king pair in a slice. It may be changed if it is flagged.
func (t *set) row(s *slice, pair, r int) *row {
	board := t.boards[s.id][pair*s.boards+r/rules.Squares]
	if board == nil {
		return &noRow
	}
	return &board[r%rules.Squares]
}

// at is row r of a king pair in a slice, to be changed.
func (t *set) at(s *slice, pair, r int) *row {
	board := &t.boards[s.id][pair*s.boards+r/rules.Squares]
	if *board == nil {
		*board = t.board(min(s.rows, boardRows))
	}
	return &(*board)[r%rules.Squares]
}

// board is an empty board of so many rows.
func (t *set) board(rows int) []row {
	if t.scratch != nil && rows == boardRows {
		return t.scratch.board()
	}
	return make([]row, rows)
}

// put stores the row at p and its flag.
func (t *set) put(p *place, r *row) {
	some := !r.empty()
	if some || t.boards[p.s.id][p.pair*p.s.boards+p.board] != nil {
		*t.at(p.s, p.pair, p.r) = *r
	}
	t.flags.put(p.s, p.pair, p.r, some)
}

// release lets go of the boards of a unit that have no flag.
func (t *set) release(l *layout, i int) {
	u := l.units[i]
	s := &l.slices[u.slice]
	for b := u.pair * s.boards; b < u.ends*s.boards; b++ {
		if board := &t.boards[s.id][b]; *board != nil && t.flags[s.id][b] == 0 {
			if t.scratch != nil && len(*board) == boardRows {
				t.scratch.release(*board)
			}
			*board = nil
		}
	}
}

// releaseAll lets go of all boards, which empties the set.
func (t *set) releaseAll(l *layout) {
	t.flags.clear()
	for i := range l.units {
		t.release(l, i)
	}
}

// clearPair empties the rows of a king pair.
func (t *set) clearPair(s *slice, pair int) {
	for r := range t.flags.rows(s, pair) {
		*t.row(s, pair, r) = row{}
	}
	clear(t.flags.pair(s, pair))
}

// copyUnit makes a unit of t, which has none of its boards, equal to that of from.
func (t *set) copyUnit(l *layout, i int, from *set) {
	u := l.units[i]
	s := &l.slices[u.slice]
	for b := u.pair * s.boards; b < u.ends*s.boards; b++ {
		if from.flags[s.id][b] != 0 {
			t.boards[s.id][b] = t.board(len(from.boards[s.id][b]))
			copy(t.boards[s.id][b], from.boards[s.id][b])
			t.flags[s.id][b] = from.flags[s.id][b]
		}
	}
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

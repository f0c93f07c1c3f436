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
//
// A thin set has, of each board, only the rows that have ever held a position, in their
// order. That is for the few positions that are left when all mates are found.
type set struct {
	boards  [][][]row // by slice, then king pair and squares of the outer pieces but the last
	flags   flags
	present flags    // of a thin set: the rows that its boards have
	scratch *scratch // where the boards are, nil: in ordinary memory
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

// noRow is what row gives for a row that is not there.
var noRow row

// row is row r of a king pair in a slice. It may be changed if it is flagged.
func (t *set) row(s *slice, pair, r int) *row {
	return t.rowOf(s.id, pair*s.boards+r/rules.Squares, r%rules.Squares)
}

// rowAt is the row at p. It may be changed if it is flagged.
func (t *set) rowAt(p *place) *row { return t.rowOf(p.s.id, p.board, p.bit) }

func (t *set) rowOf(slice, b, bit int) *row {
	board := t.boards[slice][b]
	if board == nil {
		return &noRow
	}
	if t.present != nil {
		if t.present[slice][b]>>bit&1 == 0 {
			return &noRow
		}
		bit = below(t.present[slice][b], bit)
	}
	return &board[bit]
}

// flagged is the row of a board of a slice that has the flag bit. It must have it.
func (t *set) flagged(slice, board, bit int) *row {
	if t.present != nil {
		bit = below(t.present[slice][board], bit)
	}
	return &t.boards[slice][board][bit]
}

// below counts the bits of a board of flags below a bit.
func below(flags uint32, bit int) int { return bits.OnesCount32(flags & (1<<bit - 1)) }

// whole are all rows of a board, in memory if the set is thin.
func (t *set) whole(slice, board int, memory *[boardRows]row) []row {
	rows := t.boards[slice][board]
	if t.present == nil {
		return rows
	}
	*memory = [boardRows]row{}
	for present := t.present[slice][board]; present != 0; present &= present - 1 {
		memory[bits.TrailingZeros32(present)] = rows[0]
		rows = rows[1:]
	}
	return memory[:]
}

// made is row r of a king pair in a slice, to be changed.
func (t *set) made(s *slice, pair, r int) *row {
	return t.madeOf(s, pair*s.boards+r/rules.Squares, r%rules.Squares)
}

// madeAt is the row at p, to be changed.
func (t *set) madeAt(p *place) *row { return t.madeOf(p.s, p.board, p.bit) }

func (t *set) madeOf(s *slice, b, bit int) *row {
	board := &t.boards[s.id][b]
	if t.present != nil {
		n := below(t.present[s.id][b], bit)
		if t.present[s.id][b]>>bit&1 == 0 {
			t.insert(board, n)
			t.present[s.id][b] |= 1 << bit
		}
		return &(*board)[n]
	}
	if *board == nil {
		*board = t.board(min(s.rows, boardRows))
	}
	return &(*board)[bit]
}

// insert makes an empty row the n-th of a board.
func (t *set) insert(board *[]row, n int) {
	old := *board
	if len(old) == cap(old) {
		*board = t.board(min(len(old)+1+len(old)/2, boardRows))[:len(old)]
		copy(*board, old)
		t.releaseBoard(old)
	}
	*board = (*board)[:len(old)+1]
	copy((*board)[n+1:], (*board)[n:])
	(*board)[n] = row{}
}

// board is an empty board of so many rows.
func (t *set) board(rows int) []row {
	if t.scratch != nil {
		return t.scratch.board(rows)
	}
	return make([]row, rows)
}

func (t *set) releaseBoard(board []row) {
	if t.scratch != nil && cap(board) > 0 {
		t.scratch.release(board)
	}
}

// put stores the row at p and its flag.
func (t *set) put(p *place, r *row) {
	some := !r.empty()
	if some {
		*t.madeAt(p) = *r
	} else if there := t.rowAt(p); there != &noRow {
		*there = *r
	}
	t.flags.putAt(p, some)
}

// release lets go of the boards of a unit that have no flag.
func (t *set) release(l *layout, i int) {
	u := l.units[i]
	s := &l.slices[u.slice]
	for b := u.pair * s.boards; b < u.ends*s.boards; b++ {
		if t.flags[s.id][b] == 0 {
			t.releaseBoard(t.boards[s.id][b])
			t.boards[s.id][b] = nil
			if t.present != nil {
				t.present[s.id][b] = 0
			}
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

// thin moves the flagged rows of a unit to the set to, which is thin and has none of its
// boards, and lets go of the unit's boards.
func (t *set) thin(l *layout, i int, to *set) {
	u := l.units[i]
	s := &l.slices[u.slice]
	for b := u.pair * s.boards; b < u.ends*s.boards; b++ {
		flags := t.flags[s.id][b]
		to.flags[s.id][b], to.present[s.id][b] = flags, flags
		if flags != 0 {
			board := to.board(bits.OnesCount32(flags))
			for j := 0; flags != 0; flags &= flags - 1 {
				board[j] = t.boards[s.id][b][bits.TrailingZeros32(flags)]
				j++
			}
			to.boards[s.id][b] = board
		}
		t.releaseBoard(t.boards[s.id][b])
		t.boards[s.id][b] = nil
	}
}

// copyUnit makes a unit of t, which has none of its boards, equal to that of from. Both are
// thin, or neither is.
func (t *set) copyUnit(l *layout, i int, from *set) {
	u := l.units[i]
	s := &l.slices[u.slice]
	for b := u.pair * s.boards; b < u.ends*s.boards; b++ {
		if from.flags[s.id][b] != 0 {
			t.boards[s.id][b] = t.board(len(from.boards[s.id][b]))
			copy(t.boards[s.id][b], from.boards[s.id][b])
			t.flags[s.id][b] = from.flags[s.id][b]
			if t.present != nil {
				t.present[s.id][b] = from.present[s.id][b]
			}
		}
	}
}

// clearPair empties the rows of a king pair.
func (t *set) clearPair(s *slice, pair int) {
	for r := range t.flags.rows(s, pair) {
		*t.row(s, pair, r) = row{}
	}
	clear(t.flags.pair(s, pair))
}

// pair are the boards of a king pair.
func (f flags) pair(s *slice, pair int) []uint32 {
	return f[s.id][pair*s.boards : (pair+1)*s.boards]
}

func (f flags) has(s *slice, pair, r int) bool {
	return f[s.id][pair*s.boards+r/rules.Squares]>>(r%rules.Squares)&1 != 0
}

func (f flags) put(s *slice, pair, r int, on bool) {
	f.putOf(s.id, pair*s.boards+r/rules.Squares, r%rules.Squares, on)
}

func (f flags) putAt(p *place, on bool) { f.putOf(p.s.id, p.board, p.bit, on) }

func (f flags) putOf(slice, b, bit int, on bool) {
	if board := &f[slice][b]; on {
		*board |= 1 << bit
	} else {
		*board &^= 1 << bit
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

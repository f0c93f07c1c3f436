package retro

import (
	"math/bits"

	"gogotb/rules"
)

// set is a set of positions with one side to move: its rows, and a flag for each row. A row without
// a flag is empty. The rows that differ in the last outer piece, 25 of them, or the one row of
// slices without outer pieces, are a board; boards that have never held a position are nil. A board
// without any flag may hold anything: it is emptied when it gets its first one.
//
// A sparse set has, of each board, only the rows that have ever held a position, in their order.
// That is for the few positions that are left when all mates are found.
type set struct {
	layout *layout
	boards [][][]row // by slice, then king pair and squares of the outer pieces but the last
	flags  flags
	stored flags  // of a sparse set: the rows that its boards have; else nil
	arena  *arena // where the boards are
	begun  []bool // the units that have had boards
}

// address says where the row of certain kings and outer pieces is in every set. There are three
// things to do with it: read the row, create it to change it, and flag it.
type address struct {
	slice int // number
	board int // in the slice
	bit   int // row of the board, and its bit in the board's flags
}

// address returns the address of row r of a king pair in a slice.
func (s *slice) address(pair, r int) address {
	return address{s.id, pair*s.boards + r/rules.Squares, r % rules.Squares}
}

func newSet(l *layout, a *arena) *set {
	t := &set{layout: l, flags: newFlags(l), arena: a, begun: make([]bool, len(l.units))}
	for i := range l.slices {
		t.boards = append(t.boards, make([][]row, l.slices[i].boards*len(l.pairs)))
	}
	return t
}

func newSparseSet(l *layout, a *arena) *set {
	t := newSet(l, a)
	t.stored = newFlags(l)
	return t
}

// noRow is what is read of a row that is not there.
var noRow row

// read returns a row, which may be changed if it is flagged, or noRow.
func (t *set) read(a address) *row {
	board := t.boards[a.slice][a.board]
	if board == nil || t.flags[a.slice][a.board] == 0 {
		return &noRow
	}
	if t.stored != nil {
		if t.stored[a.slice][a.board]>>a.bit&1 == 0 {
			return &noRow
		}
		return &board[below(t.stored[a.slice][a.board], a.bit)]
	}
	return &board[a.bit]
}

// readFlagged returns a row that is flagged: read without asking whether it is there.
func (t *set) readFlagged(a address) *row {
	bit := a.bit
	if t.stored != nil {
		bit = below(t.stored[a.slice][a.board], bit)
	}
	return &t.boards[a.slice][a.board][bit]
}

// readBoard returns all rows of a board that has a flag; those of a sparse set are put together in
// memory.
func (t *set) readBoard(slice, board int, memory *rowsOfBoard) []row {
	rows := t.boards[slice][board]
	if t.stored == nil {
		return rows
	}
	*memory = [boardRows]row{}
	for stored := t.stored[slice][board]; stored != 0; stored &= stored - 1 {
		memory[bits.TrailingZeros32(stored)] = rows[0]
		rows = rows[1:]
	}
	return memory[:]
}

// create returns a row to be changed, an empty one if it was not there. The caller flags it.
func (t *set) create(a address) *row {
	board := &t.boards[a.slice][a.board]
	if t.stored != nil {
		stored := &t.stored[a.slice][a.board]
		n := below(*stored, a.bit)
		if *stored>>a.bit&1 == 0 {
			t.insert(board, n)
			*stored |= 1 << a.bit
		}
		return &(*board)[n]
	}
	if *board == nil {
		t.newBoard(a)
	} else if t.flags[a.slice][a.board] == 0 {
		clear(*board)
	}
	return &(*board)[a.bit]
}

// newBoard makes the board at an address. If boards of a unit should lie together, it makes all of the unit when it comes to the
// first one.
func (t *set) newBoard(a address) {
	sl := &t.layout.slices[a.slice]
	rows := min(sl.rows, boardRows)
	if t.arena.runs {
		number := t.layout.unitOf(sl.id, a.board/sl.boards)
		u := t.layout.units[number]
		if n := (u.ends - u.pair) * sl.boards; !t.begun[number] {
			t.begun[number] = true
			if run := t.arena.run(n, rows); run != nil {
				for b := range t.layout.boardsOf(u) {
					t.boards[sl.id][b], run = run[:rows:rows], run[rows:]
				}
				return
			}
		}
	}
	t.boards[sl.id][a.board] = t.arena.board(rows)
}

// write replaces a row, creates it if need be, and flags it if it is not empty.
func (t *set) write(a address, r *row) {
	some := !r.empty()
	if some {
		*t.create(a) = *r
	} else if there := t.read(a); there != &noRow {
		*there = *r
	}
	t.flags.flag(a, some)
}

// add adds what was recorded of a row.
func (t *set) add(a address, r *chunkReader) {
	addWords(t.create(a), r.at, r.words)
	t.flags.flag(a, true)
}

// remove takes away what was recorded of a row, and tells whether the row has had any positions.
func (t *set) remove(a address, r *chunkReader) bool {
	if !t.flags.has(a) {
		return false
	}
	var found row
	addWords(&found, r.at, r.words)
	if !t.readFlagged(a).remove(&found) {
		t.flags.flag(a, false)
	}
	return true
}

// below counts the bits of a board of flags below a bit.
func below(flags uint32, bit int) int { return bits.OnesCount32(flags & (1<<bit - 1)) }

// insert makes an empty row the n-th of a board of a sparse set.
func (t *set) insert(board *[]row, n int) {
	old := *board
	if len(old) == cap(old) {
		*board = t.arena.board(min(len(old)+1+len(old)/2, boardRows))[:len(old)]
		copy(*board, old)
		t.releaseBoard(old)
	}
	*board = (*board)[:len(old)+1]
	copy((*board)[n+1:], (*board)[n:])
	(*board)[n] = row{}
}

func (t *set) releaseBoard(board []row) {
	if cap(board) > 0 {
		t.arena.release(board)
	}
}

// releaseEmpty lets go of the boards of a unit that have no flag.
func (t *set) releaseEmpty(u unit) {
	for b := range t.layout.boardsOf(u) {
		if t.flags[u.slice][b] == 0 {
			t.releaseBoard(t.boards[u.slice][b])
			t.boards[u.slice][b] = nil
			if t.stored != nil {
				t.stored[u.slice][b] = 0
			}
		}
	}
}

// releaseAll lets go of all boards, which empties the set.
func (t *set) releaseAll() {
	t.flags.clear()
	for _, u := range t.layout.units {
		t.releaseEmpty(u)
	}
}

// moveTo moves the flagged rows of a unit to a sparse set that has none of its boards, and lets go
// of the unit's boards.
func (t *set) moveTo(to *set, u unit) {
	for b := range t.layout.boardsOf(u) {
		flags := t.flags[u.slice][b]
		to.flags[u.slice][b], to.stored[u.slice][b] = flags, flags
		if flags != 0 {
			board := to.arena.board(bits.OnesCount32(flags))
			for j := 0; flags != 0; flags &= flags - 1 {
				board[j] = t.boards[u.slice][b][bits.TrailingZeros32(flags)]
				j++
			}
			to.boards[u.slice][b] = board
		}
		t.releaseBoard(t.boards[u.slice][b])
		t.boards[u.slice][b] = nil
	}
}

// copyTo copies the flagged boards of a unit to a set that has none of them. Both sets are sparse,
// or neither is.
func (t *set) copyTo(to *set, u unit) {
	for b := range t.layout.boardsOf(u) {
		if t.flags[u.slice][b] != 0 {
			if t.stored != nil {
				to.boards[u.slice][b] = to.arena.board(len(t.boards[u.slice][b]))
				to.stored[u.slice][b] = t.stored[u.slice][b]
			} else {
				to.newBoard(address{u.slice, b, 0})
			}
			copy(to.boards[u.slice][b], t.boards[u.slice][b])
			to.flags[u.slice][b] = t.flags[u.slice][b]
		}
	}
}

// clear empties the rows of a unit.
func (t *set) clear(u unit) {
	for b := range t.layout.boardsOf(u) {
		if t.stored == nil {
			t.flags[u.slice][b] = 0
			continue
		}
		for flags := t.flags[u.slice][b]; flags != 0; flags &= flags - 1 {
			*t.readFlagged(address{u.slice, b, bits.TrailingZeros32(flags)}) = row{}
		}
		t.flags[u.slice][b] = 0
	}
}

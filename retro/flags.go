package retro

import (
	"math/bits"

	"gogotb/rules"
)

// flags has a flag for every row, by slice: a word for each board, in which bit b is the row where
// the last outer piece stands on square b. Slices without outer pieces use bit 0. Different king
// pairs share no board, so workers on different units can set flags at once.
type flags [][]uint32

func newFlags(l *layout) (f flags) {
	for i := range l.slices {
		f = append(f, make([]uint32, l.slices[i].boards*len(l.pairs)))
	}
	return f
}

// has tells whether a row is flagged.
func (f flags) has(a address) bool { return f[a.slice][a.board]>>a.bit&1 != 0 }

// flag sets the flag of a row, or removes it.
func (f flags) flag(a address, on bool) {
	if board := &f[a.slice][a.board]; on {
		*board |= 1 << a.bit
	} else {
		*board &^= 1 << a.bit
	}
}

// pair returns the flags of a king pair, by board.
func (f flags) pair(s *slice, pair int) []uint32 {
	return f[s.id][pair*s.boards : (pair+1)*s.boards]
}

// any tells whether a row of a king pair is flagged.
func (f flags) any(s *slice, pair int) bool {
	var or uint32
	for _, board := range f.pair(s, pair) {
		or |= board
	}
	return or != 0
}

// pairFlags says, by slice and king pair, whether any row is flagged.
type pairFlags [][]bool

// anyOfPairs sums up the flags by king pairs. Passes ask for these again and again. It returns their number, too.
func (f flags) anyOfPairs(l *layout) (t pairFlags, count int) {
	t = make(pairFlags, len(f))
	for i := range t {
		t[i] = make([]bool, len(l.pairs))
		boards := l.slices[i].boards
		for b, rows := range f[i] {
			if rows != 0 {
				t[i][b/boards] = true
				count += bits.OnesCount32(rows)
			}
		}
	}
	return t, count
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
		for j := range boards {
			boards[j] = l.slices[i].boardFlags()
		}
	}
}

// boardFlags returns the flags of all rows of a board.
func (s *slice) boardFlags() uint32 {
	if s.outer() == 0 {
		return 1
	}
	return uint32(rules.Board)
}

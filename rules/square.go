package rules

import "math/bits"

// Square is a square of the 5x5 board, 0..24 in SFEN reading order: square
// 5*rank + column, with rank 0 = SFEN rank a (Gote's back rank) and column 0 =
// file 5, so 0 is 5a and 24 is 1e. Rotating the board by 180 degrees is 24-s.
type Square uint8

const (
	// Squares is the number of squares of the board.
	Squares = 25
	// NoSquare stands for "not on the board".
	NoSquare Square = 25
)

// Rank of the square, 0 (a, Gote's back rank) to 4 (e).
func (s Square) Rank() int { return int(s) / 5 }

// Column of the square counted from the left, 0 (file 5) to 4 (file 1).
func (s Square) Column() int { return int(s) % 5 }

// Rotate turns the board by 180 degrees.
func (s Square) Rotate() Square { return 24 - s }

// Mirror swaps left and right.
func (s Square) Mirror() Square { return s + 4 - 2*(s%5) }

// Bit of the square in a Bitboard.
func (s Square) Bit() Bitboard { return 1 << s }

// String returns the square in USI: file digit, then rank letter ("3c").
func (s Square) String() string {
	if s >= Squares {
		return "-"
	}
	return string([]byte{'5' - byte(s%5), 'a' + byte(s/5)})
}

// Bitboard is a set of squares: bit s for square s; bits 25 and up are zero.
type Bitboard uint32

const (
	// Board is the set of all squares.
	Board Bitboard = 1<<25 - 1
	// FarRankSente is Sente's promotion zone, rank a.
	FarRankSente Bitboard = 0x1f
	// FarRankGote is Gote's promotion zone, rank e.
	FarRankGote Bitboard = 0x1f << 20
	// ColumnZero is the leftmost column, file 5; shift it left for the others.
	ColumnZero Bitboard = 0x0108421
)

// FarRank returns the promotion zone of c: the rank where its pawns may not stand.
func FarRank(c Color) Bitboard {
	if c == Sente {
		return FarRankSente
	}
	return FarRankGote
}

// Has tells whether s is in the set.
func (b Bitboard) Has(s Square) bool { return b>>s&1 != 0 }

// Count returns the number of squares in the set.
func (b Bitboard) Count() int { return bits.OnesCount32(uint32(b)) }

// First returns the lowest square of the set; NoSquare or more if it is empty.
func (b Bitboard) First() Square { return Square(bits.TrailingZeros32(uint32(b))) }

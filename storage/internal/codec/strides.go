package codec

import (
	"gogotb/index"
	"gogotb/rules"
)

// Strides are how far apart neighbouring entries of a block are, beside those next to each
// other.
type Strides struct{ L, P uint16 }

// MinStride and MaxStride bound the strides that a block can have.
const (
	MinStride = groupSize
	MaxStride = 1023
)

// Valid tells whether a block can have the strides.
func (s Strides) Valid() bool {
	return s.L >= MinStride && s.L <= MaxStride && s.P >= MinStride && s.P <= MaxStride
}

// StridesOf returns good strides for the blocks of a slice: how far apart in the index
// placements are in which the last group of pieces but one (L), or but two (P), stands on
// the next squares. Pawns and symmetric kings make this an approximation, which costs
// space alone.
func StridesOf(s *index.Slice) Strides {
	board := s.OnBoard()
	pawns := 0
	var pairs []bool // the groups of the index after the pawns: two identical pieces, or one
	for i, p := range board {
		switch {
		case p.Kind == rules.Pawn && !p.State.Promoted():
			pawns++
		case i > 0 && p == board[i-1]:
			pairs[len(pairs)-1] = true
		default:
			pairs = append(pairs, false)
		}
	}
	free := rules.Squares - len(board) - 2 // when the last group stands
	stride := 1
	var found []int
	for i := len(pairs) - 1; i >= 0; i-- {
		if pairs[i] {
			stride *= (free + 2) * (free + 1) / 2
			free += 2
		} else {
			stride *= free + 1
			free++
		}
		found = append(found, stride)
	}
	// Two pawns have two strides: one goes to about this many squares while the other
	// stands still. A slice of fewer groups takes that of the kings, which is like it.
	const pawnSquares = 18
	for len(found) < 2 {
		stride *= pawnSquares
		found = append(found, stride)
	}
	// Where P is too large, L takes its place, a rank of the board further on, or as far as it
	// can be.
	l, p := found[0], found[1] // l is C(23, 2) at most
	if p > MaxStride {
		p = l * min(5, MaxStride/l)
	}
	return Strides{uint16(l), uint16(p)}
}

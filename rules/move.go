package rules

// Move is a move in 16 bits: bits 0-4 the destination, bits 5-9 the origin or, for a
// drop, 25 + the kind dropped, bit 10 the promotion. The zero Move is no move.
type Move uint16

const (
	dropBase    = Squares
	promoteFlag = 1 << 10
)

// Step returns a move on the board.
func Step(from, to Square, promote bool) Move {
	m := Move(to) | Move(from)<<5
	if promote {
		m |= promoteFlag
	}
	return m
}

// Drop returns the drop of a piece of kind k, Rook..Pawn, from the hand of the side to move.
func Drop(k Kind, to Square) Move { return Move(to) | (dropBase+Move(k))<<5 }

// To returns the destination.
func (m Move) To() Square { return Square(m & 31) }

// IsDrop tells whether the move is a drop.
func (m Move) IsDrop() bool { return m>>5&31 >= dropBase }

// From returns the origin; NoSquare or more for a drop.
func (m Move) From() Square { return Square(m >> 5 & 31) }

// DropKind returns the kind dropped; only for drops.
func (m Move) DropKind() Kind { return Kind(m>>5&31) - dropBase }

// Promotes tells whether the moving piece promotes.
func (m Move) Promotes() bool { return m&promoteFlag != 0 }

package rules

import "fmt"

// Fault is why pieces do not make a legal position.
type Fault uint8

// The faults, in the order in which they are looked for. Those from Overlap on occur only where squares are
// listed piece by piece, as an index takes them.
const (
	_                Fault = iota
	NoSuchSide             // the side to move is neither Sente nor Gote
	NoSuchPiece            // the value on a square encodes no piece
	SecondKing             // of a side
	NoKing                 // of either side
	ThirdPiece             // of a kind, promoted ones and those in hand included
	PawnOnFarRank          // where it can never move
	SecondPawnOnFile       // nifu: two unpromoted pawns of a side on a file
	KingsAdjacent          // the kings are neighbours
	OpponentInCheck        // the side that has just moved is in check
	Overlap                // two pieces on a square
	OffBoard               // a piece on no square of the board
)

var faultCodes = [...]string{
	NoSuchSide:       "no-such-side",
	NoSuchPiece:      "no-such-piece",
	SecondKing:       "second-king",
	NoKing:           "no-king",
	ThirdPiece:       "third-piece",
	PawnOnFarRank:    "pawn-on-far-rank",
	SecondPawnOnFile: "second-pawn",
	KingsAdjacent:    "kings-adjacent",
	OpponentInCheck:  "opponent-in-check",
	Overlap:          "overlap",
	OffBoard:         "off-board",
}

// Code names the fault for programs: "second-pawn".
func (f Fault) Code() string {
	if int(f) >= len(faultCodes) || faultCodes[f] == "" {
		return fmt.Sprintf("fault-%d", uint8(f))
	}
	return faultCodes[f]
}

func (f Fault) String() string { return f.Code() }

// OfSide tells whether a side is to blame for the fault, that of PositionError.Color.
func (f Fault) OfSide() bool {
	return f == SecondKing || f == PawnOnFarRank || f == SecondPawnOnFile || f == OpponentInCheck
}

// PositionError says why a placement of pieces is not a legal position.
type PositionError struct {
	Fault  Fault
	Square Square // the square at fault, or NoSquare
	Color  Color  // the side at fault, where Fault.OfSide
	Kind   Kind   // the kind of which there are too many, for ThirdPiece
}

func (e *PositionError) Error() string {
	if e.Square == NoSquare || e.Fault == OffBoard {
		return "illegal position: " + e.reason()
	}
	return fmt.Sprintf("illegal position: %v: %s", e.Square, e.reason())
}

// reason says what is wrong, but not where.
func (e *PositionError) reason() string {
	switch e.Fault {
	case NoSuchSide:
		return "no such side to move"
	case NoSuchPiece:
		return "no such piece"
	case SecondKing:
		return fmt.Sprintf("a second king of %v", e.Color)
	case NoKing:
		return "no king"
	case ThirdPiece:
		return fmt.Sprintf("more than two pieces of the kind %c", e.Kind.Letter())
	case PawnOnFarRank:
		return fmt.Sprintf("a pawn of %v that can never move", e.Color)
	case SecondPawnOnFile:
		return fmt.Sprintf("a second pawn of %v on the file", e.Color)
	case KingsAdjacent:
		return "the kings are adjacent"
	case OpponentInCheck:
		return fmt.Sprintf("%v is in check, but %v is to move", e.Color, e.Color.Other())
	case Overlap:
		return "two pieces on one square"
	case OffBoard:
		return fmt.Sprintf("%d is not a square of the board", e.Square)
	}
	return e.Fault.Code()
}

package rules

import "fmt"

// PositionError says why a placement of pieces is not a legal position.
type PositionError struct {
	Square Square // the square at fault, or NoSquare
	Text   string
}

func (e *PositionError) Error() string {
	if e.Square == NoSquare {
		return "illegal position: " + e.Text
	}
	return fmt.Sprintf("illegal position: %v: %s", e.Square, e.Text)
}

// wellFormed refuses what Place cannot take in: values that are no pieces, second kings.
func wellFormed(board *[Squares]Piece, turn Color) error {
	if turn > Gote {
		return &PositionError{NoSquare, "no such side to move"}
	}
	var king [2]bool
	for s, piece := range board {
		if piece == NoPiece {
			continue
		}
		c, k := piece.Color(), piece.Kind()
		if c > Gote || k >= Kinds || k == Gold+promotion {
			return &PositionError{Square(s), "no such piece"}
		}
		if k == King {
			if king[c] {
				return &PositionError{Square(s), fmt.Sprintf("a second king of %v", c)}
			}
			king[c] = true
		}
	}
	return nil
}

// Validate is nil if the position is legal: at least one king, at most two pieces of
// each other kind, no pawn on its far rank, no two unpromoted pawns of a side on a
// file, kings not adjacent, the side that has just moved not in check. Otherwise the
// error is a *PositionError.
func (p *Position) Validate() error {
	if p.kings[Sente] == NoSquare && p.kings[Gote] == NoSquare {
		return &PositionError{NoSquare, "no king"}
	}
	for k := Rook; k <= Pawn; k++ {
		onBoard := p.kinds[k]
		if k.CanPromote() {
			onBoard |= p.kinds[k.Promote()]
		}
		if n := onBoard.Count() + int(p.hands[Sente][k]) + int(p.hands[Gote][k]); n > 2 {
			return &PositionError{NoSquare, fmt.Sprintf("%d pieces of kind %c, at most 2 exist", n, k.Letter())}
		}
	}
	for _, c := range []Color{Sente, Gote} {
		pawns := p.Pieces(c, Pawn)
		if dead := pawns & FarRank(c); dead != 0 {
			return &PositionError{dead.First(), fmt.Sprintf("a pawn of %v that can never move", c)}
		}
		for column := ColumnZero; column < ColumnZero<<5; column <<= 1 {
			if two := pawns & column; two&(two-1) != 0 {
				return &PositionError{(two & (two - 1)).First(), fmt.Sprintf("a second pawn of %v on the file", c)}
			}
		}
	}
	moved := p.turn.Other()
	if k := p.kings[moved]; k != NoSquare {
		if steps[Sente][King][k]&p.kinds[King] != 0 {
			return &PositionError{k, "the kings are adjacent"}
		}
		if p.Attacked(k, p.turn) {
			return &PositionError{k, fmt.Sprintf("%v is in check, but %v is to move", moved, p.turn)}
		}
	}
	return nil
}

package index

import "gogotb/rules"

// Decode returns the position of an index, with Sente to move; the side that has just moved
// may be in check. The error is a *RangeError.
func (x *Index) Decode(i uint64) (rules.Position, error) {
	if i >= x.size {
		return rules.Position{}, &RangeError{x.material, i, x.size}
	}
	c := x.Cursor(i)
	return c.Position(), nil
}

// Position returns the placement as a position, with Sente to move.
func (c *Cursor) Position() rules.Position {
	var board [rules.Squares]rules.Piece
	var hands [2]rules.Hand
	board[c.Own] = rules.MakePiece(rules.Sente, rules.King)
	board[c.Opposing] = rules.MakePiece(rules.Gote, rules.King)
	d := 0
	for _, p := range c.x.slices[c.Slice].Pieces {
		if p.State.OnBoard() {
			board[c.Squares[d]] = p.Piece()
			d++
		} else {
			hands[p.State.Owner()][p.Kind]++
		}
	}
	return rules.Place(&board, &hands, rules.Sente)
}

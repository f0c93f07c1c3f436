package rules

// wellFormed refuses what Place cannot take in: values that are no pieces, second kings.
func wellFormed(board *[Squares]Piece, sideToMove Color) error {
	if sideToMove > Gote {
		return &PositionError{Fault: NoSuchSide, Square: NoSquare}
	}
	var king [2]bool
	for s, piece := range board {
		if piece == NoPiece {
			continue
		}
		c, k := piece.Color(), piece.Kind()
		if c > Gote || k >= Kinds || k == Gold+promotion {
			return &PositionError{Fault: NoSuchPiece, Square: Square(s)}
		}
		if k == King {
			if king[c] {
				return &PositionError{Fault: SecondKing, Square: Square(s), Color: c}
			}
			king[c] = true
		}
	}
	return nil
}

// Validate returns nil if the position is legal: at least one king, at most two pieces of
// each other kind, no pawn on its far rank, no two unpromoted pawns of a side on a
// file, kings not adjacent, the side that has just moved not in check. Otherwise the
// error is a *PositionError.
func (p *Position) Validate() error {
	if p.kings[Sente] == NoSquare && p.kings[Gote] == NoSquare {
		return &PositionError{Fault: NoKing, Square: NoSquare}
	}
	for k := Rook; k <= Pawn; k++ {
		onBoard := p.kinds[k]
		if k.CanPromote() {
			onBoard |= p.kinds[k.Promote()]
		}
		if onBoard.Count()+int(p.hands[Sente][k])+int(p.hands[Gote][k]) > 2 {
			return &PositionError{Fault: ThirdPiece, Square: NoSquare, Kind: k}
		}
	}
	for _, c := range []Color{Sente, Gote} {
		pawns := p.Pieces(c, Pawn)
		if dead := pawns & FarRank(c); dead != 0 {
			return &PositionError{Fault: PawnOnFarRank, Square: dead.First(), Color: c}
		}
		for column := ColumnZero; column < ColumnZero<<5; column <<= 1 {
			if two := pawns & column; two&(two-1) != 0 {
				return &PositionError{Fault: SecondPawnOnFile, Square: (two & (two - 1)).First(), Color: c}
			}
		}
	}
	moved := p.sideToMove.Other()
	if k := p.kings[moved]; k != NoSquare {
		if steps[Sente][King][k]&p.kinds[King] != 0 {
			return &PositionError{Fault: KingsAdjacent, Square: k}
		}
		if p.Attacked(k, p.sideToMove) {
			return &PositionError{Fault: OpponentInCheck, Square: k, Color: moved}
		}
	}
	return nil
}

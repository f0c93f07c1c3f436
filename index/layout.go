package index

import "gogotb/rules"

// layout is what ranking and unranking need to know of a slice. Its placements are
// ordered by king pair, then by the configuration of the unpromoted pawns, then by those
// of the other groups, the last one varying fastest.
type layout struct {
	start uint64 // first index of the slice
	// rest and symmetricRest are the placements of the groups after the pawns, without
	// symmetry and when kings and pawns are their own mirror image.
	rest, symmetricRest uint64
	pawns               pawnSet
	shape               shape // of the groups after the pawns
	dimensions          uint8 // pieces on the board
	// pawnDims are the dimensions of the pawns, in the order of their configuration (the
	// second one is that of a single pawn); dims the first dimension of each other group,
	// a pair taking the next one as well.
	pawnDims [2]uint8
	dims     [MaxPieces]uint8
	pieces   [MaxPieces]rules.Piece // on the board, in the order of the slice
}

func newLayout(s *Slice, start uint64) layout {
	l := layout{start: start, shape: noGroups}
	board := s.OnBoard()
	l.dimensions = uint8(len(board))
	groups := 0
	pairs := [MaxPieces]bool{}
	own, opposing := 0, 0
	for d, p := range board {
		l.pieces[d] = p.Piece()
		switch {
		case p == (SlicePiece{rules.Pawn, Own}):
			own++
			l.addPawn(d)
		case p == (SlicePiece{rules.Pawn, Opposing}):
			opposing++
			l.addPawn(d)
		case d > 0 && p == board[d-1]:
			pairs[groups-1] = true
		default:
			l.dims[groups] = uint8(d)
			groups++
		}
	}
	for g := groups - 1; g >= 0; g-- {
		l.shape = l.shape.prepend(pairs[g])
	}
	l.pawns = [3][3]pawnSet{
		{noPawns, opposingPawn, opposingPawns},
		{ownPawn, bothPawns},
		{ownPawns},
	}[own][opposing]
	t := &pawnTables[l.pawns]
	l.rest = l.shape.placements(rules.Squares - 2 - l.pawns.size())
	l.symmetricRest = symmetricPlacements[l.shape][t.freeLeft][t.freeMiddle]
	return l
}

// addPawn notes that dimension d is an unpromoted pawn.
func (l *layout) addPawn(d int) {
	l.pawnDims[0] = l.pawnDims[1]
	l.pawnDims[1] = uint8(d)
}

// pairStart is the first index of a pair of kings; kingPairs gives the end of the slice.
func (l *layout) pairStart(pair int) uint64 {
	t := &pawnTables[l.pawns]
	return l.start + uint64(t.before[pair])*l.rest + uint64(t.selfBefore[pair])*l.symmetricRest
}

package index

import (
	"slices"

	"gogotb/rules"
)

// layout is what numbering needs to know of a slice. Its placements are
// ordered by king pair, then by the configuration of the unpromoted pawns, then by those
// of the other groups, the last one varying fastest.
//
// Ranking is made so that nearly every branch goes the same way in all slices of a set,
// because one that is guessed wrong costs more than the arithmetic it saves: every slice
// has as many groups as the set has pieces, with the factor zero for those that it does
// not have, and pawns are looked up where there are none, too.
type layout struct {
	start uint64 // first index of the slice
	// rest and symmetricRest are the placements of the groups after the pawns, without
	// symmetry and when kings and pawns are their own mirror image.
	rest, symmetricRest uint64
	table               *pawnTable
	pawns               pawnSet
	shape               shape // of the groups after the pawns
	dimensions          uint8 // pieces on the board
	vacant              uint8 // squares left free

	// Facts of the set, the same in all of its slices.
	pieces   uint8 // on the board or in hand
	hasPawns bool
	doubles  bool // two pieces of a kind

	// pawnDims are the dimensions of the pawns in the order of their configuration, first
	// and second those of the pieces of each other group; nowhere if there is none.
	pawnDims      [2]uint8
	first, second [MaxPieces]uint8
	// factor is what a number in the group is multiplied by: the placements of the later
	// groups. pairFactor is the same, but zero for single pieces.
	factor, pairFactor [MaxPieces]uint32

	// piece and skip tell how to find dimension d in a position: which piece it is, with
	// Sente to move, and whether it is the second one of an identical pair (1) or not (0).
	piece [MaxPieces]rules.Piece
	skip  [MaxPieces]uint8
}

// placed are the squares of the pieces on the board by dimension, before they are rotated
// to the side to move. At nowhere there is NoSquare.
type placed [8]rules.Square

// nowhere is the dimension of pieces that there are not.
const nowhere = 7

func newLayout(m Material, s *Slice, start uint64) layout {
	board := s.OnBoard()
	l := layout{
		start:      start,
		dimensions: uint8(len(board)),
		vacant:     uint8(rules.Squares - 2 - len(board)),
		pieces:     uint8(m.PieceCount()),
		hasPawns:   m[rules.Pawn] > 0,
		doubles:    slices.Max(m[:]) > 1,
		pawnDims:   [2]uint8{nowhere, nowhere},
	}
	groups := 0
	for g := range l.first {
		l.first[g], l.second[g] = nowhere, nowhere
		l.piece[g] = rules.MakePiece(rules.Sente, rules.King) // where nothing is looked for
	}
	own, opposing := 0, 0
	for d, p := range board {
		l.piece[d] = p.Piece()
		identical := d > 0 && p == board[d-1]
		if identical {
			l.skip[d] = 1
		}
		switch {
		case p == (SlicePiece{rules.Pawn, Own}):
			own++
			l.addPawn(d)
		case p == (SlicePiece{rules.Pawn, Opposing}):
			opposing++
			l.addPawn(d)
		case identical:
			l.second[groups-1] = uint8(d)
		default:
			l.first[groups] = uint8(d)
			groups++
		}
	}
	l.pawns = [3][3]pawnSet{
		{noPawns, opposingPawn, opposingPawns},
		{ownPawn, bothPawns},
		{ownPawns},
	}[own][opposing]
	l.table = &pawnTables[l.pawns]
	l.setFactors(groups)
	return l
}

// addPawn notes that dimension d is an unpromoted pawn.
func (l *layout) addPawn(d int) {
	l.pawnDims[0] = l.pawnDims[1]
	l.pawnDims[1] = uint8(d)
}

// setFactors fills in the shape and the numbers of placements.
func (l *layout) setFactors(groups int) {
	l.shape = noGroups
	free := int(l.vacant)
	for g := groups - 1; g >= 0; g-- {
		pair := l.second[g] != nowhere
		l.factor[g] = uint32(l.shape.placements(free))
		free++
		if pair {
			l.pairFactor[g] = l.factor[g]
			free++
		}
		l.shape = l.shape.prepend(pair)
	}
	l.rest = l.shape.placements(free)
	l.symmetricRest = symmetricPlacements[l.shape][l.table.freeLeft][l.table.freeMiddle]
}

// pairStart returns the first index of a pair of kings; kingPairs gives the end of the slice.
func (l *layout) pairStart(pair int) uint64 {
	t := l.table
	return l.start + uint64(t.before[pair])*l.rest + uint64(t.mirroredBefore[pair])*l.symmetricRest
}

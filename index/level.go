package index

import "gogotb/rules"

// level is where a Cursor stands in one group; the pawns are the first one. A group of two
// runs through outer squares and for each through inner ones, a single piece through
// inner ones only.
type level struct {
	pawns              pawnSet // noPawns for other groups
	pair               bool    // an identical pair
	outerDim, innerDim uint8   // dimensions; the same one for a single piece
	later              shape   // the groups to come; not for pawns
	phase              phase
	free               rules.Bitboard // before the group is placed
	outer, inner       rules.Bitboard // still to come
	left               rules.Square   // the outer square in phase leftAndMiddle
}

// start puts the level before its first configuration.
func (v *level) start(free rules.Bitboard, symmetric bool) {
	v.free = free
	if v.pawns != noPawns && symmetric {
		v.phase = chosenPawns
	} else {
		v.phase = firstPhase(v.pair, symmetric)
	}
	v.begin()
}

// begin puts the level before the first configuration of its phase.
func (v *level) begin() {
	v.outer, v.inner = 0, 0
	switch {
	case v.pawns.size() == 1:
		v.inner = pawnTables[v.pawns].partners[v.phase][rules.NoSquare] & v.free
	case v.pawns != noPawns:
		v.outer = v.free
	case v.phase == anywhere && v.pair:
		v.outer = v.free
	case v.phase == anywhere:
		v.inner = v.free
	case v.phase == onLeft:
		v.inner = v.free & leftSide
	case v.phase == onMiddle:
		v.inner = v.free & middleColumn
	case v.phase == bothMiddle:
		v.outer = v.free & middleColumn
	default:
		v.outer = v.free & leftSide
	}
}

// nextOuter takes the next outer square and gets its inner squares ready.
func (v *level) nextOuter(squares *[MaxPieces]rules.Square) {
	q := v.outer.First()
	v.outer &= v.outer - 1
	lower := v.free & (q.Bit() - 1)
	switch {
	case v.pawns != noPawns:
		v.inner = pawnTables[v.pawns].partners[v.phase][q] & v.free
	case v.phase == anywhere:
		v.inner = lower
	case v.phase == leftAndMiddle:
		v.inner = v.free & middleColumn
		v.left = q
	case v.phase == bothLeft:
		v.inner = lower & leftSide
	case v.phase == across:
		v.inner = lower & leftSide
		q = q.Mirror()
	case v.phase == bothMiddle:
		v.inner = lower & middleColumn
	case v.phase == imagePair:
		v.inner = q.Bit()
		q = q.Mirror()
	}
	squares[v.outerDim] = q
}

// advance goes to the next configuration; false if there is none.
func (v *level) advance(squares *[MaxPieces]rules.Square) bool {
	for v.inner == 0 {
		switch {
		case v.outer != 0:
			v.nextOuter(squares)
		case v.phase.last():
			return false
		default:
			v.phase++
			v.begin()
		}
	}
	s := v.inner.First()
	v.inner &= v.inner - 1
	squares[v.innerDim] = s
	if v.phase == leftAndMiddle { // which of the two is lower changes
		squares[v.innerDim], squares[v.outerDim] = min(s, v.left), max(s, v.left)
	}
	return true
}

// counts returns the number of configurations of the group in its phase, and the placements
// of the later groups for each.
func (v *level) counts(l *layout, pair int) (configs, rest uint64) {
	switch {
	case v.pawns != noPawns && v.phase == mirroredPawns:
		return uint64(pawnTables[v.pawns].count[v.phase][pair]), l.symmetricRest
	case v.pawns != noPawns:
		return uint64(pawnTables[v.pawns].count[v.phase][pair]), l.rest
	case v.phase == anywhere && v.pair:
		n := v.free.Count()
		return uint64(choose2(n)), v.later.placements(n - 2)
	case v.phase == anywhere:
		n := v.free.Count()
		return uint64(n), v.later.placements(n - 1)
	}
	left, mid := (v.free & leftSide).Count(), (v.free & middleColumn).Count()
	if configs = v.phase.configs(left, mid); configs > 0 {
		rest = symmetricPlacements.rest(v.phase, v.later, left, mid)
	}
	return configs, rest
}

// skip leaves out the next n configurations of the phase.
func (v *level) skip(n uint64, squares *[MaxPieces]rules.Square) {
	for {
		inner := uint64(v.inner.Count())
		if n < inner {
			break
		}
		n -= inner
		v.nextOuter(squares)
	}
	for ; n > 0; n-- {
		v.inner &= v.inner - 1
	}
}

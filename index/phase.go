package index

import "gogotb/rules"

// phase is one of the ways in which a group can stand. Where no symmetry is left there
// is one, anywhere. Where the pieces placed so far are their own mirror image, a group
// goes through several: first those that break the symmetry, one of the two mirror
// images each, then those that keep it. "Left" squares are those of columns 0 and 1.
type phase uint8

const (
	anywhere phase = iota

	chosenPawns   // pawns that differ from their mirror image and come before it
	mirroredPawns // pawns that are their own mirror image

	onLeft   // a single piece on the left
	onMiddle // a single piece on the middle column

	leftAndMiddle // one of an identical pair on the left, the other on the middle column
	bothLeft      // both on the left
	across        // one on the left, the other on the mirror image of a higher left square
	bothMiddle    // both on the middle column
	imagePair     // on each other's mirror images

	// pawnPhases are the phases that pawns can be in.
	pawnPhases = mirroredPawns + 1
)

// firstPhase returns the phase that a group, a pair or a single piece, starts with.
func firstPhase(pair, symmetric bool) phase {
	switch {
	case !symmetric:
		return anywhere
	case pair:
		return leftAndMiddle
	}
	return onLeft
}

// last tells whether it is the last phase of its group.
func (p phase) last() bool {
	return p == anywhere || p == mirroredPawns || p == onMiddle || p == imagePair
}

// keepsSymmetry tells whether the group is its own mirror image in this phase.
func (p phase) keepsSymmetry() bool {
	return p == mirroredPawns || p == onMiddle || p == bothMiddle || p == imagePair
}

// configs returns the number of ways to place a single piece or a pair in this phase, which is
// not anywhere, if these numbers of squares are free on the left and on the middle column.
func (p phase) configs(left, mid int) uint64 {
	n := 0
	switch p {
	case onLeft, imagePair:
		n = left
	case onMiddle:
		n = mid
	case leftAndMiddle:
		n = left * mid
	case bothLeft, across:
		n = choose2(left)
	case bothMiddle:
		n = choose2(mid)
	}
	return uint64(n)
}

// phaseOf returns the phase in which a group stands, a < b, or b = NoSquare for a single piece;
// chosen is false if its mirror image stands for it.
func phaseOf(a, b rules.Square) (p phase, chosen bool) {
	if b == rules.NoSquare {
		if middleColumn.Has(a) {
			return onMiddle, true
		}
		return onLeft, leftSide.Has(a)
	}
	pair := bit(a) | bit(b)
	left, mid := (pair & leftSide).Count(), (pair & middleColumn).Count()
	switch {
	case mid == 2:
		return bothMiddle, true
	case mid == 1:
		return leftAndMiddle, left == 1
	case left != 1:
		return bothLeft, left == 2
	}
	l := (pair & leftSide).First()
	image := (pair &^ leftSide).First().Mirror()
	if l == image {
		return imagePair, true
	}
	return across, l < image
}

// number returns the number in this phase of a group on a and b, as in phaseOf.
func (p phase) number(free rules.Bitboard, a, b rules.Square) uint64 {
	left, mid := free&leftSide, free&middleColumn
	switch p {
	case onLeft:
		return below(left, a)
	case onMiddle:
		return below(mid, a)
	case bothLeft:
		return choose2(below(left, b)) + below(left, a)
	case bothMiddle:
		return choose2(below(mid, b)) + below(mid, a)
	}
	pair := bit(a) | bit(b)
	l := (pair & leftSide).First()
	other := (pair &^ leftSide).First()
	switch p {
	case leftAndMiddle:
		return below(left, l)*uint64(mid.Count()) + below(mid, other)
	case across:
		return choose2(below(left, other.Mirror())) + below(left, l)
	}
	return below(left, l) // imagePair
}

// symmetricTable holds the numbers of placements, mirror images once, of the groups of a
// shape where the pieces placed so far are their own mirror image: by shape, free squares
// on the left side, and free squares on the middle column.
type symmetricTable [1 << (MaxPieces + 1)][maxLeft + 1][maxMiddle + 1]uint64

// Free squares on a side and on the middle column when only the kings are placed.
const (
	maxLeft   = 10
	maxMiddle = 3
)

var symmetricPlacements = newSymmetricTable()

func newSymmetricTable() *symmetricTable {
	t := new(symmetricTable)
	for s := noGroups; int(s) < len(t); s++ {
		for left := range maxLeft + 1 {
			for mid := range maxMiddle + 1 {
				t[s][left][mid] = t.sum(s, left, mid)
			}
		}
	}
	return t
}

// sum returns an entry of the table, from those of smaller shapes.
func (t *symmetricTable) sum(s shape, left, mid int) uint64 {
	if s == noGroups {
		return 1
	}
	n := uint64(0)
	for p := firstPhase(s.firstIsPair(), true); ; p++ {
		if configs := p.configs(left, mid); configs > 0 {
			n += configs * t.rest(p, s>>1, left, mid)
		}
		if p.last() {
			return n
		}
	}
}

// rest returns the number of placements of the later groups once a single piece or a pair stands
// in phase p, which is not anywhere and has configurations. left and mid are the free
// squares before it was placed.
func (t *symmetricTable) rest(p phase, later shape, left, mid int) uint64 {
	switch p {
	case onMiddle:
		return t[later][left][mid-1]
	case bothMiddle:
		return t[later][left][mid-2]
	case imagePair:
		return t[later][left-1][mid]
	case onLeft:
		return later.placements(2*left + mid - 1)
	}
	return later.placements(2*left + mid - 2) // the other phases of a pair
}

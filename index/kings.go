package index

import "gogotb/rules"

// middle is the column that a mirror image leaves in place; middleColumn and leftSide
// are the squares on it and on the two columns to its left.
const (
	middle       = 2
	middleColumn = rules.ColumnZero << middle
	leftSide     = rules.ColumnZero | rules.ColumnZero<<1
)

const (
	// kingPairs is the number of canonical king pairs.
	kingPairs = 234
	// noPair marks kings that are adjacent or on one square.
	noPair = 0xff
)

// kingPair is what the squares of the kings come to.
type kingPair struct {
	number    uint8 // place among the canonical pairs, or noPair
	mirrored  uint8 // 1 if the pair is canonical only after mirroring
	symmetric bool  // both kings on the middle column: a mirror image is left over
}

// pairOf is indexed by the squares of the own and the opposing king, NoSquare included.
// pairKings are the own and the opposing king of every canonical pair, pairFree the
// squares that they leave free.
var pairOf, pairKings, pairFree = findKingPairs()

func findKingPairs() (
	of [32][32]kingPair,
	kings [kingPairs][2]rules.Square,
	free [kingPairs]rules.Bitboard,
) {
	for i := range of {
		for j := range of[i] {
			of[i][j].number = noPair
		}
	}
	canonical := func(f1, f2 int) bool { return f1 < f2 || f1 == f2 && f1 <= middle }
	number := uint8(0)
	for own := range rules.Square(rules.Squares) {
		for opposing := range rules.Square(rules.Squares) {
			f1, f2 := own.Column(), opposing.Column()
			if !adjacent(own, opposing) && canonical(f1, f2) {
				of[own][opposing] = kingPair{number: number, symmetric: f1 == middle && f2 == middle}
				kings[number] = [2]rules.Square{own, opposing}
				free[number] = rules.Board &^ (own.Bit() | opposing.Bit())
				number++
			}
		}
	}
	for own := range rules.Square(rules.Squares) {
		for opposing := range rules.Square(rules.Squares) {
			if !canonical(own.Column(), opposing.Column()) {
				pair := of[own.Mirror()][opposing.Mirror()]
				pair.mirrored = 1
				of[own][opposing] = pair
			}
		}
	}
	return of, kings, free
}

// symmetricPair tells whether both kings of a canonical pair are on the middle column.
func symmetricPair(pair int) bool {
	return pairOf[pairKings[pair][0]][pairKings[pair][1]].symmetric
}

// adjacent tells whether a king's step, or none, leads from a to b.
func adjacent(a, b rules.Square) bool {
	near := func(x, y int) bool { return x-y <= 1 && y-x <= 1 }
	return near(a.Rank(), b.Rank()) && near(a.Column(), b.Column())
}

// squareMap maps squares: bit 0 of its number mirrors the board, bit 1 rotates it.
// Everything that is not a square maps to NoSquare, which no set of squares holds.
type squareMap [256]rules.Square

const (
	mirrorBit = 1
	rotateBit = 2
)

var squareMaps = func() (list [4]squareMap) {
	for n := range list {
		for s := range list[n] {
			list[n][s] = rules.NoSquare
		}
		for s := range rules.Square(rules.Squares) {
			t := s
			if n&mirrorBit != 0 {
				t = t.Mirror()
			}
			if n&rotateBit != 0 {
				t = t.Rotate()
			}
			list[n][s] = t
		}
	}
	return list
}()

package index

import "gogotb/rules"

// pawnSet tells which unpromoted pawns a slice has on the board. Where they may stand
// depends on the kings and, for two of them, on each other, so they are placed first and
// jointly.
type pawnSet uint8

const (
	noPawns pawnSet = iota
	ownPawn
	opposingPawn
	ownPawns      // two of the side to move
	opposingPawns // two of the opponent
	bothPawns     // one each
	pawnSets
)

// size returns the number of pawns.
func (p pawnSet) size() int { return [pawnSets]int{0, 1, 1, 2, 2, 2}[p] }

// alike tells whether the set has two pawns that are not told apart.
func (p pawnSet) alike() bool { return p == ownPawns || p == opposingPawns }

// pawnTable counts the configurations of a pawn set around each pair of kings: all of them
// where the kings leave no symmetry (phase anywhere), otherwise those of the phases
// chosenPawns and mirroredPawns.
//
// A configuration is a pair of squares (a, b), compared lexicographically: a < b for two
// pawns of one side, a the own and b the opposing pawn for one of each; a single pawn is
// (NoSquare, b), no pawn (NoSquare, NoSquare). Its number in its phase is the number of
// configurations with a smaller a, which is tabulated, plus the number of partners of a
// that are below b and free of kings.
type pawnTable struct {
	// partners[p][a] are the squares b that make a configuration with a, kings aside.
	partners [pawnPhases][32]rules.Bitboard
	// smaller[p][a][pair] is the number of configurations with a smaller first square.
	smaller [pawnPhases][32][kingPairs]uint16
	count   [pawnPhases][kingPairs]uint16
	// before[pair] and mirroredBefore[pair] are the sums over the pairs of kings before it:
	// of the configurations in phase anywhere or chosenPawns, and in mirroredPawns.
	before, mirroredBefore [kingPairs + 1]uint32
	// freeLeft and freeMiddle are the squares left over on the left side (and as many on
	// the right) and on the middle column by kings and pawns that stand symmetrically.
	freeLeft, freeMiddle int
}

var pawnTables = func() (tables [pawnSets]pawnTable) {
	for set := range tables {
		tables[set].fill(pawnSet(set))
	}
	return tables
}()

func (t *pawnTable) fill(set pawnSet) {
	t.freeLeft, t.freeMiddle = maxLeft, maxMiddle
	if set.alike() { // on each other's mirror squares: nifu keeps them off the middle column
		t.freeLeft--
	} else {
		t.freeMiddle -= set.size()
	}
	t.findPartners(set)
	for pair := range kingPairs {
		if symmetricPair(pair) {
			t.countConfigs(chosenPawns, pair)
			t.countConfigs(mirroredPawns, pair)
		} else {
			t.countConfigs(anywhere, pair)
		}
		t.before[pair+1] = t.before[pair] + uint32(t.count[anywhere][pair]) + uint32(t.count[chosenPawns][pair])
		t.mirroredBefore[pair+1] = t.mirroredBefore[pair] + uint32(t.count[mirroredPawns][pair])
	}
}

// findPartners fills in partners.
func (t *pawnTable) findPartners(set pawnSet) {
	for a := range rules.NoSquare + 1 {
		for b := range rules.NoSquare + 1 {
			if !set.allows(a, b) {
				continue
			}
			ma, mb := set.sorted(squareMaps[mirrorBit][a], squareMaps[mirrorBit][b])
			t.partners[anywhere][a] |= b.Bit()
			switch {
			case ma == a && mb == b:
				t.partners[mirroredPawns][a] |= b.Bit()
			case a < ma || a == ma && b < mb:
				t.partners[chosenPawns][a] |= b.Bit()
			}
		}
	}
}

// allows tells whether (a, b) is a configuration of the set on a board without kings.
func (p pawnSet) allows(a, b rules.Square) bool {
	const own, opposing = rules.Board &^ rules.FarRankSente, rules.Board &^ rules.FarRankGote
	switch p {
	case noPawns:
		return a == rules.NoSquare && b == rules.NoSquare
	case ownPawn:
		return a == rules.NoSquare && own.Has(b)
	case opposingPawn:
		return a == rules.NoSquare && opposing.Has(b)
	case ownPawns:
		return own.Has(a) && own.Has(b) && a < b && a.Column() != b.Column()
	case opposingPawns:
		return opposing.Has(a) && opposing.Has(b) && a < b && a.Column() != b.Column()
	}
	return own.Has(a) && opposing.Has(b) && a != b // bothPawns
}

// sorted puts two alike pawns in order.
func (p pawnSet) sorted(a, b rules.Square) (rules.Square, rules.Square) {
	if p.alike() && a > b {
		return b, a
	}
	return a, b
}

// countConfigs fills in smaller and count for a phase and a pair of kings.
func (t *pawnTable) countConfigs(p phase, pair int) {
	free := pairFree[pair] | rules.NoSquare.Bit()
	n := 0
	for a := range rules.NoSquare + 1 {
		t.smaller[p][a][pair] = uint16(n)
		if free.Has(a) {
			n += (t.partners[p][a] & free).Count()
		}
	}
	t.count[p][pair] = uint16(n)
}

// has tells whether (a, b) is a configuration of the phase, kings aside.
func (t *pawnTable) has(p phase, a, b rules.Square) bool { return t.partners[p][a&31].Has(b) }

// number returns the number of (a, b) in its phase around a pair of kings.
func (t *pawnTable) number(p phase, pair uint8, a, b rules.Square) uint64 {
	return uint64(t.smaller[p][a&31][pair]) + below(t.partners[p][a&31]&pairFree[pair], b)
}

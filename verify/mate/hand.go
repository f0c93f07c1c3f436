package mate

import "gogotb/rules"

// packedHand is a hand in three bits a kind. A count is at most two, so that the top
// bit of each three is free for covers.
type packedHand uint16

const handGuards packedHand = 0o44444

// pack packs a hand.
func pack(h rules.Hand) packedHand {
	return packedHand(h[0]) | packedHand(h[1])<<3 | packedHand(h[2])<<6 |
		packedHand(h[3])<<9 | packedHand(h[4])<<12
}

// count is the number of pieces of kind k.
func (h packedHand) count(k rules.Kind) uint8 { return uint8(h>>(3*k)) & 7 }

// covers tells whether h holds at least what g holds. All kinds are subtracted at once:
// the guard bit of a kind survives unless it had to lend.
func (h packedHand) covers(g packedHand) bool {
	return ((h|handGuards)-g)&handGuards == handGuards
}

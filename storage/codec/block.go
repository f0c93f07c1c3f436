package codec

import (
	"math/bits"

	"gogotb/rules"
)

// MaxEntries is the largest number of entries a block can have.
const MaxEntries = 1 << 15

// padding is how far before an entry its neighbours can be: 4*MaxStride, and a group.
const padding = 4 * (MaxStride + 1)

// What an entry comes to, as the contexts see it.
const (
	open = 0
	win  = 1
	loss = 2
)

// classOf is the class of an outcome; illegal positions, about which nobody asks, have one
// of their own until they get the one that costs least.
var classOf = [...]uint8{
	rules.Illegal: illegal, rules.Open: open,
	rules.MateWin: win, rules.MateLoss: loss,
	rules.PerpetualWin: win, rules.PerpetualLoss: loss,
}

const illegal = 3

// Outcomes is a decoded block of outcomes, two bits an entry.
type Outcomes struct {
	Entries int
	// Classes holds 32 entries a word, the first in the lowest bits.
	Classes []uint64
	// Perpetual holds 64 entries a word; it is empty if nothing in the block is by
	// perpetual check.
	Perpetual []uint64
}

// At is the outcome of an entry. For an illegal position it means nothing.
func (o *Outcomes) At(i int) rules.Outcome {
	perpetual := len(o.Perpetual) > 0 && o.Perpetual[i>>6]>>(i&63)&1 != 0
	switch o.Classes[i>>5] >> (i & 31 * 2) & 3 {
	case open:
		return rules.Open
	case win:
		if perpetual {
			return rules.PerpetualWin
		}
		return rules.MateWin
	}
	if perpetual {
		return rules.PerpetualLoss
	}
	return rules.MateLoss
}

// lossBits are the upper bits of the entries of a word: set for losses alone.
const lossBits = 0xaaaaaaaaaaaaaaaa

// LossesBefore is the number of losses, illegal positions that count as such included,
// among the first i entries: the place of entry i among the distances of the block.
func (o *Outcomes) LossesBefore(i int) int {
	n := 0
	for _, w := range o.Classes[:i>>5] {
		n += bits.OnesCount64(w & lossBits)
	}
	if i&31 != 0 {
		n += bits.OnesCount64(o.Classes[i>>5] & lossBits & (1<<(i&31*2) - 1))
	}
	return n
}

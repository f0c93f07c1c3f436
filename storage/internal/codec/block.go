package codec

import (
	"math/bits"

	"gogotb/rules"
)

// MaxEntries is the largest number of entries a block can have.
const MaxEntries = 1 << 13

// maxBytes is more than a block takes: there are at most three events an entry and two a
// group, of at most 14 bits each.
const maxBytes = 1<<16 - 1

// packed is the largest number of entries in a word, packedPairs that of outcomes.
const packed, packedPairs = 64, 32

// padding is how far before an entry its neighbours can be: 4*MaxStride, and a group.
const padding = 4 * (MaxStride + 1)

// What an entry comes to, as the contexts see it.
const (
	open = 0
	win  = 1
	loss = 2
)

// Illegal positions, about which nobody asks, have a class of their own until they get the
// one that costs least.
const illegal = 3

// classesOf returns the classes of eight outcomes, a byte each: the outcomes Illegal, Open, MateWin,
// MateLoss, PerpetualWin, PerpetualLoss, 0 to 5, become 3, 0, 1, 2, 1, 2.
func classesOf(outcomes uint64) uint64 {
	return (outcomes + 3*eachByte + outcomes>>1&(2*eachByte)) & (3 * eachByte)
}

const (
	outcomeShift = 12 // where in a value its outcome begins
	perpetualBit = 4  // in the outcomes by perpetual check alone
)

// Outcomes is a decoded block of outcomes, or the beginning of one, two bits an entry.
type Outcomes struct {
	Size    int // entries of the block
	Entries int // how many of them are decoded, from the first on
	// Classes holds 32 entries a word, the first in the lowest bits.
	Classes []uint64
	// Perpetual holds 64 entries a word; it is empty if nothing in the block is by
	// perpetual check.
	Perpetual []uint64
	// losses are how many losses there are before every few words, and in all.
	losses []uint16
}

// lossWords is for how many words there is a number of losses.
const lossWords = 8

// At returns the outcome of an entry. For an illegal position it means nothing.
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

// LossesBefore returns the number of losses, illegal positions that count as such included,
// among the first i entries: the place of entry i among the distances of the block.
func (o *Outcomes) LossesBefore(i int) int {
	from := i >> 5 / lossWords
	n := int(o.losses[from])
	for _, w := range o.Classes[from*lossWords : i>>5] {
		n += bits.OnesCount64(w & lossBits)
	}
	if i&31 != 0 {
		n += bits.OnesCount64(o.Classes[i>>5] & lossBits & (1<<(i&31*2) - 1))
	}
	return n
}

// workspace is a block with an element for each entry, as encoding and decoding go along.
type workspace struct {
	class     entries
	perpetual entries
	lost      entries // 1 for losses, else 0
	near      entries // which neighbours are losses: a bit for each offset
	distance  distances
	input     entries // what is decoded
	plans     plans
}

// pad sets what the entries before a block are taken for: wins by mate.
func (w *workspace) pad() {
	for i := range padding {
		w.class[i] = win
	}
}

// outcomes packs n entries into o, whose memory it uses where it suffices.
func (w *workspace) outcomes(o *Outcomes, n int, perpetual bool) {
	clear(w.class[padding+n : padding+n+packed]) // what is packed beyond the end
	o.Entries = n
	o.Classes = grow(o.Classes, (n+31)/32)
	packPairs(o.Classes, &w.class)
	o.losses = o.losses[:0]
	losses := 0
	for k, c := range o.Classes {
		if k%lossWords == 0 {
			o.losses = append(o.losses, uint16(losses))
		}
		losses += bits.OnesCount64(c & lossBits)
	}
	o.losses = append(o.losses, uint16(losses))
	o.Perpetual = o.Perpetual[:0]
	if perpetual {
		o.Perpetual = grow(o.Perpetual, (n+63)/64)
		packBits(o.Perpetual, &w.perpetual)
	}
}

// packPairs packs a class of two bits each from c to words of 32.
func packPairs(words []uint64, c *entries) {
	for k := range words {
		w := uint64(0)
		for b := range 4 {
			w |= gather2(c.word(uint16(padding+32*k+8*b))) << (16 * b)
		}
		words[k] = w
	}
}

// gather2 moves the lower two bits of the eight bytes of x together.
func gather2(x uint64) uint64 {
	x |= x >> 6
	x = x&0xf | x>>16&0xf<<4 | x>>32&0xf<<8 | x>>48&0xf<<12
	return x
}

// packBits packs a byte of 0 or 1 each from m to words of 64.
func packBits(words []uint64, m *entries) {
	for k := range words {
		w := uint64(0)
		for b := range 8 {
			w |= packBytes(m.word(uint16(padding+64*k+8*b))) << (8 * b)
		}
		words[k] = w
	}
}

// packBytes moves the lowest bits of the eight bytes of x together; the others are 0.
func packBytes(x uint64) uint64 { return x * 0x0102040810204080 >> 56 }

// grow returns a slice of length n, s if its memory suffices.
func grow(s []uint64, n int) []uint64 {
	if cap(s) < n {
		return make([]uint64, n)
	}
	return s[:n]
}

package codec

import (
	"encoding/binary"
	"math/bits"

	"gogotb/rules"
)

// A distance is half the plies of a lost mate, or the rank of a loss by perpetual check.
// It is told by how far it is from the median of its neighbours.
const (
	reach           = 15          // largest difference with a symbol of its own
	escape          = 2*reach + 1 // symbol of the others
	distanceSymbols = 2*reach + 2 // difference + reach, or escape
	distanceLevels  = 9           // classes of medians
	distanceSpans   = 6           // classes of differences between neighbours

	// The contexts for less than three neighbours come first, then those for three without
	// and with a gradient; see choices and spread.
	fewContexts      = 326
	threeContexts    = distanceLevels * distanceSpans * distanceSpans
	distanceContexts = fewContexts + 4*threeContexts

	// After an escape comes the distance itself, in a context of half the median: its symbol
	// is the distance, or farSymbols-1 for all larger ones.
	farSymbols  = 64
	farContexts = 32

	farEvents      = distanceSymbols * distanceContexts
	distanceEvents = farEvents + farSymbols*farContexts
	// A larger distance follows that in turn, as the event rawEvents + distance. These are
	// all equally frequent.
	rawBits   = 12
	rawMask   = 1<<rawBits - 1
	rawEvents = 1<<16 - 1<<rawBits
)

// level puts medians into classes.
func level(x int) int {
	switch {
	case x < 4:
		return x
	case x < 6:
		return 4
	case x < 8:
		return 5
	case x < 12:
		return 6
	case x < 16:
		return 7
	}
	return 8
}

// span puts differences into classes: 0, 1, 2-3, 4-7, 8-15, and more.
func span(x int) int { return min(bits.Len(uint(x)), distanceSpans-1) }

// levels and spans are level and span as tables.
var levels, spans = func() (l, s [1 << rawBits]uint8) {
	for x := range l {
		l[x], s[x] = uint8(level(x)), uint8(span(x))
	}
	return l, s
}()

// distances are the distances of the losses among the entries of a block, which begins at
// padding; see entries. What stands at other entries means nothing, but nothing ever
// stands before the block: zeros.
type distances [1 << 16]uint16

// A distance is predicted from the first three of six neighbours that are losses:
// those at P, L, 1, 4, 4L, 4P before it. Places of what else is predicted from:
const (
	lossBefore = 6 // the loss before, wherever it is; 0 for the first of a block
	nothing    = 7 // the distance 0
)

// offsets are how far before an entry its neighbours are, and the two other places.
type offsets [8]uint16

func newOffsets(s Strides) offsets { return offsets{s.P, s.L, 1, 4, 4 * s.L, 4 * s.P} }

// at sets the places that are not at fixed offsets for the entry i; last is the loss before,
// or padding-1.
func (o *offsets) at(i, last uint16) {
	o[lossBefore], o[nothing] = i-last, i-(padding-1)
}

// choice says what to predict a distance from, as places among the offsets, where its
// contexts begin, and how far apart those of the gradients are.
type choice struct {
	a, b, c  uint8
	base     uint16
	gradient uint16
}

// choices are the choices for each set of neighbours that are losses, of which bit k
// stands for that at offset k, and bit 6 for those of the gradient. With two of them 0 is
// the third, and so the median is the smaller one; with one it is counted twice; with none
// the loss before is. The least of the three is 0 then, and the base gets a multiple of 6,
// 36 or more for another class of the median; the class of the other difference, up to 5, comes
// to it only with two.
var choices = func() (t [1 << 7]choice) {
	for set := range t {
		var found []uint8
		for k := range uint8(6) {
			if set>>k&1 != 0 {
				found = append(found, k)
			}
		}
		switch len(found) {
		case 0:
			t[set] = choice{lossBefore, lossBefore, nothing, distanceSpans + 1, 0}
		case 1:
			t[set] = choice{found[0], found[0], nothing, distanceSpans, 0}
		case 2:
			t[set] = choice{found[0], found[1], nothing, 0, 0}
		default:
			t[set] = choice{found[0], found[1], found[2], fewContexts, uint16(set >> 6 * threeContexts)}
		}
	}
	return t
}()

// findNear sets near for the n entries of a block, eight at a time.
func (w *workspace) findNear(n int, o *offsets) {
	l := o[1]
	for i := uint16(padding); i < padding+uint16(n); i += 8 {
		row, one := w.lost.word(i-l), w.lost.word(i-1)
		set := w.lost.word(i-o[0]) | row<<1 | one<<2 |
			w.lost.word(i-o[3])<<3 | w.lost.word(i-o[4])<<4 | w.lost.word(i-o[5])<<5 |
			row&one&w.lost.word(i-l-1)<<6
		binary.LittleEndian.PutUint64(w.near[i:], set)
	}
}

// sort3 sorts three distances. The one in the middle is the prediction.
func sort3(a, b, c uint16) (low, middle, high uint16) {
	low, high = sort2(a, b)
	middle, high = sort2(high, c)
	low, middle = sort2(low, middle)
	return low, middle, high
}

// sort2 sorts two distances without a branch, which nobody could foresee.
func sort2(a, b uint16) (low, high uint16) {
	less := (a - b) & uint16(int16(a-b)>>15) // a-b if that is negative, else 0
	return b + less, a - less
}

// spread is the context that three sorted distances make, from a base on.
func spread(base, low, middle, high uint16) uint {
	l, m, h := spans[(middle-low)&rawMask], levels[middle&rawMask], spans[(high-middle)&rawMask]
	return uint(base) + (uint(m)*distanceSpans+uint(l))*distanceSpans + uint(h)
}

// farContext is the context of a distance that is far from the median.
func farContext(median uint16) uint16 { return min(median/2, farContexts-1) }

// slope tells whether the gradient, the distance that one, row and corner, the neighbours
// at 1, L and L+1, would make a plane with, is 1 below, 2 at, or 3 above the median.
func slope(one, row, corner, median uint16) uint {
	d := int32(one) + int32(row) - int32(corner) - int32(median)
	return uint(2 + d>>31 + int32(uint32(-d)>>31))
}

// Distances are the events of the distances of the block of which Outcomes has just been
// called, in the given memory if it suffices.
func (e *Encoder) Distances(memory []Event, values []rules.Value, s Strides) []Event {
	events, n := e.events[:0], uint16(len(values))
	clear(e.class[padding+n : padding+n+groupSize]) // no losses beyond the end
	for i := uint16(padding); i < padding+n; i += groupSize {
		binary.LittleEndian.PutUint64(e.lost[i:], e.class.word(i)>>1&eachByte)
	}
	d, o, before := &e.distance, newOffsets(s), uint16(padding-1)
	e.findNear(len(values), &o)
	for group := uint16(padding); group < padding+n; group += groupSize {
		for lost := e.lost.word(group); lost != 0; lost &= lost - 1 {
			i := group + uint16(bits.TrailingZeros64(lost)/8)
			o.at(i, before)
			before = i
			c := &choices[e.near[i]&127]
			low, median, high := sort3(d[i-o[c.a&7]], d[i-o[c.b&7]], d[i-o[c.c&7]])
			context := spread(c.base, low, median, high) + uint(c.gradient)*slope(d[i-1], d[i-s.L], d[i-s.L-1], median)
			distance := median // of an illegal position
			switch v := values[i-padding]; v.Outcome() {
			case rules.MateLoss:
				distance = uint16(v.Number() / 2)
			case rules.PerpetualLoss:
				distance = uint16(v.Number())
			}
			d[i] = distance
			symbol := int(distance) - int(median) + reach
			if uint(symbol) > 2*reach {
				far := farEvents + Event(farContext(median))*farSymbols
				events = append(events, Event(context*distanceSymbols+escape), far+Event(min(distance, farSymbols-1)))
				if distance >= farSymbols-1 {
					events = append(events, rawEvents+Event(distance))
				}
				continue
			}
			events = append(events, Event(context*distanceSymbols)+Event(symbol))
		}
	}
	e.events = events
	return append(memory[:0], events...)
}

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
	// and with a gradient; see plans and predict.
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

// levels and spans are level and span as tables, the first ones in steps between contexts.
var levels, lowSpans, highSpans = func() (l, low, high [1 << rawBits]uint16) {
	for x := range l {
		l[x] = uint16(level(x) * distanceSpans * distanceSpans)
		low[x], high[x] = uint16(span(x)*distanceSpans), uint16(span(x))
	}
	return l, low, high
}()

// distances are the distances of the losses among the entries of a block, which begins at
// padding; see entries. What stands at other entries means nothing, but nothing ever
// stands before the block: zeros.
type distances [1 << 16]uint16

// A distance is predicted from the first three of six neighbours that are losses:
// those at P, L, 1, 4, 4L, 4P before it.
const neighbourCount = 6

// plan says what to predict a distance from. Its parts have 16 bits each.
type plan struct {
	// from is how far before the entry neighbours are, three of them; then all ones, or zero: 0 takes
	// the place of the third distance.
	from uint64
	// base is where the contexts begin; then all ones if those of the gradient follow there, else zero.
	base uint32
}

// plans are the plans for each set of neighbours that are losses, of which bit k
// stands for neighbour k, and bit 6 for those of the gradient. With two of them 0 is
// the third, and so the median is the smaller one; with one it is counted twice; with none
// the loss before is. The least of the three is 0 then, and the base gets a multiple of 6,
// 36 or more for another class of the median; the class of the other difference, up to 5, comes
// to it only with two.
type plans [1 << (neighbourCount + 1)]plan

// choices are the plans with numbers of neighbours for distances.
var choices = func() (t plans) {
	for set := range t {
		var found []uint64
		for k := range uint64(neighbourCount) {
			if set>>k&1 != 0 {
				found = append(found, k)
			}
		}
		switch len(found) {
		case 0:
			t[set] = plan{0, distanceSpans + 1}
		case 1:
			t[set] = plan{found[0] | found[0]<<16, distanceSpans}
		case 2:
			t[set] = plan{found[0] | found[1]<<16, 0}
		default:
			t[set] = plan{found[0] | found[1]<<16 | found[2]<<32 | 0xffff<<48, fewContexts | uint32(set>>neighbourCount)*0xffff<<16}
		}
	}
	return t
}()

// set makes the plans for a block.
func (t *plans) set(s Strides) {
	offsets := [8]uint64{uint64(s.P), uint64(s.L), 1, 4, uint64(4 * s.L), uint64(4 * s.P)}
	for k := range t {
		c := choices[k].from
		t[k].from = offsets[c&7] | offsets[c>>16&7]<<16 | offsets[c>>32&7]<<32 | c>>48<<48
		t[k].base = choices[k].base
	}
}

// findNear sets near for the n entries of a block, eight at a time.
func (w *workspace) findNear(n int, s Strides) {
	l, p := s.L, s.P
	for i := uint16(padding); i < padding+uint16(n); i += 8 {
		row, one := w.lost.word(i-l), w.lost.word(i-1)
		set := w.lost.word(i-p) | row<<1 | one<<2 |
			w.lost.word(i-4)<<3 | w.lost.word(i-4*l)<<4 | w.lost.word(i-4*p)<<5 |
			row&one&w.lost.word(i-l-1)<<neighbourCount
		binary.LittleEndian.PutUint64(w.near[i:], set)
	}
}

// sort2 sorts two distances without a branch, which nobody could foresee.
func sort2(a, b uint32) (low, high uint32) {
	less := (a - b) & uint32(int32(a-b)>>31) // a-b if that is negative, else 0
	return b + less, a - less
}

// predict finds the prediction of the distance of entry i, which is the median of its
// neighbours, and its context; last is the distance of the loss before. What neighbours come
// to nobody could foresee, so there is no branch but that for entries without any. That
// encoder and decoder call the same function costs the decoder nothing: in line it was slower.
func (w *workspace) predict(i, l uint16, last uint32) (median, context uint32) {
	d, set := &w.distance, w.near[i]%(1<<(neighbourCount+1))
	p := &w.plans[set]
	from, base := p.from, p.base
	a, b, c := uint32(d[i-uint16(from)]), uint32(d[i-uint16(from>>16)]), uint32(d[i-uint16(from>>32)]&uint16(from>>48))
	if set%(1<<neighbourCount) == 0 {
		a, b = last, last
	}
	low, high := sort2(a, b)
	median, high = sort2(high, c)
	low, median = sort2(low, median)
	slope, gradient := int32(d[i-1])+int32(d[i-l])-int32(d[i-l-1])-int32(median), uint32(threeContexts)
	if slope == 0 {
		gradient = 2 * threeContexts
	}
	if slope > 0 {
		gradient = 3 * threeContexts
	}
	context = base&0xffff + gradient&(base>>16) +
		uint32(levels[median&rawMask]) + uint32(lowSpans[(median-low)&rawMask]) + uint32(highSpans[(high-median)&rawMask])
	return median, context
}

// farContext returns the context of a distance that is far from the median.
func farContext(median uint32) uint32 { return min(median/2, farContexts-1) }

// Distances returns the events of the distances of the block of which Outcomes has just been
// called, in the given memory if it suffices.
func (e *Encoder) Distances(memory []Event, values []rules.Value, s Strides) []Event {
	events, n := e.events[:0], uint16(len(values))
	clear(e.class[padding+n : padding+n+groupSize]) // no losses beyond the end
	for i := uint16(padding); i < padding+n; i += groupSize {
		binary.LittleEndian.PutUint64(e.lost[i:], e.class.word(i)>>1&eachByte)
	}
	e.plans.set(s)
	e.findNear(len(values), s)
	last := uint32(0)
	for word := uint16(padding); word < padding+n; word += packed {
		// Of many entries at a time: where a word's losses end nobody can foresee.
		lost := uint64(0)
		for b := uint16(0); b < packed && word+b < padding+n; b += groupSize {
			lost |= packBytes(e.lost.word(word+b)) << b
		}
		for ; lost != 0; lost &= lost - 1 {
			i := word + uint16(bits.TrailingZeros64(lost))
			median, context := e.predict(i, s.L, last)
			distance := median // of an illegal position
			switch v := values[i-padding]; v.Outcome() {
			case rules.MateLoss:
				distance = uint32(v.Number() / 2)
			case rules.PerpetualLoss:
				distance = uint32(v.Number())
			}
			e.distance[i], last = uint16(distance), distance
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

package codec

import (
	"math"

	"gogotb/rules"
)

// A distance is half the plies of a lost mate, or the rank of a loss by perpetual check.
// It is told by how far it is from the median of its neighbours.
const (
	reach            = 15          // largest difference with a symbol of its own
	escape           = 2*reach + 1 // symbol of the others
	distanceSymbols  = 2*reach + 2 // difference + reach, or escape
	distanceLevels   = 9           // classes of medians and differences
	distanceContexts = 2*distanceLevels + distanceLevels*distanceLevels + distanceLevels*distanceLevels*distanceLevels

	// After an escape comes the distance itself, in a context of the median's class: its
	// symbol is the distance, or farSymbols-1 for all larger ones.
	farSymbols  = 64
	farContexts = distanceLevels

	farEvents      = distanceSymbols * distanceContexts
	distanceEvents = farEvents + farSymbols*farContexts
	// A larger distance follows that in turn, as the event rawEvents + distance. These are
	// all equally frequent.
	rawEvents = 1 << 15
	rawBits   = 12
)

// noDistance stands where there is no loss.
const noDistance = math.MaxUint16

// level puts medians and differences into classes.
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

// levels is level as a table.
var levels = func() (t [1 << rawBits]uint16) {
	for x := range t {
		t[x] = uint16(level(x))
	}
	return t
}()

// distances are the distances of the entries of a block, which begins at padding, with
// noDistance where there is no loss; see entries.
type distances [1 << 16]uint16

// clear says that there are none yet among the n entries of the block.
func (d *distances) clear(n int) {
	for at := padding; at < padding+n; at += padding {
		copy(d[at:padding+n], d[:padding])
	}
}

// distanceContext predicts the distance at d[i]: the median of the first three of six
// neighbours that are losses. last is the distance of the loss before, for where none is.
func distanceContext(d *distances, i, l, p, last uint16) (context int, median uint16) {
	a, b, c := d[i-p], d[i-l], d[i-1]
	if a|b|c != noDistance { // all are losses
		return threeContext(a, b, c)
	}
	var v [3]uint16
	n := 0
	for _, x := range [...]uint16{a, b, c, d[i-4], d[i-4*l], d[i-4*p]} {
		if x != noDistance {
			v[n] = x
			if n++; n == 3 {
				return threeContext(v[0], v[1], v[2])
			}
		}
	}
	return fewContext(n, v[0], v[1], last)
}

// threeContext is distanceContext for three neighbours.
func threeContext(a, b, c uint16) (context int, median uint16) {
	low, high := min(a, b), max(a, b)
	median = max(low, min(high, c))
	low, high = min(low, c), max(high, c)
	return 2*distanceLevels + distanceLevels*distanceLevels +
		int((levels[median]*distanceLevels+levels[median-low])*distanceLevels+levels[high-median]), median
}

// fewContext is distanceContext for n neighbours, less than three.
func fewContext(n int, a, b, last uint16) (context int, median uint16) {
	switch n {
	case 0:
		return int(levels[last]), last
	case 1:
		return distanceLevels + int(levels[a]), a
	}
	low, high := min(a, b), max(a, b)
	return 2*distanceLevels + int(levels[low]*distanceLevels+levels[high-low]), low
}

// Distances are the events of the distances of the block of which Outcomes has just been
// called, in the given memory if it suffices.
func (e *Encoder) Distances(memory []Event, values []rules.Value, s Strides) []Event {
	events := append(e.events[:0], 0, 0)
	e.losses = e.losses[:0]
	d := &e.distance
	d.clear(len(values))
	last := uint16(0)
	for i, v := range values {
		i := padding + uint16(i)
		if e.class[i] != loss {
			continue
		}
		context, median := distanceContext(d, i, s.L, s.P, last)
		switch v.Outcome() {
		case rules.MateLoss:
			last = uint16(v.Number() / 2)
		case rules.PerpetualLoss:
			last = uint16(v.Number())
		default: // illegal
			last = median
		}
		d[i] = last
		e.losses = append(e.losses, last)
		symbol := int(last) - int(median) + reach
		if symbol < 0 || symbol > 2*reach {
			far := Event(farEvents + int(levels[median])*farSymbols)
			events = append(events, Event(context*distanceSymbols+escape), far+Event(min(last, farSymbols-1)))
			if last >= farSymbols-1 {
				events = append(events, rawEvents+Event(last))
			}
			continue
		}
		events = append(events, Event(context*distanceSymbols+symbol))
	}
	setCheck(events, checkDistances(e.losses, &e.bytes))
	e.events = events
	return append(memory[:0], events...)
}

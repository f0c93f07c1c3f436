package codec

import (
	"encoding/binary"
	"math/bits"
)

// decodeTables are a model's frequencies in the form that decoding wants.
type decodeTables struct {
	// classes holds, for each class context, the start of win in the lower and that of
	// loss in the upper half.
	classes []uint32
	// zeros holds the frequency of no for each context of two symbols.
	zeros []uint16
	// distances holds the contexts of distances.
	distances []distanceTable
	// far holds the starts of the symbols of the contexts that follow an escape.
	far [][farSymbols + 1]uint16
}

// distanceTable finds the symbol of a slot: the search begins at that of the first slot of
// the same coarse step.
type distanceTable struct {
	start  [distanceSymbols + 1]uint16
	coarse [1 << (scaleBits - coarseBits)]uint8
}

const coarseBits = 8

func (t *distanceTable) symbol(slot uint32) int {
	s := int(t.coarse[slot>>coarseBits])
	for uint32(t.start[s+1]) <= slot {
		s++
	}
	return s
}

func (m *Model) prepare() {
	switch m.table {
	case OutcomeTable:
		m.decode.classes = make([]uint32, classContexts)
		for i := range m.decode.classes {
			m.decode.classes[i] = uint32(m.ranges[3*i+win].start) | uint32(m.ranges[3*i+loss].start)<<16
		}
		for e := groupEvents; e < outcomeEvents; e += 2 {
			m.decode.zeros = append(m.decode.zeros, m.ranges[e].frequency)
		}
	case DistanceTable:
		m.decode.distances = make([]distanceTable, distanceContexts)
		for i := range m.decode.distances {
			m.decode.distances[i].fill(m.ranges[i*distanceSymbols : (i+1)*distanceSymbols])
		}
		m.decode.far = make([][farSymbols + 1]uint16, farContexts)
		for i := range m.decode.far {
			starts := &m.decode.far[i]
			for s := range farSymbols {
				starts[s] = m.ranges[farEvents+i*farSymbols+s].start
			}
			starts[farSymbols] = scale
		}
	}
	m.ranges = nil
}

func (t *distanceTable) fill(ranges []symbolRange) {
	for s, r := range ranges {
		t.start[s] = r.start
	}
	t.start[distanceSymbols] = scale
	s := 0
	for c := range t.coarse {
		for int(t.start[s+1]) <= c<<coarseBits {
			s++
		}
		t.coarse[c] = uint8(s)
	}
}

// Decoder turns bytes into blocks. It is not safe for concurrent use.
type Decoder struct{ workspace }

// NewDecoder is a decoder for any number of blocks.
func NewDecoder() *Decoder {
	d := new(Decoder)
	d.pad()
	return d
}

// Outcomes decodes a block of n entries into o, whose memory it uses where it suffices.
func (d *Decoder) Outcomes(o *Outcomes, in []byte, n int, s Strides, m *Model) error {
	if n < 0 || n > MaxEntries || !s.Valid() {
		return errDamaged
	}
	r, err := newDecoder(in)
	if err != nil {
		return err
	}
	zeros := m.decode.zeros
	any := r.bit(uint32(zeros[(anyEvents-groupEvents)/2]))
	d.classes(&r, n, s.L, s.P, m)
	if any {
		d.perpetuals(&r, n, s.L, s.P, m)
	}
	d.outcomes(o, n, any)
	return r.finish(o.check(&d.bytes))
}

// classes decodes n classes to d.class.
func (d *Decoder) classes(r *decoder, n int, l, p uint16, m *Model) {
	c, end := &d.class, padding+uint16(n)
	clear(c[end : end+packed]) // what is packed beyond the end
	table := m.decode.classes
	var g groups
	for i := uint16(padding); i < end; {
		stop := i + groupSize
		if stop <= end {
			if context, all, ok := g.context(c, i, l, p); ok {
				if r.bit(uint32(m.decode.zeros[context])) {
					g.note(1)
					binary.LittleEndian.PutUint64(c[i:], all)
					i = stop
					continue
				}
				g.note(0)
			}
		} else {
			stop = end
		}
		// The state and the class before stay in registers, and each class has a branch of
		// its own, so that the processor can go on along the likely one.
		x, before := r.x, uint(c[i-1])*beforeWeight
		for ; i < stop; i++ {
			starts := table[before+uint(c[i-4])*81+strideContext(c, i-l, l)+planeContext(c, i-p, l)]
			slot, rest := x&(scale-1), x>>scaleBits
			winStart, lossStart := starts&0xffff, starts>>16
			if slot < winStart {
				c[i], before = open, open*beforeWeight
				x = winStart*rest + slot
			} else if slot < lossStart {
				c[i], before = win, win*beforeWeight
				x = (lossStart-winStart)*rest + slot - winStart
			} else {
				c[i], before = loss, loss*beforeWeight
				x = (scale-lossStart)*rest + slot - lossStart
			}
			if x < stateLow {
				x = r.refill(x)
			}
		}
		r.x = x
	}
}

// perpetuals decodes to d.perpetual which of the n entries are by perpetual check.
func (d *Decoder) perpetuals(r *decoder, n int, l, p uint16, m *Model) {
	zeros := m.decode.zeros
	marks, end := &d.perpetual, padding+uint16(n)
	clear(marks[:end+packed])
	before := 0
	for i := uint16(padding); i < end; i += groupSize {
		any := r.bit(uint32(zeros[(perpetualEvents-groupEvents)/2+perpetualContext(marks, i, l, p, before)]))
		before = 0
		if !any {
			continue
		}
		before = 1
		for k := i; k < min(i+groupSize, end); k++ {
			if class := d.class[k]; class != open && r.bit(uint32(zeros[(perpetualOneEvents-groupEvents)/2+perpetualOneContext(marks, class, k, l, p)])) {
				marks[k] = 1
			}
		}
	}
}

// Distances decodes the distances of a block whose outcomes are o: one for each loss, in
// order. It uses the memory of dst.
func (d *Decoder) Distances(dst []uint16, in []byte, o *Outcomes, s Strides, m *Model) ([]uint16, error) {
	dst = dst[:0]
	if !s.Valid() || o.Entries > MaxEntries {
		return dst, errDamaged
	}
	r, err := newDecoder(in)
	if err != nil {
		return dst, err
	}
	around := &d.distance
	around.clear(o.Entries)
	last := uint16(0)
	for k, w := range o.Classes {
		for w &= lossBits; w != 0; w &= w - 1 {
			i := uint16(padding + k*32 + bits.TrailingZeros64(w)/2)
			context, median := distanceContext(around, i, s.L, s.P, last)
			t := &m.decode.distances[context]
			slot := r.x & (scale - 1)
			symbol := t.symbol(slot)
			start := uint32(t.start[symbol])
			r.x = (uint32(t.start[symbol+1])-start)*(r.x>>scaleBits) + slot - start
			if r.x < stateLow {
				r.x = r.refill(r.x)
			}
			last = median + uint16(symbol) - reach
			if symbol == escape {
				last = r.far(&m.decode.far[levels[median]])
			} else if last >= 1<<rawBits {
				return dst, errDamaged
			}
			around[i] = last
			dst = append(dst, last)
		}
	}
	return dst, r.finish(checkDistances(dst, &d.bytes))
}

// far decodes a distance that follows an escape.
func (d *decoder) far(starts *[farSymbols + 1]uint16) uint16 {
	slot := d.x & (scale - 1)
	s := 0
	for uint32(starts[s+1]) <= slot {
		s++
	}
	start := uint32(starts[s])
	d.x = (uint32(starts[s+1])-start)*(d.x>>scaleBits) + slot - start
	if d.x < stateLow {
		d.x = d.refill(d.x)
	}
	if s < farSymbols-1 {
		return uint16(s)
	}
	return d.raw()
}

// raw decodes a distance too large for a symbol.
func (d *decoder) raw() uint16 {
	const width = scaleBits - rawBits
	slot := d.x & (scale - 1)
	d.x = d.x>>scaleBits<<width + slot&(1<<width-1)
	if d.x < stateLow {
		d.x = d.refill(d.x)
	}
	return uint16(slot >> width)
}

package codec

import (
	"encoding/binary"
	"math/bits"
	"slices"
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
	used      []uint16 // those that have more than the last symbol
	// far holds the starts of the symbols of the contexts that follow an escape.
	far [][farSymbols + 1]uint16
}

// distanceTable holds the starts of the symbols of a context. The search for that of a
// slot begins at the symbol of the first slot of the same coarse step. Both halves fill a
// cache line.
type distanceTable struct {
	start  [distanceSymbols]uint16
	coarse [1 << (scaleBits - coarseBits)]uint8
}

const coarseBits = 8

// find returns the symbol of a slot, where it starts, and where the next one does.
func (t *distanceTable) find(slot uint32) (symbol, start, next uint32) {
	symbol = uint32(t.coarse[slot>>coarseBits])
	start = uint32(t.start[symbol%distanceSymbols])
	for ; symbol != escape; symbol++ {
		next = uint32(t.start[(symbol+1)%distanceSymbols])
		if slot < next {
			return symbol, start, next
		}
		start = next
	}
	return symbol, start, scale
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
			if m.decode.distances[i].start[escape] > 0 {
				m.decode.used = append(m.decode.used, uint16(i))
			}
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
	for c := range t.coarse {
		symbol, _, _ := t.find(uint32(c) << coarseBits) // from 0 on
		t.coarse[c] = uint8(symbol)
	}
}

// Decoder turns bytes into blocks. It is not safe for concurrent use.
type Decoder struct {
	workspace
	touched *Model // the last one whose tables were touched
	sum     uint8  // without it the compiler could leave that out
}

// NewDecoder returns a decoder for any number of blocks.
func NewDecoder() *Decoder {
	d := new(Decoder)
	d.pad()
	return d
}

// Outcomes decodes a block of n entries into o, whose memory it uses where it suffices. The tag
// is that of Encoder.Code.
func (d *Decoder) Outcomes(o *Outcomes, in []byte, tag uint32, n int, s Strides, m *Model) error {
	return d.FirstOutcomes(o, in, tag, n, n, s, m)
}

// FirstOutcomes decodes as Outcomes does, but need not go on once the wanted number of entries is decoded.
func (d *Decoder) FirstOutcomes(o *Outcomes, in []byte, tag uint32, n, want int, s Strides, m *Model) error {
	if n < 0 || n > MaxEntries || want > n || !s.Valid() {
		return errDamaged
	}
	r, err := d.start(in, tag)
	if err != nil {
		return err
	}
	end := padding + uint16(n)
	zeros := m.decode.zeros
	any := r.bit(uint32(zeros[(anyEvents-groupEvents)/2]))
	if any {
		clear(d.perpetual[:end+packed])
	}
	var h history
	before, i := 0, uint16(padding)
	for i < padding+uint16(want) {
		stop := min(i+groupSize, end)
		d.group(&r, i, stop, s.L, s.P, m, &h)
		if any {
			before = d.marks(&r, i, stop, s.L, s.P, m, before)
		}
		i = stop
	}
	o.Size = n
	d.outcomes(o, int(i)-padding, any)
	if i < end {
		return nil
	}
	return r.finish()
}

// group decodes the classes of a group.
func (d *Decoder) group(r *decoder, i, stop, l, p uint16, m *Model, h *history) {
	c := &d.class
	row, plane, rows, both := c.around(i, l, p)
	if context, ok := h.groupContext(c[i-1], row, plane, rows, both); ok && stop == i+groupSize {
		hit := r.bit(uint32(m.decode.zeros[context]))
		h.note(hit)
		if hit {
			binary.LittleEndian.PutUint64(c[i:], uint64(c[i-1])*eachByte)
			return
		}
	}
	// No branch depends on the class, which nobody could foresee: it is 2 less one for
	// each of win and loss that starts behind the slot, and shifts its start down.
	table := m.decode.classes
	near, far := c.contexts(i, l, p, row, plane, rows, both)
	x, at, before := r.x, r.at, uint(c[i-1])
	for ; i < stop; i++ {
		starts := uint64(table[uint(near&0xff)*nearWeight+uint(c[i-4])*fourWeight+uint(far&0xff)+before*beforeWeight])
		near, far = near>>8, far>>8
		slot := x & (scale - 1)
		before = uint(loss - (slot-uint32(starts&0xffff))>>31 - (slot-uint32(starts>>16))>>31)
		c[i] = uint8(before)
		starts = (starts | scale<<32) << 16 >> (before * 16 % 64)
		start := uint32(starts & 0xffff)
		x = (uint32(starts>>16&0xffff)-start)*(x>>scaleBits) + slot - start
		for x < stateLow && at < r.end {
			x = x<<8 | uint32(d.input[at])
			at++
		}
	}
	r.x, r.at = x, at
}

// marks decodes which entries of a group are by perpetual check; before, and what it
// returns, is whether any in a group are.
func (d *Decoder) marks(r *decoder, i, stop, l, p uint16, m *Model, before int) (any int) {
	marks, zeros := &d.perpetual, m.decode.zeros
	if !r.bit(uint32(zeros[(perpetualEvents-groupEvents)/2+perpetualContext(marks, i, l, p, before)])) {
		return 0
	}
	for ; i < stop; i++ {
		if class := d.class[i]; class != open && r.bit(uint32(zeros[(perpetualOneEvents-groupEvents)/2+perpetualOneContext(marks, class, i, l, p)])) {
			marks[i] = 1
		}
	}
	return 1
}

// Distances decodes the distances of a block whose outcomes are o: one for each loss, in
// order. It uses the memory of dst.
func (d *Decoder) Distances(dst []uint16, in []byte, tag uint32, o *Outcomes, s Strides, m *Model) ([]uint16, error) {
	return d.FirstDistances(dst, in, tag, o, o.Entries, s, m)
}

// FirstDistances decodes as Distances does, but only the losses among the first n entries of a block, which
// must be decoded in o.
func (d *Decoder) FirstDistances(dst []uint16, in []byte, tag uint32, o *Outcomes, n int, s Strides, m *Model) ([]uint16, error) {
	dst = dst[:0]
	if !s.Valid() || n > o.Entries || o.Entries > MaxEntries {
		return dst, errDamaged
	}
	r, err := d.start(in, tag)
	if err != nil {
		return dst, err
	}
	// What can be known of the losses in advance is found first. Few branches depend on the
	// distances: how many bytes the state takes in, one after every third of them, is computed;
	// symbols behind the first of their coarse step and escapes are rare.
	d.touch(m)
	classes := o.Classes[:(n+packedPairs-1)/packedPairs]
	d.unpackLosses(classes)
	d.plans.set(s)
	d.findNear(n, s)
	dst = slices.Grow(dst, o.LossesBefore(n))[:o.LossesBefore(n)]
	tables, left, last, x, at, fast := m.decode.distances, dst, uint32(0), r.x, r.at, max(r.end, 4)-4
	for k, w := range classes {
		w &= lossBits
		if rest := n - k*packedPairs; rest < packedPairs {
			w &= 1<<(2*rest) - 1
		}
		for ; w != 0 && len(left) > 0; w &= w - 1 {
			i := uint16(padding + k*packedPairs + bits.TrailingZeros64(w)/2)
			median, context := d.predict(i, s.L, last)
			t := &tables[context]
			slot := x & (scale - 1)
			symbol, start, next := t.find(slot)
			x = (next-start)*(x>>scaleBits) + slot - start
			if at < fast {
				take := (31 - uint16(bits.Len32(x))) / 8
				x = uint32((uint64(x)<<32 | uint64(binary.BigEndian.Uint32(d.input[at:]))) << (take * 8 % 64) >> 32)
				at += take
			} else {
				for x < stateLow && at < r.end {
					x = x<<8 | uint32(d.input[at])
					at++
				}
			}
			distance := median + symbol - reach
			if symbol == escape {
				r.x, r.at = x, at
				distance = r.far(&m.decode.far[farContext(median)])
				x, at = r.x, r.at
			} else if distance >= 1<<rawBits {
				return dst, errDamaged
			}
			d.distance[i], last = uint16(distance), distance
			left[0], left = uint16(distance), left[1:]
		}
	}
	if n < o.Size {
		return dst, nil
	}
	r.x, r.at = x, at
	return dst, r.finish()
}

// touch brings the tables of distances of a model into the processor's cache, all at once,
// if those of another one may have pushed them out. Decoding would wait for each line of them.
func (d *Decoder) touch(m *Model) {
	if d.touched == m {
		return
	}
	d.touched = m
	for _, context := range m.decode.used {
		t := &m.decode.distances[context]
		d.sum += t.coarse[0] + uint8(t.start[reach])
	}
}

// unpackLosses sets d.lost for entries from the first on.
func (d *Decoder) unpackLosses(classes []uint64) {
	for k, w := range classes {
		for b := range 8 {
			i := padding + packedPairs*k + 4*b
			binary.LittleEndian.PutUint32(d.lost[i:i+4], lossFlags[w>>(8*b)&0xff])
		}
	}
}

// lossFlags spreads four entries of two bits to bytes: 1 for a loss.
var lossFlags = func() (t [256]uint32) {
	for b := range t {
		for k := range 4 {
			t[b] |= uint32(b>>(2*k+1)&1) << (8 * k)
		}
	}
	return t
}()

// far decodes a distance that follows an escape.
func (d *decoder) far(starts *[farSymbols + 1]uint16) uint32 {
	slot := d.x & (scale - 1)
	s := 0 // the last symbol that starts at or before the slot
	for step := farSymbols / 2; step > 0; step /= 2 {
		if uint32(starts[s+step]) <= slot {
			s += step
		}
	}
	d.use(uint32(starts[s]), uint32(starts[s+1]))
	if s < farSymbols-1 {
		return uint32(s)
	}
	return d.raw()
}

// raw decodes a distance too large for a symbol.
func (d *decoder) raw() uint32 {
	const width = scaleBits - rawBits
	slot := d.x & (scale - 1)
	d.use(slot>>width<<width, (slot>>width+1)<<width)
	return slot >> width
}

package codec

import (
	"math/bits"
)

// Table is a kind of table: which contexts there are, and how many symbols they have.
type Table uint8

const (
	OutcomeTable Table = iota
	DistanceTable
)

// contexts calls f with the first event and the number of symbols of every context.
func (t Table) contexts(f func(first, symbols int)) {
	if t == DistanceTable {
		for first := 0; first < farEvents; first += distanceSymbols {
			f(first, distanceSymbols)
		}
		for first := farEvents; first < distanceEvents; first += farSymbols {
			f(first, farSymbols)
		}
		return
	}
	for first := 0; first < groupEvents; first += 3 {
		f(first, 3)
	}
	for first := groupEvents; first < outcomeEvents; first += 2 {
		f(first, 2)
	}
}

// events returns the number of events without the raw ones.
func (t Table) events() int {
	if t == DistanceTable {
		return distanceEvents
	}
	return outcomeEvents
}

// modelBytes returns the size of a model before compression: two bytes for each symbol but the
// last of a context.
func (t Table) modelBytes() int {
	n := 0
	t.contexts(func(_, symbols int) { n += 2 * (symbols - 1) })
	return n
}

// Counts are how often the events of a kind of table occur.
type Counts struct {
	table Table
	n     []uint32
}

// NewCounts counts nothing yet.
func NewCounts(t Table) *Counts { return &Counts{t, make([]uint32, t.events())} }

// Add counts the events of a block.
func (c *Counts) Add(events []Event) {
	for _, e := range events {
		if e < rawEvents {
			c.n[e]++
		}
	}
}

// Merge adds what another has counted.
func (c *Counts) Merge(d *Counts) {
	for i, n := range d.n {
		c.n[i] += n
	}
}

// Model says how frequent the symbols of each context are.
type Model struct {
	table  Table
	ranges []symbolRange // by event; for encoding
	decode decodeTables  // for decoding
}

// rangeOf returns where an event lies in its context.
func (m *Model) rangeOf(e Event) (start, frequency uint32) {
	if e >= rawEvents {
		const raw = 1 << (scaleBits - rawBits)
		return uint32(e-rawEvents) * raw, raw
	}
	r := m.ranges[e]
	return uint32(r.start), uint32(r.frequency)
}

// NewModel returns the model for blocks that have these events, and no others: what was not
// counted cannot be encoded with it.
func NewModel(c *Counts) *Model {
	m := &Model{table: c.table, ranges: make([]symbolRange, len(c.n))}
	c.table.contexts(func(first, symbols int) {
		m.setFrequencies(c.n[first:first+symbols], m.ranges[first:first+symbols])
	})
	return m
}

// setFrequencies gives the symbols of a context frequencies of sum scale. All but the most
// frequent one are rounded to as few bits as their numbers deserve, which makes models
// small.
func (m *Model) setFrequencies(counts []uint32, ranges []symbolRange) {
	total, top := uint64(0), len(counts)-1
	for i, n := range counts {
		total += uint64(n)
		if n > counts[top] {
			top = i
		}
	}
	exact := 0 // frequency of the top symbol without rounding
	if total > 0 {
		exact = int(uint64(counts[top]) * scale / total)
	}
	for precision := -1; ; precision++ {
		left := scale
		for i, n := range counts {
			ranges[i].frequency = 0
			if i == top || n == 0 {
				continue
			}
			f := max(1, int((uint64(n)*scale+total/2)/total))
			f = roundBits(f, max(1, bits.Len32(n)/2+precision))
			ranges[i].frequency = uint16(f)
			left -= f
		}
		// Rounding up must not take much from the top symbol.
		if left > exact-exact/8 || precision == scaleBits {
			ranges[top].frequency = uint16(left)
			setStarts(ranges)
			return
		}
	}
}

// roundBits keeps the n upper bits of x.
func roundBits(x, n int) int {
	if drop := bits.Len(uint(x)) - n; drop > 0 {
		x = (x + 1<<drop>>1) >> drop << drop
	}
	return x
}

func setStarts(ranges []symbolRange) {
	start := uint16(0)
	for i := range ranges {
		ranges[i].start = start
		start += ranges[i].frequency
	}
}

// Append appends the model as it stands in a file: the frequencies of all symbols but the
// last of each context, first all lower and then all upper bytes, compressed with zstd.
func (m *Model) Append(dst []byte) []byte {
	n := m.table.modelBytes() / 2
	plain := make([]byte, 2*n)
	i := 0
	m.table.contexts(func(first, symbols int) {
		for _, r := range m.ranges[first : first+symbols-1] {
			plain[i], plain[n+i] = byte(r.frequency), byte(r.frequency>>8)
			i++
		}
	})
	return Compress(dst, plain)
}

// ParseModel reads what Append has written, and prepares it for decoding.
func ParseModel(t Table, packed []byte) (*Model, error) {
	plain, err := Decompress(packed, t.modelBytes())
	if err != nil {
		return nil, err
	}
	return parseModel(t, plain)
}

// parseModel does what ParseModel does after decompression; plain has t.modelBytes() bytes.
func parseModel(t Table, plain []byte) (*Model, error) {
	m := &Model{table: t, ranges: make([]symbolRange, t.events())}
	n, i, enough := len(plain)/2, 0, true
	t.contexts(func(first, symbols int) {
		ranges := m.ranges[first : first+symbols]
		left := scale
		for k := range ranges[:symbols-1] {
			f := int(plain[i]) | int(plain[n+i])<<8
			ranges[k].frequency = uint16(f)
			left -= f
			i++
		}
		enough = enough && left >= 0
		ranges[symbols-1].frequency = uint16(left)
		setStarts(ranges)
	})
	if !enough {
		return nil, errDamaged
	}
	m.prepare()
	return m, nil
}

package codec

import (
	"encoding/binary"

	"gogotb/rules"
)

// Event is a symbol in a context, numbered through all contexts of a kind of table.
type Event uint16

// Contexts of outcomes. Most have the three classes for symbols and the classes of eight
// neighbours for a number; the rest have the symbols no and yes.
const (
	classContexts = 3 * 3 * 3 * 3 * 3 * 3 * 3 * 3

	beforeWeight = classContexts / 3 // of the entry before, in a context
	nearWeight   = beforeWeight / 9  // of those at L and P
	fourWeight   = nearWeight / 3    // of that 4 before

	groupContexts        = 8 * 4 * 3 // is a group as its neighbours are?
	anyContexts          = 1         // is anything in the block by perpetual check?
	perpetualContexts    = 8         // is anything in the group?
	perpetualOneContexts = 16        // is the entry?

	groupEvents        = 3 * classContexts
	anyEvents          = groupEvents + 2*groupContexts
	perpetualEvents    = anyEvents + 2*anyContexts
	perpetualOneEvents = perpetualEvents + 2*perpetualContexts
	outcomeEvents      = perpetualOneEvents + 2*perpetualOneContexts
)

// A group of groupSize entries that begins at a multiple of it, and is complete, is first
// looked at as a whole: if the entries at L and at P before it are all equal to the entry
// just before it, one symbol tells whether it is, too. That halves the work.
const (
	groupSize = 8
	eachByte  = 0x0101010101010101
)

// entries are something about each entry of a block, which begins at padding. The size
// makes an uint16 an index that needs no check.
type entries [1 << 16]uint8

// word returns the group of entries that begins at c[i].
func (c *entries) word(i uint16) uint64 { return binary.LittleEndian.Uint64(c[i:]) }

// around returns the groups at the strides before the one at c[i]: L, P, 4L and L+P before.
// Strides are never shorter than a group.
func (c *entries) around(i, l, p uint16) (row, plane, rows, both uint64) {
	return c.word(i - l), c.word(i - p), c.word(i - 4*l), c.word(i - l - p)
}

// The context of an entry is
//
//	before*beforeWeight + near*nearWeight + four*fourWeight + far
//
// where before and four are the classes 1 and 4 before it. contexts are near and far for
// the entries of the group at c[i], a byte each; the other arguments come from around.
func (c *entries) contexts(i, l, p uint16, row, plane, rows, both uint64) (near, far uint64) {
	return 3*row + plane, 27*c.word(i-p-1) + 9*rows + 3*both + c.word(i-l-1)
}

// votes of the neighbours in the order of their weights, 1, L, P, 4, P+1, 4L, L+P, L+1, by which an illegal
// position is given a class. Their opinion of win and loss counts the same, and is then taken for a win: a loss
// would have to have a distance.
var votes = [8]int{5, 5, 5, 2, -1, 2, -1, -1}

// fillClass is the class for an illegal position in each context.
var fillClass = func() (fill [classContexts]uint8) {
	for context := range fill {
		balance := 0
		for k, rest := 7, context; k >= 0; k, rest = k-1, rest/3 {
			if rest%3 == open {
				balance -= votes[k]
			} else {
				balance += votes[k]
			}
		}
		if balance >= 0 {
			fill[context] = win
		}
	}
	return fill
}()

// history is which of the last three groups looked at were as their neighbours, a bit
// each.
type history uint8

func (h *history) note(hit bool) {
	*h = *h << 1 & 7
	if hit {
		*h++
	}
}

// groupContext returns the context of a group as a whole, after an entry of the class before; ok
// is false if the entries at L and P before it are not all of that class.
func (h history) groupContext(before uint8, row, plane, rows, both uint64) (context int, ok bool) {
	all := uint64(before) * eachByte
	if row != all || plane != all {
		return 0, false
	}
	context = int(h) * 4
	if rows == all {
		context += 2
	}
	if both == all {
		context++
	}
	return context*3 + int(before), true
}

// Encoder turns blocks of values into events, and these into bytes. It is not safe for
// concurrent use.
type Encoder struct {
	workspace
	events []Event
	bytes  [2][]byte // of one block, or of two
}

// NewEncoder returns an encoder for any number of blocks.
func NewEncoder() *Encoder {
	e := new(Encoder)
	e.pad()
	return e
}

// Outcomes returns the events of a block's outcomes, in the given memory if it suffices.
// Afterwards Distances may be called for the same block.
func (e *Encoder) Outcomes(memory []Event, values []rules.Value, s Strides) []Event {
	l, p := s.L, s.P
	end := padding + uint16(len(values))
	any := e.classes(values)
	events := append(e.events[:0], anyEvents+any)
	if any == 1 {
		clear(e.perpetual[:end+packed])
	}
	var h history
	before := 0
	for i := uint16(padding); i < end; i += groupSize {
		stop := min(i+groupSize, end)
		events = e.group(events, values[i-padding:stop-padding], i, l, p, &h)
		if any == 1 {
			events, before = e.marks(events, values[i-padding:stop-padding], i, l, p, before)
		}
	}
	e.events = events
	return append(memory[:0], events...)
}

// classes sets the classes of a block, of eight entries at a time, and tells whether
// anything in it is by perpetual check: 1 if so.
func (e *Encoder) classes(values []rules.Value) (any Event) {
	all, i := uint64(0), uint16(padding)
	for ; len(values) >= groupSize; values = values[groupSize:] {
		o := outcomes4(values) | outcomes4(values[4:])<<32
		all |= o
		binary.LittleEndian.PutUint64(e.class[i:], classesOf(o))
		i += groupSize
	}
	for _, v := range values {
		o := uint64(v.Outcome())
		all |= o
		e.class[i] = uint8(classesOf(o))
		i++
	}
	if all&(perpetualBit*eachByte) != 0 {
		return 1
	}
	return 0
}

// outcomes4 returns the outcomes of four values, a byte each.
func outcomes4(v []rules.Value) uint64 {
	_ = v[3]
	o := (uint64(v[0]) | uint64(v[1])<<16 | uint64(v[2])<<32 | uint64(v[3])<<48) >> outcomeShift & 0x000f000f000f000f
	o = (o | o>>8) & 0x0000ffff0000ffff
	return (o | o>>16) & 0xffffffff
}

// byPerpetual tells whether a value is by perpetual check.
func byPerpetual(v rules.Value) bool {
	return v.Outcome().ByPerpetual()
}

// group appends the events of the classes of a group of values that begins at i.
func (e *Encoder) group(events []Event, values []rules.Value, i, l, p uint16, h *history) []Event {
	c := &e.class
	row, plane, rows, both := c.around(i, l, p)
	stop := i + uint16(len(values))
	if context, ok := h.groupContext(c[i-1], row, plane, rows, both); ok && len(values) == groupSize {
		all, group := uint64(c[i-1])*eachByte, c.word(i)
		other := group ^ all
		legal := ^(group & (group >> 1)) // in the lowest bit of each byte
		if (other|other>>1)&legal&eachByte == 0 {
			h.note(true)
			binary.LittleEndian.PutUint64(c[i:], all)
			return append(events, groupEvents+2*Event(context)+1)
		}
		h.note(false)
		events = append(events, groupEvents+2*Event(context))
	}
	near, far := c.contexts(i, l, p, row, plane, rows, both)
	before := uint(c[i-1])
	if group := c.word(i); len(values) == groupSize && group&(group>>1)&eachByte == 0 {
		// Without illegal positions no class has to wait for the one before.
		for ; i < stop; i++ {
			context := before*beforeWeight + uint(near&0xff)*nearWeight + uint(c[i-4])*fourWeight + uint(far&0xff)
			near, far = near>>8, far>>8
			before = uint(group & 0xff)
			group >>= 8
			events = append(events, 3*Event(context)+Event(before))
		}
		return events
	}
	for ; i < stop; i++ {
		context := before*beforeWeight + uint(near&0xff)*nearWeight + uint(c[i-4])*fourWeight + uint(far&0xff)
		near, far = near>>8, far>>8
		before = uint(c[i])
		if filled := uint(fillClass[context]); before == illegal {
			before = filled // without a branch, which nobody could foresee
		}
		c[i] = uint8(before)
		events = append(events, 3*Event(context)+Event(before))
	}
	return events
}

// marks appends the events that tell which entries of a group are by perpetual check;
// before, and what it returns beside them, is whether any in a group are.
func (e *Encoder) marks(events []Event, values []rules.Value, i, l, p uint16, before int) ([]Event, int) {
	m, any := &e.perpetual, 0
	for _, v := range values {
		if byPerpetual(v) {
			any = 1
		}
	}
	events = append(events, perpetualEvents+2*Event(perpetualContext(m, i, l, p, before))+Event(any))
	if any == 0 {
		return events, any
	}
	for k, v := range values {
		k := i + uint16(k)
		if e.class[k] == open {
			continue
		}
		if byPerpetual(v) {
			m[k] = 1
		}
		events = append(events, perpetualOneEvents+2*Event(perpetualOneContext(m, e.class[k], k, l, p))+Event(m[k]))
	}
	return events, any
}

// perpetualContext returns the context of a group; before tells whether the last group had
// anything. Entries that have not been coded yet count as having nothing.
func perpetualContext(m *entries, i, l, p uint16, before int) int {
	context := before
	if m.word(i-l) != 0 {
		context += 2
	}
	if m.word(i-p) != 0 {
		context += 4
	}
	return context
}

// perpetualOneContext returns the context of a single entry, a win or a loss.
func perpetualOneContext(m *entries, class uint8, i, l, p uint16) int {
	return int(class) - win + int(m[i-1])*2 + int(m[i-l])*4 + int(m[i-p])*8
}

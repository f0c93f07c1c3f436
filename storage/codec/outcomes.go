package codec

import (
	"encoding/binary"

	"gogotb/rules"
)

// Event is a symbol in a context, numbered through all contexts of a kind of table. The
// events of a block begin with two others that hold its check, the lower half first.
type Event uint16

const checkEvents = 2

// Contexts of outcomes. Most have the three classes for symbols and the classes of eight
// neighbours for a number; the rest have the symbols no and yes.
const (
	classContexts = 3 * 3 * 3 * 3 * 3 * 3 * 3 * 3

	beforeWeight = classContexts / 3 // of the class of the entry before in a context

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

// A group of groupSize entries that begins at a multiple of it is first looked at as a
// whole: if the entries at L and at P before it are all equal to the entry just before it,
// one symbol tells whether it is, too. That halves the work.
const (
	groupSize = 8
	eachByte  = 0x0101010101010101
)

// entries are something about each entry of a block, which begins at padding. The size
// makes an uint16 an index that needs no check.
type entries [1 << 16]uint8

// word is the group of entries that begins at c[i].
func (c *entries) word(i uint16) uint64 { return binary.LittleEndian.Uint64(c[i:]) }

// classContext is the context of the entry at c[i].
func classContext(c *entries, i, l, p uint16) uint {
	return uint(c[i-1])*beforeWeight + uint(c[i-4])*81 + strideContext(c, i-l, l) + planeContext(c, i-p, l)
}

// strideContext and planeContext are what the neighbours at L and P, and those beside them,
// add to a context. (Apart they are small enough to be inlined.)
func strideContext(c *entries, i, l uint16) uint {
	return uint(c[i])*729 + uint(c[i-3*l])*9 + uint(c[i-1])
}

func planeContext(c *entries, i, l uint16) uint {
	return uint(c[i])*243 + uint(c[i-1])*27 + uint(c[i-l])*3
}

// votes of the neighbours in the order of classContext, by which an illegal position is
// given a class. Their opinion of win and loss counts the same, and is then taken for a
// win: a loss would have to have a distance.
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

// groups tells what is known of a group that begins at c[i] from its neighbours.
type groups struct {
	hits uint8 // of the last three groups looked at, one bit each
}

// context is the context of the group at c[i]; ok is false if its neighbours differ.
func (g *groups) context(c *entries, i, l, p uint16) (context int, all uint64, ok bool) {
	all = uint64(c[i-1]) * eachByte
	if l < groupSize || p < groupSize || c.word(i-l) != all || c.word(i-p) != all {
		return 0, 0, false
	}
	context = int(g.hits&7) * 4
	if c.word(i-4*l) == all {
		context += 2
	}
	if c.word(i-p-l) == all {
		context++
	}
	return context*3 + int(c[i-1]), all, true
}

func (g *groups) note(hit uint8) { g.hits = g.hits<<1 | hit }

// Encoder turns blocks of values into events, and these into bytes. It is not safe for
// concurrent use.
type Encoder struct {
	workspace
	events []Event
	packed Outcomes
	losses []uint16
}

// NewEncoder is an encoder for any number of blocks.
func NewEncoder() *Encoder {
	e := new(Encoder)
	e.pad()
	return e
}

// Outcomes are the events of a block's outcomes, in the given memory if it suffices.
// Afterwards Distances may be called for the same block.
func (e *Encoder) Outcomes(memory []Event, values []rules.Value, s Strides) []Event {
	events := append(e.events[:0], 0, 0)
	l, p := s.L, s.P
	c, end := &e.class, padding+uint16(len(values))
	any := Event(0)
	for i, v := range values {
		o := v.Outcome()
		c[padding+i] = classOf[o]
		if o == rules.PerpetualWin || o == rules.PerpetualLoss {
			any = 1
		}
	}
	events = append(events, anyEvents+any)
	var g groups
	for i := uint16(padding); i < end; {
		stop := i + groupSize
		if stop <= end {
			if context, all, ok := g.context(c, i, l, p); ok {
				hit := Event(1)
				for _, class := range c[i:stop] {
					if class != c[i-1] && class != illegal {
						hit = 0
					}
				}
				events = append(events, groupEvents+2*Event(context)+hit)
				g.note(uint8(hit))
				if hit == 1 {
					binary.LittleEndian.PutUint64(c[i:], all)
					i = stop
					continue
				}
			}
		} else {
			stop = end
		}
		for ; i < stop; i++ {
			context := classContext(c, i, l, p)
			if c[i] == illegal {
				c[i] = fillClass[context]
			}
			events = append(events, 3*Event(context)+Event(c[i]))
		}
	}
	if any == 1 {
		events = e.perpetuals(events, values, l, p)
	}
	clear(c[end : end+packed]) // what is packed beyond the end
	e.outcomes(&e.packed, len(values), any == 1)
	setCheck(events, e.packed.check(&e.bytes))
	e.events = events
	return append(memory[:0], events...)
}

// perpetuals appends the events that tell which entries are by perpetual check.
func (e *Encoder) perpetuals(events []Event, values []rules.Value, l, p uint16) []Event {
	m, end := &e.perpetual, padding+uint16(len(values))
	clear(m[:end+packed])
	before := 0
	for i := uint16(padding); i < end; i += groupSize {
		stop := min(i+groupSize, end)
		any := 0
		for k := i; k < stop; k++ {
			if o := values[k-padding].Outcome(); o == rules.PerpetualWin || o == rules.PerpetualLoss {
				any = 1
			}
		}
		events = append(events, perpetualEvents+2*Event(perpetualContext(m, i, l, p, before))+Event(any))
		if before = any; any == 0 {
			continue
		}
		for k := i; k < stop; k++ {
			if e.class[k] == open {
				continue
			}
			if o := values[k-padding].Outcome(); o == rules.PerpetualWin || o == rules.PerpetualLoss {
				m[k] = 1
			}
			events = append(events, perpetualOneEvents+2*Event(perpetualOneContext(m, e.class[k], k, l, p))+Event(m[k]))
		}
	}
	return events
}

// perpetualContext is the context of a group; before tells whether the last group had
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

// perpetualOneContext is the context of a single entry, a win or a loss.
func perpetualOneContext(m *entries, class uint8, i, l, p uint16) int {
	return int(class) - win + int(m[i-1])*2 + int(m[i-l])*4 + int(m[i-p])*8
}

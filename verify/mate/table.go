package mate

import (
	"math/bits"
	"sync/atomic"

	"gogotb/rules"
)

const (
	// infinite is the proof or disproof number of what is decided; sums stay below it.
	infinite uint32 = 1 << 30
	// unlimited is the bound in plies of a search that has none.
	unlimited uint16 = 0xffff
)

// entry is what the table knows about a position in a game (see game):
//
//   - pn == 0: the attacker mates within plies.
//   - dn == 0: the attacker does not mate within plies; not at all if plies is unlimited.
//   - otherwise pn and dn are the numbers of an unfinished search within plies.
//
// The first two hold whatever moves led to the position: what leans on a repetition is
// never written as decided (see dfpn.go).
type entry struct {
	key    uint64
	pn, dn uint32
	hand   packedHand // of the attacker
	move   rules.Move // mates, refutes or looks best; 0 if there is none
	plies  uint16
	check  uint8 // verifies eight bits more than the key
	work   uint8 // binary logarithm of the moves made to get here, and 1; 0: an empty slot
}

// slot holds an entry in 24 bytes, which many workers read and write at the same time without a lock. Each word
// is written at once, but not all three: the key is mixed with the other two, so that words of different entries
// give a key that is nobody's (after Hyatt and Mann, "A lock-less transposition table implementation for parallel
// search chess engines", 2002). The last word is multiplied by an odd number first, because small
// differences in one word could otherwise make up for those in another.
type slot struct{ mixed, numbers, rest uint64 }

const (
	slotBytes = 24
	// slotMix is an odd number (the golden ratio's fraction).
	slotMix = 0x9e3779b97f4a7c15
	// window is the number of neighbouring slots that an entry may be in.
	window = 12
)

// unpackEntry returns the entry with a key that the two other words of a slot hold.
func unpackEntry(key, numbers, rest uint64) entry {
	return entry{
		key: key, pn: uint32(numbers), dn: uint32(numbers >> 32), hand: packedHand(rest),
		move: rules.Move(rest >> 16), plies: uint16(rest >> 32), check: uint8(rest >> 48), work: uint8(rest >> 56),
	}
}

// load returns the entry in a slot: its key, and the two other words.
func (s *slot) load() (key, numbers, rest uint64) {
	numbers, rest = atomic.LoadUint64(&s.numbers), atomic.LoadUint64(&s.rest)
	return atomic.LoadUint64(&s.mixed) ^ numbers ^ rest*slotMix, numbers, rest
}

// save writes an entry into a slot of the table.
func (t *table) save(s *slot, e *entry) {
	numbers := uint64(e.pn) | uint64(e.dn)<<32
	rest := uint64(e.hand) | uint64(e.move)<<16 | uint64(e.plies)<<32 | uint64(e.check)<<48 | uint64(e.work)<<56
	mixed := e.key ^ numbers ^ rest*slotMix
	if !t.shared { // atomic stores take much longer
		*s = slot{mixed, numbers, rest}
		return
	}
	atomic.StoreUint64(&s.mixed, mixed)
	atomic.StoreUint64(&s.numbers, numbers)
	atomic.StoreUint64(&s.rest, rest)
}

// table is the transposition table. Its size is fixed: where a window is full, the entry
// that took the least work gives way. Entries of one board differ in the hands and in
// plies, and one of them may answer for another, see lookup.
type table struct {
	slots  []slot
	starts uint64 // slots in which a window can begin
	shared bool   // by workers that write at the same time
}

// newTable makes a table of about size bytes; there is a least size that works.
func newTable(size int64) *table {
	n := max(size/slotBytes, 4*window)
	return &table{slots: make([]slot, n), starts: uint64(n - window + 1)}
}

// node is a position as the table sees it.
type node struct {
	key   uint64 // of board, side to move and game
	hand  packedHand
	check uint8
}

// window returns the slots that an entry with a key may be in.
func (t *table) window(key uint64) []slot {
	i, _ := bits.Mul64(key, t.starts)
	return t.slots[i : i+window : i+window]
}

// lookup finds what is known about a node in a search within plies. A mate within p plies with a
// hand h is a mate within any p' >= p with any h' that covers h; no mate is no mate within fewer
// plies, with any hand that h covers. ok is false if nothing is known; move is a hint
// all the same if there is one.
func (t *table) lookup(n node, plies uint16) (e entry, ok bool) {
	slots := t.window(n.key)
	for i := range slots {
		s := &slots[i]
		rest := atomic.LoadUint64(&s.rest)
		if rest == 0 {
			break
		}
		numbers := atomic.LoadUint64(&s.numbers)
		if atomic.LoadUint64(&s.mixed)^numbers^rest*slotMix != n.key || uint8(rest>>48) != n.check {
			continue
		}
		pn, dn, hand, within := uint32(numbers), uint32(numbers>>32), packedHand(rest), uint16(rest>>32)
		switch {
		case pn == 0:
			if within <= plies && n.hand.covers(hand) {
				return unpackEntry(n.key, numbers, rest), true
			}
		case dn == 0:
			if within >= plies && hand.covers(n.hand) {
				return unpackEntry(n.key, numbers, rest), true
			}
		case within == plies && hand == n.hand:
			e, ok = unpackEntry(n.key, numbers, rest), true
			continue
		}
		if move := rules.Move(rest >> 16); !ok && hand == n.hand && move != 0 {
			e.move = move
		}
	}
	return e, ok
}

// store writes what has been found out about a node; work is the number of moves made for it.
func (t *table) store(n node, plies uint16, pn, dn uint32, move rules.Move, work uint64) {
	fresh := entry{
		key: n.key, pn: pn, dn: dn, hand: n.hand, move: move,
		plies: plies, check: n.check, work: uint8(bits.Len64(work|1)) + 1,
	}
	t.put(&fresh)
}

// put writes an entry, unless what is there makes it superfluous.
func (t *table) put(fresh *entry) {
	slots := t.window(fresh.key)
	place, least := &slots[0], uint8(0xff)
	for i := range slots {
		s := &slots[i]
		rest := atomic.LoadUint64(&s.rest)
		if rest == 0 {
			t.save(s, fresh)
			return
		}
		numbers := atomic.LoadUint64(&s.numbers)
		if atomic.LoadUint64(&s.mixed)^numbers^rest*slotMix == fresh.key && uint8(rest>>48) == fresh.check {
			e := unpackEntry(fresh.key, numbers, rest)
			if fresh.answers(&e) {
				t.save(s, fresh)
				return
			}
			if e.answers(fresh) {
				return
			}
		}
		if work := uint8(rest >> 56); work < least {
			place, least = s, work
		}
	}
	t.save(place, fresh)
}

// answers tells whether e makes f, about the same board, superfluous.
func (e *entry) answers(f *entry) bool {
	switch {
	case e.pn == 0:
		return f.dn != 0 && e.plies <= f.plies && f.hand.covers(e.hand)
	case e.dn == 0:
		return f.pn != 0 && e.plies >= f.plies && e.hand.covers(f.hand)
	}
	return f.pn != 0 && f.dn != 0 && e.plies == f.plies && e.hand == f.hand
}

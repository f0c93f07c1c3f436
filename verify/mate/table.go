package mate

import (
	"math/bits"

	"gogotb/rules"
)

const (
	// infinite is the proof or disproof number of what is decided; sums stay below it.
	infinite uint32 = 1 << 30
	// unlimited is the bound in plies of a search that has none.
	unlimited uint16 = 0xffff
)

// entry is what the table knows about a position in a game (see game), in 24 bytes:
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

const (
	entryBytes = 24
	// window is the number of neighbouring slots that an entry may be in.
	window = 12
)

// table is the transposition table. Its size is fixed: where a window is full, the entry
// that took the least work gives way. Entries of one board differ in the hands and in
// plies, and one of them may answer for another, see lookup.
type table struct {
	entries []entry
	starts  uint64 // slots in which a window can begin
}

// newTable makes a table of about size bytes; there is a least size that works.
func newTable(size int64) *table {
	n := max(size/entryBytes, 4*window)
	return &table{entries: make([]entry, n), starts: uint64(n - window + 1)}
}

// node is a position as the table sees it.
type node struct {
	key   uint64 // of board, side to move and game
	hand  packedHand
	check uint8
}

// slots is the window of a key.
func (t *table) slots(key uint64) []entry {
	i, _ := bits.Mul64(key, t.starts)
	return t.entries[i : i+window : i+window]
}

// lookup finds what is known about a node in a search within plies. A mate within p plies with a
// hand h is a mate within any p' >= p with any h' that covers h; no mate is no mate within fewer
// plies, with any hand that h covers. ok is false if nothing is known; move is a hint
// all the same if there is one.
func (t *table) lookup(n node, plies uint16) (e entry, ok bool) {
	slots := t.slots(n.key)
	for i := range slots {
		s := &slots[i]
		if s.work == 0 {
			break
		}
		if s.key != n.key || s.check != n.check {
			continue
		}
		switch {
		case s.pn == 0:
			if s.plies <= plies && n.hand.covers(s.hand) {
				return *s, true
			}
		case s.dn == 0:
			if s.plies >= plies && s.hand.covers(n.hand) {
				return *s, true
			}
		case s.plies == plies && s.hand == n.hand:
			e, ok = *s, true
			continue
		}
		if !ok && s.hand == n.hand && s.move != 0 {
			e.move = s.move
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
	slots := t.slots(n.key)
	place := &slots[0]
	for i := range slots {
		s := &slots[i]
		if s.work == 0 {
			*s = fresh
			return
		}
		if s.key == n.key && s.check == n.check {
			if fresh.answers(s) {
				*s = fresh
				return
			}
			if s.answers(&fresh) {
				return
			}
		}
		if s.work < place.work {
			place = s
		}
	}
	*place = fresh
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

package audit

import (
	"sync/atomic"

	"gogotb/rules"
)

// table is the values of a set in memory, 16 bits each, two in a word. While an audit
// walks over it, won positions get their numbers, each from the one goroutine that has
// the position at hand; others may look at the same word at that time, so words are
// read and changed atomically, which costs next to nothing.
type table struct {
	size  uint64
	words []uint32
}

func newTable(size uint64) *table {
	return &table{size, make([]uint32, (size+1)/2)}
}

// at returns the value of an index.
func (t *table) at(i uint64) rules.Value {
	return rules.Value(atomic.LoadUint32(&t.words[i>>1]) >> (16 * (i & 1)))
}

// setNumber gives the value of an index, whose number is 0, the number of v.
func (t *table) setNumber(i uint64, v rules.Value) {
	atomic.OrUint32(&t.words[i>>1], uint32(v.Number())<<(16*(i&1)))
}

// clear makes the value of an index that of an illegal placement.
func (t *table) clear(i uint64) {
	atomic.AndUint32(&t.words[i>>1], 0xffff<<(16*(i&1^1)))
}

// put stores values from index first on, in places where nothing was put before. Calls
// may run at the same time if their ranges begin and end at even indices.
func (t *table) put(first uint64, values []rules.Value) {
	for n, v := range values {
		i := first + uint64(n)
		t.words[i>>1] |= uint32(v) << (16 * (i & 1))
	}
}

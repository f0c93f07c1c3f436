package storage

import (
	"encoding/binary"
	"sort"

	"gogotb/index"
	"gogotb/storage/internal/codec"
)

// strides are the strides of all slices of a set: how far apart in the index placements
// are in which a piece stands on the next square.
type strides struct {
	index *index.Index
	list  []codec.Strides
}

// newStrides returns those that a Writer uses.
func newStrides(x *index.Index) strides {
	s := strides{index: x}
	for _, slice := range x.Slices() {
		s.list = append(s.list, codec.StridesOf(&slice))
	}
	return s
}

// of returns the strides of the block with n entries from first on: those of the slice that
// its entry number n/2 is in.
func (s *strides) of(first uint64, n int) codec.Strides {
	middle := first + uint64(n/2)
	return s.list[sort.Search(len(s.list), func(i int) bool { return s.index.SliceStart(i+1) > middle })]
}

// encode writes the strides as they stand in a directory: L and P of each slice, 2 bytes
// each.
func (s *strides) encode() []byte {
	var b []byte
	for _, v := range s.list {
		b = binary.LittleEndian.AppendUint16(b, v.L)
		b = binary.LittleEndian.AppendUint16(b, v.P)
	}
	return b
}

// decodeStrides returns the reverse; ok is false if a block cannot have such strides.
func decodeStrides(x *index.Index, b []byte) (s strides, ok bool) {
	s = strides{x, make([]codec.Strides, len(x.Slices()))}
	for i := range s.list {
		v := codec.Strides{L: binary.LittleEndian.Uint16(b[strideEntry*i:]), P: binary.LittleEndian.Uint16(b[strideEntry*i+2:])}
		if !v.Valid() {
			return s, false
		}
		s.list[i] = v
	}
	return s, true
}

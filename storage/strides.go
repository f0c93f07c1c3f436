package storage

import (
	"encoding/binary"
	"sort"

	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage/codec"
)

// sliceStrides are the strides of a slice: how far apart in the index placements are in
// which the last piece but one (L), or the last but two (P), stands on the next square.
// Pawns, identical pieces and symmetric kings make this an approximation, which costs
// space alone.
func sliceStrides(s *index.Slice) codec.Strides {
	const free = rules.Squares - 2 // beside the kings
	switch n := len(s.OnBoard()); n {
	case 0:
		return codec.Strides{L: 1, P: 1}
	case 1:
		return codec.Strides{L: free, P: free}
	default:
		l := uint16(free - (n - 1))
		return codec.Strides{L: l, P: l * (l + 1)}
	}
}

// strides are the strides of all slices of a set.
type strides struct {
	index *index.Index
	list  []codec.Strides
}

// newStrides are those that a Writer uses.
func newStrides(x *index.Index) strides {
	s := strides{index: x}
	for _, slice := range x.Slices() {
		s.list = append(s.list, sliceStrides(&slice))
	}
	return s
}

// of are the strides of the block with n entries from first on: those of the slice that
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

// decodeStrides is the reverse; ok is false if a block cannot have such strides.
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

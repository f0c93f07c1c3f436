package storage

import (
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

// strides are those of all slices of a set.
type strides struct {
	index *index.Index
	list  []codec.Strides
}

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

package index

import (
	"slices"
	"sort"

	"gogotb/rules"
)

// Index is the perfect index of a material set: a bijection between 0..Size()-1 and the
// set's placements. It does not change and may be used by many goroutines at once.
type Index struct {
	material Material
	slices   []Slice
	layouts  []layout
	size     uint64
	kinds    []kindNumbers // that occur, the last one first
	absent   []rules.Kind  // that do not
}

// New returns the index of a set of up to MaxPieces pieces; for others the error is a *SizeError.
func New(m Material) (*Index, error) {
	if slices.Max(m[:]) > maxOfAKind || m.PieceCount() > MaxPieces {
		return nil, &SizeError{m}
	}
	x := &Index{material: m, slices: Slices(m), kinds: numberKinds(m)}
	for k, n := range m {
		if n == 0 {
			x.absent = append(x.absent, rules.Kind(k))
		}
	}
	x.layouts = make([]layout, len(x.slices))
	for i := range x.slices {
		x.layouts[i] = newLayout(m, &x.slices[i], x.size)
		x.size = x.layouts[i].pairStart(kingPairs)
	}
	return x, nil
}

// Material returns the set.
func (x *Index) Material() Material { return x.material }

// Size returns the number of placements.
func (x *Index) Size() uint64 { return x.size }

// Slices returns the slices of the set, as Slices gives them; not to be changed.
func (x *Index) Slices() []Slice { return x.slices }

// SliceStart returns the first index of slice i; for i = len(Slices()), it is Size().
func (x *Index) SliceStart(i int) uint64 {
	if i == len(x.layouts) {
		return x.size
	}
	return x.layouts[i].start
}

// sliceAt returns the slice that holds an index below the size.
func (x *Index) sliceAt(i uint64) int {
	// a slice is never empty, so the starts ascend
	return sort.Search(len(x.layouts), func(s int) bool { return x.layouts[s].start > i }) - 1
}

// PairStart returns the first index of the placements of slice i with the kings of the own and
// the opposing side on these squares. ok is false unless they are a canonical pair.
func (x *Index) PairStart(i int, own, opposing rules.Square) (start uint64, ok bool) {
	pair := pairOf[own][opposing]
	if pair.number == noPair || pair.mirrored != 0 {
		return 0, false
	}
	return x.layouts[i].pairStart(int(pair.number)), true
}

package index

import (
	"fmt"

	"gogotb/rules"
)

// SyntaxError is what ParseMaterial returns for a text that names no material set.
type SyntaxError struct {
	Text    string
	Offset  int // byte where the problem is
	Problem string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("material set %q, letter %d: %s", e.Text, e.Offset+1, e.Problem)
}

// SizeError is what New returns for a set that has no index: more than MaxPieces pieces,
// or more than two of a kind.
type SizeError struct{ Material Material }

func (e *SizeError) Error() string {
	return fmt.Sprintf("material set %s: an index has at most %d pieces, two of a kind", e.Material, MaxPieces)
}

// MaterialError is what Encode returns for a position of another set than the index's.
type MaterialError struct{ Want, Got Material }

func (e *MaterialError) Error() string {
	return fmt.Sprintf("the position has the material %s, the index is of %s", e.Got, e.Want)
}

// KingError is what Encode returns for a position in which a side has no king.
type KingError struct{ Missing rules.Color }

func (e *KingError) Error() string {
	return fmt.Sprintf("%s has no king; indices are of positions with both", e.Missing)
}

// RangeError is what Decode returns for an index at or beyond the size.
type RangeError struct {
	Material Material
	Index    uint64
	Size     uint64
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("index %d of %s: indices are 0 to %d", e.Index, e.Material, e.Size-1)
}

// SliceError is what EncodeSquares returns for a number that is no slice's.
type SliceError struct {
	Material Material
	Slice    int
	Slices   int // how many there are
}

func (e *SliceError) Error() string {
	return fmt.Sprintf("slice %d of %s: slices are 0 to %d", e.Slice, e.Material, e.Slices-1)
}

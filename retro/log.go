package retro

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"gogotb/rules"
)

// A chunk records the rows of one unit that got the same value in one pass. Wins are recorded with
// Sente to move, losses with Gote to move. The bytes hold, for each row, its distance from the row
// before (uvarint, in rows of the unit), a mask of its non-empty words (4 bytes) and these words (4
// bytes each), all little-endian.
type chunk struct {
	value rules.Value
	epoch int // of the solver when it was recorded
	bytes []byte
}

// chunkWriter collects the rows of a unit.
type chunkWriter struct {
	bytes []byte
	next  int // the row after the last one written

	at, row int // where begin has begun, and the row
}

func (c *chunkWriter) reset() { c.bytes, c.next = c.bytes[:0], 0 }

// begin begins to record row number n of the unit; numbers ascend. It returns where packRow's bytes go; end
// has to follow if there are any.
func (c *chunkWriter) begin(n int) (room []byte) {
	c.bytes = slices.Grow(c.bytes, binary.MaxVarintLen64+packedRow)
	c.at = len(binary.AppendUvarint(c.bytes, uint64(n-c.next)))
	c.row = n
	return c.bytes[c.at : c.at+packedRow]
}

// end ends it; words is the mask of the words that are not empty.
func (c *chunkWriter) end(words uint32) {
	c.bytes = c.bytes[:c.at+4*(1+bits.OnesCount32(words))]
	c.next = c.row + 1
}

// packedRow is the room that packRow needs; vectors write a little behind the last word.
const packedRow = 4 * (1 + 2*16)

// packRow writes the mask of the non-empty words of a row and these, and returns the mask.
func packRow(dst []byte, r *row) (mask uint32) {
	end := 4
	for i, v := range r {
		// Without branches, which nobody can predict: an empty word is written over.
		low, high := uint32(v), uint32(v>>32)
		binary.LittleEndian.PutUint32(dst[end:], low)
		some := (low | -low) >> 31
		mask |= some << (2 * i)
		end += int(4 * some)
		binary.LittleEndian.PutUint32(dst[end:], high)
		some = (high | -high) >> 31
		mask |= some << (2*i + 1)
		end += int(4 * some)
	}
	binary.LittleEndian.PutUint32(dst, mask)
	return mask
}

// addWordsGo adds a packed row, of which words has the mask, to a row.
func addWordsGo(r *row, packed []byte, words uint32) {
	for ; words != 0; words &= words - 1 {
		r.words()[bits.TrailingZeros32(words)] |= binary.LittleEndian.Uint32(packed)
		packed = packed[4:]
	}
}

// slab is the rest of memory for chunks: small ones lie together, as there are many of them.
type slab []byte

const slabBytes = 1 << 16

// keep copies the bytes of a chunk.
func (s *slab) keep(b []byte) []byte {
	if len(b) > slabBytes/4 {
		return append(make([]byte, 0, len(b)), b...)
	}
	if len(b) > len(*s) {
		*s = make([]byte, slabBytes)
	}
	kept := (*s)[:len(b):len(b)]
	*s = (*s)[len(b):]
	copy(kept, b)
	return kept
}

// fits tells whether the bytes of the chunk, from elsewhere, have only what a unit of this number of rows of a slice
// with n dimensions has.
func (c *chunk) fits(rows, n int) bool {
	words, cells := 1, rules.Squares // of a row, of a word
	switch {
	case n == 0:
		cells = 1
	case n > 1:
		words = rules.Squares
	}
	for b, next := c.bytes, 0; len(b) > 0; next++ {
		skip, used := binary.Uvarint(b)
		if used <= 0 || skip >= uint64(rows-next) || len(b) < used+4 {
			return false
		}
		next += int(skip)
		mask := binary.LittleEndian.Uint32(b[used:])
		b = b[used+4:]
		if mask>>words != 0 || len(b) < 4*bits.OnesCount32(mask) {
			return false
		}
		for range bits.OnesCount32(mask) {
			if binary.LittleEndian.Uint32(b)>>cells != 0 {
				return false
			}
			b = b[4:]
		}
	}
	return true
}

// hasValueOf tells whether a log has such values.
func (c *chunk) hasValueOf(log DeltaKind) bool {
	switch n := c.value.Number(); c.value.Outcome() {
	case rules.MateWin:
		return log == wins && n%2 == 1
	case rules.MateLoss:
		return log == losses && n%2 == 0
	case rules.PerpetualWin:
		return log == wins && n > 0
	case rules.PerpetualLoss:
		return log == losses && n > 0
	}
	return false
}

// chunkReader reads a chunk, row by row.
type chunkReader struct {
	bytes []byte
	row   int    // of the unit
	words uint32 // which words of the row are not empty
	at    []byte // these; see packRow
	next  int    // the row after the last one read
}

// reader returns one that stands before the first row.
func (c *chunk) reader() chunkReader { return chunkReader{bytes: c.bytes} }

// read goes to the next row, and returns false if there is none.
func (r *chunkReader) read() bool {
	b := r.bytes
	if len(b) == 0 {
		return false
	}
	skip, used := uint64(b[0]), 1
	if skip >= 0x80 {
		skip, used = binary.Uvarint(b)
	}
	r.row = r.next + int(skip)
	r.next = r.row + 1
	r.words = binary.LittleEndian.Uint32(b[used:])
	b = b[used+4:]
	end := 4 * bits.OnesCount32(r.words)
	r.at, r.bytes = b[:end], b[end:]
	return true
}

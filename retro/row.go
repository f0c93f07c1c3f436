package retro

import (
	"math/bits"
	"unsafe"

	"gogotb/rules"
)

// A row holds (set.create makes one in a set), for fixed kings and fixed outer pieces, one bit for every pair of squares of the two
// innermost pieces x and y: word x of the row is a 25-bit board of the squares of y. Words have 32
// bits, two of them make a lane pair in one uint64, and a 26th word pads the last pair. Slices with
// fewer than two pieces on the board use word 0 only (bit 0 of it if there are none).
//
// Operations on whole boards run on both lanes at once: a rotation of the uint64 moves all squares,
// and what crosses a lane or leaves the board falls on bits 25-31 of a lane, where every mask is
// zero.
type row [rowPairs]uint64

const (
	rowPairs = 13
	rowWords = 2 * rowPairs
)

// paddedRow is a row behind which vectors may read.
type paddedRow struct {
	row
	_ [3]uint64
}

// rowView is a row as words.
type rowView [rowWords]uint32

func (r *row) words() *rowView { return (*rowView)(unsafe.Pointer(r)) }

// pair returns the words i and i+1 at once. It need not be aligned.
func (v *rowView) pair(i int) *uint64 { return (*uint64)(unsafe.Pointer(&v[i])) }

// lanes repeats a board in both lanes of a pair.
func lanes(b rules.Bitboard) uint64 { return uint64(b) | uint64(b)<<32 }

func (r *row) empty() bool {
	var or uint64
	for _, v := range r {
		or |= v
	}
	return or == 0
}

func (r *row) count() (n int) {
	for _, v := range r {
		n += bits.OnesCount64(v)
	}
	return n
}

func (r *row) or(s *row) {
	for i := range r {
		r[i] |= s[i]
	}
}

// maskedRow is a row of which only what is in mask counts.
type maskedRow struct{ row, mask *row }

// addRowsGo adds rows and masked rows to sum.
func addRowsGo(sum *row, rows []*row, masked []maskedRow) {
	for ; len(rows) >= 4; rows = rows[4:] {
		sum.or4(rows[0], rows[1], rows[2], rows[3])
	}
	for _, r := range rows {
		sum.or(r)
	}
	for _, m := range masked {
		for i := range sum {
			sum[i] |= m.row[i] & m.mask[i]
		}
	}
}

func (r *row) or4(a, b, c, d *row) {
	for i := range r {
		r[i] |= a[i] | b[i] | c[i] | d[i]
	}
}

func (r *row) and(s *row) {
	for i := range r {
		r[i] &= s[i]
	}
}

func (r *row) andNot(s *row) {
	for i := range r {
		r[i] &^= s[i]
	}
}

// meet makes r what a and b share, and tells whether that is anything.
func (r *row) meet(a, b *row) bool {
	var or uint64
	for i := range r {
		v := a[i] & b[i]
		r[i] = v
		or |= v
	}
	return or != 0
}

// remove takes the positions of s from r, and tells whether any are left.
func (r *row) remove(s *row) bool {
	var or uint64
	for i := range r {
		v := r[i] &^ s[i]
		r[i] = v
		or |= v
	}
	return or != 0
}

// covers tells whether every bit of need is in r.
func (r *row) covers(need *row) bool {
	var left uint64
	for i := range r {
		left |= need[i] &^ r[i]
	}
	return left == 0
}

// orMirrored adds the mirror image of s, a row of a slice with n dimensions.
func (r *row) orMirrored(s *row, n int) {
	a, b := r.words(), s.words()
	switch n {
	case 0:
		a[0] |= b[0]
		return
	case 1:
		a[0] |= uint32(mirrorBoard(uint64(b[0])))
		return
	}
	for at := 0; at < rules.Squares; at += 5 { // the words of a rank, the outer ones in pairs
		*a.pair(at) |= bits.RotateLeft64(mirrorBoard(*b.pair(at + 3)), 32)
		a[at+2] |= uint32(mirrorBoard(uint64(b[at+2])))
		*a.pair(at + 3) |= bits.RotateLeft64(mirrorBoard(*b.pair(at)), 32)
	}
}

// rotated returns the row rotated by 180 degrees, with x and y exchanged if transpose is set.
// Slices with n < 2 dimensions rotate only what they have.
func (s *row) rotated(n int, transpose bool) (r row) {
	w, v := r.words(), s.words()
	switch {
	case n == 0:
		w[0] = v[0]
	case n == 1:
		w[0] = rotateBoard(v[0])
	default:
		for x := range rules.Squares {
			w[x] = rotateBoard(v[24-x])
		}
		if transpose {
			return r.transposed()
		}
	}
	return r
}

// transposed exchanges x and y.
func (s *row) transposed() (r row) {
	w, v := r.words(), s.words()
	for x := range rules.Squares {
		for b := v[x]; b != 0; b &= b - 1 {
			w[bits.TrailingZeros32(b)] |= 1 << x
		}
	}
	return r
}

// without[p] masks the rows' positions in which neither x nor y stands on p.
var without = func() (t [rules.Squares]row) {
	for p := range rules.Square(rules.Squares) {
		w := t[p].words()
		for x := range rules.Square(rules.Squares) {
			if x != p {
				w[x] = uint32(rules.Board &^ p.Bit())
			}
		}
	}
	return t
}()

// passing[a][b] masks the positions in which neither x nor y stands between a and b.
var passing = func() *[rules.Squares][rules.Squares]row {
	t := new([rules.Squares][rules.Squares]row)
	for a := range t {
		for b := range t[a] {
			t[a][b] = outside(between[a][b])
		}
	}
	return t
}()

// outside masks the positions in which neither x nor y stands on a square of set.
func outside(set rules.Bitboard) (r row) {
	w := r.words()
	for x := range rules.Square(rules.Squares) {
		if !set.Has(x) {
			w[x] = uint32(rules.Board &^ set)
		}
	}
	return r
}

// diagonalBits has, in word x, the bit of square x: the overlaps of x and y.
var diagonalBits = func() (r row) {
	w := r.words()
	for x := range rules.Squares {
		w[x] = 1 << x
	}
	return r
}()

// offDiagonal has, in word x, all squares but x.
var offDiagonal = func() row {
	r := fullRow(2)
	r.andNot(&diagonalBits)
	return r
}()

// oneCell and oneWord have the cells of slices with one dimension and none.
var oneCell, oneWord = fullRow(0), fullRow(1)

// keepCellsGo keeps what is in cells, y on the squares of free and x on those of squares.
func keepCellsGo(r, cells *row, free, squares uint32) {
	both := lanes(rules.Bitboard(free))
	for i := range r {
		r[i] &= cells[i] & both
	}
	w := r.words()
	for o := uint32(rules.Board) &^ squares; o != 0; o &= o - 1 {
		w[bits.TrailingZeros32(o)%rowWords] = 0
	}
}

// takeWinsGo takes from need what is in sum and in the cells that keepCells keeps. Of what it has taken it writes
// to dst what packRow does, and returns what packRow does, the number of bits, and whether need has others.
func takeWinsGo(dst []byte, need, sum, cells *row, free, squares uint32) (words uint32, n uint64, left bool) {
	var won row
	if !won.meet(sum, need) {
		return 0, 0, true
	}
	keepCellsGo(&won, cells, free, squares)
	if won.empty() {
		return 0, 0, true
	}
	left = need.remove(&won)
	return packRow(dst, &won), uint64(won.count()), left
}

// takeLossesGo takes from need what is not in sum, and puts it into taken. It writes and returns what takeWinsGo does.
func takeLossesGo(dst []byte, need, sum, taken *row) (words uint32, n uint64, left bool) {
	lost := *need
	if !lost.remove(sum) {
		return 0, 0, true
	}
	left = need.remove(&lost)
	*taken = lost
	return packRow(dst, &lost), uint64(lost.count()), left
}

// fullRow returns a row with every bit that a slice with n dimensions can use.
func fullRow(n int) (r row) {
	w := r.words()
	switch n {
	case 0:
		w[0] = 1
	case 1:
		w[0] = uint32(rules.Board)
	default:
		for x := range rules.Squares {
			w[x] = uint32(rules.Board)
		}
	}
	return r
}

// Package index numbers the placements of a material set without gaps.
//
// A Material is the multiset of the pieces other than the kings. A State says where one of
// them is and whose it is, seen from the side to move; a Slice gives a state to each. An
// Index is a bijection between 0..Size()-1 and the placements of a set, mirror images once:
// Encode and EncodeSquares go from placements to numbers, Decode back, and a Cursor walks
// through all placements in order, which is many times faster than decoding each.
//
// Where to find what:
//
//	material.go  sets and their names
//	slice.go     states and slices;  number.go  from states to the number of a slice
//	kings.go     king pairs and what turns the board
//	pawns.go     the unpromoted pawns: tables of their configurations
//	shape.go     the other pieces: counting where no symmetry is left
//	phase.go     the other pieces: counting where mirror images are left over
//	layout.go    all of that for one slice
//	index.go     the index of a set;  encode.go  numbering
//	decode.go    the way back, which is a cursor's;  cursor.go, level.go  walking
//	errors.go    what can be wrong
//
// # The perfect index
//
// The rest of this page defines the index. It is part of the file format of the tables.
//
// Squares are numbered 0 to 24 in reading order: 5*rank + column, where rank 0 is a, the
// far rank of the side to move, and column 0 is file 5. A position with Gote to move is
// first rotated (square s becomes 24 - s) and its colours are exchanged, so that the side
// to move plays up the board. "Mirrored" means that column c becomes 4 - c. C(n, 2) is
// n(n-1)/2.
//
// A placement gives every piece of the set a state (own hand, opposing hand, own, own
// promoted, opposing, opposing promoted, numbered 0 to 5 in this order; golds have no
// promoted states) and those on the board and the kings a square, such that the squares
// are distinct, the kings are not on neighbouring squares, no own unpromoted pawn is on
// rank 0 and no opposing one on rank 4, and no file holds two unpromoted pawns of the same
// side. It does not matter whether a king is in check. Identical pieces are not told
// apart, and a placement and its mirror image have the same index.
//
// Placements are ordered by slice, then by king pair, then by the squares of the unpromoted
// pawns, then by those of the other pieces; an index is the number of placements before
// one, counting mirror images once.
//
// Slices. The pieces of the set are put in the order R B G S P, identical pieces such that
// their states ascend. Slices are in lexicographic order of the states, those of the first
// piece most significant.
//
// King pairs. A pair (own king k1, opposing king k2) is canonical if column(k1) <
// column(k2), or column(k1) = column(k2) <= 2. Other pairs become canonical when the
// placement is mirrored. There are 234 canonical pairs, in lexicographic order of
// (k1, k2). If both kings are on column 2, as in 12 of the pairs, mirroring leaves them in
// place, and the pair is called symmetric; see below.
//
// Unpromoted pawns. At most two unpromoted pawns are on the board. Their squares are
// written (a, b): a < b for two of the same side, a the own pawn's and b the opposing
// pawn's for one of each, and b alone for a single pawn. Their configurations, those that
// are possible around the kings, are in lexicographic order of (a, b).
//
// Other pieces on the board are placed in the order of the slice, on the squares that
// kings, pawns and the pieces before them leave free. Let there be n of these, numbered in
// ascending order. A single piece has the number of its square, 0 to n-1. Two identical
// pieces (of the same kind in the same state) are placed together: on squares of numbers
// i < j, their number is C(j, 2) + i, 0 to C(n, 2)-1. Earlier pieces are more significant,
// the last one varies fastest.
//
// Symmetric king pairs. As long as what has been placed is its own mirror image, so are
// the free squares: L on columns 0 and 1 ("left"), M on column 2 ("middle"), L on columns 3
// and 4. The next group (the pawns, a single piece, or an identical pair) then goes through
// the following phases instead. In the first ones it differs from its mirror image, and one
// of the two stands for both; the groups after it are placed as above, mirrored along with
// it where need be. In the later phases, marked *, it is its own mirror image, and the
// group after it goes through phases, too.
//
//	pawns    the configurations (a, b) that come before their own mirror image, in order;
//	         * those that are their own mirror image, in order
//	single   left: the number among the free left squares
//	         * middle: the number among the free middle squares
//	pair     one left, of number l, and one in the middle, of number m:  l*M + m
//	         both left, of numbers i < j:                                C(j, 2) + i
//	         one left, of number i, and one on the mirror image of the
//	         left square of number j, i < j:                             C(j, 2) + i
//	         * both in the middle, of numbers i < j:                     C(j, 2) + i
//	         * on a left square, of number l, and its mirror image:      l
//
// Left and middle squares are numbered among the free left and the free middle squares.
// The mirror image of two pawns of a side is again written in ascending order. If there are
// no pawns, or no pieces left to be placed, there is nothing to decide. A placement in which
// no group differed from its mirror image is its own mirror image; all others stand for two.
//
// testdata/vectors.tsv has examples: material set, index, and the position in SFEN as Decode
// gives it.
package index

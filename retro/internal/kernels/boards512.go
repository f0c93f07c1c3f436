package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// addBoards makes the rows of sums that are in the set rows the sum of those of n boards.
func addBoards() {
	TEXT("addBoardsAVX512", NOSPLIT, "func(sums "+boardType+", rows uint32, boards *"+boardType+", n int)")
	sums, rows, boards := pointer("sums"), set32("rows"), pointer("boards")
	n := Load(Param("n"), GP64())
	eachBit("row", rows, func(_, offset GPVirtual) {
		low, high := zero512(), zero512()
		i, board := GP64(), GP64()
		MOVQ(n, i)
		JMP(LabelRef("next"))
		Label("board")
		MOVQ(element(boards, i, 8), board)
		orRow(board, offset, low, high)
		Label("next")
		DECQ(i)
		JNS(LabelRef("board"))
		storeRow(sums, offset, low, high)
	})
	VZEROUPPER()
	RET()
}

// addMirroredBoard adds to the rows of sums that are in the set rows the mirror images of the rows of a board:
// row, x and y are mirrored.
func addMirroredBoard() {
	TEXT("addMirroredBoardAVX512", NOSPLIT, "func(sums "+boardType+", rows uint32, board "+boardType+")")
	sums, rows, board := pointer("sums"), set32("rows"), pointer("board")
	// The mirror image of word i; the words behind 24 stay where they are.
	mirror := func(i int) uint32 {
		if i >= 25 {
			return uint32(i)
		}
		return uint32(i/5*5 + 4 - i%5)
	}
	offsets := GLOBL("mirroredRows", attr.RODATA|attr.NOPTR)
	for i := range 25 {
		DATA(8*i, U64(rowBytes*mirror(i)))
	}
	table := GP64()
	LEAQ(offsets, table)
	lowWords, highWordsAt := load512(words(mirror)), load512(words(func(i int) uint32 { return mirror(16+i) & 31 }))
	k := highWords()
	const column = 1 | 1<<5 | 1<<10 | 1<<15 | 1<<20
	var columns [3]VecVirtual
	for c := range columns {
		columns[c] = load512(words(func(int) uint32 { return column << c }))
	}
	eachBit("row", rows, func(bit, offset GPVirtual) {
		from := GP64()
		MOVQ(element(table, bit, 8), from)
		low, high := ZMM(), ZMM()
		VMOVDQU32(in(board, from, 0), low)
		VMOVDQU32_Z(in(board, from, 64), k, high)
		for half, index := range []VecVirtual{lowWords, highWordsAt} {
			v := ZMM()
			VMOVDQA32(index, v)
			VPERMI2D(high, low, v)
			sum, t := ZMM(), ZMM()
			VPANDD(columns[2], v, sum)
			VPANDD(columns[0], v, t)
			VPSLLD(U8(4), t, t)
			VPORD(t, sum, sum)
			VPANDD(columns[1], v, t)
			VPSLLD(U8(2), t, t)
			VPORD(t, sum, sum)
			VPSRLD(U8(2), v, t)
			VPANDD(columns[1], t, t)
			VPORD(t, sum, sum)
			VPSRLD(U8(4), v, t)
			VPANDD(columns[0], t, t)
			VPORD(t, sum, sum)
			if half == 0 {
				VPORD(in(sums, offset, 0), sum, sum)
				VMOVDQU32(sum, in(sums, offset, 0))
			} else {
				VPORD_Z(in(sums, offset, 64), sum, k, sum)
				VMOVDQU32(sum, k, in(sums, offset, 64))
			}
		}
	})
	VZEROUPPER()
	RET()
}

// addBoardMoves adds, to each row of sums that is in the set rows, rows of a board: those that near has for it,
// and those that far has, as far as its masks let them. masks has 25 of these for each row.
func addBoardMoves() {
	TEXT("addBoardMovesAVX512", NOSPLIT,
		"func(sums "+boardType+", rows uint32, board "+boardType+", near, far *[25]uint32, masks *[25][25][13]uint64)")
	sums, rows, board, near, far, masks := pointer("sums"), set32("rows"), pointer("board"), pointer("near"), pointer("far"), pointer("masks")
	eachBit("row", rows, func(bit, offset GPVirtual) {
		n, f := GP64(), GP64()
		MOVL(element(near, bit, 4), n.As32())
		MOVL(element(far, bit, 4), f.As32())
		low, high := load512(in(sums, offset, 0)), load512(in(sums, offset, overlap))
		eachBit("near", n, func(_, from GPVirtual) { orRow(board, from, low, high) })
		mask := GP64()
		IMUL3Q(U32(25*rowBytes), bit, mask)
		ADDQ(masks, mask)
		eachBit("far", f, func(_, from GPVirtual) {
			t := load512(in(board, from, 0))
			VPANDD(in(mask, from, 0), t, t)
			VPORD(t, low, low)
			t = load512(in(board, from, overlap))
			VPANDD(in(mask, from, overlap), t, t)
			VPORD(t, high, high)
		})
		storeRow(sums, offset, low, high)
	})
	VZEROUPPER()
	RET()
}

// uncovered returns those of the rows in which need has a bit that sums lacks.
func uncovered() {
	TEXT("uncoveredAVX512", NOSPLIT, "func(sums "+boardType+", rows uint32, need "+boardType+") (left uint32)")
	sums, rows, need := pointer("sums"), set32("rows"), pointer("need")
	left, some := GP32(), GP32()
	XORL(left, left)
	eachBit("row", rows, func(bit, offset GPVirtual) {
		low, high := load512(in(sums, offset, 0)), load512(in(sums, offset, overlap))
		VPANDND(in(need, offset, 0), low, low)
		VPANDND(in(need, offset, overlap), high, high)
		VPORD(high, low, low)
		k := K()
		VPTESTMD(low, low, k)
		KMOVW(k, some)
		NEGL(some) // the carry is whether there is any
		SBBL(some, some)
		ANDL(U8(1), some)
		SHLXL(bit.As32(), some, some)
		ORL(some, left)
	})
	Store(left, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

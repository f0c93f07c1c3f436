package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The functions of vector512_amd64.go. A row is two vectors here: words 0 to 15, and either words 16 to 25,
// read and written under a mask, or, where overlapping does no harm, words 10 to 25. A mask has a bit for
// each word, which is a square of x: what is said of squares, "not where a king stands", is a mask as it is.
//
// Where a function has a board of rows, of which it takes those in a set, it goes through the bits of the set.

const (
	rowBytes  = 104
	boardType = "*[25][13]uint64"
	high      = 64 // where words 16 to 25 begin, in bytes
	overlap   = 40 // where words 10 to 25 begin
)

func avx512() {
	addBoards()
	addMirroredBoard()
	addBoardMoves()
	uncovered()
	take("takeWins", true)
	take("takeLosses", false)
	keepCells()
	dropX()
	dropY()
	xPromotionSteps()
	yPromotionSteps()
	setCells("setCells", false)
	setCells("setRotatedCells", true)
	packCells()
	addWords()
	addParts()
}

// words is a constant of sixteen doublewords.
func words(f func(i int) uint32) Mem {
	var v [8]uint64
	for i := range v {
		v[i] = uint64(f(2*i)) | uint64(f(2*i+1))<<32
	}
	return constant(v[:]...)
}

// load512 reads a vector.
func load512(m Mem) VecVirtual {
	v := ZMM()
	VMOVDQU32(m, v)
	return v
}

// zero512 makes a vector of zeros.
func zero512() VecVirtual {
	v := ZMM()
	VPXORD(v, v, v)
	return v
}

// mask16 makes a mask.
func mask16(bits uint32) OpmaskVirtual {
	t, k := GP32(), K()
	MOVL(U32(bits), t)
	KMOVW(t, k)
	return k
}

// highWords is the mask of words 16 to 25 in a vector that begins there.
func highWords() OpmaskVirtual { return mask16(0x3ff) }

// loadHigh reads words 16 to 25 of a row.
func loadHigh(row Register, offset int, k OpmaskVirtual) VecVirtual {
	v := ZMM()
	VMOVDQU32_Z(at(row, offset+high), k, v)
	return v
}

// broadcast32 repeats a doubleword parameter in all of a vector.
func broadcast32(name string) VecVirtual {
	t, v := GP32(), ZMM()
	Load(Param(name), t)
	VPBROADCASTD(t, v)
	return v
}

// instruction adds one that avo does not know: it reads all operands but the last, which it writes.
func instruction(name string, suffixes []string, operands ...Op) {
	last := len(operands) - 1
	Instruction(&ir.Instruction{Opcode: name, Suffixes: suffixes, Operands: operands, Inputs: operands[:last], Outputs: operands[last:]})
}

// eachBit runs f for each bit of a set: bit has its number, offset that of its row in bytes. The names of
// labels begin with name.
func eachBit(name string, set Register, f func(bit, offset GPVirtual)) {
	bit, offset := GP64(), GP64()
	TESTQ(set, set)
	JZ(LabelRef(name + "End"))
	Label(name)
	TZCNTQ(set, bit)
	BLSRQ(set, set)
	IMUL3Q(U8(rowBytes), bit, offset)
	f(bit, offset)
	TESTQ(set, set)
	JNZ(LabelRef(name))
	Label(name + "End")
}

// set32 reads a parameter that is a set of squares.
func set32(name string) GPVirtual {
	t := GP64()
	Load(Param(name), t.As32())
	return t
}

// in returns the memory at an offset from a register and another one.
func in(base, index Register, offset int) Mem {
	return Mem{Base: base, Index: index, Scale: 1, Disp: offset}
}

// element returns element i of an array whose elements have a size.
func element(base, i Register, size uint8) Mem { return Mem{Base: base, Index: i, Scale: size} }

// orRow adds a row of a board to the two vectors of a sum.
func orRow(board, offset Register, low, high VecVirtual) {
	VPORD(in(board, offset, 0), low, low)
	VPORD(in(board, offset, overlap), high, high)
}

// storeRow writes the two vectors of a sum to a row of a board.
func storeRow(board, offset Register, low, high VecVirtual) {
	VMOVDQU32(high, in(board, offset, overlap))
	VMOVDQU32(low, in(board, offset, 0))
}

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

// distinctMasks reads the parameter squares, the squares of x, as masks of the two vectors of a row.
func distinctMasks() (low, high OpmaskVirtual) {
	t := GP32()
	low, high = K(), K()
	Load(Param("squares"), t)
	KMOVW(t, low)
	SHRL(U8(16), t)
	KMOVW(t, high)
	return low, high
}

// take takes from need what is in sum and in distinct, of the squares free of y and squares of x (wins), or
// what is not in sum, and puts it into taken (losses). What it has taken it writes to dst: the mask of the words
// that are not empty, and these. It returns the mask, the number of bits and those words of need that are not empty.
func take(name string, wins bool) {
	args := "dst *byte, need, sum "
	if wins {
		args += rowType + ", distinct " + rowType + ", free, squares uint32"
	} else {
		args += rowType + ", taken " + rowType
	}
	TEXT(name+"AVX512", NOSPLIT, "func("+args+") (words uint32, bits uint64, left uint32)")
	dst, need, sum := pointer("dst"), pointer("need"), pointer("sum")
	k := highWords()
	low, above, takenLow, takenHigh := load512(at(need, 0)), loadHigh(need, 0, k), ZMM(), ZMM()
	if wins {
		distinct, free := pointer("distinct"), broadcast32("free")
		kl, kh := distinctMasks()
		VPANDD(at(distinct, 0), free, takenLow)
		VPANDD(at(sum, 0), takenLow, takenLow)
		VPANDD_Z(low, takenLow, kl, takenLow)
		VPANDD_Z(at(distinct, 64), free, kh, takenHigh)
		VPANDD_Z(at(sum, 64), takenHigh, kh, takenHigh)
		VPANDD(above, takenHigh, takenHigh)
	} else {
		sumLow, sumHigh := load512(at(sum, 0)), loadHigh(sum, 0, k)
		VPANDND(low, sumLow, takenLow)
		VPANDND(above, sumHigh, takenHigh)
	}
	kl, kh := K(), K()
	VPTESTMD(takenLow, takenLow, kl)
	VPTESTMD(takenHigh, takenHigh, kh)
	mask, maskHigh := GP64(), GP64()
	KMOVW(kl, mask.As32())
	KMOVW(kh, maskHigh.As32())
	n := GP64()
	POPCNTL(mask.As32(), n.As32())
	SHLL(U8(16), maskHigh.As32())
	ORL(maskHigh.As32(), mask.As32())
	Store(mask.As32(), Return("words"))
	JZ(LabelRef("none"))
	VPANDND(low, takenLow, low)
	VPANDND(above, takenHigh, above)
	VMOVDQU32(low, at(need, 0))
	VMOVDQU32(above, k, at(need, high))
	if !wins {
		taken := pointer("taken")
		VMOVDQU32(takenLow, at(taken, 0))
		VMOVDQU32(takenHigh, k, at(taken, 64))
	}
	VPORD(above, low, low)
	some := K()
	VPTESTMD(low, low, some)
	left := GP32()
	KMOVW(some, left)
	Store(left, Return("left"))

	MOVL(mask.As32(), at(dst, 0))
	packed := ZMM()
	VPCOMPRESSD_Z(takenLow, kl, packed)
	VMOVDQU32(packed, at(dst, 4))
	VPCOMPRESSD_Z(takenHigh, kh, packed)
	VMOVDQU32(packed, Mem{Base: dst, Index: n, Scale: 4, Disp: 4})

	VPOPCNTD(takenLow, takenLow)
	VPOPCNTD(takenHigh, takenHigh)
	VPADDD(takenHigh, takenLow, takenLow)
	half, quarter := YMM(), XMM()
	VEXTRACTI64X4(U8(1), takenLow, half)
	VPADDD(half, takenLow.AsY(), half)
	VEXTRACTI128(U8(1), half, quarter)
	VPADDD(quarter, half.AsX(), quarter)
	t := XMM()
	for _, order := range []uint8{0x4e, 0xb1} {
		VPSHUFD(U8(order), quarter, t)
		VPADDD(t, quarter, quarter)
	}
	count := GP64()
	VMOVD(quarter, count.As32())
	Store(count, Return("bits"))
	VZEROUPPER()
	RET()

	Label("none")
	zero, one := GP64(), GP32()
	XORQ(zero, zero)
	MOVL(U32(1), one)
	Store(zero, Return("bits"))
	Store(one, Return("left"))
	VZEROUPPER()
	RET()
}

// keepCells keeps what is in distinct, of the squares free of y and squares of x.
func keepCells() {
	TEXT("keepCellsAVX512", NOSPLIT, "func(r, distinct "+rowType+", free, squares uint32)")
	r, distinct, free := pointer("r"), pointer("distinct"), broadcast32("free")
	kl, kh := distinctMasks()
	k := highWords()
	low, high := ZMM(), ZMM()
	VPANDD_Z(at(distinct, 0), free, kl, low)
	VPANDD(at(r, 0), low, low)
	VPANDD_Z(at(distinct, 64), free, kh, high)
	VPANDD_Z(at(r, 64), high, kh, high)
	VMOVDQU32(low, at(r, 0))
	VMOVDQU32(high, k, at(r, 64))
	VZEROUPPER()
	RET()
}

// squareBits are the vectors that have, in word x, the bit of square x, less 25 squares.
func squareBits() (low, high VecVirtual) {
	low = load512(words(func(i int) uint32 { return 1 << i }))
	high = load512(words(func(i int) uint32 { return 1 << (16 + i) & (1<<25 - 1) }))
	return low, high
}

// eachDropRow runs f for the 25 rows of source and words of acc: x is the square, free has the squares that
// are free but for it. What f leaves in word is added to the word of acc.
func eachDropRow(f func(source, free, word GPVirtual)) {
	acc, source, all := pointer("acc"), Load(Param("source"), GP64()).(GPVirtual), set32("free")
	x, free, word := GP64(), GP64(), GP64()
	XORQ(x, x)
	Label("x")
	MOVQ(all, free)
	BTRQ(x, free)
	f(source, free, word)
	ORL(word.As32(), element(acc, x, 4))
	ADDQ(U8(rowBytes), source)
	INCQ(x)
	CMPQ(x, U8(25))
	JNE(LabelRef("x"))
	VZEROUPPER()
	RET()
}

// dropX adds, to each word of acc, those words of a row of source that are free, but for the square of the word.
func dropX() {
	TEXT("dropXAVX512", NOSPLIT, "func(acc "+rowType+", source "+boardType+", free uint32)")
	bitsLow, bitsHigh := squareBits()
	eachDropRow(func(source, free, word GPVirtual) {
		kl, kh := K(), K()
		KMOVW(free.As32(), kl)
		SHRL(U8(16), free.As32())
		KMOVW(free.As32(), kh)
		low, high := ZMM(), ZMM()
		VPANDND_Z(at(source, 0), bitsLow, kl, low)
		VPANDND_Z(at(source, 64), bitsHigh, kh, high)
		VPORD(high, low, low)
		half, quarter, t := YMM(), XMM(), XMM()
		VEXTRACTI64X4(U8(1), low, half)
		VPOR(half, low.AsY(), half)
		VEXTRACTI128(U8(1), half, quarter)
		VPOR(quarter, half.AsX(), quarter)
		for _, order := range []uint8{0x4e, 0xb1} {
			VPSHUFD(U8(order), quarter, t)
			VPOR(t, quarter, quarter)
		}
		VMOVD(quarter, word.As32())
	})
}

// dropY adds to each word of acc a bit for those words of a row of source that have anything free, but for
// the square of the word.
func dropY() {
	TEXT("dropYAVX512", NOSPLIT, "func(acc "+rowType+", source "+boardType+", free uint32)")
	bitsLow, bitsHigh := squareBits()
	k := highWords()
	eachDropRow(func(source, free, word GPVirtual) {
		board, low, high := ZMM(), ZMM(), ZMM()
		VPBROADCASTD(free.As32(), board)
		VPANDND(board, bitsLow, low)
		VPANDND(board, bitsHigh, high)
		kl, kh := K(), K()
		VPTESTMD(at(source, 0), low, kl)
		VPTESTMD(at(source, 64), high, k, kh)
		t := GP32()
		KMOVW(kl, word.As32())
		KMOVW(kh, t)
		SHLL(U8(16), t)
		ORL(t, word.As32())
	})
}

// xPromotionSteps adds, for n steps, the words of s at an offset in bytes to those words of acc that a mask
// has. A step is the offset and the mask. Of acc sixteen words are looked at.
func xPromotionSteps() {
	TEXT("xPromotionStepsAVX512", NOSPLIT, "func(acc, s *uint32, steps *[2]int64, n int)")
	acc, s, steps := pointer("acc"), pointer("s"), pointer("steps")
	n := Load(Param("n"), GP64())
	sum := load512(at(acc, 0))
	offset, k := GP64(), K()
	Label("step")
	MOVQ(at(steps, 0), offset)
	KMOVW(at(steps, 8), k)
	ADDQ(U8(16), steps)
	VPORD(in(s, offset, 0), sum, k, sum)
	DECQ(n)
	JNZ(LabelRef("step"))
	VMOVDQU32(sum, at(acc, 0))
	VZEROUPPER()
	RET()
}

// yPromotionSteps adds, for n steps, s rotated to the left and masked. A step is the rotation and the mask.
func yPromotionSteps() {
	TEXT("yPromotionStepsAVX512", NOSPLIT, "func(acc, s "+rowType+", steps *[2]uint32, n int)")
	acc, s, steps := pointer("acc"), pointer("s"), pointer("steps")
	n := Load(Param("n"), GP64())
	k := highWords()
	low, high := load512(at(s, 0)), loadHigh(s, 0, k)
	sumLow, sumHigh := load512(at(acc, 0)), loadHigh(acc, 0, k)
	Label("step")
	rotate, mask, t := ZMM(), ZMM(), ZMM()
	VPBROADCASTD(at(steps, 0), rotate)
	VPBROADCASTD(at(steps, 4), mask)
	ADDQ(U8(8), steps)
	VPROLVD(rotate, low, t)
	VPANDD(mask, t, t)
	VPORD(t, sumLow, sumLow)
	VPROLVD(rotate, high, t)
	VPANDD(mask, t, t)
	VPORD(t, sumHigh, sumHigh)
	DECQ(n)
	JNZ(LabelRef("step"))
	VMOVDQU32(sumLow, at(acc, 0))
	VMOVDQU32(sumHigh, k, at(acc, 64))
	VZEROUPPER()
	RET()
}

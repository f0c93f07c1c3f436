package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The functions of vector512_amd64.go that have to do with packed rows, values, and parts of rows.

const cellBytes = 2

// eachWord runs f for each word of a packed row: x is its square, in word is what stands there.
func eachWord(packed, words GPVirtual, f func(x, word GPVirtual)) {
	x, word := GP64(), GP64()
	Label("word")
	TZCNTQ(words, x)
	BLSRQ(words, words)
	MOVL(at(packed, 0), word.As32())
	ADDQ(U8(4), packed)
	f(x, word)
	TESTQ(words, words)
	JNZ(LabelRef("word"))
}

// setCells sets the cells of the bits of a packed row, of which words has the mask, to a value. It returns the
// number of bits. Rotated rows go backwards, word by word and bit by bit.
func setCells(name string, rotated bool) {
	TEXT(name+"AVX512", NOSPLIT, "func(cells *uint16, packed *byte, words, value uint32) (n uint64)")
	cells, packed, words := pointer("cells"), Load(Param("packed"), GP64()).(GPVirtual), set32("words")
	t, v := GP32(), ZMM()
	Load(Param("value"), t)
	VPBROADCASTW(t, v)
	var reverse VecVirtual
	if rotated {
		reverse = XMM()
		VMOVDQU(constant(0x8040201008040201, 0x8040201008040201), reverse)
		ADDQ(U32(24*25*cellBytes), cells)
	}
	n, bits, offset := GP64(), GP64(), GP64()
	XORQ(n, n)
	eachWord(packed, words, func(x, word GPVirtual) {
		POPCNTQ(word, bits)
		ADDQ(bits, n)
		IMUL3Q(U8(25*cellBytes), x, offset)
		if rotated {
			b := XMM()
			VMOVD(word.As32(), b)
			instruction("VGF2P8AFFINEQB", nil, U8(0), reverse, b, b) // the bits of each byte
			VMOVD(b, word.As32())
			BSWAPL(word.As32())
			SHRL(U8(7), word.As32())
			NEGQ(offset)
		}
		k := K()
		KMOVD(word.As32(), k)
		VMOVDQU16(v, k, in(cells, offset, 0))
	})
	Store(n, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// packCells writes the cells of some squares, a stride apart, one after the other. It returns, as sets of what it has
// written, the legal positions, the mates from win on and the losses by mate from loss on; with stride 1 it reads no
// more than a vector, else two bytes more.
func packCells() {
	TEXT("packCellsAVX512", NOSPLIT, "func(out, cells *uint16, stride int, squares, win, loss uint32) (legal, wins, losses uint32)")
	out, cells := pointer("out"), pointer("cells")
	squares := set32("squares")
	k := K()
	KMOVD(squares.As32(), k)
	v := ZMM()
	stride := Load(Param("stride"), GP64()).(GPVirtual)
	CMPQ(stride, Imm(1))
	JNE(LabelRef("apart"))
	VMOVDQU16_Z(at(cells, 0), k, v)
	JMP(LabelRef("pack"))
	Label("apart")
	step, index := ZMM(), load512(words(func(i int) uint32 { return cellBytes * uint32(i) }))
	VPBROADCASTD(stride.As32(), step)
	VPMULLD(step, index, index)
	upper, half, low := GP64(), ZMM(), K()
	VPXORD(v, v, v)
	KMOVW(squares.As32(), low)
	VPGATHERDD(Mem{Base: cells, Index: index, Scale: 1}, low, v)
	VPMOVDW(v, v.AsY())
	MOVQ(squares, upper)
	SHRQ(U8(16), upper)
	KMOVW(upper.As32(), low)
	SHLQ(U8(4), stride)
	ADDQ(stride, cells)
	ADDQ(stride, cells)
	VPXORD(half, half, half)
	VPGATHERDD(Mem{Base: cells, Index: index, Scale: 1}, low, half)
	VPMOVDW(half, half.AsY())
	VINSERTI64X4(U8(1), half.AsY(), v, v)
	Label("pack")
	instruction("VPCOMPRESSW", []string{"Z"}, v, k, v)
	n, all := GP64(), GP64()
	POPCNTQ(squares, n)
	MOVQ(I32(-1), all)
	BZHIQ(n, all, all)
	written := K()
	KMOVD(all.As32(), written)
	VMOVDQU16(v, written, at(out, 0))
	set, result := K(), GP32()
	VPTESTMW(v, v, set)
	KMOVD(set, result)
	Store(result, Return("legal"))
	for _, kind := range []struct {
		from, result string
		end          uint32
	}{{"win", "wins", 3 << 12}, {"loss", "losses", 4 << 12}} {
		from, width := GP32(), GP32()
		lowest, limit, t := ZMM(), ZMM(), ZMM()
		Load(Param(kind.from), from)
		VPBROADCASTW(from, lowest)
		MOVL(U32(kind.end), width)
		SUBL(from, width)
		VPBROADCASTW(width, limit)
		VPSUBW(lowest, v, t)
		VPCMPUW(U8(1), limit, t, set) // less
		KMOVD(set, result)
		Store(result, Return(kind.result))
	}
	VZEROUPPER()
	RET()
}

// addWords adds the words of a packed row, of which words has the mask, to a row.
func addWords() {
	TEXT("addWordsAVX512", NOSPLIT, "func(r "+rowType+", packed *byte, words uint32)")
	r, packed, words := pointer("r"), pointer("packed"), set32("words")
	k, n := K(), GP64()
	KMOVW(words.As32(), k)
	v := ZMM()
	VPEXPANDD_Z(at(packed, 0), k, v)
	VPORD(at(r, 0), v, v)
	VMOVDQU32(v, at(r, 0))
	MOVWQZX(words.As16(), n)
	POPCNTQ(n, n)
	SHRQ(U8(16), words)
	KMOVW(words.As32(), k)
	VPEXPANDD_Z(element(packed, n, 4), k, v)
	VPORD_Z(at(r, high), v, k, v)
	VMOVDQU32(v, k, at(r, high))
	VZEROUPPER()
	RET()
}

// addParts adds n parts to a row: what a row has in some words, of some bits. It returns those words of either half that
// are not empty then. A part is a row, its words and its bits.
func addParts() {
	TEXT("addPartsAVX512", NOSPLIT, "func(r "+rowType+", parts *struct { row "+rowType+"; words, bits uint32 }, n int) (some uint32)")
	r, parts := pointer("r"), pointer("parts")
	n := Load(Param("n"), GP64())
	k := highWords()
	low, above := load512(at(r, 0)), loadHigh(r, 0, k)
	Label("part")
	row, words := GP64(), GP32()
	MOVQ(at(parts, 0), row)
	MOVL(at(parts, 8), words)
	bits, t, kp := ZMM(), ZMM(), K()
	VPBROADCASTD(at(parts, 12), bits)
	KMOVW(words, kp)
	VPANDD_Z(at(row, 0), bits, kp, t)
	VPORD(t, low, low)
	SHRL(U8(16), words)
	KMOVW(words, kp)
	VPANDD_Z(at(row, high), bits, kp, t)
	VPORD(t, above, above)
	ADDQ(U8(16), parts)
	DECQ(n)
	JNZ(LabelRef("part"))
	VMOVDQU32(low, at(r, 0))
	VMOVDQU32(above, k, at(r, high))
	VPORD(above, low, low)
	some := GP32()
	VPTESTMD(low, low, kp)
	KMOVW(kp, some)
	Store(some, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

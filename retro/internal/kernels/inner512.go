package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

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

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

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

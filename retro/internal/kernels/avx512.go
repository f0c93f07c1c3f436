package main

import (
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

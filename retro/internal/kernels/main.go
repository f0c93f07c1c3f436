// The program kernels writes vector_amd64.s, the functions of vector_amd64.go for processors with AVX2, and those of
// vector512_amd64.go for processors with AVX-512 (avx512.go, and by what they do *512.go).
// It is a module of its own, so that building gogotb does not need avo:
//
//	go generate ./retro
//
// A row has 25 words of 32 bits and one that pads it, 104 bytes in all, in memory as on the processor.
// Functions that treat all words alike (addRows, ySteps, ySlides) take it as three vectors of 32 bytes
// and one of 8. Functions that move x (xSteps, xSlides) take it as five ranks: a vector has the five
// words of a rank and three words of zero. A step along a file goes from one vector to the next, a step
// along a rank is a permutation, which takes a zero where the board ends.
package main

import (
	"fmt"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	rowType = "*[13]uint64"
	ranks   = 5
)

func main() {
	ConstraintExpr("!purego")
	addRows()
	ySteps()
	ySlides("ySlidesCross", cross)
	ySlides("ySlidesDiagonal", diagonal)
	xSteps()
	xSlides("xSlidesCross", cross)
	xSlides("xSlidesDiagonal", diagonal)
	avx512()
	Generate()
}

// direction is a step: ranks down, columns right.
type direction struct{ dr, dc int }

var (
	cross    = []direction{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}
	diagonal = []direction{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}}
)

// from returns the squares, in both halves of a quadword, from which a step stays on the board.
func (d direction) from() (set uint64) {
	for s := range 25 {
		if r, c := s/5+d.dr, s%5+d.dc; r >= 0 && r < 5 && c >= 0 && c < 5 {
			set |= 1<<s | 1<<(s+32)
		}
	}
	return set
}

// shift brings the bit of the square to which a step leads to the one from which it does.
func (d direction) shift(v, to VecVirtual) {
	if n := 5*d.dr + d.dc; n > 0 {
		VPSRLD(U8(uint8(n)), v, to)
	} else {
		VPSLLD(U8(uint8(-n)), v, to)
	}
}

var constants = map[string]Mem{}

// constant returns where quadwords stand in read-only memory.
func constant(values ...uint64) Mem {
	name := "const_" + strings.Join(strings.Fields(strings.Trim(fmt.Sprintf("%x", values), "[]")), "_")
	if m, ok := constants[name]; ok {
		return m
	}
	m := GLOBL(name, attr.RODATA|attr.NOPTR)
	for i, v := range values {
		DATA(8*i, U64(v))
	}
	constants[name] = m
	return m
}

// broadcast repeats a quadword in all of a vector.
func broadcast(m Mem) VecVirtual {
	v := YMM()
	VPBROADCASTQ(m, v)
	return v
}

func pointer(name string) Register { return Load(Param(name), GP64()) }

// at returns the memory at an offset from a register.
func at(base Register, offset int) Mem { return Mem{Base: base, Disp: offset} }

// chunks are the offsets of the vectors of a row, in which all words are treated alike.
var chunks = []int{0, 32, 64, 96}

// load reads a chunk, the last of which has a quadword.
func load(m Mem, offset int) VecVirtual {
	v := YMM()
	if offset == 96 {
		VMOVQ(m, v.AsX())
	} else {
		VMOVDQU(m, v)
	}
	return v
}

// orInto adds a vector to a chunk.
func orInto(base Register, offset int, v VecVirtual) {
	m := at(base, offset)
	if offset == 96 {
		old := load(m, offset)
		VPOR(old, v, v)
		VMOVQ(v.AsX(), m)
		return
	}
	VPOR(m, v, v)
	VMOVDQU(v, m)
}

// addRows adds n rows to sum, and then m rows as far as their masks let them. Here the last vector of a
// row overlaps the one before, which does not matter to a sum.
func addRows() {
	TEXT("addRowsAVX2", NOSPLIT, "func(sum "+rowType+", rows *"+rowType+", n int, masked *[2]"+rowType+", m int)")
	sum, rows, masked := pointer("sum"), pointer("rows"), pointer("masked")
	n, m := Load(Param("n"), GP64()), Load(Param("m"), GP64())
	overlapping := []int{0, 32, 64, 72}
	var acc []VecVirtual
	for _, offset := range overlapping {
		v := YMM()
		VMOVDQU(at(sum, offset), v)
		acc = append(acc, v)
	}
	row, mask := GP64(), GP64()
	TESTQ(n, n)
	JZ(LabelRef("masked"))
	Label("row")
	MOVQ(at(rows, 0), row)
	ADDQ(U8(8), rows)
	for i, offset := range overlapping {
		VPOR(at(row, offset), acc[i], acc[i])
	}
	DECQ(n)
	JNZ(LabelRef("row"))
	Label("masked")
	TESTQ(m, m)
	JZ(LabelRef("done"))
	Label("maskedRow")
	MOVQ(at(masked, 0), row)
	MOVQ(at(masked, 8), mask)
	ADDQ(U8(16), masked)
	for i, offset := range overlapping {
		v := YMM()
		VMOVDQU(at(mask, offset), v)
		VPAND(at(row, offset), v, v)
		VPOR(v, acc[i], acc[i])
	}
	DECQ(m)
	JNZ(LabelRef("maskedRow"))
	Label("done")
	for _, i := range []int{3, 2, 1, 0} { // the last one first: who reads the one before finds it whole
		VMOVDQU(acc[i], at(sum, overlapping[i]))
	}
	VZEROUPPER()
	RET()
}

// ySteps adds the single steps of y that the five masks of m allow: north, its sides, the sides, south,
// its sides.
func ySteps() {
	TEXT("yStepsAVX2", NOSPLIT, "func(acc, s "+rowType+", m *[5]uint64)")
	acc, s, m := pointer("acc"), pointer("s"), pointer("m")
	var masks []VecVirtual
	for i := range 5 {
		masks = append(masks, broadcast(at(m, 8*i)))
	}
	var from [4]VecVirtual
	for i, d := range cross {
		from[i] = broadcast(constant(d.from()))
	}
	// to shifts v by a step and keeps the squares from which it stays on the board.
	to := func(i int, v VecVirtual) VecVirtual {
		t := YMM()
		cross[i].shift(v, t)
		VPAND(from[i], t, t)
		return t
	}
	for _, offset := range chunks {
		v := load(at(s, offset), offset)
		sides, east := to(2, v), to(3, v)
		VPOR(east, sides, sides)
		north, south, t := YMM(), YMM(), YMM()
		VPAND(masks[0], v, north)
		VPAND(masks[1], sides, t)
		VPOR(t, north, north)
		VPAND(masks[3], v, south)
		VPAND(masks[4], sides, t)
		VPOR(t, south, south)
		VPAND(masks[2], sides, sides)
		north, south = to(0, north), to(1, south)
		VPOR(north, sides, sides)
		VPOR(south, sides, sides)
		orInto(acc, offset, sides)
	}
	VZEROUPPER()
	RET()
}

// ySlides adds the slides of y in four directions, from the squares of from, over the squares of free
// but those in the row taken.
func ySlides(name string, directions []direction) {
	TEXT(name+"AVX2", NOSPLIT, "func(acc, s, taken "+rowType+", free, from uint64)")
	acc, s, taken := pointer("acc"), pointer("s"), pointer("taken")
	free, from := broadcast(NewParamAddr("free", 24)), broadcast(NewParamAddr("from", 32))
	var masks []VecVirtual
	for _, d := range directions {
		masks = append(masks, broadcast(constant(d.from())))
	}
	for _, offset := range chunks {
		v, empty, sum := load(at(s, offset), offset), load(at(taken, offset), offset), YMM()
		VPANDN(free, empty, empty)
		for i, d := range directions {
			t := YMM()
			d.shift(v, t)
			VPAND(masks[i], t, t)
			if i == 0 {
				VMOVDQA(t, sum)
			} else {
				VPOR(t, sum, sum)
			}
			for range 3 {
				VPAND(empty, t, t)
				d.shift(t, t)
				VPAND(masks[i], t, t)
				VPOR(t, sum, sum)
			}
		}
		VPAND(from, sum, sum)
		orInto(acc, offset, sum)
	}
	VZEROUPPER()
	RET()
}

// rankWords selects the words of a rank in a vector.
func rankWords() VecVirtual {
	v := YMM()
	VMOVDQU(constant(^uint64(0), ^uint64(0), 0xffffffff, 0), v)
	return v
}

// loadRanks reads the ranks of a row, with zeros behind each.
func loadRanks(base Register, words VecVirtual) (rank [ranks]VecVirtual) {
	for r := range rank {
		rank[r] = YMM()
		VPMASKMOVD(at(base, 20*r), words, rank[r])
	}
	return rank
}

// storeRanks writes the ranks of a row: what stands behind a rank is written over by the next one.
func storeRanks(base Register, words VecVirtual, rank [ranks]VecVirtual) {
	for r := range ranks - 1 {
		VMOVDQU(rank[r], at(base, 20*r))
	}
	VPMASKMOVD(rank[ranks-1], words, at(base, 20*(ranks-1)))
}

// The permutations that bring the words of the squares to which a step to the west and to the east leads to
// those from which it does, and word 7, a zero, to those from which none does.
func westward() Mem { return constant(7|0<<32, 1|2<<32, 3|7<<32, 7|7<<32) }
func eastward() Mem { return constant(1|2<<32, 3|4<<32, 7|7<<32, 7|7<<32) }

// permutation reads one of them.
func permutation(m Mem) VecVirtual {
	v := YMM()
	VMOVDQU(m, v)
	return v
}

// xSteps adds the single steps of x that the five masks of m allow.
func xSteps() {
	TEXT("xStepsAVX2", NOSPLIT, "func(acc, s "+rowType+", m *[5]uint64)")
	acc, s, m := pointer("acc"), pointer("s"), pointer("m")
	words := rankWords()
	sum := loadRanks(acc, words)
	west, east := permutation(westward()), permutation(eastward())
	v, sides, t, mask := YMM(), YMM(), YMM(), YMM()
	// add adds what m allows of the steps from v along a file, and from its sides.
	add := func(to, straight, aside int) {
		if to < 0 || to >= ranks {
			return
		}
		VPBROADCASTQ(at(m, 8*straight), mask)
		VPAND(mask, v, t)
		VPOR(t, sum[to], sum[to])
		VPBROADCASTQ(at(m, 8*aside), mask)
		VPAND(mask, sides, t)
		VPOR(t, sum[to], sum[to])
	}
	for r := range ranks {
		VPMASKMOVD(at(s, 20*r), words, v)
		VPERMD(v, west, sides)
		VPERMD(v, east, t)
		VPOR(t, sides, sides)
		add(r+1, 0, 1)
		add(r-1, 3, 4)
		VPBROADCASTQ(at(m, 16), mask)
		VPAND(mask, sides, t)
		VPOR(t, sum[r], sum[r])
	}
	storeRanks(acc, words, sum)
	VZEROUPPER()
	RET()
}

// xSlides adds the slides of x in four directions over the squares of free. From a square it reaches
// what its neighbour reaches, if that is free, and the neighbour itself. Behind free stand 24 bytes that
// may be read.
func xSlides(name string, directions []direction) {
	TEXT(name+"AVX2", NOSPLIT, "func(acc, s "+rowType+", free *[16]uint64)")
	acc, s, free := pointer("acc"), pointer("s"), pointer("free")
	words := rankWords()
	sum, v := loadRanks(acc, words), loadRanks(s, words)
	for _, d := range directions {
		var step VecVirtual
		switch d.dc {
		case -1:
			step = permutation(westward())
		case 1:
			step = permutation(eastward())
		}
		reached := YMM()
		if d.dr == 0 {
			for r := range ranks {
				VPERMD(v[r], step, reached)
				VPOR(reached, sum[r], sum[r])
				for range 3 {
					VPAND(at(free, 20*r), reached, reached)
					VPERMD(reached, step, reached)
					VPOR(reached, sum[r], sum[r])
				}
			}
			continue
		}
		r := 0 // the rank that is reached from
		if d.dr > 0 {
			r = ranks - 1
		}
		for i := range ranks - 1 {
			if i == 0 {
				VMOVDQA(v[r], reached)
			} else {
				VPAND(at(free, 20*r), reached, reached)
				VPOR(v[r], reached, reached)
			}
			r -= d.dr
			if step != nil {
				VPERMD(reached, step, reached)
			}
			VPOR(reached, sum[r], sum[r])
		}
	}
	storeRanks(acc, words, sum)
	VZEROUPPER()
	RET()
}

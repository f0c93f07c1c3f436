package storage

import (
	"encoding/binary"
	"math/bits"

	"gogotb/rules"
)

// A block holds a run of entries of the index, the same run in both tables of a set.
// This file has the blocks as they are before compression; FORMAT.md defines them.
const (
	// blockShift is the binary logarithm of the entries of a block that a Writer makes.
	blockShift         = 14
	minShift, maxShift = 8, 20
)

// The codes of an outcome block, two bits an entry.
const (
	codeLoss = iota // by mate
	codeWin         // by mate
	codeOpen
	codePerpetual // a win or a loss: the list behind the codes tells
)

// outcomeBlock is an unpacked block of outcomes: the codes, four to a byte, lowest bits
// first, then one bit for each code codePerpetual, 1 for a loss.
type outcomeBlock []byte

// codeBytes is the length of the codes of n entries.
func codeBytes(n int) int { return (n + 3) / 4 }

// appendOutcomes appends the outcome block of values. Illegal placements get the code of
// a win, the most frequent one; that of a loss would ask for a distance.
func appendOutcomes(b []byte, values []rules.Value) []byte {
	start := len(b)
	b = append(b, make([]byte, codeBytes(len(values)))...)
	codes := b[start:]
	var list []byte
	listed := 0
	for i, v := range values {
		code := byte(codeWin)
		switch v.Outcome() {
		case rules.MateLoss:
			code = codeLoss
		case rules.Open:
			code = codeOpen
		case rules.PerpetualWin, rules.PerpetualLoss:
			code = codePerpetual
			if listed%8 == 0 {
				list = append(list, 0)
			}
			if v.Outcome() == rules.PerpetualLoss {
				list[listed/8] |= 1 << (listed % 8)
			}
			listed++
		}
		codes[i/4] |= code << (i % 4 * 2)
	}
	return append(b, list...)
}

func (b outcomeBlock) code(i int) int { return int(b[i/4]>>(i%4*2)) & 3 }

// outcome of entry i in a block of n entries.
func (b outcomeBlock) outcome(i, n int) rules.Outcome {
	switch b.code(i) {
	case codeLoss:
		return rules.MateLoss
	case codeWin:
		return rules.MateWin
	case codeOpen:
		return rules.Open
	}
	if b.listed(n, b.count(i, codePerpetual)) {
		return rules.PerpetualLoss
	}
	return rules.PerpetualWin
}

// listed is bit j of the list behind the codes.
func (b outcomeBlock) listed(n, j int) bool { return b[codeBytes(n)+j/8]>>(j%8)&1 != 0 }

// count is how often a code stands before entry i.
func (b outcomeBlock) count(i, code int) (n int) {
	const low = 0x5555555555555555
	match := func(v uint64) uint64 {
		v ^= low * uint64(code) // equal codes become 0
		return ^(v | v>>1) & low
	}
	j := 0
	for ; i-j >= 32; j += 32 {
		n += bits.OnesCount64(match(binary.LittleEndian.Uint64(b[j/4:])))
	}
	for ; j < i; j++ {
		if b.code(j) == code {
			n++
		}
	}
	return n
}

// whole tells whether the bytes are a block of n entries: no byte is missing or left.
func (b outcomeBlock) whole(n int) bool {
	if len(b) < codeBytes(n) {
		return false
	}
	return len(b) == codeBytes(n)+(b.count(n, codePerpetual)+7)/8
}

// losses is the number of lost entries among n: by mate, and by perpetual check.
func (b outcomeBlock) losses(n int) (mate, perpetual int) {
	for j := range b.count(n, codePerpetual) {
		if b.listed(n, j) {
			perpetual++
		}
	}
	return b.count(n, codeLoss), perpetual
}

// distanceBlock is an unpacked block of distances: a byte that tells how many bytes a
// number has, 1 or 2, then half the plies of the positions lost by mate, then the ranks
// of those lost by perpetual check, both in the order of the index. A block without lost
// positions is empty.
type distanceBlock []byte

// appendDistances appends the distance block of values.
func appendDistances(b []byte, values []rules.Value) []byte {
	width, found := 1, false
	for _, v := range values {
		if o := v.Outcome(); o == rules.MateLoss || o == rules.PerpetualLoss {
			found = true
			if storedNumber(v) > 0xff {
				width = 2
			}
		}
	}
	if !found {
		return b
	}
	b = append(b, byte(width))
	for _, outcome := range []rules.Outcome{rules.MateLoss, rules.PerpetualLoss} {
		for _, v := range values {
			if v.Outcome() != outcome {
				continue
			}
			n := storedNumber(v)
			b = append(b, byte(n))
			if width == 2 {
				b = append(b, byte(n>>8))
			}
		}
	}
	return b
}

// storedNumber is what a distance block has for a lost position.
func storedNumber(v rules.Value) int {
	if v.Outcome() == rules.MateLoss {
		return v.Number() / 2
	}
	return v.Number()
}

// whole tells whether the block has numbers for so many lost positions.
func (b distanceBlock) whole(lost int) bool {
	if lost == 0 {
		return len(b) == 0
	}
	return len(b) > 0 && (b[0] == 1 || b[0] == 2) && len(b) == 1+lost*int(b[0])
}

// number is the j-th number of the block.
func (b distanceBlock) number(j int) int {
	if b[0] == 1 {
		return int(b[1+j])
	}
	return int(binary.LittleEndian.Uint16(b[1+2*j:]))
}

// value of entry i among n, which outcomes says is lost.
func (b distanceBlock) value(outcomes outcomeBlock, i, n int) rules.Value {
	if outcomes.code(i) == codeLoss {
		return rules.MakeValue(rules.MateLoss, 2*b.number(outcomes.count(i, codeLoss)))
	}
	j := outcomes.count(n, codeLoss)
	for k := range outcomes.count(i, codePerpetual) {
		if outcomes.listed(n, k) {
			j++
		}
	}
	return rules.MakeValue(rules.PerpetualLoss, b.number(j))
}

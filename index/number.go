package index

import "gogotb/rules"

// kindNumbers is what one kind of a set adds to the number of a slice, which is a sum over
// the kinds: the place of the states of its pieces among all ways to give them states, times
// the number of ways for the pieces of later kinds.
type kindNumbers struct {
	kind, promoted rules.Kind
	count          int
	stride         int              // ways for later kinds
	way            [stateKeys]uint8 // place of the states by their key
}

// stateKeys is the number of keys that say how many pieces of a kind are in each state: the
// sum of 3^state over the pieces.
const stateKeys = 3 * 3 * 3 * 3 * 3 * 3

var stateKey = [States]uint32{1, 3, 9, 27, 81, 243}

// noWay marks keys that stand for another number of pieces.
const noWay = 0xff

// numberKinds returns the numbers of the kinds that occur in m, the last kind first.
func numberKinds(m Material) []kindNumbers {
	var kinds []kindNumbers
	stride := 1
	for k := rules.HandKinds - 1; k >= 0; k-- {
		if m[k] == 0 {
			continue
		}
		kind := rules.Kind(k)
		n := kindNumbers{kind: kind, promoted: kind.Promote(), count: int(m[k]), stride: stride}
		for key := range n.way {
			n.way[key] = noWay
		}
		ways := kindStates(kind, n.count)
		for way, states := range ways {
			n.way[keyOf(states)] = uint8(way)
		}
		stride *= len(ways)
		kinds = append(kinds, n)
	}
	return kinds
}

// keyOf returns the key of the states of up to two pieces of one kind.
func keyOf(states []State) uint32 {
	key := uint32(0)
	for _, s := range states {
		key += stateKey[s]
	}
	return key
}

// SliceNumber returns the number of the slice whose pieces, in the order R B G S P, are in
// these states; those of identical pieces may come in any order. It is -1 if there is no
// such slice.
func (x *Index) SliceNumber(states []State) int {
	if len(states) != x.material.PieceCount() {
		return -1
	}
	number := 0
	for i := range x.kinds {
		k := &x.kinds[i]
		first := len(states) - k.count
		for _, s := range states[first:] {
			if s >= States {
				return -1
			}
		}
		way := k.way[keyOf(states[first:])]
		if way == noWay {
			return -1
		}
		number += int(way) * k.stride
		states = states[:first]
	}
	return number
}

// number returns the number of the slice of a position, seen from the side to move; ok is
// false if the position is of another set.
func (x *Index) number(p *rules.Position) (number int, ok bool) {
	us := p.SideToMove()
	them := us.Other()
	for i := range x.kinds {
		k := &x.kinds[i]
		// no piece is of the promoted kind of golds
		key := uint32(p.HandCount(us, k.kind)) + 3*uint32(p.HandCount(them, k.kind))
		if k.count == 1 {
			key += 9*notZero(p.Pieces(us, k.kind)) + 27*notZero(p.Pieces(us, k.promoted)) +
				81*notZero(p.Pieces(them, k.kind)) + 243*notZero(p.Pieces(them, k.promoted))
		} else {
			key += 9*upToTwo(p.Pieces(us, k.kind)) + 27*upToTwo(p.Pieces(us, k.promoted)) +
				81*upToTwo(p.Pieces(them, k.kind)) + 243*upToTwo(p.Pieces(them, k.promoted))
		}
		if key >= stateKeys || k.way[key] == noWay {
			return 0, false
		}
		number += int(k.way[key]) * k.stride
	}
	// these pieces are there; is nothing else?
	for _, k := range x.absent {
		if p.HandCount(us, k)+p.HandCount(them, k) != 0 {
			return 0, false
		}
	}
	return number, p.Occupied().Count() == 2+int(x.layouts[number].dimensions)
}

// upToTwo returns the number of squares of a set, 2 if there are more. It is here because Count
// has a fallback for old processors, a call that costs registers.
func upToTwo(b rules.Bitboard) uint32 {
	return notZero(b) + notZero(b&(b-1))
}

// notZero is 1 for a set with squares.
func notZero(b rules.Bitboard) uint32 { return uint32(b|-b) >> 31 }

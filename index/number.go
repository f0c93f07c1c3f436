package index

import "gogotb/rules"

// The number of a slice is a sum over the kinds of the set: the place of the states of
// its pieces of that kind among all of them, times the number of ways to give states to
// the pieces of later kinds.

// stateKeys is the number of keys that say how many pieces are in each state: the sum of
// 3^state over the pieces of a kind.
const stateKeys = 3 * 3 * 3 * 3 * 3 * 3

var stateKey = [States]int{1, 3, 9, 27, 81, 243}

// noWay marks keys that stand for another number of pieces.
const noWay = 0xff

// kindNumbers is what one kind of a set adds to the number of a slice.
type kindNumbers struct {
	kind, promoted rules.Kind
	count          int
	stride         int              // slices from one way to the next
	way            [stateKeys]uint8 // by key: the place of the states
}

// numberKinds are the numbers of the kinds that occur in m, the last kind first.
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

// keyOf is the key of the states of up to two pieces of one kind.
func keyOf(states []State) int {
	key := 0
	for _, s := range states {
		key += stateKey[s]
	}
	return key
}

// SliceNumber is the number of the slice whose pieces, in the order R B G S P, are in
// these states; those of identical pieces may come in any order. It is -1 if there is no
// such slice.
func (x *Index) SliceNumber(states []State) int {
	if len(states) != x.material.Pieces() {
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

// number is the number of the slice of a position, seen from the side to move; ok is
// false if the position is of another set.
func (x *Index) number(p *rules.Position) (number int, ok bool) {
	us := p.Turn()
	them := us.Other()
	own, opposing := p.Hand(us), p.Hand(them)
	for i := range x.kinds {
		k := &x.kinds[i]
		// golds: there are no pieces of the promoted kind
		key := uint(own[k.kind]) + 3*uint(opposing[k.kind]) +
			9*count(p.Pieces(us, k.kind)) + 27*count(p.Pieces(us, k.promoted)) +
			81*count(p.Pieces(them, k.kind)) + 243*count(p.Pieces(them, k.promoted))
		if key >= stateKeys || k.way[key] == noWay {
			return 0, false
		}
		number += int(k.way[key]) * k.stride
	}
	// and nothing else
	board := int(x.layouts[number].dimensions)
	hands := 0
	for k := range own {
		hands += int(own[k]) + int(opposing[k])
	}
	return number, p.Occupied().Count() == 2+board && hands == x.pieces-board
}

func count(b rules.Bitboard) uint { return uint(b.Count()) }

package index

// shape is the groups that are placed after the pawns: single pieces and identical
// pairs. The lowest bit tells whether the first group is a pair, the next bit the second
// group, and so on; the highest bit set ends the list. shape >> 1 leaves the first out.
type shape uint8

const noGroups shape = 1

// prepend returns the shape with another group in front.
func (s shape) prepend(pair bool) shape {
	if pair {
		return s<<1 | 1
	}
	return s << 1
}

// firstIsPair tells whether the first group is an identical pair.
func (s shape) firstIsPair() bool { return s&1 != 0 }

// placements returns the number of placements of the groups on a number of free squares.
func (s shape) placements(free int) uint64 {
	n := uint64(1)
	for ; s != noGroups; s >>= 1 {
		if s.firstIsPair() {
			n *= uint64(choose2(free))
			free -= 2
		} else {
			n *= uint64(free)
			free--
		}
	}
	return n
}

// choose2 returns the number of pairs out of n.
func choose2[T int | uint64](n T) T { return n * (n - 1) / 2 }

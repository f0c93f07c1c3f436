package audit

import (
	"context"
	"math/bits"
	"slices"

	"gogotb/rules"
)

// region is the positions that mate leaves undecided, as a graph. They are numbered in
// index order. A move that leaves the region loses by mate, so it plays no part.
type region struct {
	checked []bool // the side to move is in check
	next    arrows // from each position, the positions that its moves lead to
	prev    arrows // the reverse
}

// arrows is a list of position numbers for each position: those of position i are
// to[start[i]:start[i+1]].
type arrows struct {
	start []int
	to    []uint32
}

func (a *arrows) from(i uint32) []uint32 { return a.to[a.start[i]:a.start[i+1]] }

// reversed turns every arrow round.
func (a *arrows) reversed() arrows {
	n := len(a.start) - 1
	r := arrows{make([]int, n+2), make([]uint32, len(a.to))}
	for _, to := range a.to {
		r.start[to+2]++
	}
	for i := 2; i < len(r.start); i++ {
		r.start[i] += r.start[i-1]
	}
	for i := range uint32(n) {
		for _, to := range a.from(i) {
			r.to[r.start[to+1]] = i // start[to+1] runs from the start of its list to the end
			r.start[to+1]++
		}
	}
	r.start = r.start[:n+1]
	return r
}

// numbering numbers the undecided positions: a bit for each index, and the sum of the
// bits before each word.
type numbering struct {
	bits   []uint64
	before []uint32
	count  uint32
}

func (a *audit) numberUndecided() *numbering {
	n := &numbering{bits: make([]uint64, (a.t.size+63)/64)}
	n.before = make([]uint32, len(n.bits))
	for word := range n.bits {
		n.before[word] = n.count
		for i := uint64(word) * 64; i < min(uint64(word)*64+64, a.t.size); i++ {
			if isUndecided(a.t.at(i)) {
				n.bits[word] |= 1 << (i % 64)
				n.count++
			}
		}
	}
	return n
}

func (n *numbering) has(i uint64) bool { return n.bits[i/64]>>(i%64)&1 != 0 }

// number returns the number of an index that is undecided.
func (n *numbering) number(i uint64) uint32 {
	return n.before[i/64] + uint32(bits.OnesCount64(n.bits[i/64]&(1<<(i%64)-1)))
}

// each calls f with the index of every number.
func (n *numbering) each(f func(number uint32, i uint64)) {
	number := uint32(0)
	for word, set := range n.bits {
		for ; set != 0; set &= set - 1 {
			f(number, uint64(word)*64+uint64(bits.TrailingZeros64(set)))
			number++
		}
	}
}

// arcs are the arrows found in a chunk of a walk.
type arcs struct {
	degrees []uint32 // of the undecided positions of the chunk, in order
	to      []uint32
}

// buildRegion finds the moves between undecided positions.
func (a *audit) buildRegion(ctx context.Context, n *numbering) (*region, error) {
	r := &region{checked: make([]bool, n.count)}
	found := make([]arcs, a.t.size/chunk+1)
	err := a.walk(ctx, Undecided, func(w *worker) {
		if !isUndecided(w.value) {
			return
		}
		w.pos = w.cursor.Position()
		r.checked[n.number(w.cursor.Index())] = w.pos.InCheck()
		w.successors()
		degree := uint32(0)
		for _, i := range w.next {
			if n.has(i) {
				w.found.to = append(w.found.to, n.number(i))
				degree++
			}
		}
		w.found.degrees = append(w.found.degrees, degree)
	}, func(w *worker, chunk uint64) {
		found[chunk] = arcs{slices.Clone(w.found.degrees), slices.Clone(w.found.to)}
		w.found = arcs{w.found.degrees[:0], w.found.to[:0]}
	})
	if err != nil {
		return nil, err
	}
	total := 0
	for _, c := range found {
		total += len(c.to)
	}
	r.next = arrows{append(make([]int, 0, n.count+1), 0), make([]uint32, 0, total)}
	for i, c := range found {
		for _, degree := range c.degrees {
			last := len(r.next.start) - 1
			r.next.start = append(r.next.start, r.next.start[last]+int(degree))
		}
		r.next.to = append(r.next.to, c.to...)
		found[i] = arcs{}
	}
	r.prev = r.next.reversed()
	return r, nil
}

// undecided solves the undecided region again and compares. All positions must have
// been found right, as far as equations can tell, but for suspects, which are undecided.
func (a *audit) undecided(ctx context.Context, stats *rules.Stats) error {
	n := a.numberUndecided()
	if n.count == 0 {
		return nil
	}
	r, err := a.buildRegion(ctx, n)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	d := r.solveDual()
	won := r.ranks(d)
	mutual := r.mutualChecks()
	n.each(func(number uint32, i uint64) {
		if mutual[number] {
			c := a.x.Cursor(i)
			stats.MutualChecks += uint64(c.Weight)
		}
		found := a.t.at(i)
		expected := rules.MakeValue(rules.Open, 0)
		if rank := won[attacks][number]; rank > 0 {
			expected = makeValue(rules.PerpetualWin, int(rank))
		} else if rank := won[defends][number]; rank > 0 {
			expected = makeValue(rules.PerpetualLoss, int(rank))
		}
		same := found == expected
		if isWin(found) && found.Number() == 0 {
			same = found.Outcome() == expected.Outcome()
		}
		if same || len(a.faults) >= a.opt.limit() {
			return
		}
		check := DualGame
		if found.Outcome() == expected.Outcome() {
			check = LeastRank
		}
		c := a.x.Cursor(i)
		a.faults = append(a.faults, Fault{i, c.Position(), check, found, expected})
	})
	if len(a.faults) > 0 {
		a.suspects = nil
	}
	return nil
}

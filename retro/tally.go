package retro

import (
	"math"

	"gogotb/rules"
)

// tally counts placements by value. It is large: there is one for each worker.
type tally struct {
	once  [valueKinds]uint64 // placements that are their own mirror images
	twice [valueKinds]uint64 // all others: with its mirror image each is two positions
	first [valueKinds]uint64 // the least index with the value
}

// valueKinds is how many values there can be.
const valueKinds = math.MaxUint16 + 1

func newTally() *tally {
	t := new(tally)
	for v := range t.first {
		t.first[v] = math.MaxUint64
	}
	return t
}

// merge adds what another tally has counted.
func (t *tally) merge(u *tally) {
	for v := range valueKinds {
		t.once[v] += u.once[v]
		t.twice[v] += u.twice[v]
		t.first[v] = min(t.first[v], u.first[v])
	}
}

// stats returns the statistics of what has been counted, and the number of legal placements.
func (t *tally) stats() (s rules.Stats, placements uint64) {
	s.MaxWin, s.MaxLoss = -1, -1
	for i := range valueKinds {
		v := rules.Value(i)
		if t.once[v]+t.twice[v] == 0 || v.Outcome() == rules.Illegal {
			continue
		}
		placements += t.once[v] + t.twice[v]
		positions, n := t.once[v]+2*t.twice[v], v.Number()
		s.Legal += positions
		switch v.Outcome() {
		case rules.Open:
			s.Open += positions
		case rules.MateWin:
			s.MateWins += positions
			s.MaxWin, s.LongestWin = n, t.first[v] // values ascend
			count(&s.Histogram, n, positions)
		case rules.MateLoss:
			s.MateLosses += positions
			s.MaxLoss, s.LongestLoss = n, t.first[v]
			count(&s.Histogram, n, positions)
		case rules.PerpetualWin:
			s.PerpetualWins += positions
			count(&s.RankWins, n-1, positions)
		case rules.PerpetualLoss:
			s.PerpetualLosses += positions
			count(&s.RankLosses, n-1, positions)
		}
	}
	return s, placements
}

// count adds to h[n].
func count(h *[]uint64, n int, positions uint64) {
	for len(*h) <= n {
		*h = append(*h, 0)
	}
	(*h)[n] += positions
}

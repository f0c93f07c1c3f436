package retro

import (
	"math"
	"math/bits"

	"gogotb/rules"
)

// tally counts decided positions by value, and legal placements. It is large: there is one for each worker.
type tally struct {
	quarters [valueKinds]uint64 // of positions
	once     uint64             // placements that are their own mirror images
	twice    uint64             // all others: with its mirror image each is two positions
	win      longest
	loss     longest
}

// longest is the longest mate of an outcome, and the least index that has it.
type longest struct {
	value rules.Value
	index uint64
}

// valueKinds is how many values there can be.
const valueKinds = math.MaxUint16 + 1

func newTally() *tally {
	return &tally{
		win:  longest{rules.MakeValue(rules.MateWin, 0), math.MaxUint64},
		loss: longest{rules.MakeValue(rules.MateLoss, 0), math.MaxUint64},
	}
}

// add counts positions with a value, in quarters.
func (t *tally) add(v rules.Value, quarters uint64) { t.quarters[v] += quarters }

// look looks at some values of a run, which begins at an index.
func (l *longest) look(run []rules.Value, which uint32, index uint64) {
	for ; which != 0; which &= which - 1 {
		i := bits.TrailingZeros32(which)
		l.merge(longest{run[i], index + uint64(i)})
	}
}

// merge makes l the longer one, or the one with the lower index.
func (l *longest) merge(m longest) {
	if m.value > l.value || m.value == l.value && m.index < l.index {
		*l = m
	}
}

// merge adds what another tally has counted.
func (t *tally) merge(u *tally) {
	for v, n := range u.quarters {
		t.quarters[v] += n
	}
	t.once += u.once
	t.twice += u.twice
	t.win.merge(u.win)
	t.loss.merge(u.loss)
}

// stats returns the statistics of what has been counted, and the number of legal placements. Legal positions that are
// not decided are open.
func (t *tally) stats() (s rules.Stats, placements uint64) {
	s.MaxWin, s.MaxLoss = -1, -1
	s.Legal = t.once + 2*t.twice
	s.Open = s.Legal
	for i := range valueKinds {
		v := rules.Value(i)
		if t.quarters[v] == 0 {
			continue
		}
		positions, n := t.quarters[v]/quarters, v.Number()
		s.Open -= positions
		switch v.Outcome() {
		case rules.MateWin:
			s.MateWins += positions
			s.MaxWin, s.LongestWin = n, t.win.index // values ascend
			count(&s.Histogram, n, positions)
		case rules.MateLoss:
			s.MateLosses += positions
			s.MaxLoss, s.LongestLoss = n, t.loss.index
			count(&s.Histogram, n, positions)
		case rules.PerpetualWin:
			s.PerpetualWins += positions
			count(&s.RankWins, n-1, positions)
		case rules.PerpetualLoss:
			s.PerpetualLosses += positions
			count(&s.RankLosses, n-1, positions)
		}
	}
	return s, t.once + t.twice
}

// count adds to h[n].
func count(h *[]uint64, n int, positions uint64) {
	for len(*h) <= n {
		*h = append(*h, 0)
	}
	(*h)[n] += positions
}

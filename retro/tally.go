package retro

import (
	"gogotb/index"
	"gogotb/rules"
)

// tally counts values: positions by value, and the first of the longest mates.
type tally index.Stats

func newTally() *tally { return &tally{MaxWin: -1, MaxLoss: -1} }

// add counts the value at an index, which stands for weight positions.
func (t *tally) add(v rules.Value, weight, at uint64) {
	n := v.Number()
	switch v.Outcome() {
	case rules.Open:
		t.Open += weight
	case rules.MateWin:
		count(&t.Histogram, n, weight)
		if n > t.MaxWin || n == t.MaxWin && at < t.LongestWin {
			t.MaxWin, t.LongestWin = n, at
		}
	case rules.MateLoss:
		count(&t.Histogram, n, weight)
		if n > t.MaxLoss || n == t.MaxLoss && at < t.LongestLoss {
			t.MaxLoss, t.LongestLoss = n, at
		}
	case rules.PerpetualWin:
		count(&t.RankWins, n-1, weight)
	case rules.PerpetualLoss:
		count(&t.RankLosses, n-1, weight)
	}
}

// count adds weight to h[n].
func count(h *[]uint64, n int, weight uint64) {
	for len(*h) <= n {
		*h = append(*h, 0)
	}
	(*h)[n] += weight
}

// merge adds what another tally has counted.
func (t *tally) merge(u *tally) {
	t.Open += u.Open
	if u.MaxWin > t.MaxWin || u.MaxWin == t.MaxWin && u.LongestWin < t.LongestWin {
		t.MaxWin, t.LongestWin = u.MaxWin, u.LongestWin
	}
	if u.MaxLoss > t.MaxLoss || u.MaxLoss == t.MaxLoss && u.LongestLoss < t.LongestLoss {
		t.MaxLoss, t.LongestLoss = u.MaxLoss, u.LongestLoss
	}
	for _, h := range []struct{ into, from *[]uint64 }{
		{&t.Histogram, &u.Histogram}, {&t.RankWins, &u.RankWins}, {&t.RankLosses, &u.RankLosses},
	} {
		for n, weight := range *h.from {
			count(h.into, n, weight)
		}
	}
}

// stats are the statistics of what has been counted.
func (t *tally) stats() index.Stats {
	s := index.Stats(*t)
	for n, weight := range s.Histogram {
		if n%2 == 1 {
			s.MateWins += weight
		} else {
			s.MateLosses += weight
		}
	}
	for _, weight := range s.RankWins {
		s.PerpetualWins += weight
	}
	for _, weight := range s.RankLosses {
		s.PerpetualLosses += weight
	}
	s.Legal = s.MateWins + s.MateLosses + s.PerpetualWins + s.PerpetualLosses + s.Open
	return s
}

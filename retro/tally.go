package retro

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"

	"gogotb/rules"
)

// Tally counts decided positions by value, and legal placements. It is large: there is one for each worker.
type Tally struct {
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

func newTally() *Tally {
	return &Tally{
		win:  longest{rules.MakeValue(rules.MateWin, 0), math.MaxUint64},
		loss: longest{rules.MakeValue(rules.MateLoss, 0), math.MaxUint64},
	}
}

// add counts positions with a value, in quarters.
func (t *Tally) add(v rules.Value, quarters uint64) { t.quarters[v] += quarters }

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

// Merge adds what another tally has counted.
func (t *Tally) Merge(u *Tally) {
	for v, n := range u.quarters {
		t.quarters[v] += n
	}
	t.once += u.once
	t.twice += u.twice
	t.win.merge(u.win)
	t.loss.merge(u.loss)
}

// MarshalBinary writes the tally, as uvarints: placements that are their own mirror images, and all others; of the
// longest win, and of the longest loss, the value and the index; then each value that was counted, and its quarters.
func (t *Tally) MarshalBinary() (b []byte, err error) {
	for _, n := range []uint64{t.once, t.twice, uint64(t.win.value), t.win.index, uint64(t.loss.value), t.loss.index} {
		b = binary.AppendUvarint(b, n)
	}
	for v, n := range t.quarters {
		if n > 0 {
			b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(v)), n)
		}
	}
	return b, nil
}

// UnmarshalBinary reads what MarshalBinary has written.
func (t *Tally) UnmarshalBinary(b []byte) error {
	*t = Tally{}
	bad := false
	next := func(most uint64) uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 || v > most {
			b, bad = nil, true
			return 0
		}
		b = b[n:]
		return v
	}
	t.once, t.twice = next(math.MaxUint64), next(math.MaxUint64)
	for _, l := range []*longest{&t.win, &t.loss} {
		*l = longest{rules.Value(next(valueKinds - 1)), next(math.MaxUint64)}
	}
	for len(b) > 0 {
		v := next(valueKinds - 1)
		t.quarters[v] = next(math.MaxUint64)
	}
	if bad {
		return ErrBadTally
	}
	return nil
}

// ErrBadTally says that bytes are none that MarshalBinary writes.
var ErrBadTally = errors.New("the tally is damaged")

// Stats returns the statistics of what has been counted, with what an analysis has counted beside, and the number of
// legal placements.
func (t *Tally) Stats(totals Totals) (s rules.Stats, placements uint64) {
	s = t.stats()
	s.Checkmates, s.MutualZugzwangs = totals.Mated, totals.Zugzwangs
	if len(s.Histogram) > 0 {
		s.Stalemates = s.Histogram[0] - s.Checkmates
	}
	return s, t.once + t.twice
}

// stats returns the statistics of what has been counted. Legal positions that are not decided are open.
func (t *Tally) stats() (s rules.Stats) {
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
	return s
}

// count adds to h[n].
func count(h *[]uint64, n int, positions uint64) {
	for len(*h) <= n {
		*h = append(*h, 0)
	}
	(*h)[n] += positions
}

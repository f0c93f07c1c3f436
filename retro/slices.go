package retro

import (
	"context"

	"gogotb/index"
	"gogotb/rules"
)

// Slices makes values of what the parts of an analysis have found, a slice of the set at a time, in
// any order and anywhere.
type Slices struct{ solution *Solution }

// NewSlices begins with a set. workers is the number of goroutines, 0: one for each core.
func NewSlices(m index.Material, workers int) (*Slices, error) {
	x, err := index.New(m)
	if err != nil {
		return nil, err
	}
	s := newSolver(newLayout(m, 1), nil, Options{Workers: workers}, defaultTuning)
	return &Slices{&Solution{solver: s, index: x}}, nil
}

// Count returns how many slices there are.
func (s *Slices) Count() int { return len(s.solution.solver.layout.slices) }

// Rotated returns the slice that a slice becomes when the board is rotated and the colours are
// exchanged.
func (s *Slices) Rotated(number int) int { return s.solution.solver.layout.slices[number].rotated.id }

// Values returns the values of a slice in index order, with Sente to move, as Solution.Values does, and counts them.
// Results are all wins of the slice and all losses of the rotated one, in any order; others may be among them.
func (s *Slices) Values(ctx context.Context, number int, results []Delta) ([]rules.Value, *Tally, error) {
	l := s.solution.solver.layout
	sl := &l.slices[number]
	var logs [2][][]chunk // by pair
	for log, of := range []*slice{wins: sl, losses: sl.rotated} {
		logs[log] = make([][]chunk, len(l.pairs))
		for i := range results {
			d := &results[i]
			if d.Slice != of.id || d.Kind != DeltaKind(log) {
				continue
			}
			c, err := l.chunkOf(d)
			if err != nil {
				return nil, nil, err
			}
			logs[log][d.Pair] = append(logs[log][d.Pair], c)
		}
	}
	s.solution.beginTally()
	values, err := s.solution.sliceOf(ctx, sl, logs[wins], logs[losses], nil)
	if err != nil {
		return nil, nil, err
	}
	return values, s.solution.takeTally(), nil
}

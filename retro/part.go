package retro

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"gogotb/rules"
)

// part is what a solver of a part has beside: what connects it to the others.
type part struct {
	exchange Exchange
	plan     *Plan
	step     int // the next one to be ended
	mark     Mark
	found    [][]Delta    // in this step, by unit
	locks    []sync.Mutex // by king pair: deltas may come at once
}

// Totals are counted over all parts.
type Totals struct {
	Legal     uint64 `json:"legal"`     // positions
	Decided   uint64 `json:"decided"`   // positions
	Mated     uint64 `json:"mated"`     // checkmates
	Zugzwangs uint64 `json:"zugzwangs"` // mutual ones: placements that are lost for whoever is to move
}

// SolvePart analyses one part of a set, in step with the others, from where the exchange has it to the end. It returns
// what was counted over all parts, and the errors of Solve and of the exchange. The wins and losses are left to the
// exchange; SliceValues makes values of them. Options.Checkpoint is not for parts.
func SolvePart(ctx context.Context, plan *Plan, number int, exchange Exchange, opt Options) (Totals, error) {
	memory, err := plan.memory(number, opt)
	if err != nil {
		return Totals{}, err
	}
	var f *scratch
	if memory.scratch > 0 {
		if f, err = openScratch(opt.Scratch, memory.scratch, opt.Memory); err != nil {
			return Totals{}, err
		}
	}
	s := newPartSolver(plan, number, exchange, f, opt)
	defer s.close()
	return s.solvePart(ctx)
}

// newPartSolver makes the solver of a part, with its boards in f if that is not nil.
func newPartSolver(plan *Plan, number int, exchange Exchange, f *scratch, opt Options) *solver {
	l := layoutOf(plan.material, 1, &plan.parts[number])
	s := newSolver(l, f, opt, tuning{unitRows: 1, sparseFrom: defaultTuning.sparseFrom})
	s.part = &part{exchange: exchange, plan: plan, found: make([][]Delta, len(l.units)), locks: make([]sync.Mutex, len(l.pairs))}
	return s
}

// solvePart goes on from the mark that the exchange has.
func (s *solver) solvePart(ctx context.Context) (Totals, error) {
	p := s.part
	var err error
	if p.mark, err = p.exchange.Restore(ctx); err != nil {
		return Totals{}, err
	}
	p.step = p.mark.Step
	err = s.solve(ctx, mark{uint64(p.mark.Phase), uint64(p.mark.Number), p.mark.Decided, p.mark.Mated})
	return Totals{s.legal, s.decided, s.mated, s.zugzwangs}, err
}

// keep keeps what was recorded of unit i for the end of the step.
func (p *part) keep(s *solver, kind DeltaKind, i int, v rules.Value, rows []byte) {
	u := s.layout.units[i]
	d := Delta{p.step, kind, v, u.slice, s.layout.number[u.pair], rows}
	if kind.IsResult() || len(p.plan.Readers(&d)) > 0 {
		p.found[i] = append(p.found[i], d)
	}
}

// takeFound returns what was kept, in the order of units and passes.
func (p *part) takeFound() []Delta {
	all := slices.Concat(p.found...)
	clear(p.found)
	return all
}

// swap ends a step: it hands on what was recorded, calls apply for every row that others have
// recorded, and returns the sums of all parts. An analysis that is not divided has nothing to do.
func (s *solver) swap(ctx context.Context, sums Sums, apply func(kind DeltaKind, a address, r *chunkReader)) (Sums, error) {
	p := s.part
	if p == nil {
		return sums, nil
	}
	in := func(d Delta) error {
		if d.Step != p.step {
			return nil // it comes again, too late
		}
		return s.eachRowOf(&d, func(a address, r *chunkReader) { apply(d.Kind, a, r) })
	}
	all, err := p.exchange.Swap(ctx, Step{p.step, p.mark, sums}, p.takeFound(), in)
	p.step++
	return all, err
}

// DeltaError says that a delta does not belong to the set or to the part that it has come to, or that it is damaged.
type DeltaError struct {
	Step        int
	Slice, Pair int
}

func (e *DeltaError) Error() string {
	return fmt.Sprintf("what was found in step %d, slice %d, king pair %d is damaged, or of another set or part", e.Step, e.Slice, e.Pair)
}

// eachRowOf calls f for every row of a delta.
func (s *solver) eachRowOf(d *Delta, f func(a address, r *chunkReader)) error {
	c, err := s.layout.chunkOf(d)
	if err != nil {
		return err
	}
	sl, pair := &s.layout.slices[d.Slice], s.layout.local[d.Pair]
	s.part.locks[pair].Lock()
	defer s.part.locks[pair].Unlock()
	for r := c.reader(); r.read(); {
		f(sl.address(pair, r.row), &r)
	}
	return nil
}

// chunkOf returns the chunk that a delta is, if it is one of a king pair of the layout.
func (l *layout) chunkOf(d *Delta) (chunk, error) {
	c, bad := chunk{value: d.Value, bytes: d.Rows}, &DeltaError{d.Step, d.Slice, d.Pair}
	if d.Slice < 0 || d.Slice >= len(l.slices) || d.Pair < 0 || d.Pair >= len(l.local) || l.local[d.Pair] == noKingPair {
		return c, bad
	}
	if sl := &l.slices[d.Slice]; !c.fits(sl.rows, sl.n) || d.Kind.IsResult() && !c.hasValueOf(d.Kind) {
		return c, bad
	}
	return c, nil
}

// replay calls f for every row of a log that the part has recorded or read in steps that are ended.
func (s *solver) replay(ctx context.Context, log DeltaKind, f func(a address, r *chunkReader, v rules.Value)) error {
	return s.part.exchange.Replay(ctx, s.part.step, func(d Delta) error {
		if d.Kind != log {
			return nil
		}
		return s.eachRowOf(&d, func(a address, r *chunkReader) { f(a, r, d.Value) })
	})
}

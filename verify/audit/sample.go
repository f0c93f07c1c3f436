package audit

import (
	"context"
	"math/rand/v2"

	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage"
)

const (
	// firstRound is the number of positions that Sample checks first, so that a table that is wrong
	// all over is soon told; roundSize is the greatest number that it then checks at a time.
	firstRound = 1000
	roundSize  = 1 << 20
	// windowEntries is how much of a table Sample holds unpacked, two bytes each.
	windowEntries = 1 << 28
)

// Sample audits so many legal positions of a table, chosen at random by the seed, by the
// equations alone, and whether the statistics agree with themselves. The table is unpacked
// a part at a time, and no more of it than the sample needs: whatever the size of the table, it takes half a gigabyte and
// two hundred bytes for each position of a million. Errors are those of Table.
func Sample(ctx context.Context, s *storage.Set, positions int, seed uint64, opt Options) (*Report, error) {
	if !s.HasDistances() {
		return nil, &NoDistancesError{s.Index().Material()}
	}
	sampler, err := newSampler(s, windowEntries, opt.workers())
	if err != nil {
		return nil, err
	}
	report := &Report{Material: s.Index().Material(), Counted: emptyStats()}
	faults := map[uint64]Fault{} // a position may be chosen twice
	for n, size := 0, firstRound; n < positions && len(faults) < opt.limit(); size = roundSize {
		round := make([]sampled, min(size, positions-n))
		for i := range round {
			// Each position has a random source of its own, so that the first ones of a larger sample are the same.
			if round[i].at, err = choose(s.Index(), rand.New(rand.NewPCG(seed, uint64(n+i)))); err != nil {
				return nil, err
			}
		}
		if opt.Progress != nil {
			sampler.progress = func(share float64) {
				opt.Progress(Progress{Samples, uint64(n) + uint64(share*float64(len(round))), uint64(positions)})
			}
		}
		found, err := sampler.check(ctx, round)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			faults[f.Index] = f
		}
		n += len(round)
		report.Checked = uint64(n)
	}
	for _, f := range faults {
		report.Faults = append(report.Faults, f)
	}
	report.Faults = firstFaults(report.Faults, opt.limit())
	stats := s.Stats()
	report.Statistics = disagreements(&stats)
	return report, nil
}

// choose draws a legal position.
func choose(x *index.Index, rng *rand.Rand) (uint64, error) {
	for {
		at := rng.Uint64N(x.Size())
		pos, err := x.Unrank(at)
		if err != nil {
			return 0, err
		}
		if pos.Attacked(pos.King(rules.Gote), rules.Sente) {
			continue
		}
		i, err := x.Rank(&pos)
		if err == nil && i != at {
			err = &IndexError{pos, at, i}
		}
		return at, err
	}
}

package audit

import (
	"context"
	"math/rand/v2"
	"slices"

	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage"
)

const (
	// firstRound is the number of positions that Sample checks first, so that a table that is
	// wrong all over is soon told. Then it checks smallRound at a time where the table is in
	// memory as a whole; otherwise as many as memory allows, up to largeRound.
	firstRound = 1000
	smallRound = 1 << 16
	largeRound = 1 << 20

	// sampledBytes is about the memory that a position of a round takes.
	sampledBytes = 256
	// defaultMemory is Options.Memory if that is 0.
	defaultMemory = 512 << 20
)

// Sample audits a number of legal positions of a table, chosen at random by the seed, by the
// equations alone, and whether the statistics agree with themselves. It unpacks the table into
// a byte a placement, and no more of it than the sample needs. Where that is more than
// opt.Memory it does so in parts, and takes the longer for it. The report does not depend on that,
// except that an audit with many faults may end later. Errors are those of Table.
func Sample(ctx context.Context, s *storage.Set, positions int, seed uint64, opt Options) (*Report, error) {
	if !s.HasDistances() {
		return nil, &NoDistancesError{s.Index().Material()}
	}
	entries, largest := sampleSizes(s.Index().Size(), opt.memory())
	sampler, err := newSampler(s, entries, opt.workers())
	if err != nil {
		return nil, err
	}
	if opt.Progress != nil {
		sampler.meter = newMeter(sampler, positions, largest, opt.Progress)
	}
	report := &Report{Material: s.Index().Material(), Counted: emptyStats()}
	faults := map[uint64]Fault{} // a position may be chosen twice
	var round []sampled          // reused, it is large
	source := rand.NewPCG(0, 0)
	for n, size := 0, firstRound; n < positions && len(faults) < opt.limit(); size = largest {
		size = min(size, positions-n)
		round = slices.Grow(round[:0], size)[:size]
		for i := range round {
			// Each position has random numbers of its own, so that the first ones of a larger sample
			// are the same.
			source.Seed(seed, uint64(n+i))
			if round[i].at, err = choose(s.Index(), rand.New(source)); err != nil {
				return nil, err
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
	sampler.meter.finish(report.Checked)
	for _, f := range faults {
		report.Faults = append(report.Faults, f)
	}
	report.Faults = firstFaults(report.Faults, opt.limit())
	stats := s.Stats()
	report.Statistics = disagreements(&stats)
	return report, nil
}

// sampleSizes divides memory between the entries of a window on a table and the positions of a
// round.
func sampleSizes(size, memory uint64) (entries uint64, round int) {
	if size+smallRound*sampledBytes <= memory {
		return size, smallRound
	}
	round = int(min(max(memory/4/sampledBytes, firstRound), largeRound))
	return max(memory, uint64(round)*sampledBytes) - uint64(round)*sampledBytes, round
}

// choose draws a legal position.
func choose(x *index.Index, rng *rand.Rand) (uint64, error) {
	for {
		at := rng.Uint64N(x.Size())
		pos, err := x.Decode(at)
		if err != nil {
			return 0, err
		}
		if pos.Attacked(pos.King(rules.Gote), rules.Sente) {
			continue
		}
		i, err := x.Encode(&pos)
		if err == nil && i != at {
			err = &IndexError{pos, at, i}
		}
		return at, err
	}
}

package audit

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage"
)

// Sample audits so many legal positions of a table, chosen at random by the seed, by the
// equations alone, and whether the statistics agree with themselves. The table is
// probed, not unpacked. Errors are those of Table.
func Sample(ctx context.Context, s *storage.Set, positions int, seed uint64, opt Options) (*Report, error) {
	if !s.HasDistances() {
		return nil, &NoDistancesError{s.Index().Material()}
	}
	report := &Report{Material: s.Index().Material(), Counted: emptyStats()}
	faults := map[uint64]Fault{}
	var mu sync.Mutex
	var next atomic.Int64
	var enough atomic.Bool
	g, ctx2 := errgroup.WithContext(ctx)
	for range opt.workers() {
		g.Go(func() error {
			p := newProber(s)
			for !enough.Load() && ctx2.Err() == nil {
				n := int(next.Add(1)) - 1
				if n >= positions {
					return nil
				}
				// Each position has a random source of its own, and so any number of workers
				// takes the same ones.
				if err := p.choose(rand.New(rand.NewPCG(seed, uint64(n)))); err != nil {
					return err
				}
				fault, wrong, err := p.check()
				if err != nil {
					return err
				}
				mu.Lock()
				report.Checked++
				if wrong {
					faults[fault.Index] = fault
				}
				if len(faults) >= opt.limit() {
					enough.Store(true)
				}
				if opt.Progress != nil {
					opt.Progress(Progress{Samples, report.Checked, uint64(positions)})
				}
				mu.Unlock()
			}
			return ctx2.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for _, f := range faults {
		report.Faults = append(report.Faults, f)
	}
	report.Faults = firstFaults(report.Faults, opt.limit())
	stats := s.Stats()
	report.Statistics = disagreements(&stats)
	return report, nil
}

// prober looks positions up in a table one by one.
type prober struct {
	set   *storage.Set
	at    uint64
	pos   rules.Position
	moves [3][]rules.Move // by plies from the position
}

func newProber(s *storage.Set) *prober {
	p := &prober{set: s}
	for i := range p.moves {
		p.moves[i] = make([]rules.Move, 0, rules.MaxMoves)
	}
	return p
}

// choose takes a random legal position.
func (p *prober) choose(rng *rand.Rand) (err error) {
	x := p.set.Index()
	for {
		p.at = rng.Uint64N(x.Size())
		if p.pos, err = x.Unrank(p.at); err != nil {
			return err
		}
		if !p.pos.Attacked(p.pos.King(rules.Gote), rules.Sente) {
			break
		}
	}
	i, err := x.Rank(&p.pos)
	if err == nil && i != p.at {
		err = &IndexError{p.pos, p.at, i}
	}
	return err
}

// check compares the position's value with those of its successors.
func (p *prober) check() (f Fault, wrong bool, err error) {
	found, err := p.stored()
	if err != nil {
		return f, false, err
	}
	expected, err := p.expected(0)
	if err != nil {
		return f, false, err
	}
	same := found == expected || isWin(found) && found.Outcome() == expected.Outcome()
	return Fault{Index: p.at, Position: p.pos, Found: found, Expected: expected}, !same, nil
}

// expected is the value that the successors give the position, which is so many plies
// from the one chosen. The successors' numbers are looked for only where they matter:
// those of won ones if all are won.
func (p *prober) expected(ply int) (rules.Value, error) {
	p.moves[ply] = p.pos.Moves(p.moves[ply])
	s := newSuccession()
	lost := true
	for _, m := range p.moves[ply] {
		check := p.pos.GivesCheck(m)
		undo := p.pos.Make(m)
		v, err := p.stored()
		p.pos.Unmake(undo)
		if err != nil {
			return 0, err
		}
		s.add(v, check)
		lost = lost && isWin(v)
	}
	if !lost || ply > 0 {
		return s.value(), nil
	}
	s = newSuccession()
	for _, m := range p.moves[ply] {
		check := p.pos.GivesCheck(m)
		undo := p.pos.Make(m)
		v, err := p.stored()
		if err == nil {
			var exact rules.Value
			exact, err = p.expected(ply + 1)
			if exact.Outcome() == v.Outcome() { // otherwise it is wrong itself
				v = exact
			}
		}
		p.pos.Unmake(undo)
		if err != nil {
			return 0, err
		}
		s.add(v, check)
	}
	return s.value(), nil
}

// stored is what the table holds of the position; wins have the number 0.
func (p *prober) stored() (rules.Value, error) {
	o, err := p.set.Outcome(&p.pos)
	if err != nil {
		return 0, err
	}
	v := rules.MakeValue(o, 0)
	if !isLoss(v) {
		return v, nil
	}
	r, err := p.set.Probe(&p.pos)
	return r.Value, err
}

// disagreements are the statistics that contradict others.
func disagreements(s *index.Stats) []Miscount {
	var list []Miscount
	compare := func(name string, found, expected uint64) {
		if found != expected {
			list = append(list, Miscount{name, int64(found), int64(expected)})
		}
	}
	sum := func(counts []uint64) (n uint64) {
		for _, c := range counts {
			n += c
		}
		return n
	}
	compare("legal", s.Legal, s.MateWins+s.MateLosses+s.PerpetualWins+s.PerpetualLosses+s.Open)
	compare("perpetual_wins", s.PerpetualWins, sum(s.RankWins))
	compare("perpetual_losses", s.PerpetualLosses, sum(s.RankLosses))
	compare("mutual_checks", s.MutualChecks, 0)
	wins, losses := uint64(0), uint64(0)
	maxWin, maxLoss := -1, -1
	for n, c := range s.Histogram {
		switch {
		case c == 0:
		case n%2 == 0:
			losses, maxLoss = losses+c, n
		default:
			wins, maxWin = wins+c, n
		}
	}
	compare("mate_wins", s.MateWins, wins)
	compare("mate_losses", s.MateLosses, losses)
	if s.MaxWin != maxWin {
		list = append(list, Miscount{"max_win", int64(s.MaxWin), int64(maxWin)})
	}
	if s.MaxLoss != maxLoss {
		list = append(list, Miscount{"max_loss", int64(s.MaxLoss), int64(maxLoss)})
	}
	if len(s.Histogram) > 0 {
		compare("histogram 0", s.Histogram[0], s.Checkmates+s.Stalemates)
	}
	return list
}

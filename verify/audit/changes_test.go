package audit

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gogotb/rules"
)

// changed is a copy of a set that may be changed.
func changed(s solved) solved {
	s.values = slices.Clone(s.values)
	return s
}

// recounted is the set with statistics that fit its values, so that only a check of the values can
// find what is wrong with them. The counts that the audit itself does not get to when
// values are wrong stay.
func recounted(s solved) solved {
	t := newTally()
	for c := s.x.Cursor(0); c.Index() < s.x.Size(); c.Next() {
		if v := s.values[c.Index()]; v.Outcome() != rules.Illegal {
			t.add(v, false, c.Index(), uint64(c.Weight))
		}
	}
	t.MutualZugzwangs, t.MutualChecks = s.stats.MutualZugzwangs, s.stats.MutualChecks
	t.Checkmates, t.Stalemates = s.stats.Checkmates, s.stats.Stalemates
	s.stats = t.Stats
	return s
}

// anyValue is a value other than v, near to it or far away, of any outcome. It is no win
// whose number is left out, which would not be wrong.
func anyValue(rng *rand.Rand, v rules.Value) rules.Value {
	for {
		o := rules.Outcome(rng.IntN(int(rules.PerpetualLoss) + 1))
		n := 0
		if rng.IntN(2) == 0 {
			o, n = v.Outcome(), v.Number()+[...]int{-2, -1, 1, 2}[rng.IntN(4)]
		} else if o > rules.Open {
			n = rng.IntN(60)
		}
		w := rules.MakeValue(o, max(n, 0))
		if leftOut := isWin(w) && w.Number() == 0; w != v && !leftOut {
			return w
		}
	}
}

// unlimited is enough for every fault there can be in the tests.
const unlimited = 1 << 30

// named is the faults of a report by index.
func named(r *Report) map[uint64]Fault {
	m := map[uint64]Fault{}
	for _, f := range r.Faults {
		m[f.Index] = f
	}
	return m
}

// TestAnyChange changes one value in a set, to any other, and demands that it is found. Each
// change is audited on its own.
func TestAnyChange(t *testing.T) {
	for _, set := range []string{"P", "G"} {
		s := solve(t, set)
		rng := rand.New(rand.NewPCG(7, uint64(set[0])))
		for range trials() {
			i := rng.Uint64N(s.x.Size())
			wrong := changed(s)
			wrong.values[i] = anyValue(rng, s.values[i])
			r := audited(t, recounted(wrong), Options{Limit: unlimited})
			f, ok := named(r)[i]
			if !ok {
				t.Errorf("%s, index %d: %v called %v is not found", set, i, s.values[i], wrong.values[i])
			} else if f.Found != wrong.values[i] || f.Expected != s.values[i] && !leadsToItself(s, i) {
				t.Errorf("%s, index %d: %v called %v is reported as %v", set, i, s.values[i], wrong.values[i], &f)
			}
		}
	}
}

// leadsToItself tells whether a move from a position leads to what is the same position
// for the other side.
func leadsToItself(s solved, i uint64) bool {
	w := &worker{audit: &audit{x: s.x}}
	w.pos, _ = s.x.Decode(i)
	w.successors()
	return slices.Contains(w.next, i)
}

// TestManyChangesOfTwo changes hundreds of values at once in sets with wins by perpetual check.
// Each change has to be named: what an audit says of a position depends on its own value and
// those of its successors alone, so each would be found on its own, too.
func TestManyChangesOfTwo(t *testing.T) {
	for _, set := range perpetualSets {
		s := solve(t, set)
		rng := rand.New(rand.NewPCG(9, uint64(set[1])))
		wrong := changed(s)
		var at []uint64
		for len(at) < 300 {
			i := rng.Uint64N(s.x.Size())
			if wrong.values[i] == s.values[i] {
				wrong.values[i] = anyValue(rng, s.values[i])
				at = append(at, i)
			}
		}
		faults := named(audited(t, recounted(wrong), Options{Limit: unlimited}))
		for _, i := range at {
			if _, ok := faults[i]; !ok {
				t.Errorf("%s, index %d: %v called %v is not found", set, i, s.values[i], wrong.values[i])
			}
		}
	}
}

// TestUndecidedChangesOfTwo changes hundreds of values of positions that mate leaves undecided
// into others of that kind: open positions into perpetual wins and losses, the reverse,
// and ranks. No other position must be named, and the true values must be expected.
func TestUndecidedChangesOfTwo(t *testing.T) {
	for _, set := range perpetualSets {
		s := solve(t, set)
		rng := rand.New(rand.NewPCG(11, uint64(set[1])))
		perpetual, open := undecidedIndices(s)
		wrong := changed(s)
		for n, list := range [][]uint64{perpetual, open} {
			for range min(150, len(list)/2) {
				i := list[rng.IntN(len(list))]
				for wrong.values[i] == s.values[i] {
					wrong.values[i] = rules.MakeValue(rules.Open, 0)
					if n == 1 || rng.IntN(2) == 0 {
						wrong.values[i] = rules.MakeValue(rules.PerpetualWin+rules.Outcome(rng.IntN(2)), 1+rng.IntN(5))
					}
				}
			}
		}
		faults := named(audited(t, recounted(wrong), Options{Limit: unlimited}))
		for i := range wrong.values {
			f, found := faults[uint64(i)]
			if found != (wrong.values[i] != s.values[i]) || found && f.Expected != s.values[i] {
				t.Errorf("%s, index %d: %v called %v, reported: %v %v", set, i, s.values[i], wrong.values[i], found, &f)
			}
		}
	}
}

// undecidedIndices are the perpetual and the open positions of a set.
func undecidedIndices(s solved) (perpetual, open []uint64) {
	for i, v := range s.values {
		if isPerpetual(v) {
			perpetual = append(perpetual, uint64(i))
		} else if isUndecided(v) {
			open = append(open, uint64(i))
		}
	}
	return perpetual, open
}

// TestOffByTwo makes distances of losses wrong by two plies, with the distances of
// won positions left out, so that these follow suit; no outcome is wrong.
func TestOffByTwo(t *testing.T) {
	s := withoutWins(solve(t, "P"))
	rng := rand.New(rand.NewPCG(13, 0))
	for changes := 0; changes < trials(); {
		i := rng.Uint64N(s.x.Size())
		v := s.values[i]
		if v.Outcome() != rules.MateLoss || v.Number() == 0 {
			continue
		}
		changes++
		wrong := changed(s)
		wrong.values[i] = rules.MakeValue(rules.MateLoss, v.Number()-2+4*rng.IntN(2))
		r := audited(t, recounted(wrong), Options{Limit: unlimited})
		if _, ok := named(r)[i]; !ok {
			t.Errorf("index %d: %v called %v is not found", i, v, wrong.values[i])
		}
	}
}

// TestMissedPerpetualsOfTwo calls every perpetual win and loss open. The equations
// hold: the open positions have moves to open ones, and none to lost ones.
func TestMissedPerpetualsOfTwo(t *testing.T) {
	s := solve(t, "SS")
	wrong := changed(s)
	perpetual, _ := undecidedIndices(s)
	for _, i := range perpetual {
		wrong.values[i] = rules.MakeValue(rules.Open, 0)
	}
	mustHold(t, wrong)
	r := audited(t, recounted(wrong), Options{Limit: unlimited})
	if len(r.Faults) != len(perpetual) {
		t.Errorf("%d faults, want %d", len(r.Faults), len(perpetual))
	}
	for i := range r.Faults {
		f := &r.Faults[i]
		if f.Check != DualGame || f.Expected != s.values[f.Index] {
			t.Errorf("%v, want %v from the dual game", f, s.values[f.Index])
		}
	}
}

// mustHold demands that the equations hold in a set.
func mustHold(t *testing.T, s solved) {
	t.Helper()
	a := &audit{x: s.x, t: newTable(s.x.Size()), rotated: rotatedSlices(s.x)}
	a.t.put(0, s.values)
	sum := emptyStats()
	if err := a.wins(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := a.others(t.Context(), &sum); err != nil {
		t.Fatal(err)
	}
	for _, f := range append(a.faults, a.suspects...) {
		t.Fatalf("the equations do not hold: %v", &f)
	}
}

// TestRanksTooHighOfTwo gives circles of checks, and what depends on them, a rank that is
// too high by one. The equations hold.
func TestRanksTooHighOfTwo(t *testing.T) {
	s := solve(t, "SS")
	a := &audit{x: s.x, t: newTable(s.x.Size())}
	a.t.put(0, s.values)
	n := a.numberUndecided()
	r, err := a.buildRegion(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	at := make([]uint64, n.count)
	n.each(func(number uint32, i uint64) { at[number] = i })
	wrong := changed(s)
	raised := 0
	for number, rises := range risingTogether(s, r, at) {
		if v := s.values[at[number]]; rises {
			wrong.values[at[number]] = rules.MakeValue(v.Outcome(), v.Number()+1)
			raised++
		}
	}
	if raised == 0 {
		t.Fatal("no ranks can be raised together")
	}
	for _, wrong := range []solved{wrong, withoutWins(wrong)} {
		mustHold(t, wrong)
		report := audited(t, recounted(wrong), Options{Limit: unlimited})
		if len(report.Faults) != raised {
			t.Errorf("%d faults, want %d", len(report.Faults), raised)
		}
		for i := range report.Faults {
			f := &report.Faults[i]
			if f.Check != LeastRank || f.Expected != s.values[f.Index] {
				t.Errorf("%v, want %v as the least rank", f, s.values[f.Index])
			}
		}
	}
}

// risingTogether is the greatest set of perpetual positions whose ranks can be raised by
// one without breaking an equation: a winner all of whose best moves lead into the set,
// and a loser one of whose best moves does.
func risingTogether(s solved, r *region, at []uint64) []bool {
	in := make([]bool, len(at))
	for number, i := range at {
		in[number] = isPerpetual(s.values[i])
	}
	for shrinks := true; shrinks; {
		shrinks = false
		for number := range in {
			v := s.values[at[number]]
			if !in[number] {
				continue
			}
			best, rising := 0, 0 // moves
			for _, to := range r.next.from(uint32(number)) {
				w := s.values[at[to]]
				rank := w.Number()
				if isWin(w) && !r.checked[to] {
					rank++
				}
				if isPerpetual(w) && isWin(w) != isWin(v) && rank == v.Number() {
					best++
					if in[to] {
						rising++
					}
				}
			}
			if isWin(v) && rising < best || rising == 0 {
				in[number], shrinks = false, true
			}
		}
	}
	return in
}

// TestSwappedRanksOfTwo exchanges the ranks of pairs of positions, which changes no count.
func TestSwappedRanksOfTwo(t *testing.T) {
	s := solve(t, perpetualSets[len(perpetualSets)-1])
	perpetual, _ := undecidedIndices(s)
	rng := rand.New(rand.NewPCG(17, 0))
	wrong := changed(s)
	swapped := map[uint64]bool{}
	for len(swapped) < 200 {
		i, j := perpetual[rng.IntN(len(perpetual))], perpetual[rng.IntN(len(perpetual))]
		v, w := wrong.values[i], wrong.values[j]
		if v != w && v.Outcome() == w.Outcome() && !swapped[i] && !swapped[j] {
			wrong.values[i], wrong.values[j] = w, v
			swapped[i], swapped[j] = true, true
		}
	}
	r := audited(t, recounted(wrong), Options{Limit: unlimited})
	faults := named(r)
	for i := range swapped {
		if _, ok := faults[i]; !ok {
			t.Errorf("index %d: %v called %v is not found", i, s.values[i], wrong.values[i])
		}
	}
	if len(faults) != len(swapped) {
		t.Errorf("%d faults, want %d", len(faults), len(swapped))
	}
}

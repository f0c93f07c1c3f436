package audit

import (
	"math/rand/v2"
	"testing"

	"gogotb/rules"
	"gogotb/storage"
)

func testSampler(t *testing.T, set *storage.Set, entries uint64) *sampler {
	t.Helper()
	s, err := newSampler(set, entries, 2)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// probed is the value that the successors give a position, each of them looked up on its own.
func probed(t *testing.T, set *storage.Set, pos rules.Position) rules.Value {
	t.Helper()
	s := newSuccession()
	for _, m := range pos.Moves(nil) {
		check := pos.GivesCheck(m)
		undo := pos.Make(m)
		r, err := set.Probe(&pos)
		pos.Unmake(undo)
		if err != nil {
			t.Fatal(err)
		}
		s.add(r.Value, check)
	}
	return s.value()
}

// TestSamplerEqualToProbing: whatever part of a table the window shows at a time, each position
// of a sample gets the values that looking them up one by one gives it, in a sound table and in
// one with wrong values all over, which keep the outcomes so that every position has a value.
func TestSamplerEqualToProbing(t *testing.T) {
	sets := []string{"P"}
	if !testing.Short() {
		sets = append(sets, perpetualSets[len(perpetualSets)-1])
	}
	for _, name := range sets {
		for _, sound := range []bool{true, false} {
			s, dir := changed(solve(t, name)), t.TempDir()
			rng := rand.New(rand.NewPCG(31, 7))
			for i, v := range s.values {
				if !sound && isLoss(v) && v.Number() > 1 && rng.IntN(20) == 0 {
					s.values[i] = rules.MakeValue(v.Outcome(), v.Number()+2*rng.IntN(3))
				}
			}
			write(t, dir, recounted(s))
			set := reopened(t, dir, s)
			var sample []sampled
			wrong := map[uint64]rules.Value{}
			for range 2000 {
				i, err := choose(s.x, rng)
				if err != nil {
					t.Fatal(err)
				}
				pos, _ := s.x.Decode(i)
				expected := probed(t, set, pos)
				if found := s.values[i]; found != expected && !(isWin(found) && found.Outcome() == expected.Outcome()) {
					wrong[i] = expected
				}
				sample = append(sample, sampled{at: i})
			}
			if sound != (len(wrong) == 0) {
				t.Fatalf("%s: %d positions are wrong", name, len(wrong))
			}
			for _, entries := range []uint64{1, s.x.Size() / 3, s.x.Size()} {
				sampler := testSampler(t, set, entries)
				fresh := append([]sampled(nil), sample...)
				faults, err := sampler.check(t.Context(), fresh)
				if err != nil {
					t.Fatal(err)
				}
				named := map[uint64]bool{}
				for _, f := range faults {
					named[f.Index] = true
					if f.Expected != wrong[f.Index] || f.Found != s.values[f.Index] && !isWin(f.Found) {
						t.Errorf("%s, %d parts: %v, expected %v", name, sampler.window.parts(), &f, wrong[f.Index])
					}
				}
				if len(named) != len(wrong) {
					t.Errorf("%s, %d parts: %d positions named, %d are wrong", name, sampler.window.parts(), len(named), len(wrong))
				}
			}
		}
	}
}

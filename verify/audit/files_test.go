package audit

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage"
)

// write writes the tables of a set into a folder, with checksums that fit.
func write(tb testing.TB, dir string, s solved) {
	tb.Helper()
	w, err := storage.Create(dir, s.x, storage.WriterOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	if err := w.Append(s.values); err != nil {
		w.Abort()
		tb.Fatal(err)
	}
	if err := w.Commit(s.stats); err != nil {
		tb.Fatal(err)
	}
}

// checksums checks those of a set in some folders.
func checksums(tb testing.TB, ctx context.Context, dirs []string, m index.Material) ([]string, error) {
	tb.Helper()
	tables, err := storage.Open(dirs, nil)
	if err != nil {
		tb.Fatal(err)
	}
	defer tables.Close()
	return tables.Check(ctx, m)
}

// reopened is the set read from the files of a folder.
func reopened(tb testing.TB, dir string, s solved) *storage.Set {
	tb.Helper()
	tables, err := storage.Open([]string{dir}, nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { tables.Close() })
	set, err := tables.Set(s.x.Material())
	if err != nil {
		tb.Fatal(err)
	}
	return set
}

// TestSets audits the tables of every set of up to two pieces, and compares what it counts
// with the fixtures where there are any.
func TestSets(t *testing.T) {
	pieces := 2
	if testing.Short() { // for the race detector, which is slow
		pieces = 1
	}
	known := map[string]fixture{}
	for _, f := range fixtures(t) {
		known[f.Material] = f
	}
	for _, m := range index.Sets(pieces) {
		t.Run(m.String(), func(t *testing.T) {
			s, dir := solve(t, m.String()), t.TempDir()
			write(t, dir, s)
			r, err := Table(t.Context(), reopened(t, dir, s), Options{})
			if err != nil {
				t.Fatal(err)
			}
			complain(t, r)
			if r.Checked != s.x.Size() || r.Counted.Legal != s.stats.Legal {
				t.Errorf("%d placements checked, %d positions counted", r.Checked, r.Counted.Legal)
			}
			if f, ok := known[m.String()]; ok {
				compareCounted(t, f, r)
			}
			files, err := checksums(t, t.Context(), []string{dir}, m)
			if err != nil || len(files) != 2 {
				t.Errorf("checksums: %v, %v", files, err)
			}
		})
	}
}

// storable is a random value that a file tells from v.
func storable(rng *rand.Rand, v rules.Value) rules.Value {
	for {
		w := anyValue(rng, v)
		if isWin(w) {
			w = rules.MakeValue(w.Outcome(), 1)
		}
		if o := w.Outcome(); isWin(w) && o == v.Outcome() || o == rules.Illegal ||
			o == rules.MateLoss && w.Number()%2 == 1 || o == rules.PerpetualLoss && w.Number() == 0 ||
			o == rules.Open && w.Number() != 0 {
			continue
		}
		return w
	}
}

// TestChangedFiles changes one value of a table at a time, writes it anew, and demands
// that the audit finds it: of the whole, and of a sample that has the position in it.
func TestChangedFiles(t *testing.T) {
	s, dir := solve(t, "P"), t.TempDir()
	rng := rand.New(rand.NewPCG(19, 0))
	for changes := 0; changes < trials(); {
		i := rng.Uint64N(s.x.Size())
		if s.values[i] == 0 {
			continue // what stands there means nothing
		}
		changes++
		wrong := changed(s)
		wrong.values[i] = storable(rng, s.values[i])
		write(t, dir, recounted(wrong))
		set := reopened(t, dir, s)
		if _, err := checksums(t, t.Context(), []string{dir}, s.x.Material()); err != nil {
			t.Fatal(err)
		}
		r, err := Table(t.Context(), set, Options{Limit: unlimited})
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := named(r)[i]; !ok {
			t.Errorf("index %d: %v called %v is not found", i, s.values[i], wrong.values[i])
		}
		if !isUndecided(s.values[i]) || !isUndecided(wrong.values[i]) {
			faults, err := testSampler(t, set, s.x.Size()).check(t.Context(), []sampled{{at: i}})
			if len(faults) != 1 || err != nil {
				t.Errorf("index %d: %v called %v is not found by the sample (%v)", i, s.values[i], wrong.values[i], err)
			}
		}
	}
}

// TestManyChangedFilesOfTwo changes hundreds of values of a set with wins by perpetual
// check at once, anywhere, and then in the region that mate leaves undecided alone. Each
// one is to be found in the files.
func TestManyChangedFilesOfTwo(t *testing.T) {
	s, dir := solve(t, "SS"), t.TempDir()
	rng := rand.New(rand.NewPCG(29, 0))
	for _, regional := range []bool{false, true} {
		wrong := changed(s)
		at := map[uint64]bool{}
		perpetual, open := undecidedIndices(s)
		for len(at) < 300 {
			i := rng.Uint64N(s.x.Size())
			if regional {
				list := perpetual
				if len(at) >= 50 {
					list = open
				}
				i = list[rng.IntN(len(list))]
			}
			v := storable(rng, s.values[i])
			if s.values[i] != 0 && isUndecided(v) == regional {
				wrong.values[i] = v
				at[i] = true
			}
		}
		write(t, dir, recounted(wrong))
		r, err := Table(t.Context(), reopened(t, dir, s), Options{Limit: unlimited})
		if err != nil {
			t.Fatal(err)
		}
		for i := range at {
			if f, ok := named(r)[i]; !ok || regional && f.Expected != s.values[i] {
				t.Errorf("index %d: %v called %v is reported as %v", i, s.values[i], wrong.values[i], &f)
			}
		}
		for _, f := range r.Faults {
			// The ranks of wins follow from those of losses, wrong or not.
			if regional && !at[f.Index] && (f.Check != LeastRank || !isWin(f.Found)) {
				t.Errorf("reported: %v", &f)
			}
		}
	}
}

// TestSample takes samples of sound tables, and of one in which every tenth loss is off by two.
func TestSample(t *testing.T) {
	sets := []string{"none", "R", "P"}
	if !testing.Short() {
		sets = append(sets, perpetualSets...)
	}
	for _, set := range sets {
		s, dir := solve(t, set), t.TempDir()
		write(t, dir, s)
		r, err := Sample(t.Context(), reopened(t, dir, s), 3000, 1, Options{})
		if err != nil {
			t.Fatal(err)
		}
		complain(t, r)
		if r.Checked != 3000 {
			t.Errorf("%s: %d positions checked", set, r.Checked)
		}
	}
	s, dir := changed(solve(t, "P")), t.TempDir()
	for i, v := range s.values {
		if i%10 == 0 && v.Outcome() == rules.MateLoss {
			s.values[i] += 2
		}
	}
	write(t, dir, recounted(s))
	r, err := Sample(t.Context(), reopened(t, dir, s), 3000, 1, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Faults) != DefaultLimit || r.Checked >= 3000 {
		t.Errorf("%d faults after %d positions", len(r.Faults), r.Checked)
	}
}

// TestDisagreements changes statistics so that they contradict each other.
func TestDisagreements(t *testing.T) {
	s, dir := solve(t, "SS"), t.TempDir()
	write(t, dir, s)
	set := reopened(t, dir, s)
	for name, change := range map[string]func(*rules.Stats){
		"legal":            func(s *rules.Stats) { s.Legal++ },
		"mate_wins":        func(s *rules.Stats) { s.Histogram[3]++ },
		"mate_losses":      func(s *rules.Stats) { s.Histogram[4]++ },
		"perpetual_wins":   func(s *rules.Stats) { s.RankWins[0]++ },
		"perpetual_losses": func(s *rules.Stats) { s.RankLosses[1]++ },
		"max_win":          func(s *rules.Stats) { s.MaxWin -= 2 },
		"max_loss":         func(s *rules.Stats) { s.MaxLoss += 2 },
		"mutual_checks":    func(s *rules.Stats) { s.MutualChecks = 4 },
		"histogram 0":      func(s *rules.Stats) { s.Checkmates++ },
	} {
		stats := set.Stats() // a copy
		if list := disagreements(&stats); len(list) != 0 {
			t.Fatal(list)
		}
		change(&stats)
		if list := disagreements(&stats); len(list) != 1 || list[0].Name != name {
			t.Errorf("%s: %v", name, list)
		}
	}
}

// TestChecksums flips a bit in every part of both files, and leaves files out.
func TestChecksums(t *testing.T) {
	s, dir := solve(t, "P"), t.TempDir()
	m := s.x.Material()
	write(t, dir, s)
	rng := rand.New(rand.NewPCG(23, 0))
	for _, kind := range []storage.Kind{storage.Outcomes, storage.Distances} {
		name := filepath.Join(dir, storage.FileName(m, kind))
		sound, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			b := append([]byte(nil), sound...)
			b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
			if err := os.WriteFile(name, b, 0o644); err != nil {
				t.Fatal(err)
			}
			if files, err := checksums(t, t.Context(), []string{dir}, m); err == nil {
				t.Errorf("a flipped bit in %s is not found: %v", name, files)
			}
		}
		if err := os.WriteFile(name, sound, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	empty := t.TempDir()
	if files, err := checksums(t, t.Context(), []string{empty, dir}, m); len(files) != 2 || err != nil {
		t.Errorf("second folder: %v, %v", files, err)
	}
	var missing *storage.MissingTableError
	if _, err := checksums(t, t.Context(), []string{empty}, m); !errors.As(err, &missing) {
		t.Errorf("no table: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, storage.FileName(m, storage.Distances))); err != nil {
		t.Fatal(err)
	}
	if files, err := checksums(t, t.Context(), []string{dir}, m); len(files) != 1 || err != nil {
		t.Errorf("outcomes alone: %v, %v", files, err)
	}
	var none *NoDistancesError
	if _, err := Table(t.Context(), reopened(t, dir, s), Options{}); !errors.As(err, &none) {
		t.Errorf("table without distances: %v", err)
	}
	if _, err := Sample(t.Context(), reopened(t, dir, s), 1, 1, Options{}); !errors.As(err, &none) {
		t.Errorf("sample without distances: %v", err)
	}
}

// TestCorruptBlock audits a table with a broken block, which the audit must report as
// what it is.
func TestCorruptBlock(t *testing.T) {
	s, dir := solve(t, "P"), t.TempDir()
	write(t, dir, s)
	name := filepath.Join(dir, storage.FileName(s.x.Material(), storage.Distances))
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 4
	if err := os.WriteFile(name, b, 0o644); err != nil {
		t.Fatal(err)
	}
	var corrupt *storage.CorruptError
	if _, err := Table(t.Context(), reopened(t, dir, s), Options{}); !errors.As(err, &corrupt) || corrupt.File != name {
		t.Errorf("error %v", err)
	}
}

// TestCancelFiles stops audits of tables before they begin.
func TestCancelFiles(t *testing.T) {
	s, dir := solve(t, "P"), t.TempDir()
	write(t, dir, s)
	set := reopened(t, dir, s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Table(ctx, set, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("table: %v", err)
	}
	if _, err := Sample(ctx, set, 100, 1, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("sample: %v", err)
	}
}

// TestChecksumsInterrupted: whoever has stopped waiting is not kept, and is told nothing of the files.
func TestChecksumsInterrupted(t *testing.T) {
	s, dir := solve(t, "P"), t.TempDir()
	write(t, dir, s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if files, err := checksums(t, ctx, []string{dir}, s.x.Material()); !errors.Is(err, context.Canceled) || len(files) > 0 {
		t.Errorf("%v, %v", files, err)
	}
}

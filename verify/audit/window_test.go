package audit

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"gogotb/rules"
	"gogotb/storage"
)

// spoiled is a set in which every tenth value is another one, or a loss with any number that
// a file can hold.
func spoiled(tb testing.TB, set string) solved {
	s := changed(solve(tb, set))
	rng := rand.New(rand.NewPCG(41, uint64(len(s.values))))
	for i, v := range s.values {
		switch n := rng.IntN(rules.MaxNumber/2) + 1; {
		case v == 0 || i%10 != 0:
		case rng.IntN(2) == 0:
			s.values[i] = storable(rng, v)
		case rng.IntN(2) == 0:
			s.values[i] = rules.MakeValue(rules.MateLoss, 2*n)
		default:
			s.values[i] = rules.MakeValue(rules.PerpetualLoss, n)
		}
	}
	return recounted(s)
}

// TestWindow: whatever its size and wherever it stands, filled or not, a window shows what was
// written, to many at once, and nothing of what is beside it.
func TestWindow(t *testing.T) {
	s, dir := spoiled(t, "P"), t.TempDir()
	write(t, dir, s)
	set, want := reopened(t, dir, s), withoutWins(s).values
	uncommon := 0
	for _, entries := range []uint64{1, s.x.Size() / 3, s.x.Size()} {
		w, err := newWindow(set, entries)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []int{0, w.parts() - 1, w.parts() - 1, w.parts() / 2} {
			w.move(part)
			if part != w.part() {
				t.Errorf("at part %d instead of %d", w.part(), part)
			}
			if part > 0 {
				err := w.fill(t.Context(), 2, func(uint64) {})
				if err != nil {
					t.Fatal(err)
				}
			}
			var wg sync.WaitGroup
			for range 3 {
				wg.Go(func() {
					var room []rules.Value
					for i, v := range want {
						got, ok, err := w.at(uint64(i), &room)
						inside := uint64(i) >= w.first && uint64(i) < w.first+uint64(len(w.codes))
						if err != nil || ok != inside || ok && v != 0 && got != v {
							t.Errorf("index %d, window from %d: %v is shown as %v (%t, %v)", i, w.first, v, got, ok, err)
							return
						}
					}
				})
			}
			wg.Wait()
			uncommon = max(uncommon, len(w.uncommon))
		}
	}
	if uncommon < 500 || uncommon > len(want)/10 {
		t.Errorf("%d values without a code", uncommon)
	}
}

// TestSampleMemory takes samples of sound tables and of wrong ones, and demands that the
// report is the same for any amount of memory.
func TestSampleMemory(t *testing.T) {
	sets := []solved{solve(t, "none"), spoiled(t, "P")}
	if !testing.Short() {
		sets = append(sets, solve(t, "SS"))
	}
	for _, s := range sets {
		dir := t.TempDir()
		write(t, dir, s)
		set := reopened(t, dir, s)
		var first *Report
		for _, memory := range []uint64{0, 1, sampledBytes*firstRound + s.x.Size()/2, 1 << 30} {
			r, err := Sample(t.Context(), set, 1500, 6, Options{Limit: unlimited, Memory: memory})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = r
			}
			if !reflect.DeepEqual(r, first) {
				t.Errorf("%s: %d faults, with a memory of %d %d", s.x.Material(), len(first.Faults), memory, len(r.Faults))
			}
		}
		if sound := s.x.Material().String() != "P"; sound != first.OK() {
			t.Errorf("%s: %d faults", s.x.Material(), len(first.Faults))
		}
	}
}

// TestSampleSizes: what is asked for suffices for the parts and the positions of a round.
func TestSampleSizes(t *testing.T) {
	for _, c := range []struct {
		size, memory, parts uint64
		round               int
	}{
		{234, defaultMemory, 1, smallRound},
		{500 << 20, defaultMemory, 2, defaultMemory / 4 / sampledBytes},
		{12_000_000_000, 16 << 30, 1, smallRound},
		{12_000_000_000, 8 << 30, 2, largeRound},
	} {
		entries, round := sampleSizes(c.size, c.memory)
		if parts := (c.size + entries - 1) / entries; parts != c.parts || round != c.round {
			t.Errorf("%d of %d bytes: %d entries, rounds of %d", c.memory, c.size, entries, round)
		}
		if need := entries + uint64(round)*sampledBytes; need > c.memory {
			t.Errorf("%d of %d bytes: %d are needed", c.memory, c.size, need)
		}
	}
}

// TestSampleDamaged flips a bit of each file in the middle, among the blocks.
func TestSampleDamaged(t *testing.T) {
	for _, kind := range []storage.Kind{storage.Outcomes, storage.Distances} {
		s, dir := solve(t, "P"), t.TempDir()
		write(t, dir, s)
		name := filepath.Join(dir, storage.FileName(s.x.Material(), kind))
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		b[len(b)/2] ^= 4
		if err := os.WriteFile(name, b, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err = Sample(t.Context(), reopened(t, dir, s), 100, 1, Options{})
		var corrupt *storage.CorruptError
		if !errors.As(err, &corrupt) || corrupt.File != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSampleProgress: progress never goes back and ends where it should, and a sample that is
// interrupted ends.
func TestSampleProgress(t *testing.T) {
	s, dir := solve(t, "P"), t.TempDir()
	write(t, dir, s)
	set := reopened(t, dir, s)
	for _, memory := range []uint64{1, 1 << 20, 0} {
		var last Progress
		parts := map[int]bool{}
		opt := Options{Memory: memory, Progress: func(p Progress) {
			if p.Phase != Samples || p.Done < last.Done || p.Total != 1700 {
				t.Fatalf("%v after %v", p, last)
			}
			last = p
			parts[p.Part] = true
		}}
		if _, err := Sample(t.Context(), set, 1700, 1, opt); err != nil {
			t.Fatal(err)
		}
		if last.Done != 1700 || len(parts) != last.Parts || memory == 1 && last.Parts == 1 || memory == 0 && last.Parts != 1 {
			t.Errorf("memory %d: ended with %v, %d parts seen", memory, last, len(parts))
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	opt := Options{Progress: func(Progress) { cancel() }}
	if _, err := Sample(ctx, set, 100, 1, opt); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

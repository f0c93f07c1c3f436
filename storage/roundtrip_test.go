package storage

import (
	"context"
	"testing"

	"gogotb/index"
	"gogotb/retro"
	"gogotb/rules"
)

// solved is a set with its values, for tests.
type solved struct {
	index  *index.Index
	values []rules.Value
	stats  index.Stats
}

func solve(t testing.TB, name string) solved {
	t.Helper()
	m, err := index.ParseMaterial(name)
	if err != nil {
		t.Fatal(err)
	}
	solution, err := retro.Solve(context.Background(), m, retro.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := solved{index: solution.Index()}
	s.stats, err = solution.Values(context.Background(), func(v []rules.Value) error {
		s.values = append(s.values, v...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// write writes the tables of a set.
func (s solved) write(t testing.TB, dir string) {
	t.Helper()
	w, err := Create(dir, s.index, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for rest := s.values; len(rest) > 0; {
		n := min(len(rest), 100_000)
		if err := w.Append(rest[:n]); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
	}
	if err := w.Commit(s.stats); err != nil {
		t.Fatal(err)
	}
}

// TestRoundTrip reads back every value of small sets, by probes and by blocks.
func TestRoundTrip(t *testing.T) {
	for _, name := range []string{"none", "G", "P", "R", "SS"} {
		t.Run(name, func(t *testing.T) {
			s := solve(t, name)
			dir := t.TempDir()
			s.write(t, dir)
			tables, err := Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer tables.Close()
			for i, want := range s.values {
				if want == 0 {
					continue
				}
				p, err := s.index.Unrank(uint64(i))
				if err != nil {
					t.Fatal(err)
				}
				got, err := tables.Probe(&p)
				if err != nil {
					t.Fatal(err)
				}
				if got != (Result{want, true}) {
					t.Fatalf("index %d, %s: got %v, want %v", i, p.SFEN(), got, want)
				}
			}
			set, err := tables.Set(s.index.Material())
			if err != nil {
				t.Fatal(err)
			}
			var room []rules.Value
			n := 0
			for block := range set.Blocks() {
				first, values, err := set.Values(block, room)
				if err != nil {
					t.Fatal(err)
				}
				for i, got := range values {
					want := s.values[first+uint64(i)]
					if o := want.Outcome(); o == rules.MateWin || o == rules.PerpetualWin {
						want = rules.MakeValue(o, 0)
					}
					if want != 0 && got != want {
						t.Fatalf("index %d: got %v, want %v", first+uint64(i), got, want)
					}
				}
				n += len(values)
				room = values
			}
			if n != len(s.values) {
				t.Errorf("%d values in all blocks, want %d", n, len(s.values))
			}
		})
	}
}

package storage

import (
	"errors"
	"sync"
	"testing"
)

// TestConcurrentProbes probes several sets from many goroutines, with a cache that is too
// small, while sets are opened and outcomes are loaded.
func TestConcurrentProbes(t *testing.T) {
	dir := written(t, "none", "G", "P", "SS")
	tables, err := Open([]string{dir}, &Options{CacheBytes: 300_000})
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	var all []sample
	for _, name := range []string{"none", "G", "P", "SS"} {
		all = append(all, fixtures(t, name)...)
	}
	missing := position(t, "4k/5/5/5/K4 b RB 1")
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range all {
				s := &all[(i*(2*g+1)+g*97)%len(all)]
				switch r, err := tables.Probe(&s.position); {
				case err != nil || r != (Result{s.value, true}):
					t.Errorf("%s: %v, %v, want %v", s.position.SFEN(), r, err, s.value)
					return
				}
				if r, ok := tables.SoftProbe(&s.position); ok && r.Exact && r.Value != s.value {
					t.Errorf("%s: SoftProbe gives %v, want %v", s.position.SFEN(), r, s.value)
				}
				if i%50 == 0 {
					if o, err := tables.Outcome(&s.position); err != nil || o != s.value.Outcome() {
						t.Errorf("%s: outcome %v, %v, want %v", s.position.SFEN(), o, err, s.value)
					}
					tables.CacheStats()
					var e *MissingTableError
					if _, err := tables.Probe(&missing); !errors.As(err, &e) {
						t.Errorf("a missing set: %v", err)
					}
				}
				if i%400 == 100*g {
					set, err := tables.Set(material(t, "SS"))
					if err != nil {
						t.Error(err)
						return
					}
					if err := set.LoadOutcomes(); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	if n := tables.CacheStats().Bytes; n > 300_000 {
		t.Errorf("%d bytes in the cache", n)
	}
}

// TestConcurrentBlocks decodes all blocks of a set from several goroutines.
func TestConcurrentBlocks(t *testing.T) {
	s := solve(t, "G")
	set := openSet(t, "G", written(t, "G"))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for b, err := range set.Values() {
				if err != nil {
					t.Error(err)
					return
				}
				for i, v := range b.Values {
					if want := s.values[int(b.First)+i]; want != 0 && v != stripped(want, true) {
						t.Errorf("index %d: %v, want %v", int(b.First)+i, v, want)
						return
					}
				}
			}
		})
	}
	wg.Wait()
}

package storage

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"gogotb/rules"
)

// spoil changes a byte of every block of a file, in place.
func spoil(t *testing.T, dir string, s solved, kind Kind) {
	t.Helper()
	name := filepath.Join(dir, FileName(s.index.Material(), kind))
	b := read(t, name)
	for _, p := range placesOf(t, name, kind) {
		b[p.offset+int64(p.length)-1] ^= 1
	}
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteAt(b, 0)
		f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// probeAll probes positions all over a set, by all ways there are, and returns the first error. A wrong value
// fails the test.
func probeAll(t *testing.T, tables *Tables, s solved) error {
	t.Helper()
	set, err := tables.Set(s.index.Material())
	if err != nil {
		return err
	}
	for i := 0; i < len(s.values); i += 67 {
		want := s.values[i]
		if want == 0 {
			continue
		}
		p, err := s.index.Decode(uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		r, err := tables.Probe(&p)
		if err != nil {
			return err
		}
		o, err := tables.Outcome(&p)
		if err != nil {
			return err
		}
		if r != (Result{want, true}) || o != want.Outcome() {
			t.Fatalf("index %d: %v, %v, want %v", i, r, o, want)
		}
	}
	return compareBlocks(t, set, s.values)
}

// TestAnother damages blocks of a table after it was opened: the tables of another folder take over,
// and the damage is known. Without another folder it is an error, and the table is used again
// when its file has been replaced.
func TestAnother(t *testing.T) {
	s := solve(t, "G")
	for _, kind := range []Kind{Outcomes, Distances} {
		for _, first := range []string{"probe", "values", "load"} {
			a, b := written(t, "G", "R"), written(t, "G")
			bad := filepath.Join(a, "G"+kind.Extension())
			good := read(t, bad)
			var warnings []Warning
			tables, err := Open([]string{a, b}, &Options{CacheBytes: 1, Warn: func(w Warning) { warnings = append(warnings, w) }})
			if err != nil {
				t.Fatal(err)
			}
			defer tables.Close()
			tables.lookAgain = 0
			set, err := tables.Set(s.index.Material())
			if err != nil || len(warnings) > 0 || len(tables.Damaged()) > 0 {
				t.Fatal(err, warnings)
			}
			spoil(t, a, s, kind)
			switch first {
			case "values":
				err = compareBlocks(t, set, s.values)
			case "load":
				err = set.LoadOutcomes()
			}
			if err == nil {
				err = probeAll(t, tables, s)
			}
			if err != nil {
				t.Errorf("%v, %s: %v", kind, first, err)
			}
			var corrupt *CorruptError
			if len(warnings) != 1 || warnings[0].File != bad || warnings[0].Instead != filepath.Join(b, filepath.Base(bad)) || !errors.As(warnings[0].Err, &corrupt) {
				t.Errorf("%v, %s: warned of %v", kind, first, warnings)
			}
			if list := tables.Damaged(); len(list) != 1 || list[0].Path != bad || list[0].Kind != kind || list[0].Material != s.index.Material() || !errors.As(list[0].Err, &corrupt) {
				t.Errorf("%v, %s: damaged are %v", kind, first, list)
			}
			list, err := tables.List()
			if err != nil || len(list) != 6 {
				t.Fatal(list, err)
			}
			for _, f := range list {
				if (f.Err != nil) != (f.Path == bad) {
					t.Errorf("%v, %s: %s is listed with %v", kind, first, f.Path, f.Err)
				}
			}

			// the other folder's are damaged, too
			spoil(t, b, s, kind)
			if err := probeAll(t, tables, s); !errors.As(err, &corrupt) || filepath.Dir(corrupt.File) != b {
				t.Errorf("%v, %s: with both damaged: %v", kind, first, err)
			}
			if list := tables.Damaged(); len(list) != 2 {
				t.Errorf("%v, %s: damaged are %v", kind, first, list)
			}
			// and the first ones are written anew
			if err := os.Remove(bad); err != nil {
				t.Fatal(err)
			}
			put(t, good, bad)
			if err := probeAll(t, tables, s); err != nil {
				t.Errorf("%v, %s: with a new file: %v", kind, first, err)
			}
			if list := tables.Damaged(); len(list) != 1 || filepath.Dir(list[0].Path) != b {
				t.Errorf("%v, %s: damaged are %v", kind, first, list)
			}
		}
	}
}

// TestDamageAlone: without other tables every probe of a damaged block is an error, and those of other
// blocks are not.
func TestDamageAlone(t *testing.T) {
	d := newDamaged(t, "G", Outcomes, shape{8, 3})
	tables := open(t, d.dir)
	set, err := tables.Set(d.truth.index.Material())
	if err != nil {
		t.Fatal(err)
	}
	places := placesOf(t, d.file, Outcomes)
	broken := bytes.Clone(places[3].part(d.whole))
	broken[len(broken)-1]++
	d.change(t, places[3], broken)
	for range 3 {
		for block := range places {
			_, err := set.Block(uint64(block), nil)
			var corrupt *CorruptError
			if (block == 3) != errors.As(err, &corrupt) || block != 3 && err != nil {
				t.Errorf("block %d: %v", block, err)
			}
		}
	}
	whole := 0
	for _, err = range set.Values() {
		if err == nil {
			whole++
		}
	}
	if whole != 3 || !errors.Is(err, ErrCorrupt) {
		t.Errorf("%d blocks, then %v; block 3 should end them", whole, err)
	}
	if list := tables.Damaged(); len(list) != 1 || list[0].Path != d.file {
		t.Errorf("damaged: %v", list)
	}
}

// TestAnotherMeanwhile damages a table while many goroutines probe it.
func TestAnotherMeanwhile(t *testing.T) {
	s := solve(t, "G")
	a, b := written(t, "G"), written(t, "G")
	tables, err := Open([]string{a, b}, &Options{CacheBytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	tables.files.limit = 3
	begun := make(chan bool, 8)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 150 {
				if i == 50 {
					begun <- true
				}
				at := uint64(i*7919*(g+1)) % s.index.Size()
				p, err := s.index.Decode(at)
				if err != nil {
					t.Error(err)
					return
				}
				if want := s.values[at]; want != 0 {
					if r, err := tables.Probe(&p); err != nil || r.Value != want {
						t.Errorf("index %d: %v, %v, want %v", at, r.Value, err, want)
						return
					}
				}
			}
		})
	}
	<-begun
	spoil(t, a, s, Distances)
	wg.Wait()
	if list := tables.Damaged(); len(list) != 1 || list[0].Path != filepath.Join(a, "G.gbd") {
		t.Errorf("damaged: %v", list)
	}
}

// TestReplacedFile puts another table under the name of one that has been closed to make room.
func TestReplacedFile(t *testing.T) {
	s := solve(t, "G")
	dir := written(t, "G", "R", "P")
	tables, err := Open([]string{dir}, &Options{CacheBytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	tables.files.limit, tables.lookAgain = 2, 0
	if err := probeAll(t, tables, s); err != nil {
		t.Fatal(err)
	}
	if err := probeAll(t, tables, solve(t, "R")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"G.gbo", "G.gbd"} { // of another making
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		put(t, read(t, "testdata/format2", name), dir, name)
	}
	if err := probeAll(t, tables, s); err != nil {
		t.Error(err)
	}
	if set, err := tables.Set(s.index.Material()); err != nil || set.Format() != 2 {
		t.Errorf("the old file is still in use: %v", err)
	}
	// and none at all
	if err := probeAll(t, tables, solve(t, "R")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"G.gbo", "G.gbd"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	var unreadable *ReadError
	if err := probeAll(t, tables, s); !errors.As(err, &unreadable) {
		t.Errorf("without files: %v", err)
	}
}

// TestFewOpenFiles probes more tables than may be open, from many goroutines.
func TestFewOpenFiles(t *testing.T) {
	names := []string{"none", "R", "B", "G", "S", "P"}
	dir := written(t, names...)
	for _, limit := range []int{2, 3, 5} {
		tables, err := Open([]string{dir}, &Options{CacheBytes: 1})
		if err != nil {
			t.Fatal(err)
		}
		tables.files.limit = limit
		var wg sync.WaitGroup
		for g := range 8 {
			wg.Go(func() {
				for i := range 60 {
					s := solve(t, names[(i+g)%len(names)])
					at := uint64(i*7919*(g+1)) % s.index.Size()
					p, err := s.index.Decode(at)
					if err != nil {
						t.Error(err)
						return
					}
					if want := s.values[at]; want != 0 {
						if r, err := tables.Probe(&p); err != nil || r.Value != want {
							t.Errorf("%s: %v, %v, want %v", p.SFEN(), r.Value, err, want)
							return
						}
					}
					tables.files.mu.Lock()
					if n := len(tables.files.open); n > limit {
						t.Errorf("%d files are open", n)
					}
					tables.files.mu.Unlock()
				}
			})
		}
		wg.Wait()
		if err := tables.Close(); err != nil {
			t.Error(err)
		}
		if n := len(tables.files.open); n != 0 {
			t.Errorf("%d files are open after Close", n)
		}
		p := position(t, "4k/5/5/5/K4 b R 1")
		if _, err := tables.Probe(&p); !errors.Is(err, errClosed) {
			t.Errorf("a probe after Close: %v", err)
		}
	}
}

// TestMissingTakesNothing probes a set that is not installed: no lock is taken, and no folder looked at
// but once in a while.
func TestMissingTakesNothing(t *testing.T) {
	dir := written(t, "G")
	tables := open(t, dir)
	if tables.lookAgain != lookAgain {
		t.Error("the folders are not looked at again")
	}
	tables.lookAgain = 1 << 62
	missing := position(t, "4k/5/5/5/K4 b R 1")
	var e *MissingTableError
	if _, err := tables.Probe(&missing); !errors.As(err, &e) {
		t.Fatal(err)
	}
	tables.mu.Lock()
	tables.looking.Lock()
	tables.files.mu.Lock()
	solve(t, "R").write(t, dir)
	for range 3 {
		if _, err := tables.Probe(&missing); !errors.As(err, &e) || e.Material != material(t, "R") {
			t.Error(err)
		}
	}
	tables.files.mu.Unlock()
	tables.looking.Unlock()
	tables.mu.Unlock()
	tables.lookAgain = 0
	if r, err := tables.Probe(&missing); err != nil || r.Value.Outcome() == rules.Illegal {
		t.Errorf("a set that has appeared: %v, %v", r, err)
	}
}

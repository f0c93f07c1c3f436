package remote

import (
	"errors"
	"sync"
	"testing"

	"gogotb/index"
	"gogotb/retro/retrotest"
	"gogotb/storage"
)

// TestRequests counts what an outcome takes: two requests where nothing is known, one where the directory is, none for
// what has been read.
func TestRequests(t *testing.T) {
	h := serve(t, written(t, "RB"))
	tables := openAt(t, newClient(t, Options{}), h.address())
	x, err := index.New(material(t, "RB"))
	if err != nil {
		t.Fatal(err)
	}
	outcome := func(i uint64) {
		p, err := x.Decode(i)
		if err == nil {
			_, err = tables.Outcome(&p)
		}
		if err != nil {
			t.Error(err)
		}
	}
	last := x.Size() - 1
	middle := last / 2
	for _, c := range []struct {
		what  string
		index uint64
		most  int64
	}{
		{"nothing is known", middle, 2}, {"the same", middle, 0}, {"the directory is known", 0, 1}, {"the same", 0, 0}, {"the directory is known", last, 1},
	} {
		if n := h.counted(func() { outcome(c.index) }); n > c.most || c.index == middle && c.most == 2 && n < 2 {
			t.Errorf("%s: %d requests, want %d; %q", c.what, n, c.most, h.log)
		}
	}
	missing := position(t, "4k/5/5/5/K4 b SP 1")
	for i := range 3 {
		n := h.counted(func() {
			if _, err := tables.Outcome(missing); !errors.Is(err, storage.ErrNotCovered) {
				t.Errorf("a set that is not there: %v", err)
			}
		})
		if want := int64(1); i > 0 && n > 0 || n > want {
			t.Errorf("a set that is not there, the %dth time: %d requests", i+1, n)
		}
	}
}

// TestShared has many readers ask for one position: they share what is asked of the server.
func TestShared(t *testing.T) {
	h := serve(t, written(t, "RB"))
	tables := openAt(t, newClient(t, Options{}), h.address())
	p := position(t, "4k/5/5/5/K4 b RB 1")
	want, ok := retrotest.Solve(t, "RB").Value(p)
	if !ok {
		t.Fatal("no value")
	}
	n := h.counted(func() {
		var readers sync.WaitGroup
		for range 50 {
			readers.Go(func() {
				if o, err := tables.Outcome(p); err != nil || o != want.Outcome() {
					t.Errorf("%v, %v, want %v", o, err, want)
				}
			})
		}
		readers.Wait()
	})
	if n != 2 {
		t.Errorf("%d requests for one outcome; %q", n, h.log)
	}
}

// TestEqual probes whole sets of two pieces from afar, block by block and position by position, and compares with the truth.
func TestEqual(t *testing.T) {
	sets := []string{"RB", "GP", "PP"}
	h := serve(t, written(t, sets...))
	for _, o := range []Options{{}, {Memory: 1}, {Disk: t.TempDir()}} {
		tables := openAt(t, newClient(t, o), h.address())
		for _, name := range sets {
			sameBlocks(t, tables, name)
			samePositions(t, tables, name, 20)
			if files, err := tables.Check(t.Context(), material(t, name)); err != nil || len(files) != 2 || files[0] != h.address()+name+".gbo" {
				t.Errorf("checked %v, %v", files, err)
			}
		}
		list, err := tables.List()
		if err != nil || len(list) != 2*len(sets) {
			t.Fatalf("%v, %v", list, err)
		}
		for _, f := range list {
			if f.Err != nil || f.Dir != h.address() || f.Bytes == 0 || f.Entries == 0 {
				t.Errorf("listed %+v", f)
			}
		}
	}
}

// sameBlocks compares all values that the tables of a set store with the truth.
func sameBlocks(t testing.TB, tables *storage.Tables, name string) {
	t.Helper()
	truth := retrotest.Solve(t, name)
	set, err := tables.Set(truth.Index.Material())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for b, err := range set.Values() {
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range b.Values {
			want := truth.Values[n+i]
			if want != 0 && (v.Outcome() != want.Outcome() || v.Outcome().Loses() && v != want) {
				t.Fatalf("%s, index %d: %v, want %v", name, n+i, v, want)
			}
		}
		n += len(b.Values)
	}
	if n != len(truth.Values) {
		t.Errorf("%s: %d values, want %d", name, n, len(truth.Values))
	}
}

package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"gogotb/index"
	"gogotb/retro/retrotest"
	"gogotb/rules"
	"gogotb/storage"
)

// written solves sets, writes their tables and opens them.
func written(t *testing.T, names ...string) *storage.Tables {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		s := retrotest.Solve(t, name)
		w, err := storage.Create(dir, s.Index, storage.WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Append(s.Values), w.Commit(s.Stats)); err != nil {
			t.Fatal(err)
		}
	}
	tables, err := storage.Open([]string{dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tables.Close() })
	return tables
}

func open(t *testing.T, tables *storage.Tables, name string) *storage.Set {
	t.Helper()
	m, err := index.ParseMaterial(name)
	if err != nil {
		t.Fatal(err)
	}
	set, err := tables.Set(m)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// plainly lists the indices of the positions that meet a query, by the values as they were solved.
func plainly(t *testing.T, name string, q Query) (list []uint64) {
	t.Helper()
	s := retrotest.Solve(t, name)
	for i, v := range s.Values {
		if q.Outcomes != nil && !slices.Contains(q.Outcomes, v.Outcome()) {
			continue
		}
		if q.Number != AnyNumber {
			plies, byMate := v.Distance()
			rank, byPerpetual := v.Rank()
			if !(byMate && plies == q.Number) && !(byPerpetual && rank == q.Number) {
				continue
			}
		}
		p, err := s.Index.Decode(uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		if p.Validate() != nil {
			continue
		}
		if q.MutualZugzwang {
			other, ok := s.Value(pass(&p))
			if p.InCheck() || !v.Loses() || !ok || !other.Loses() {
				continue
			}
		}
		list = append(list, uint64(i))
	}
	return list
}

// TestFind compares all kinds of queries with a plain look at every value, wins in n plies in both ways.
func TestFind(t *testing.T) {
	const some = 4
	queries := []Query{{Number: AnyNumber}, {Number: AnyNumber, MutualZugzwang: true}}
	for o := rules.Open; o <= rules.PerpetualLoss; o++ {
		queries = append(queries, Query{Outcomes: []rules.Outcome{o}, Number: AnyNumber})
		for n := range some {
			queries = append(queries, Query{Outcomes: []rules.Outcome{o}, Number: n})
		}
	}
	for n := range some {
		queries = append(queries, Query{Number: n})
		queries = append(queries, Query{Outcomes: []rules.Outcome{rules.MateWin, rules.MateLoss, rules.Open}, Number: n})
	}
	queries = append(queries, Query{Outcomes: []rules.Outcome{rules.MateWin}, Number: 47}, Query{Outcomes: []rules.Outcome{}, Number: AnyNumber})
	compareFound(t, queries, "R", "P")
}

// TestFindOfTwo does so with a set that has wins by perpetual check.
func TestFindOfTwo(t *testing.T) {
	compareFound(t, []Query{
		{Outcomes: []rules.Outcome{rules.PerpetualWin}, Number: 2}, {Outcomes: []rules.Outcome{rules.PerpetualLoss}, Number: 1},
		{Outcomes: []rules.Outcome{rules.PerpetualWin, rules.MateWin}, Number: 37}, {Number: AnyNumber, MutualZugzwang: true},
	}, "RP")
}

// compareFound compares what is found in sets with a plain look.
func compareFound(t *testing.T, queries []Query, sets ...string) {
	t.Helper()
	tables := written(t, sets...)
	met := 0
	for _, name := range sets {
		set := open(t, tables, name)
		for _, q := range queries {
			want := plainly(t, name, q)
			met += len(want)
			for _, retracted := range []uint64{0, math.MaxUint64} {
				f := finder{set: set, query: q, options: Options{Jobs: 2}, retracted: retracted}
				var got []uint64
				for list, err := range f.find(t.Context()) {
					if err != nil {
						t.Fatal(err)
					}
					for _, h := range list {
						got = append(got, h.Index)
						if n := h.Result.Value.Number(); h.Result.Exact && q.Number != AnyNumber && n != q.Number {
							t.Errorf("%s %+v: index %d has the number %d", name, q, h.Index, n)
						}
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s %+v, retracted %d: %d positions, want %d", name, q, retracted, len(got), len(want))
				}
			}
		}
	}
	if met < 100 {
		t.Errorf("the queries were met %d times only", met)
	}
}

// TestWinNumbers: all values are complete on request.
func TestWinNumbers(t *testing.T) {
	set := open(t, written(t, "G"), "G")
	s := retrotest.Solve(t, "G")
	found := 0
	for list, err := range Find(t.Context(), set, Query{Number: AnyNumber}, Options{WinNumbers: true}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range list {
			found++
			if !h.Result.Exact || h.Result.Value != s.Values[h.Index] {
				t.Fatalf("index %d: %v, want %v", h.Index, h.Result.Value, s.Values[h.Index])
			}
		}
	}
	if found == 0 {
		t.Error("nothing was found")
	}
}

// TestFindEnds: a search ends when nothing more is wanted, when the context does, and where a file cannot be read.
func TestFindEnds(t *testing.T) {
	tables := written(t, "SS")
	set := open(t, tables, "SS")
	for _, q := range []Query{{Number: AnyNumber}, {Outcomes: []rules.Outcome{rules.MateWin}, Number: 47}} {
		lists := 0
		for _, err := range Find(t.Context(), set, q, Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			lists++
			break
		}
		if lists != 1 {
			t.Errorf("%+v: %d lists", q, lists)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := last(Find(gone, set, q, Options{})); !errors.Is(err, context.Canceled) {
			t.Errorf("%+v: error %v after the end of the context", q, err)
		}
	}
	fresh := open(t, written(t, "P"), "P")
	done := uint64(0)
	if _, err := last(Find(t.Context(), fresh, Query{Number: AnyNumber}, Options{Progress: func(n uint64) { done = n }})); err != nil || done != fresh.BlockCount() {
		t.Errorf("progress ended at %d of %d blocks, %v", done, fresh.BlockCount(), err)
	}
}

// last is what a search ends with.
func last(results func(func([]Found, error) bool)) (list []Found, err error) {
	for list, err = range results {
		if err != nil {
			return nil, fmt.Errorf("found: %w", err)
		}
	}
	return list, err
}

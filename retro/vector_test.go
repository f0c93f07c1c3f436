//go:build amd64 && !purego

package retro

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"gogotb/index"
	"gogotb/rules"
)

// withoutVectors runs f with the functions written in Go.
func withoutVectors(t *testing.T, f func()) {
	if !useAVX2 {
		t.Log("this processor has no AVX2: compared with itself")
	}
	old := useAVX2
	useAVX2 = false
	defer func() { useAVX2 = old }()
	f()
}

// randomRow returns a row in which about one bit of n is set.
func randomRow(rng *rand.Rand, n int) (r row) {
	for i := range r.words()[:rules.Squares] {
		for b := range rules.Squares {
			if rng.IntN(n) == 0 {
				r.words()[i] |= 1 << b
			}
		}
	}
	return r
}

// TestVectors compares the functions for vectors with their twins on random rows, thin and dense. What
// is written beside the result shows, because rows stand on both sides of it.
func TestVectors(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 3000 {
		s, taken := randomRow(rng, 1+i%9), randomRow(rng, 1+i%7)
		start := randomRow(rng, 1+i%30)
		one, other := rng.Uint32(), rng.Uint32() // on both: a quarter of the squares
		occupied := rules.Bitboard(one&other) & rules.Board
		var rows []*row
		var masked []maskedRow
		for range rng.IntN(7) {
			r := randomRow(rng, 9)
			rows = append(rows, &r)
		}
		for range rng.IntN(4) {
			r, mask := randomRow(rng, 2), randomRow(rng, 2)
			masked = append(masked, maskedRow{&r, &mask})
		}
		free := xFree(occupied)
		from := rng.Uint64()
		compare := func(name string, f func(acc *row)) {
			t.Helper()
			got := [3]row{fullRow(2), start, fullRow(2)}
			want := got
			f(&got[1])
			withoutVectors(t, func() { f(&want[1]) })
			if got != want {
				t.Fatalf("%s: %x, in Go %x", name, got, want)
			}
		}
		compare("addRows", func(acc *row) { addRows(acc, rows, masked) })
		for c := range movements {
			for k := range movements[c] {
				m := &movements[c][k]
				if len(m.steps) > 0 {
					compare("xSteps", func(acc *row) { xSteps(acc, &s, m) })
					compare("ySteps", func(acc *row) { ySteps(acc, &s, m) })
				}
				if len(m.slides) > 0 {
					compare("xSlides", func(acc *row) { xSlides(acc, &s, m, &free) })
					compare("ySlides", func(acc *row) { ySlides(acc, &s, m, &taken, lanes(rules.Board&^occupied), from) })
				}
			}
		}
	}
}

// TestSolveWithoutVectors solves whole sets with and without vectors.
func TestSolveWithoutVectors(t *testing.T) {
	for _, name := range []string{"R", "RB", "PP", "GS"} {
		m, err := index.ParseMaterial(name)
		if err != nil {
			t.Fatal(err)
		}
		solve := func() (values []rules.Value) {
			s, err := Solve(context.Background(), m, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			_, err = s.Values(context.Background(), func(v []rules.Value) error {
				values = append(values, v...)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return values
		}
		got := solve()
		withoutVectors(t, func() {
			if !slices.Equal(got, solve()) {
				t.Errorf("%s: other values without vectors", name)
			}
		})
	}
}

package retro

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"gogotb/index"
	"gogotb/rules"
)

// solveTuned solves a set with other tuning than usual, with its boards in f if that is not nil.
func solveTuned(t *testing.T, name string, f *scratch, tune tuning) ([]rules.Value, rules.Stats) {
	t.Helper()
	x := indexOf(t, name)
	return finish(t, x, newSolver(newLayout(x.Material(), tune.unitRows), f, Options{}, tune))
}

func finish(t *testing.T, x *index.Index, s *solver) ([]rules.Value, rules.Stats) {
	t.Helper()
	if err := s.solve(context.Background(), mark{}); err != nil {
		t.Fatal(err)
	}
	return valuesOf(t, &Solution{solver: s, index: x})
}

func indexOf(t testing.TB, name string) *index.Index {
	t.Helper()
	m, err := index.ParseMaterial(name)
	if err != nil {
		t.Fatal(err)
	}
	x, err := index.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// fine is what large sets are solved with, for small ones: each king pair a unit of its own, and
// sparse sets.
var fine = tuning{unitRows: 1}

// TestTuning: how a set is solved makes no difference to its values.
func TestTuning(t *testing.T) {
	for _, name := range []string{"none", "SS", "RB"} {
		for _, tune := range []tuning{fine, {unitRows: 1, sparseFrom: defaultTuning.sparseFrom}, {unitRows: defaultTuning.unitRows}} {
			values, stats := solveTuned(t, name, nil, tune)
			same(t, name, values, stats)
		}
	}
	if !testing.Short() {
		values, stats := solveTuned(t, "GSP", nil, fine) // with rows of rows
		same(t, "GSP", values, stats)
	}
}

// same compares values with those of the usual tuning.
func same(t *testing.T, name string, values []rules.Value, stats rules.Stats) {
	t.Helper()
	wantValues, wantStats := solveOnce(t, name)
	if !slices.Equal(values, wantValues) {
		t.Errorf("%s: other values than usual", name)
	}
	if !reflect.DeepEqual(stats, wantStats) {
		t.Errorf("%s: statistics %+v, usually %+v", name, stats, wantStats)
	}
}

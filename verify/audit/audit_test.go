package audit

import (
	"context"
	"slices"
	"sync"
	"testing"

	"gogotb/index"
	"gogotb/retro"
	"gogotb/rules"
)

// solved is a set with its values and statistics.
type solved struct {
	x      *index.Index
	values []rules.Value
	stats  index.Stats
}

var solutions sync.Map

// solve gives the values of a set, made once by the solver. They are not to be changed.
func solve(tb testing.TB, set string) solved {
	tb.Helper()
	once, _ := solutions.LoadOrStore(set, sync.OnceValues(func() (solved, error) {
		m, err := index.ParseMaterial(set)
		if err != nil {
			return solved{}, err
		}
		s, err := retro.Solve(context.Background(), m, retro.Options{})
		if err != nil {
			return solved{}, err
		}
		v := solved{x: s.Index(), values: make([]rules.Value, 0, s.Index().Size())}
		v.stats, err = s.Values(context.Background(), func(values []rules.Value) error {
			v.values = append(v.values, values...)
			return nil
		})
		return v, err
	}))
	s, err := once.(func() (solved, error))()
	if err != nil {
		tb.Fatalf("%s: %v", set, err)
	}
	return s
}

// audited audits values and fails the test if that is not possible.
func audited(tb testing.TB, s solved, opt Options) *Report {
	tb.Helper()
	report, err := Values(context.Background(), s.x, s.values, s.stats, opt)
	if err != nil {
		tb.Fatal(err)
	}
	return report
}

// complain fails the test with what a report found.
func complain(tb testing.TB, r *Report) {
	tb.Helper()
	for i := range r.Faults {
		tb.Error(&r.Faults[i])
	}
	for i := range r.Statistics {
		tb.Error(&r.Statistics[i])
	}
}

// perpetualSets are sets with wins by perpetual check, the one with the highest ranks last.
var perpetualSets = []string{"SS", "RP", "RB"}

// large leaves a test of whole sets of two pieces out where tests are to be short: under the
// race detector, which takes minutes for each, and for which smaller sets do as well.
func large(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("whole sets of two pieces")
	}
}

// trials is how often to try something that takes an audit of a set of one piece.
func trials() int {
	if testing.Short() {
		return 10
	}
	return 200
}

// withoutWins is the set with the numbers of won positions left out, as in a file.
func withoutWins(s solved) solved {
	s.values = slices.Clone(s.values)
	for i, v := range s.values {
		if isWin(v) {
			s.values[i] = rules.MakeValue(v.Outcome(), 0)
		}
	}
	return s
}

package audit

import (
	"context"
	"slices"
	"testing"

	"gogotb/index"
	"gogotb/retro/retrotest"
	"gogotb/rules"
)

// solved is a set with its values and statistics.
type solved struct {
	x      *index.Index
	values []rules.Value
	stats  rules.Stats
}

// solve gives the values of a set, made by the solver. They are not to be changed.
func solve(tb testing.TB, set string) solved {
	tb.Helper()
	s := retrotest.Solve(tb, set)
	return solved{s.Index, s.Values, s.Stats}
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

// perpetualSets are sets with wins by perpetual check, the one with the highest ranks last. There
// are none below two pieces. An audit of one takes a minute under the race detector, which the same
// code with fewer pieces suits as well, so make race leaves the tests out whose names end in OfTwo.
var perpetualSets = []string{"SS", "RP", "RB"}

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

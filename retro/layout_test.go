package retro

import (
	"testing"

	"gogotb/index"
	"gogotb/rules"
)

// TestPassOrder: every unit is taken once, and king pairs that one side's king moves lead to lie
// together.
func TestPassOrder(t *testing.T) {
	m, err := index.ParseMaterial("GGSS")
	if err != nil {
		t.Fatal(err)
	}
	l := newLayout(m, defaultTuning.unitRows)
	for _, c := range []rules.Color{rules.Sente, rules.Gote} {
		seen := make([]bool, len(l.units))
		var slices, runs int
		at := unit{slice: -1}
		for _, i := range l.passOrder(c) {
			u := l.units[i]
			if seen[i] {
				t.Fatalf("unit %d twice", i)
			}
			seen[i] = true
			if u.ends > u.pair+1 {
				continue
			}
			resting := kingPairs[u.pair].king[c.Other()]
			switch {
			case u.slice != at.slice:
				slices++
				runs++
			case resting != kingPairs[at.pair].king[c.Other()]:
				runs++
			}
			at = u
		}
		for i := range seen {
			if !seen[i] {
				t.Fatalf("unit %d is left out", i)
			}
		}
		// Sente's king is on columns up to Gote's: each square is in a pair.
		if runs != slices*rules.Squares {
			t.Errorf("%d runs of one resting king in %d slices", runs, slices)
		}
	}
}

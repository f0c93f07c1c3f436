package retro

import (
	"errors"
	"slices"
	"testing"

	"gogotb/rules"
)

// TestPlan: every pair has one owner, parts are balanced, and nothing is read that is not held.
func TestPlan(t *testing.T) {
	m := indexOf(t, "RB").Material()
	names := map[string]int{}
	for _, n := range []int{1, 2, 3, 4, 7, 8, 15, 25, 43, 100, MaxParts} {
		p, err := NewPlan(m, n)
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := names[p.Name()]; ok {
			t.Errorf("%d and %d parts have the same name", n, other)
		}
		names[p.Name()] = n
		again, _ := NewPlan(m, n)
		if p.Parts() != n || again.Name() != p.Name() {
			t.Errorf("%d parts: %d, named %s and %s", n, p.Parts(), p.Name(), again.Name())
		}
		for _, c := range []rules.Color{rules.Sente, rules.Gote} {
			owners := make([]int, len(kingPairs))
			for i := range p.parts {
				part := &p.parts[i]
				if own := part.own[c].count(); own == 0 || float64(own) > 1.6*float64(len(kingPairs))/float64(n)+1 {
					t.Errorf("%d parts: part %d has %d pairs", n, i, own)
				}
				for pair, own := range part.own[c] {
					if own {
						owners[pair]++
					}
					for _, step := range kingPairs[pair].steps[c] {
						if own && !part.held(c.Other())[step.pair] {
							t.Errorf("%d parts: part %d moves from pair %d to %d, which it has not", n, i, pair, step.pair)
						}
					}
				}
			}
			for pair, n := range owners {
				if n != 1 {
					t.Errorf("pair %d has %d owners", pair, n)
				}
			}
		}
	}
	for _, n := range []int{0, -1, MaxParts + 1} {
		var bad *PartsError
		if _, err := NewPlan(m, n); !errors.As(err, &bad) || bad.Parts != n {
			t.Errorf("%d parts: %v", n, err)
		}
	}
	other, _ := NewPlan(indexOf(t, "SP").Material(), 2)
	if names[other.Name()] != 0 {
		t.Error("plans of two sets have the same name")
	}
}

// TestReaders: what others find in a pair that a part holds, and no more, goes to it.
func TestReaders(t *testing.T) {
	p, err := NewPlan(indexOf(t, "RB").Material(), 15)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []DeltaKind{Wins, Losses, SenteRows, GoteRows} {
		c := kind.sideToMove()
		for pair := range kingPairs {
			readers := p.Readers(&Delta{Kind: kind, Pair: pair})
			for i := range p.parts {
				want := p.parts[i].held(c)[pair] && !p.parts[i].own[c][pair]
				if slices.Contains(readers, i) != want {
					t.Errorf("deltas %d of pair %d go to part %d: %v", kind, pair, i, !want)
				}
			}
		}
	}
}

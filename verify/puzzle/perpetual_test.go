package puzzle

import (
	"bufio"
	"context"
	"os"
	"strings"
	"testing"

	"gogotb/retro/retrotest"
	"gogotb/rules"
)

// sample is a line of the tables' sampled values.
type sample struct {
	position     rules.Position
	category, by string
	n            string
}

func samples(t *testing.T, material string) []sample {
	t.Helper()
	f, err := os.Open("../../index/testdata/values_" + material + ".tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []sample
	for in := bufio.NewScanner(f); in.Scan(); {
		fields := strings.Split(in.Text(), "\t")
		p, err := rules.ParseSFEN(fields[0])
		if err != nil {
			continue // the heading
		}
		all = append(all, sample{p, fields[1], fields[2], fields[3]})
	}
	return all
}

// TestPerpetualByTable: what the samples call a win by perpetual check is no mate, and
// is said to be won for that reason, at every rank.
func TestPerpetualByTable(t *testing.T) {
	for _, material := range []string{"RB", "RP", "SS"} {
		v := retrotest.Solve(t, material)
		c := NewChecker(Options{Table: v.Value})
		n := 0
		for i, s := range samples(t, material) {
			if s.category == "loss" || s.by == "mate" && i%20 != 0 {
				continue
			}
			r, err := c.Check(context.Background(), &Puzzle{Position: s.position})
			if err != nil {
				t.Fatal(err)
			}
			if won := s.by == "perpetual"; r.Has(Perpetual) != won && r.Outcome != Mate {
				t.Errorf("%s, %s by %s: %v", s.position.SFEN(), s.category, s.by, flaws(r))
			}
			if (s.by == "mate") != (r.Outcome == Mate) {
				t.Errorf("%s, %s by %s: outcome %v", s.position.SFEN(), s.category, s.by, r.Outcome)
			}
			if s.by == "perpetual" {
				n++
			}
		}
		if n == 0 {
			t.Errorf("%s: no perpetual check among the samples", material)
		}
	}
}

// TestPerpetualBySearch: without a table, wins of rank 1 are found where the defender's
// quiet moves are met by quick mates, and nothing else is taken for one.
func TestPerpetualBySearch(t *testing.T) {
	c := NewChecker(Options{MaxPlies: 3, Hash: 1 << 22})
	found, all := 0, 0
	for _, material := range []string{"RB", "RP", "SS"} {
		for i, s := range samples(t, material) {
			perpetual := s.by == "perpetual" && s.category == "win"
			if perpetual && s.n != "1" && i%8 != 0 || !perpetual && (s.by != "repetition" || i%30 != 0) {
				continue
			}
			k := c.newCheck(context.Background(), &Puzzle{Position: s.position})
			got := k.wonByPerpetual()
			if got && !perpetual {
				t.Errorf("%s: %s by %s, taken for a win by perpetual check", s.position.SFEN(), s.category, s.by)
			}
			if perpetual && s.n == "1" {
				all++
				if got {
					found++
				}
			}
		}
	}
	t.Logf("found %d of %d wins of rank 1", found, all)
	if found == 0 {
		t.Errorf("found none of %d wins of rank 1", all)
	}
}

// TestAlternativePerpetual: a move of the attacker that does not mate, but wins all the same,
// is reported at its ply.
func TestAlternativePerpetual(t *testing.T) {
	v := retrotest.Solve(t, "RB")
	c := NewChecker(Options{Table: v.Value, Tolerate: DefaultTolerance(false)})
	reported := 0
	for i, s := range samples(t, "RB") {
		if s.by != "mate" || s.category != "win" || i%4 != 0 {
			continue
		}
		r, err := c.Check(context.Background(), &Puzzle{Position: s.position})
		if err != nil {
			t.Fatal(err)
		}
		want := map[rules.Move]bool{}
		p := s.position
		for _, m := range p.Moves(nil) {
			q := p
			q.Make(m)
			if value, _ := v.Value(&q); value.Outcome() == rules.PerpetualLoss {
				want[m] = true
			}
		}
		for _, f := range r.Flaws {
			if f.Kind == Perpetual && f.Ply == 1 {
				if !want[f.Moves[0]] {
					t.Errorf("%s: %v", s.position.SFEN(), f.Moves)
				}
				delete(want, f.Moves[0])
				reported++
			}
		}
		if len(want) > 0 {
			t.Errorf("%s: not reported: %v", s.position.SFEN(), want)
		}
	}
	if reported == 0 {
		t.Error("there was nothing to report")
	}
}

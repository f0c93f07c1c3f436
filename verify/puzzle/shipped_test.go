package puzzle

import (
	"context"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"gogotb/index"
	"gogotb/retro/retrotest"
)

// shipped are the puzzles of the project, by material.
func shipped(t testing.TB) map[string][]*Puzzle {
	t.Helper()
	data, err := os.ReadFile("../testdata/puzzles.sfen")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]*Puzzle{}
	for p, err := range Read("puzzles.sfen", data) {
		if err != nil {
			t.Fatal(err)
		}
		m := index.MaterialOf(&p.Position).String()
		all[m] = append(all[m], p)
	}
	return all
}

// TestShipped: the puzzles of the project are sound, and with a piece somewhere else they
// are sound only where the table says so, too.
func TestShipped(t *testing.T) {
	lengths := map[int]int{}
	n, changed, still := 0, 0, 0
	all := shipped(t)
	for _, material := range slices.Sorted(maps.Keys(all)) {
		puzzles := all[material]
		v := retrotest.Solve(t, material)
		strict := NewChecker(Options{Table: v.Value, Tolerate: LongerMate})
		random := rand.New(rand.NewPCG(7, 7))
		for _, p := range puzzles {
			n++
			lengths[p.Plies]++
			r, err := strict.Check(context.Background(), p)
			if err != nil || r.Verdict != Sound || !r.Claim || len(p.Moves) != p.Plies || len(r.Solution) != p.Plies {
				t.Errorf("line %d: %v %v %v", p.Line, err, r.Verdict, flaws(r))
			}
			for range 4 {
				q := movePiece(p, random)
				if q == nil {
					continue
				}
				changed++
				r, err := strict.Check(context.Background(), q)
				want := judge(q, false, exactlyBy(v), q.Plies) == stands
				if err != nil || (r.Verdict == Sound) != want {
					t.Errorf("line %d changed to %s: %v %v, want sound: %v", p.Line, q.Position.SFEN(), err, r.Verdict, want)
				}
				if want {
					still++
				}
			}
		}
	}
	if n != 200 || len(lengths) != 12 || lengths[3] == 0 || lengths[25] == 0 {
		t.Errorf("%d puzzles of lengths %v", n, lengths)
	}
	t.Logf("%d changed puzzles, of which %d stand", changed, still)
}

package mate

import (
	"context"
	"math/rand/v2"
	"testing"

	"gogotb/retro/retrotest"
	"gogotb/rules"
)

// TestBy: asked about one side, the solver finds that side's mates, as trying everything does, and none of the
// other's, whoever is to move.
func TestBy(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 5))
	s := New(1 << 20)
	mates, mated, none := 0, 0, 0
	for range 400 {
		pos := randomPosition(rnd, randomKinds(rnd, 6), bothKings)
		for _, by := range bothKings {
			most := 3
			if pos.SideToMove() != by {
				most = 2
			}
			b := newBrute(by, false)
			want := -1
			for n := most; n >= 0; n -= 2 {
				if b.mates(pos, n) {
					want = n
				}
			}
			r, err := s.Solve(context.Background(), &pos, Options{By: &by, MaxPlies: most})
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case want < 0:
				none++
				if r.Verdict != NoMate && r.Verdict != NoMateWithin || r.Bounds.Most >= 0 {
					t.Errorf("%s by %v: %+v, want no mate", pos.SFEN(), by, r)
				}
				continue
			case pos.SideToMove() == by:
				mates++
			default:
				mated++
			}
			verdict := MatedIn
			if pos.SideToMove() == by {
				verdict = MateIn
			}
			if r.Verdict != verdict || r.Plies != want || len(r.Line) != want || r.Bounds.Most != want {
				t.Errorf("%s by %v: %+v, want %v %d", pos.SFEN(), by, r, verdict, want)
			}
		}
	}
	if mates < 20 || mated < 10 || none < 20 {
		t.Errorf("%d mates, %d mated, %d none: too few to tell", mates, mated, none)
	}
}

// TestByTable: a table that knows of the other side's mate says that there is none by the one that was asked about.
func TestByTable(t *testing.T) {
	pos := mustParse(t, "4k/5/5/5/K4 b RG 1")
	table := retrotest.Solve(t, "RG")
	for by, want := range map[rules.Color]Verdict{rules.Sente: MateIn, rules.Gote: NoMate} {
		r := mustSolve(t, New(1<<20), &pos, Options{By: &by, Table: table.Value})
		if r.Verdict != want || !r.FromTable {
			t.Errorf("%v: %+v", by, r)
		}
	}
}

package mate

import (
	"math/rand/v2"
	"testing"

	"gogotb/retro/retrotest"
	"gogotb/rules"
)

// drawFrom draws a legal position of a set, either side to move.
func drawFrom(t testing.TB, set *retrotest.Set, rnd *rand.Rand) rules.Position {
	t.Helper()
	for {
		i := rnd.Uint64N(set.Index.Size())
		if set.Values[i].Outcome() == rules.Illegal {
			continue
		}
		pos, err := set.Index.Decode(i)
		if err != nil {
			t.Fatal(err)
		}
		if rnd.IntN(2) == 0 {
			pos = pos.Rotated()
		}
		return pos
	}
}

// mateLength is the length that a value gives, -1 for no mate.
func mateLength(v rules.Value) int {
	if v.Outcome() == rules.MateWin || v.Outcome() == rules.MateLoss {
		return v.Number()
	}
	return -1
}

// compareToTable solves random positions of a set with limits on both sides of the true length, up to most plies, and
// compares with the table: lengths, lines, and that nothing else is called a mate.
func compareToTable(t *testing.T, name string, positions, most int) {
	table := retrotest.Solve(t, name)
	rnd := rand.New(rand.NewPCG(1, table.Index.Size()))
	s := New(32 << 20)
	outcomes := map[rules.Outcome]int{}
	for range positions {
		pos := drawFrom(t, table, rnd)
		v, _ := table.Value(&pos)
		outcomes[v.Outcome()]++
		n := mateLength(v)
		short := min(most, 5)
		if n > short {
			checkAgainst(t, pos, false, short, -1, mustSolve(t, s, &pos, Options{MaxPlies: short}))
		}
		switch {
		case n < 0:
			checkAgainst(t, pos, false, short, -1, mustSolve(t, s, &pos, Options{MaxPlies: short}))
		case n <= most:
			checkAgainst(t, pos, false, 0, n, mustSolve(t, s, &pos, Options{}))
			if n > 0 {
				checkAgainst(t, pos, false, n, n, mustSolve(t, s, &pos, Options{MaxPlies: n}))
			}
			if n > 1 {
				checkAgainst(t, pos, false, n-1, -1, mustSolve(t, s, &pos, Options{MaxPlies: n - 1}))
			}
		}
	}
	t.Logf("outcomes: %v", outcomes)
}

func TestEqualToTables(t *testing.T) {
	for _, test := range []struct {
		set             string
		positions, most int
	}{
		{"none", 100, 9}, {"R", 300, 12}, {"B", 200, 12}, {"G", 200, 12}, {"S", 200, 12}, {"P", 200, 12},
		{"GP", 300, 8}, {"RB", 300, 7}, {"SS", 200, 8},
	} {
		t.Run(test.set, func(t *testing.T) { compareToTable(t, test.set, test.positions, test.most) })
	}
}

// Sets so small that every question has an answer: mates of any length, and proofs that there is none.
func TestWholeSmallSets(t *testing.T) {
	for _, name := range []string{"none", "R", "B"} {
		table := retrotest.Solve(t, name)
		rnd := rand.New(rand.NewPCG(2, 3))
		s := New(64 << 20)
		for range 40 {
			pos := drawFrom(t, table, rnd)
			v, _ := table.Value(&pos)
			r := mustSolve(t, s, &pos, Options{})
			if n := mateLength(v); n >= 0 {
				checkAgainst(t, pos, false, 0, n, r)
			} else if r.Verdict != NoMate {
				t.Fatalf("%s %s: %v %d, want a proof that there is no mate", name, pos.SFEN(), r.Verdict, r.Plies)
			}
		}
	}
}

// With a table the answer comes from it, with its line, whatever the length; limits count all the same.
func TestAnswerFromTable(t *testing.T) {
	table := retrotest.Solve(t, "GP")
	rnd := rand.New(rand.NewPCG(5, 8))
	s := New(1 << 20)
	outcomes := map[rules.Outcome]int{}
	for range 500 {
		pos := drawFrom(t, table, rnd)
		v, _ := table.Value(&pos)
		outcomes[v.Outcome()]++
		r := mustSolve(t, s, &pos, Options{Table: table.Value})
		n := mateLength(v)
		if n < 0 && r.Verdict != NoMate {
			t.Fatalf("%s, %v: %v", pos.SFEN(), v, r.Verdict)
		}
		checkAgainst(t, pos, false, 0, n, r)
		if n > 0 && (!r.FromTable || r.Nodes != 0) {
			t.Fatalf("%s: searched %d nodes", pos.SFEN(), r.Nodes)
		}
		if n > 1 {
			r = mustSolve(t, s, &pos, Options{Table: table.Value, MaxPlies: n - 1})
			checkAgainst(t, pos, false, n-1, -1, r)
			if want := (Bounds{n - 1, n}); r.Bounds != want {
				t.Fatalf("%s: bounds %v, want %v", pos.SFEN(), r.Bounds, want)
			}
		}
	}
	t.Logf("outcomes: %v", outcomes)
}

// A table that knows the position but none of those after it does not keep the search from finding the line.
func TestTableWithHoles(t *testing.T) {
	pos := mustParse(t, "4k/5/5/5/K4 b RG 1")
	root := pos
	r := mustSolve(t, New(1<<20), &pos, Options{Table: func(p *rules.Position) (rules.Value, bool) {
		return rules.MakeValue(rules.MateWin, 3), p.Same(&root)
	}})
	checkAgainst(t, pos, false, 0, 3, r)
}

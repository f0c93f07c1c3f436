package mate

import (
	"math/rand/v2"
	"testing"

	"gogotb/rules"
)

// countBranches checks a tree against exhaustive search: one move of the attacker that mates in time, all
// moves of the defender that hold out longest. It returns the number of moves.
func countBranches(t *testing.T, pos rules.Position, b *brute, plies int, tree []Branch) int {
	t.Helper()
	if plies == 0 {
		if len(tree) != 0 || pos.HasMove() {
			t.Fatalf("%s: %v after the end", pos.SFEN(), tree)
		}
		return 0
	}
	attacks := pos.SideToMove() == b.attacker
	best := map[rules.Move]bool{}
	for _, m := range pos.Moves(nil) {
		next := pos
		next.Make(m)
		if b.mates(next, plies-1) && (attacks || !b.mates(next, plies-3)) {
			best[m] = true
		}
	}
	if attacks && len(tree) != 1 || !attacks && len(tree) != len(best) {
		t.Fatalf("%s: %d moves, %d are best", pos.SFEN(), len(tree), len(best))
	}
	n := len(tree)
	for _, branch := range tree {
		if !best[branch.Move] || branch.Plies != plies {
			t.Fatalf("%s: %v (%d plies) is not best in %d", pos.SFEN(), branch.Move, branch.Plies, plies)
		}
		delete(best, branch.Move)
		next := pos
		next.Make(branch.Move)
		n += countBranches(t, next, b, plies-1, branch.Next)
	}
	return n
}

// TestCollision: an entry that belongs to another position, as it would be taken for one with the same hash, leads to no
// answer, and the solver forgets it.
func TestCollision(t *testing.T) {
	pos := mustParse(t, "4k/5/5/5/K4 b RG 1")
	for _, move := range []string{"5a4a", "G*2b"} { // there is no piece on 5a; the king captures on 2b
		for _, opt := range []Options{{}, {AnyLength: true}, {Tree: 100}} {
			s := New(1 << 20)
			m, err := rules.ParseUSI(move)
			if err != nil {
				t.Fatal(err)
			}
			g := newGame(&pos, pos.SideToMove(), false)
			s.table.store(g.node(), 1, 0, infinite, m, 1)
			r := mustSolve(t, s, &pos, opt)
			if r.Verdict != Unknown || r.Cause != ErrCollision || r.Line != nil || r.Bounds != (Bounds{0, -1}) {
				t.Errorf("%s, %+v: %v in %d by %v, %v, %v", move, opt, r.Verdict, r.Plies, r.Line, r.Cause, r.Bounds)
			}
			checkAgainst(t, pos, false, 0, 3, mustSolve(t, s, &pos, Options{}))
		}
	}
}

func TestTree(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 1))
	trees := 0
	for trees < 40 {
		pos := randomPosition(rnd, randomKinds(rnd, 6), bothKings)
		tsume := rnd.IntN(2) == 0
		plies := bruteLength(pos, tsume, 5)
		if plies < 2 {
			continue
		}
		trees++
		s := New(1 << 20)
		r := mustSolve(t, s, &pos, Options{Tsume: tsume, Tree: 1 << 20})
		checkAgainst(t, pos, tsume, 0, plies, r)
		attacker := pos.SideToMove()
		if plies%2 == 0 {
			attacker = attacker.Other()
		}
		n := countBranches(t, pos, newBrute(attacker, tsume), plies, r.Tree)
		// Just enough room, and one too little.
		if r = mustSolve(t, s, &pos, Options{Tsume: tsume, Tree: n}); r.Verdict == Unknown {
			t.Fatalf("%s: no tree of %d moves: %v", pos.SFEN(), n, r.Cause)
		}
		if r = mustSolve(t, s, &pos, Options{Tsume: tsume, Tree: n - 1}); r.Verdict != Unknown || r.Cause != ErrTree {
			t.Fatalf("%s: %v, %v for a tree of %d moves in the room of %d", pos.SFEN(), r.Verdict, r.Cause, n, n-1)
		}
	}
}

// The first mate that is found is a mate, not shorter than the shortest, and its line is played to the end.
func TestAnyLength(t *testing.T) {
	rnd := rand.New(rand.NewPCG(12, 1))
	mates := 0
	for mates < 60 {
		pos := randomPosition(rnd, randomKinds(rnd, 8), bothKings)
		plies := bruteLength(pos, true, 5)
		if plies < 1 {
			continue
		}
		mates++
		for _, tsume := range []bool{true, false} {
			r := mustSolve(t, New(1<<20), &pos, Options{Tsume: tsume, AnyLength: true})
			if r.Verdict != MateIn || tsume && r.Plies < plies || len(r.Line) > r.Plies || len(r.Line)%2 == 0 {
				t.Fatalf("%s: %v in %d, %d moves; the shortest is %d", pos.SFEN(), r.Verdict, r.Plies, len(r.Line), plies)
			}
			r.Plies = len(r.Line)
			checkLine(t, pos, tsume, r)
		}
	}
}

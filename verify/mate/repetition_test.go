package mate

import (
	"context"
	"math/rand/v2"
	"testing"

	"gogotb/retro/retrotest"
	"gogotb/rules"
)

func testProver(pos *rules.Position, attacker rules.Color, tsume bool, t *table, nodes uint64) *prover {
	m := newMeter(context.Background(), &Options{}, nil)
	m.allow(nodes)
	return newProver(newGame(pos, attacker, tsume), t, m)
}

// A disproof that leans on the path holds for that path only: with the key position of each solution on the path before
// it, the mate cannot be found, and afterwards, from the same table, it is.
func TestDisproofOnPathIsNotKept(t *testing.T) {
	tested := 0
	for _, line := range readTSV(t, "../testdata/mates.tsv") {
		if line[1] != "3" && line[1] != "5" {
			continue
		}
		pos := mustParse(t, line[0])
		table := newTable(1 << 20)
		p := testProver(&pos, pos.SideToMove(), true, table, noBudget)
		// All positions after a first move that mates are put on the path.
		for _, m := range pos.Checks(nil) {
			next := pos
			next.Make(m)
			g := newGame(&next, pos.SideToMove(), true)
			if newBrute(pos.SideToMove(), true).mates(next, 8) {
				if len(p.path) > 0 {
					p.path = append(p.path, node{}) // so that all stand where the defender is to move
				}
				n := g.node()
				p.path = append(p.path, n)
				p.onPath[n.key%uint64(len(p.onPath))]++
			}
		}
		depth := int32(len(p.path))
		r := p.visit(p.node(), unlimited, infinite, infinite)
		if r.dn != 0 || r.lean >= depth {
			t.Errorf("%s: %+v; the mate repeats a position", line[0], r)
			continue
		}
		if e, ok := table.lookup(p.node(), unlimited); ok && e.dn == 0 {
			t.Errorf("%s: the table says that there is no mate", line[0])
		}
		p = testProver(&pos, pos.SideToMove(), true, table, noBudget)
		if r := p.search(unlimited); r.pn != 0 {
			t.Errorf("%s: %+v, there is a mate", line[0], r)
		}
		tested++
	}
	if tested < 4 {
		t.Errorf("only %d positions", tested)
	}
}

// Positions in which play can go round in circles, of which each is asked many times on many paths: all that
// the searches without limit write into one table agrees with the truth.
func TestNoHistoryInTable(t *testing.T) {
	for _, name := range []string{"R", "G", "RP", "SS"} {
		values := retrotest.Solve(t, name)
		rnd := rand.New(rand.NewPCG(6, 28))
		table := newTable(16 << 20)
		var asked []rules.Position
		for range 60 {
			pos := drawFrom(t, values, rnd)
			asked = append(asked, pos)
			for _, attacker := range bothKings {
				p := testProver(&pos, attacker, false, table, 20_000)
				checkDecided(t, values, pos, attacker, p.search(unlimited))
			}
		}
		decided := [2]int{}
		for range 20_000 {
			pos := asked[rnd.IntN(len(asked))]
			for range rnd.IntN(8) {
				if moves := pos.Moves(nil); len(moves) > 0 {
					pos.Make(moves[rnd.IntN(len(moves))])
				}
			}
			attacker := rules.Color(rnd.IntN(2))
			g := newGame(&pos, attacker, false)
			if e, ok := table.lookup(g.node(), unlimited); ok && (e.pn == 0 || e.dn == 0) {
				checkDecided(t, values, pos, attacker, kid{pn: e.pn, dn: e.dn, plies: e.plies})
				decided[min(e.pn, 1)]++
			}
		}
		t.Logf("%s: %d mates and %d disproofs in the table", name, decided[0], decided[1])
		if decided[0] < 50 || decided[1] < 50 {
			t.Errorf("%s: %v entries are too few to show anything", name, decided)
		}
	}
}

// checkDecided compares what a search without limit has found with a table of values.
func checkDecided(t *testing.T, v *retrotest.Set, pos rules.Position, attacker rules.Color, k kid) {
	t.Helper()
	value, ok := v.Value(&pos)
	if !ok {
		t.Fatalf("%s is not in the table", pos.SFEN())
	}
	wins := value.Outcome() == rules.MateLoss
	if pos.SideToMove() == attacker {
		wins = value.Outcome() == rules.MateWin
	}
	switch {
	case k.pn == 0 && (!wins || int(k.plies) < value.Number()):
		t.Fatalf("%s: a mate by %v in %d is proved, but it is %v", pos.SFEN(), attacker, k.plies, value)
	case k.dn == 0 && wins:
		t.Fatalf("%s: no mate by %v is proved, but it is %v", pos.SFEN(), attacker, value)
	}
}

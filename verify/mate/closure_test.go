package mate

import (
	"context"
	"math/rand/v2"
	"testing"

	"gogotb/retro/retrotest"
	"gogotb/rules"
)

func testClosure(pos *rules.Position, attacker rules.Color, tsume bool, memory int64) *closure {
	m := newMeter(context.Background(), &Options{}, nil)
	m.allow(noBudget)
	return newClosure(newGame(pos, attacker, tsume), memory, m)
}

func TestPackPosition(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	seen := map[packedPosition]string{}
	for range 3000 {
		pos := randomPosition(rnd, randomKinds(rnd, 10), bothKings[rnd.IntN(2):])
		total := material(&pos)
		for _, attacker := range bothKings {
			packed := packPosition(&pos, attacker)
			if got := packed.unpack(&total, attacker); !got.Same(&pos) {
				t.Fatalf("%s comes back as %s", pos.SFEN(), got.SFEN())
			}
			if packed.attacking() != (pos.SideToMove() == attacker) {
				t.Fatalf("%s: wrong side to move", pos.SFEN())
			}
		}
		packed := packPosition(&pos, rules.Sente)
		if sfen, ok := seen[packed]; ok && sfen != pos.SFEN() && total == (rules.Hand{2, 2, 2, 2, 2}) {
			t.Fatalf("%s and %s are packed alike", sfen, pos.SFEN())
		}
		seen[packed] = pos.SFEN()
	}
}

// The closure finds out who mates and who does not, on sets that it can hold; in pieces as well as in one go.
func TestClosureEqualToTables(t *testing.T) {
	for _, name := range []string{"none", "R", "P"} {
		values := retrotest.Solve(t, name)
		rnd := rand.New(rand.NewPCG(7, 7))
		for i := range 15 {
			pos := drawFrom(t, values, rnd)
			value, _ := values.Value(&pos)
			for _, attacker := range bothKings {
				want := closureNone
				if value.Outcome() == rules.MateWin && attacker == pos.SideToMove() ||
					value.Outcome() == rules.MateLoss && attacker != pos.SideToMove() {
					want = closureWon
				}
				c := testClosure(&pos, attacker, false, 1<<30)
				got := c.run()
				if i%2 == 1 {
					c = testClosure(&pos, attacker, false, 1<<30)
					for got = closureOpen; got == closureOpen; got = c.run() {
						c.meter.allow(1000)
					}
				}
				if got != want {
					t.Fatalf("%s, %v: %d for %v, want %d", pos.SFEN(), value, got, attacker, want)
				}
			}
		}
	}
}

// Checks only: equal to exhaustive search where that finds a mate, and never a mate that is not there.
func TestClosureOfChecks(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 7))
	states := map[closureState]int{}
	for range 200 {
		pos := randomPosition(rnd, randomKinds(rnd, 6), bothKings)
		got := testClosure(&pos, pos.SideToMove(), true, 1<<22).run()
		states[got]++
		if got == closureFull {
			continue
		}
		if n := bruteLength(pos, true, 7); n >= 0 && got != closureWon || n < 0 && got == closureWon &&
			mustSolve(t, New(1<<20), &pos, Options{Tsume: true}).Plies <= 7 {
			t.Fatalf("%s: %d, mate in %d", pos.SFEN(), got, n)
		}
	}
	if states[closureWon] == 0 || states[closureNone] == 0 {
		t.Errorf("%v", states)
	}
}

func TestClosureKeepsItsMemory(t *testing.T) {
	pos := mustParse(t, rules.StartSFEN)
	for _, limit := range []int64{1 << 16, 1 << 20, 1 << 24} {
		c := testClosure(&pos, rules.Sente, false, limit)
		if got := c.run(); got != closureFull {
			t.Fatalf("state %d", got)
		}
		g := &c.graph
		used := graphNodeBytes*int64(cap(g.nodes)) + edgeBytes*int64(cap(g.edges)) + indexBytes*int64(len(g.index))
		if used > limit {
			t.Errorf("%d bytes, the limit is %d", used, limit)
		}
	}
}

package retro

import (
	"testing"

	"gogotb/index"
	"gogotb/rules"
)

// slowSolve is a solver that shares nothing with the fast one: it lists the legal positions of a
// set and their moves with the rules alone and applies the definitions of the values, one position
// at a time. A move may lead to a mirror image; the index takes care of that.
func slowSolve(t *testing.T, x *index.Index) []rules.Value {
	g := listMoves(t, x)
	values := make([]rules.Value, len(g.next))
	for i := range values {
		if g.legal[i] {
			values[i] = rules.MakeValue(rules.Open, 0)
		}
	}
	slowMates(g, values)
	slowPerpetuals(g, values)
	return values
}

// moveGraph has, for each index, whether it is a legal position and its moves.
type moveGraph struct {
	legal []bool
	next  [][]edge
}

// edge is a move: the index that it leads to, seen by the opponent, and whether it checks.
type edge struct {
	to    uint32
	check bool
}

func listMoves(t *testing.T, x *index.Index) *moveGraph {
	g := &moveGraph{make([]bool, x.Size()), make([][]edge, x.Size())}
	for i := range g.next {
		p, err := x.Decode(uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		if p.Validate() != nil {
			continue
		}
		g.legal[i] = true
		for _, m := range p.Moves(nil) {
			undo := p.Make(m)
			to, err := x.Encode(&p)
			if err != nil {
				t.Fatal(err)
			}
			g.next[i] = append(g.next[i], edge{uint32(to), p.InCheck()})
			p.Unmake(undo)
		}
	}
	return g
}

func slowMates(g *moveGraph, values []rules.Value) {
	outcome := func(e edge) rules.Outcome { return values[e.to].Outcome() }
	for ply := 0; ; ply += 2 {
		var found []int
		for i, v := range values {
			if v.Outcome() != rules.Open {
				continue
			}
			lost := true
			for _, e := range g.next[i] {
				lost = lost && outcome(e) == rules.MateWin
			}
			if lost {
				found = append(found, i)
			}
		}
		if len(found) == 0 {
			return
		}
		for _, i := range found {
			values[i] = rules.MakeValue(rules.MateLoss, ply)
		}
		for i, v := range values {
			if v.Outcome() != rules.Open {
				continue
			}
			for _, e := range g.next[i] {
				if outcome(e) == rules.MateLoss {
					values[i] = rules.MakeValue(rules.MateWin, ply+1)
				}
			}
		}
	}
}

// slowPerpetuals finds, rank by rank, the greatest set in which the favoured side, to move, has a
// move into the set, and the other side, to move, has only checks into the set and other moves into
// that of the rank before, as long as they stay undecided: win and lose tell which are in it with
// the favoured side, and with the other side, to move.
func slowPerpetuals(g *moveGraph, values []rules.Value) {
	undecided := make([]bool, len(values))
	for i, v := range values {
		undecided[i] = v.Outcome() == rules.Open
	}
	lastWin := make([]bool, len(values))
	for rank := 1; ; rank++ {
		win, lose := append([]bool(nil), undecided...), append([]bool(nil), undecided...)
		for changed := true; changed; {
			changed = false
			for i := range values {
				if win[i] {
					win[i] = false
					for _, e := range g.next[i] {
						win[i] = win[i] || undecided[e.to] && lose[e.to]
					}
					changed = changed || !win[i]
				}
				if lose[i] {
					for _, e := range g.next[i] {
						if undecided[e.to] && (e.check && !win[e.to] || !e.check && !lastWin[e.to]) {
							lose[i] = false
						}
					}
					changed = changed || !lose[i]
				}
			}
		}
		more := false
		for i := range values {
			if win[i] && !lastWin[i] {
				values[i] = rules.MakeValue(rules.PerpetualWin, rank)
				more = true
			}
			if lose[i] && values[i].Outcome() == rules.Open {
				values[i] = rules.MakeValue(rules.PerpetualLoss, rank)
				more = true
			}
		}
		if !more {
			return
		}
		lastWin = win
	}
}

// TestSlowSolver compares every value of all one-piece sets, and of two-piece sets with and without
// identical pieces and perpetual checks.
func TestSlowSolver(t *testing.T) {
	sets := []string{"none", "R", "B", "G", "S", "P", "GG", "SS", "PP", "RP", "BS"}
	if testing.Short() {
		sets = sets[:6]
	}
	for _, name := range sets {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _ := solveOnce(t, name)
			m, _ := index.ParseMaterial(name)
			x, err := index.New(m)
			if err != nil {
				t.Fatal(err)
			}
			want := slowSolve(t, x)
			bad := 0
			for i := range want {
				if got[i] != want[i] {
					p, _ := x.Decode(uint64(i))
					t.Errorf("%s: got %v, want %v", p.SFEN(), got[i], want[i])
					if bad++; bad == 10 {
						t.FailNow()
					}
				}
			}
		})
	}
}

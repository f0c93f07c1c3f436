package audit

import (
	"math/rand/v2"
	"testing"
)

// makeRegion is a region with the given moves.
func makeRegion(next [][]uint32, checked []bool) *region {
	r := &region{checked: checked, next: arrows{start: []int{0}}}
	for _, to := range next {
		r.next.to = append(r.next.to, to...)
		r.next.start = append(r.next.start, len(r.next.to))
	}
	r.prev = r.next.reversed()
	return r
}

// randomRegion has up to a dozen positions, most of them in check so that there is
// something to win.
func randomRegion(rng *rand.Rand) *region {
	n := 1 + rng.IntN(12)
	next, checked := make([][]uint32, n), make([]bool, n)
	checks := rng.Float64()
	for i := range next {
		checked[i] = rng.Float64() < checks
		for range 1 + rng.IntN(3) {
			next[i] = append(next[i], uint32(rng.IntN(n)))
		}
	}
	return makeRegion(next, checked)
}

// slowRanks is the definition of the ranks, level by level: Y(k) is the greatest set in
// which the attacker has a move that stays in it, every check of the defender stays in it, and
// every other move of the defender leads into Y(k-1).
func slowRanks(r *region) (rank [2][]uint32) {
	n := len(r.checked)
	rank = [2][]uint32{make([]uint32, n), make([]uint32, n)}
	for k := uint32(1); ; k++ {
		var in [2][]bool
		for role := range in {
			in[role] = make([]bool, n)
			for i := range in[role] {
				in[role][i] = true
			}
		}
		for shrinks := true; shrinks; {
			shrinks = false
			for i := range uint32(n) {
				stays, holds := false, true
				for _, to := range r.next.from(i) {
					stays = stays || in[defends][to]
					if r.checked[to] {
						holds = holds && in[attacks][to]
					} else {
						holds = holds && rank[attacks][to] != 0 && rank[attacks][to] < k
					}
				}
				if in[attacks][i] && !stays {
					in[attacks][i], shrinks = false, true
				}
				if in[defends][i] && !holds {
					in[defends][i], shrinks = false, true
				}
			}
		}
		more := false
		for role := range in {
			for i := range in[role] {
				if in[role][i] && rank[role][i] == 0 {
					rank[role][i], more = k, true
				}
			}
		}
		if !more {
			return rank
		}
	}
}

// TestRanksByDefinition compares the solution of random regions with the definition.
func TestRanksByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	highest, won := uint32(0), 0
	for trial := range 20000 {
		r := randomRegion(rng)
		got, want := r.ranks(r.solveDual()), slowRanks(r)
		for role := range want {
			for i := range want[role] {
				if got[role][i] != want[role][i] {
					t.Fatalf("trial %d, role %d, position %d: rank %d, want %d\nnext %v\nchecked %v",
						trial, role, i, got[role][i], want[role][i], r.next, r.checked)
				}
				highest = max(highest, want[role][i])
				if want[role][i] > 0 {
					won++
				}
			}
		}
	}
	if highest < 4 || won < 1000 {
		t.Errorf("the random regions are too plain: highest rank %d, %d positions won", highest, won)
	}
}

// TestMutualChecks compares the set of mutual checks of random regions with its
// definition, the greatest set in which each position has a check that stays in it.
func TestMutualChecks(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	found := 0
	for trial := range 5000 {
		r := randomRegion(rng)
		want := make([]bool, len(r.checked))
		for i := range want {
			want[i] = true
		}
		for shrinks := true; shrinks; {
			shrinks = false
			for i := range want {
				stays := false
				for _, to := range r.next.from(uint32(i)) {
					stays = stays || r.checked[to] && want[to]
				}
				if want[i] && !stays {
					want[i], shrinks = false, true
				}
			}
		}
		for i, got := range r.mutualChecks() {
			if got != want[i] {
				t.Fatalf("trial %d, position %d: %v, want %v", trial, i, got, want[i])
			}
			if got {
				found++
			}
		}
	}
	if found == 0 {
		t.Error("no random region has mutual checks")
	}
}

// TestCircleOfChecks solves a region by hand: the defender, at 0, checks (to 1), the
// attacker answers back to 0, for ever; the rank is 1. Position 2 is the defender's with
// one more move that is no check, to 3, from where the attacker goes to 0: rank 2.
// Position 4 is the defender's with a choice between that and a circle of moves
// without check, 5 and 4, so it is open.
func TestCircleOfChecks(t *testing.T) {
	r := makeRegion(
		[][]uint32{{1}, {0}, {3}, {0}, {3, 5}, {4}},
		[]bool{false, true, false, false, false, false})
	rank := r.ranks(r.solveDual())
	if got, want := rank[defends][0], uint32(1); got != want {
		t.Errorf("circle of checks: rank %d, want %d", got, want)
	}
	if got, want := rank[attacks][1], uint32(1); got != want {
		t.Errorf("the attacker in it: rank %d, want %d", got, want)
	}
	if got, want := rank[defends][2], uint32(2); got != want {
		t.Errorf("one move without check before it: rank %d, want %d", got, want)
	}
	if got := rank[defends][4]; got != 0 {
		t.Errorf("a circle without checks: rank %d, want none", got)
	}
}

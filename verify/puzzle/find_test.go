package puzzle

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"gogotb/index"
	"gogotb/retro/retrotest"
	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/rules/record/formats"
)

// oneSolution tells by the rule itself, trying all moves, whether the attacker, with a mate in exactly n plies, has one
// move only at each turn but the last, against every longest defence, that mates in so many plies, or beyond more.
func oneSolution(exactly func(rules.Position, int) bool, p rules.Position, n, beyond int) bool {
	if n == 1 {
		return true
	}
	var solutions []rules.Position
	for _, m := range p.Moves(nil) {
		q := p
		q.Make(m)
		for plies := 0; plies < n+beyond; plies += 2 {
			if exactly(q, plies) {
				solutions = append(solutions, q)
			}
		}
	}
	if len(solutions) != 1 {
		return false
	}
	for _, m := range solutions[0].Moves(nil) {
		q := solutions[0]
		q.Make(m)
		if exactly(q, n-2) && !oneSolution(exactly, q, n-2, beyond) {
			return false
		}
	}
	return true
}

// firstMove returns the only one that keeps a mate in n plies.
func firstMove(exactly func(rules.Position, int) bool, p rules.Position, n int) rules.Move {
	for _, m := range p.Moves(nil) {
		q := p
		q.Make(m)
		if exactly(q, n-1) {
			return m
		}
	}
	return 0
}

// findAll looks for the puzzles of a game of one line, before one of each kind is chosen.
func findAll(t *testing.T, f *Finder, g *record.Game) ([]*Found, Tally) {
	t.Helper()
	f.solver.Clear()
	s := gameSearch{Finder: f, ctx: context.Background(), seen: map[positionKey]bool{}}
	if err := s.line(g.Start, &g.Line, false); err != nil {
		t.Fatal(err)
	}
	return s.found, s.tally
}

// TestFindAgainstValues: in random games with few pieces, the puzzles that are found are those that the values of all
// positions make one, and none is unsound to the checker.
func TestFindAgainstValues(t *testing.T) {
	random := rand.New(rand.NewPCG(14, 14))
	puzzles, ambiguous, trivial := 0, 0, 0
	for _, material := range []string{"RG", "BG", "GS"} {
		m, err := index.ParseMaterial(material)
		if err != nil {
			t.Fatal(err)
		}
		x, err := index.New(m)
		if err != nil {
			t.Fatal(err)
		}
		exactly := exactlyBy(retrotest.Solve(t, material))
		for beyond := 0; beyond <= 2; beyond += 2 {
			f := NewFinder(FindOptions{Most: 7, Beyond: beyond, Nodes: 1_000_000})
			for range 8 {
				g := randomGame(random, x, 16)
				found, tally := findAll(t, f, g)
				var got, want []string
				for _, p := range found {
					got = append(got, p.Text())
				}
				p, seen := g.Start, map[bruteKey]bool{}
				for i, move := range g.Played() {
					before := p
					p.Make(move)
					key := bruteKey{board(&p), [2]rules.Hand{p.Hand(0), p.Hand(1)}, p.SideToMove()}
					n := 3
					for n <= 7 && !exactly(p, n) {
						n += 2
					}
					if n > 7 || seen[key] {
						continue
					}
					seen[key] = true
					first := firstMove(exactly, p, n)
					checks := p.Checks(nil)
					switch {
					case !oneSolution(exactly, p, n, beyond):
						ambiguous++
					case p.CountMoves() == 1, slices.Equal(checks, []rules.Move{first}),
						first.To() == move.To() && before.At(move.To()) != rules.NoPiece:
						trivial++
					default:
						puzzles++
						for _, q := range found {
							if q.Ply == i+2 && q.Plies == n && q.Moves[0] == first {
								want = append(want, q.Text())
							}
						}
						if len(want) == 0 || found[len(want)-1].Ply != i+2 {
							t.Fatalf("%s: %s, mate in %d by %v is not among %q", material, p.SFEN(), n, first, got)
						}
					}
				}
				if !slices.Equal(got, want) || tally.Unsound > 0 || tally.Open > 0 {
					t.Errorf("%s, beyond %d: %q, want %q; %+v", material, beyond, got, want, tally)
				}
			}
		}
	}
	if puzzles < 10 || ambiguous < 10 || trivial < 1 {
		t.Errorf("%d puzzles, %d ambiguous, %d trivial: too few to tell", puzzles, ambiguous, trivial)
	}
	t.Logf("%d puzzles, %d ambiguous, %d trivial", puzzles, ambiguous, trivial)
}

// randomGame is a game of random moves from a random position.
func randomGame(random *rand.Rand, x *index.Index, plies int) *record.Game {
	for {
		c := x.Cursor(random.Uint64N(x.Size()))
		p := c.Position()
		if p.Validate() != nil {
			continue
		}
		g := &record.Game{Start: p, Line: record.Line{Ply: 1}}
		for range plies {
			moves := p.Moves(nil)
			if len(moves) == 0 {
				break
			}
			m := moves[random.IntN(len(moves))]
			p.Make(m)
			g.Moves = append(g.Moves, record.Move{Move: m})
		}
		return g
	}
}

// mateAllowed is a position with all pieces, and the move after which the other side mates in three plies by a pawn drop.
const mateAllowed = "4k/2G1p/2s2/5/1SKrR b 2Bgp 35 moves 1e2e P*3d 4e3d G*4d"

// TestFindInVariation: a puzzle is found where it is, in the game or aside, once, and says what led to it. That it is one is
// found out by trying everything.
func TestFindInVariation(t *testing.T) {
	var g *record.Game
	for game, err := range formats.Games([]byte(mateAllowed)) {
		if err != nil {
			t.Fatal(err)
		}
		g = game
	}
	exactly := newBrute(false).exactly
	p := g.Start
	p.Make(g.Moves[0].Move)
	if !exactly(p, 3) || !oneSolution(exactly, p, 3, 0) || firstMove(exactly, p, 3) != g.Moves[1].Move {
		t.Fatal("the mate is not what it should be")
	}
	find := func(g *record.Game) *Found {
		t.Helper()
		found, tally, err := NewFinder(FindOptions{Most: 3}).Find(context.Background(), g)
		if err != nil || len(found) != 1 || tally.Mates < 1 {
			t.Fatalf("%d puzzles, %+v, %v", len(found), tally, err)
		}
		return found[0]
	}
	q := find(g)
	if q.Ply != 2 || q.Aside || !q.Position.Same(&p) || q.Plies != 3 || !slices.Equal(q.Moves, g.Played()[1:]) ||
		!q.Last.Before.Same(&g.Start) || q.Last.Move != g.Moves[0].Move || q.Grade != q.Difficulty.Grade() {
		t.Errorf("%+v", q)
	}
	// The game goes on in another way, without a mate, and what was played is a variation, twice.
	aside := record.Line{Ply: 1, Moves: g.Moves}
	other := &record.Game{Start: g.Start, Line: record.Line{Ply: 1, Variations: []record.Line{aside, aside}}}
	for _, m := range g.Start.Moves(nil) {
		next := g.Start
		next.Make(m)
		if b := newBrute(false); m != g.Moves[0].Move && !b.mates(next, 3) {
			other.Moves = []record.Move{{Move: m}}
			break
		}
	}
	if q := find(other); q.Ply != 2 || !q.Aside || !q.Position.Same(&p) {
		t.Errorf("in a variation: %+v", q)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := NewFinder(FindOptions{Most: 3}).Find(ctx, g); err != context.Canceled {
		t.Errorf("with a context that has ended: %v", err)
	}
}

package engine

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"gogotb/cmd/internal/dialect"
	"gogotb/cmd/internal/history"
	"gogotb/rules"
)

// bare is an engine that knows nothing.
func bare(g *Game, limits Limits) (Answer, []Info) {
	var infos []Info
	e := &Engine{Hash: 1 << 20}
	a := e.Think(context.Background(), g, limits, func(i Info) { infos = append(infos, i) })
	return a, infos
}

// Mates by hand, and what hangs.
func TestOwnSearch(t *testing.T) {
	for _, c := range []struct {
		what, sfen string
		depth      int
		moves      []string
		score      dialect.Score
	}{
		{"mate in one, by a gold before the king", "2k2/5/2K2/5/5 b G 1", 2, []string{"G*3b"}, dialect.MateIn(1)},
		{"the pawn may not mate by a drop, the silver may", "2k2/G3G/2K2/5/5 b PS 1", 2, nil, dialect.MateIn(1)},
		{"mate in three", "4k/5/5/5/K4 b RG 1", 5, nil, dialect.MateIn(3)},
		{"a rook for nothing", "4k/5/5/r4/K1s2 b Pp 1", 3, []string{"5e5d"}, 0},
		{"the bishop is attacked by a pawn", "2k2/2p2/3B1/4s/2K2 b RGrbgp 1", 3, nil, 0},
	} {
		p := parse(t, c.sfen)
		a, _ := bare(newGame(t, p, nil, rules.RepetitionDraw), Limits{Depth: c.depth})
		if c.moves != nil && !slices.Contains(c.moves, a.Move.USI()) {
			t.Errorf("%s: %v, want one of %v", c.what, a.Move, c.moves)
		}
		if c.score != 0 && a.Score != c.score {
			t.Errorf("%s: score %d, want %d", c.what, a.Score, c.score)
		}
		if err := p.Legal(a.Move); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// slow is the search without anything that makes it fast: no bounds, no order, no table. It knows of no
// repetition, which so few plies from a start without history cannot bring.
func slow(p rules.Position, depth, ply int) dialect.Score {
	moves := p.Moves(nil)
	switch {
	case len(moves) == 0:
		return dialect.MatedIn(ply)
	case depth <= -maxCaptures:
		return evaluate(&p)
	}
	best := dialect.MatedIn(0) - 1
	quiet := depth <= 0 && (!p.InCheck() || depth < -maxEvasions)
	if quiet {
		best = evaluate(&p)
	}
	for _, m := range moves {
		if quiet && p.At(m.To()) == rules.NoPiece && !m.Promotes() {
			continue
		}
		q := p
		q.Make(m)
		best = max(best, -slow(q, depth-1, ply+1))
	}
	return best
}

// The search finds what the slow one finds, and a move that is worth that.
func TestSearchIsExact(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 11))
	for n := range 200 {
		p := randomPosition(t, random, []string{"RBG", "RGS", "BGSP", "RSP", "PP"}[n%5])
		depth := 1 + n%2
		s := newSearcher(context.Background(), newGame(t, p, nil, rules.RepetitionDraw), newTable(0), 0)
		list := s.bestAtDepth(p.Moves(nil), depth, 1)
		want := slow(p, depth, 0)
		if list[0].score != want {
			t.Errorf("%v to depth %d: %d, want %d", &p, depth, list[0].score, want)
		}
		q := p
		q.Make(list[0].line[0])
		if got := -slow(q, depth-1, 1); got != want {
			t.Errorf("%v to depth %d: %v is worth %d, the best move %d", &p, depth, list[0].line[0], got, want)
		}
	}
}

// However little time there is, the answer is a legal move.
func TestNoTime(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 12))
	p := parse(t, rules.StartSFEN)
	for range 60 {
		moves := p.Moves(nil)
		if len(moves) == 0 {
			p = parse(t, rules.StartSFEN)
			continue
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		e := &Engine{}
		a := e.Think(ctx, newGame(t, p, nil, rules.RepetitionDraw), Limits{Budget: time.Nanosecond}, func(Info) {})
		if err := p.Legal(a.Move); err != nil {
			t.Fatalf("%v: %v", &p, err)
		}
		p.Make(moves[random.IntN(len(moves))])
	}
}

// Repetitions are judged as the rules judge them, once the game would be over.
func TestRepeatedAsInRules(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 13))
	seen := map[rules.Reason]int{}
	for range 3000 {
		p := randomPosition(t, random, []string{"R", "RB", "RP", "none"}[random.IntN(4)])
		rule := rules.Repetition(random.IntN(2))
		referee := rules.NewGame(p, rules.GameOptions{Repetition: rule})
		for range 200 {
			if referee.Status().Result != rules.Ongoing {
				break
			}
			q := referee.Position()
			moves := q.Moves(nil)
			m := moves[0]
			if checks := q.Checks(nil); len(checks) > 0 && random.IntN(3) > 0 {
				m = checks[0]
			}
			if err := referee.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		status := referee.Status()
		if status.Reason != rules.FourfoldRepetition && status.Reason != rules.PerpetualCheck {
			continue
		}
		seen[status.Reason]++
		// The engine's game would forget the repetition, so it gets all moves but the last.
		moves := referee.Moves()
		g := newGame(t, p, moves[:len(moves)-1], rule)
		s := newSearcher(context.Background(), g, newTable(0), 0)
		m := moves[len(moves)-1]
		s.p.Make(m)
		s.trail = append(s.trail, visit{s.p.Key(), s.p.InCheck()})
		end := referee.Position()
		score, ok := s.repeated()
		if want := history.EndScore(status, end.SideToMove()); !ok || score != want {
			t.Errorf("%v moves %v, %v: %d, want %d for %+v", &p, moves, rule, score, want, status)
		}
	}
	if seen[rules.FourfoldRepetition] < 50 || seen[rules.PerpetualCheck] < 50 {
		t.Errorf("too few games: %v", seen)
	}
}

// Nobody chooses the perpetual check that would lose at once, or under first-player-loses the repetition.
func TestLosingRepetition(t *testing.T) {
	for _, c := range []struct {
		sfen, first, around string // moves; the last time around without the last move
		repetition          rules.Repetition
		loses               string
	}{
		{"R3k/5/5/5/K4 w - 1", "", "1a1b 5a5b 1b1a 5b5a", rules.RepetitionDraw, "5b5a"},
		{"4k/5/5/5/3K1 b - 1", "2e3e", "1a2a 3e4e 2a1a 4e3e", rules.RepetitionDraw, ""},
		{"4k/5/5/5/3K1 b - 1", "2e3e", "1a2a 3e4e 2a1a 4e3e", rules.FirstPlayerLoses, "4e3e"},
		{"4k/5/5/5/K4 b - 1", "", "5e4e 1a2a 4e5e 2a1a", rules.FirstPlayerLoses, ""}, // it is the second player's turn
	} {
		around := strings.Fields(c.around)
		var moves []rules.Move
		for _, text := range append(strings.Fields(c.first), slices.Repeat(around, 3)...) {
			m, err := rules.ParseUSI(text)
			if err != nil {
				t.Fatal(err)
			}
			moves = append(moves, m)
		}
		moves = moves[:len(moves)-1]
		g := newGame(t, parse(t, c.sfen), moves, c.repetition)
		p := g.Position()
		want := slices.DeleteFunc(p.Moves(nil), func(m rules.Move) bool { return m.USI() == c.loses })
		if got := g.notLosing(p.Moves(nil)); !slices.Equal(got, want) {
			t.Errorf("%s moves %v, %v: %v, want %v", c.sfen, moves, c.repetition, got, want)
		}
	}
}

// Several lines are different moves, in the order of their scores.
func TestOwnLines(t *testing.T) {
	p := parse(t, rules.StartSFEN)
	e := &Engine{Lines: 4}
	last := map[int]Info{}
	e.Think(context.Background(), newGame(t, p, nil, rules.RepetitionDraw), Limits{Depth: 4}, func(i Info) { last[i.MultiPV] = i })
	if len(last) != 4 {
		t.Fatal(last)
	}
	for rank := 2; rank <= 4; rank++ {
		if last[rank].Score > last[rank-1].Score || last[rank].PV[0] == last[1].PV[0] || last[rank].Depth != 4 {
			t.Errorf("line %d: %+v, after %+v", rank, last[rank], last[rank-1])
		}
	}
}

// Nothing is reported twice, and no depth after a greater one, however soon the search ends.
func TestReports(t *testing.T) {
	p := parse(t, rules.StartSFEN)
	for _, limits := range []Limits{{Nodes: 1}, {Nodes: 30_000}, {Depth: 1}, {Depth: 4}, {Budget: 50 * time.Millisecond}} {
		_, infos := bare(newGame(t, p, nil, rules.RepetitionDraw), limits)
		for i, info := range infos[1:] {
			if info.Depth <= infos[i].Depth {
				t.Errorf("%+v: depth %d after %d", limits, info.Depth, infos[i].Depth)
			}
		}
	}
}

// A limit of nodes is kept to, but for the first depth.
func TestNodes(t *testing.T) {
	_, infos := bare(newGame(t, parse(t, rules.StartSFEN), nil, rules.RepetitionDraw), Limits{Nodes: 20_000})
	last := infos[len(infos)-1]
	if last.Nodes > 20_001 || last.Depth < 3 {
		t.Errorf("%+v", last)
	}
}

// Puzzles without the attacker's king are searched, too.
func TestOneKing(t *testing.T) {
	p := parse(t, "2k2/5/2P2/5/5 b G 1")
	a, _ := bare(newGame(t, p, nil, rules.RepetitionDraw), Limits{Depth: 3})
	if a.Move.USI() != "G*3b" || a.Score != dialect.MateIn(1) {
		t.Error(a)
	}
}

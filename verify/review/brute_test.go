package review

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/rules/record/usi"
)

// bruteForce is what the solver is held against: it tries all moves, and knows nothing else but what it has found out.
type bruteForce map[bruteQuestion]bool

type bruteQuestion struct {
	board [rules.Squares]rules.Piece
	hands [2]rules.Hand
	side  rules.Color
	plies int
}

func question(p *rules.Position, plies int) bruteQuestion {
	q := bruteQuestion{hands: [2]rules.Hand{p.Hand(rules.Sente), p.Hand(rules.Gote)}, side: p.SideToMove(), plies: plies}
	for s := range q.board {
		q.board[s] = p.At(rules.Square(s))
	}
	return q
}

// mates tells whether the side to move can force, within plies, that its opponent has no legal move.
func (b bruteForce) mates(p *rules.Position, plies int) bool {
	if plies < 1 {
		return false
	}
	q := question(p, plies)
	if known, ok := b[q]; ok {
		return known
	}
	found := false
	for _, m := range p.Moves(nil) {
		u := p.Make(m)
		found = b.mated(p, plies-1)
		p.Unmake(u)
		if found {
			break
		}
	}
	b[q] = found
	return found
}

// mated tells whether the side to move cannot avoid, within plies, to have no legal move.
func (b bruteForce) mated(p *rules.Position, plies int) bool {
	for _, m := range p.Moves(nil) {
		if plies < 2 {
			return false
		}
		u := p.Make(m)
		mated := b.mates(p, plies-1)
		p.Unmake(u)
		if !mated {
			return false
		}
	}
	return true
}

// mate returns the length of a mate by either side within plies: odd if the side to move mates; -1: none.
func (b bruteForce) mate(p *rules.Position, plies int) int {
	for n := range plies + 1 {
		if n%2 == 1 && b.mates(p, n) || n%2 == 0 && b.mated(p, n) {
			return n
		}
	}
	return -1
}

// bruteMove is what brute force finds out about a move.
type bruteMove struct {
	judgement Judgement
	mate      int
	better    []rules.Move // with AllowedMate
}

// judge judges a move by the definitions, where no mate beyond plies counts.
func (b bruteForce) judge(p rules.Position, m rules.Move, plies int) bruteMove {
	before := b.mate(&p, plies)
	u := p.Make(m)
	after := b.mate(&p, plies)
	p.Unmake(u)
	mates, mated := after >= 0 && after%2 == 0, after >= 0 && after%2 == 1
	var avoid []rules.Move
	if before < 0 && mated {
		if avoid = b.avoiding(p, m, after); len(avoid) == 0 {
			before = after + 1 // lost, in more plies than count
		}
	}
	switch wins, loses := before > 0 && before%2 == 1, before >= 0 && before%2 == 0; {
	case wins && !mates:
		return bruteMove{judgement: MissedMate, mate: before}
	case wins && after+1 > before:
		return bruteMove{judgement: Longer, mate: before}
	case loses && after+1 < before:
		return bruteMove{judgement: Shortened, mate: before}
	case loses:
		return bruteMove{judgement: Best}
	case mated:
		return bruteMove{AllowedMate, after, avoid}
	case b.only(p, m, plies):
		return bruteMove{judgement: Only}
	case wins:
		return bruteMove{judgement: Best}
	}
	return bruteMove{judgement: OK}
}

// avoiding returns the moves other than m after which the opponent does not mate within plies.
func (b bruteForce) avoiding(p rules.Position, m rules.Move, plies int) (avoid []rules.Move) {
	for _, other := range p.Moves(nil) {
		u := p.Make(other)
		if other != m && !b.mates(&p, plies) {
			avoid = append(avoid, other)
		}
		p.Unmake(u)
	}
	return avoid
}

// only tells whether the opponent mates within plies after all moves other than m.
func (b bruteForce) only(p rules.Position, m rules.Move, plies int) bool {
	for _, other := range p.Moves(nil) {
		u := p.Make(other)
		lost := b.mates(&p, plies)
		p.Unmake(u)
		if other != m && !lost {
			return false
		}
	}
	return true
}

// holdAgainst compares a review with brute force, move by move. Nothing is undecided, as the solver has nodes without end.
func (b bruteForce) holdAgainst(t *testing.T, g *record.Game, plies int) (judgements []Judgement) {
	t.Helper()
	r, err := New(Options{Nodes: 1 << 40, Plies: plies, Jobs: 2, Hash: 16 << 20})
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Review(t.Context(), g, func(m *Move) error {
		judgements = append(judgements, m.Judgement)
		if m.Judgement == Illegal {
			return nil
		}
		where := fmt.Sprintf("%s, %s", m.Position.SFEN(), m.USI())
		want := b.judge(m.Position, m.Move, plies)
		if want.judgement == MissedMate && m.Judgement == Longer { // by a mate beyond plies, which the moves made later have shown
			p := m.Position
			p.Make(m.Move)
			if b.mated(&p, m.After.Most) {
				want.judgement = Longer
			}
		}
		if m.Judgement != want.judgement || m.Mate != want.mate || m.Judgement == AllowedMate && !slices.Equal(m.Better, want.better) {
			t.Errorf("%s: %v %d, better %v, want %v", where, m.Judgement, m.Mate, m.Better, want)
		}
		if m.Proved != (m.Judgement != OK || m.Before.Category != Unknown) {
			t.Errorf("%s: %v, proved %v", where, m.Judgement, m.Proved)
		}
		checkLine(t, m)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return judgements
}

// checkLine plays the line of a judgement to the mate that it is about.
func checkLine(t *testing.T, m *Move) {
	t.Helper()
	want := m.Mate
	if m.Judgement == AllowedMate {
		want++
	}
	p := m.Position
	for _, move := range m.Line {
		if err := p.Legal(move); err != nil {
			t.Fatalf("%s: line %v: %v", m.Position.SFEN(), m.Line, err)
		}
		p.Make(move)
	}
	if len(m.Line) != want || want > 0 && p.HasMove() {
		t.Errorf("%s: %v %d, the line %v ends in %s", m.Position.SFEN(), m.Judgement, m.Mate, m.Line, p.SFEN())
	}
}

// TestGameByHand: games played by hand, and what brute force says of each of their moves.
func TestGameByHand(t *testing.T) {
	for _, c := range []struct {
		game  string
		plies int // no longer mates count
		want  string
	}{
		// Gote gives its rook for a pawn, and Sente opens the first file; then both overlook mates.
		{"sfen rbsgk/4p/5/P4/KGSBR b - 1 moves 2e3d 5a5d 5e5d 2a2b 3d1b 2b1b 1e1b 1a1b G*2c 1b1a R*1c P*1b 1c1b 1a2a 1b2b 2a1a 2c1b", 5,
			"ok ok ok ok ok ok ok only ok allowed-mate missed-mate allowed-mate longer best missed-mate allowed-mate best"},
		// The naked king is lost in 8 plies; it goes to the corner too soon.
		{"sfen 4k/5/5/P4/KGSBR w - 1 moves 1a2a 2e4c 2a2b 1e2e 2b1a 2e2a+", 8, "best best best best shortened best"},
		// A pawn is dropped to mate, which is forbidden.
		{"sfen 3rk/3s1/4G/5/K4 b P 1 moves P*1b", 3, "illegal"},
	} {
		g, _ := theGame(t, c.game)
		got := bruteForce{}.holdAgainst(t, g, c.plies)
		if text := strings.Trim(fmt.Sprint(got), "[]"); text != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.game, text, c.want)
		}
	}
}

// theGame reads the one game of a text, and what is wrong with it.
func theGame(t testing.TB, text string) (*record.Game, error) {
	t.Helper()
	for g, err := range usi.Games(text) {
		return g, err
	}
	t.Fatalf("no game in %s", text)
	return nil, nil
}

// TestByBruteForce: random games near mates, from positions with few pieces and with all.
func TestByBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	seen := map[Judgement]int{}
	for _, c := range []struct {
		start        string
		plies, games int
	}{
		{"4k/5/2K2/5/5 b GS", 7, 15}, {"1k3/5/1K3/5/5 b Gr", 7, 8}, {"2k2/2p2/1GK2/5/5 b Sr", 5, 10},
		{"2sgk/5/3RG/5/4K b R", 5, 10}, {"3gk/2s1p/P1r2/2G2/KBS+b1 b R", 3, 4},
	} {
		for range c.games {
			b := bruteForce{}
			for _, j := range b.holdAgainst(t, randomGame(t, random, c.start, 8), c.plies) {
				seen[j]++
			}
		}
	}
	for _, j := range []Judgement{OK, Best, Only, Longer, MissedMate, AllowedMate, Shortened} {
		if seen[j] < 3 {
			t.Errorf("%d times %v", seen[j], j)
		}
	}
	t.Logf("%v", seen)
}

// randomGame is a game of chance.
func randomGame(t *testing.T, random *rand.Rand, start string, plies int) *record.Game {
	p, err := rules.ParseSFEN(start)
	if err != nil {
		t.Fatal(err)
	}
	g := &record.Game{Start: p, Line: record.Line{Ply: 1}}
	for range plies {
		moves := p.Moves(nil)
		if len(moves) == 0 {
			break
		}
		if err := g.Play(&p, moves[random.IntN(len(moves))]); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

package storage

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gogotb/rules"
)

// Sente holds a gold and its king, on 2c, keeps the opposing king in the corner 1a from 1b
// and 2b. A gold on 1b or 2b, protected by the king, mates; one on 3a or 3b attacks the last
// square, 2a, and stalemates, which wins as well. A gold on 2a is taken.
func TestMovesOfAMate(t *testing.T) {
	tables := open(t, written(t, "G"))
	for _, test := range []struct{ sfen, mates string }{
		{"4k/5/3K1/5/5 b G 1", "G*1b G*2b G*3a G*3b"},
		{"5/5/1k3/5/K4 w g 1", "G*3d G*3e G*4d G*5d"}, // the same, turned
		{"k4/5/1K3/5/5 b G 1", "G*3a G*3b G*4b G*5b"}, // and mirrored
	} {
		p := position(t, test.sfen)
		moves, err := tables.Moves(&p, Adjudication{})
		if err != nil {
			t.Fatal(err)
		}
		var mates []string
		for _, m := range moves {
			if m.Value == rules.MakeValue(rules.MateLoss, 0) {
				mates = append(mates, m.Move.USI())
			}
		}
		if got := strings.Join(mates, " "); got != test.mates {
			t.Errorf("%s: mates %q, want %q", test.sfen, got, test.mates)
		}
		if got := moves[0].Move.USI(); got != mates[0] {
			t.Errorf("%s: the best move is %s", test.sfen, got)
		}
		line, err := tables.Line(&p)
		if err != nil || len(line) != 1 || line[0].USI() != mates[0] {
			t.Errorf("%s: line %v, %v", test.sfen, line, err)
		}
	}
}

// TestMovesOfTheKings: everything is open, and the moves are in the order of their text.
func TestMovesOfTheKings(t *testing.T) {
	tables := open(t, written(t, "none"))
	p := position(t, "4k/5/5/5/K4 b - 1")
	moves, err := tables.Moves(&p, Adjudication{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range moves {
		if m.Result != (Result{rules.MakeValue(rules.Open, 0), true}) {
			t.Errorf("%s: %v", m.Move.USI(), m.Result)
		}
		got = append(got, m.Move.USI())
	}
	if want := []string{"5e4d", "5e4e", "5e5d"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if line, err := tables.Line(&p); len(line) != 0 || err != nil {
		t.Errorf("a line of an open position: %v, %v", line, err)
	}
}

// TestOrder sorts values of positions after a move, seen by the opponent, into the order
// that cli.md prescribes for the moves.
func TestOrder(t *testing.T) {
	value := rules.MakeValue
	best := []rules.Value{ // first
		value(rules.MateLoss, 0), value(rules.MateLoss, 2), value(rules.MateLoss, 40),
		value(rules.PerpetualLoss, 1), value(rules.PerpetualLoss, 9),
		value(rules.Open, 0),
		value(rules.PerpetualWin, 9), value(rules.PerpetualWin, 1),
		value(rules.MateWin, 41), value(rules.MateWin, 3), value(rules.MateWin, 1),
	}
	// An open position has the same place whoever wins it: between the wins and the losses.
	for _, a := range []Adjudication{
		{}, {rules.FirstPlayerLoses, rules.Sente}, {rules.FirstPlayerLoses, rules.Gote},
	} {
		for _, sideToMove := range []rules.Color{rules.Sente, rules.Gote} {
			got := slices.Clone(best)
			rand.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
			slices.SortFunc(got, func(x, y rules.Value) int { return a.compare(x, y, sideToMove) })
			if !slices.Equal(got, best) {
				t.Errorf("%+v, %v to move: %v, want %v", a, sideToMove, got, best)
			}
		}
	}
}

func TestVerdict(t *testing.T) {
	draw := Adjudication{}
	first := Adjudication{Repetition: rules.FirstPlayerLoses} // Sente moved first
	handicap := Adjudication{rules.FirstPlayerLoses, rules.Gote}
	for _, test := range []struct {
		a          Adjudication
		o          rules.Outcome
		sideToMove rules.Color
		want       Verdict
	}{
		{draw, rules.MateWin, rules.Sente, Win}, {draw, rules.PerpetualWin, rules.Gote, Win},
		{draw, rules.MateLoss, rules.Sente, Loss}, {draw, rules.PerpetualLoss, rules.Gote, Loss},
		{draw, rules.Open, rules.Sente, Draw}, {draw, rules.Open, rules.Gote, Draw},
		{first, rules.Open, rules.Sente, Loss}, {first, rules.Open, rules.Gote, Win},
		{handicap, rules.Open, rules.Sente, Win}, {handicap, rules.Open, rules.Gote, Loss},
		{first, rules.MateWin, rules.Sente, Win}, {handicap, rules.PerpetualLoss, rules.Sente, Loss},
	} {
		if got := test.a.Verdict(test.o, test.sideToMove); got != test.want {
			t.Errorf("%+v, %v, %v to move: %v, want %v", test.a, test.o, test.sideToMove, got, test.want)
		}
	}
}

// TestMoves compares the moves of sampled positions with the legal moves and their values,
// one by one, and their order with the rule.
func TestMoves(t *testing.T) {
	tables := open(t, written(t, "RB"))
	samples := fixtures(t, "RB")
	for i := 0; i < len(samples); i += 5 {
		p := samples[i].position
		for _, a := range []Adjudication{{}, {Repetition: rules.FirstPlayerLoses}} {
			moves, err := tables.Moves(&p, a)
			if err != nil {
				t.Fatal(err)
			}
			legal := p.Moves(nil)
			if len(moves) != len(legal) {
				t.Errorf("%s: %d moves, want %d", p.SFEN(), len(moves), len(legal))
			}
			best := rules.Value(0)
			for k, m := range moves {
				if !slices.Contains(legal, m.Move) {
					t.Errorf("%s: move %s", p.SFEN(), m.Move.USI())
				}
				q := p
				q.Make(m.Move)
				if r, err := tables.Probe(&q); err != nil || r != m.Result {
					t.Errorf("%s: %s has %v, but Probe gives %v, %v", p.SFEN(), m.Move.USI(), m.Result, r, err)
				}
				if k == 0 {
					best = m.Value
					continue
				}
				c := a.compare(moves[k-1].Value, m.Value, q.SideToMove())
				if c > 0 || c == 0 && moves[k-1].Move.USI() >= m.Move.USI() {
					t.Errorf("%s: %s before %s", p.SFEN(), moves[k-1].Move.USI(), m.Move.USI())
				}
			}
			// The best move keeps the value of the position.
			n := samples[i].value.Number()
			want := map[rules.Outcome]rules.Value{
				rules.MateWin: rules.MakeValue(rules.MateLoss, n-1), rules.MateLoss: rules.MakeValue(rules.MateWin, n-1),
				rules.PerpetualWin: rules.MakeValue(rules.PerpetualLoss, n), rules.Open: rules.MakeValue(rules.Open, 0),
			}
			switch o := samples[i].value.Outcome(); {
			case o == rules.MateLoss && n == 0:
				if len(moves) != 0 {
					t.Errorf("%s is over, but has moves", p.SFEN())
				}
			case o == rules.PerpetualLoss: // the rank after a check is the same, after another move less
				if best.Outcome() != rules.PerpetualWin || best.Number() > n || best.Number() < n-1 {
					if n != 1 || best.Outcome() != rules.MateWin {
						t.Errorf("%s: %v, but the best move leads to %v", p.SFEN(), samples[i].value, best)
					}
				}
			case best != want[o]:
				t.Errorf("%s: %v, but the best move leads to %v", p.SFEN(), samples[i].value, best)
			}
		}
	}
}

// TestLines plays the best lines of sampled positions: to the end of the game in exactly
// as many plies as the value says, or to the first position that comes back in a perpetual
// check by the loser.
func TestLines(t *testing.T) {
	dir := written(t, "SS", "P")
	tables := open(t, dir)
	perpetual := 0
	for _, name := range []string{"SS", "P"} {
		samples := fixtures(t, name)
		for i := range samples {
			p, v := samples[i].position, samples[i].value
			byPerpetual := v.Outcome() == rules.PerpetualWin || v.Outcome() == rules.PerpetualLoss
			if i%12 != 0 && !byPerpetual {
				continue
			}
			line, err := tables.Line(&p)
			if err != nil {
				t.Fatal(err)
			}
			q := p
			positions := []rules.Position{q}
			for _, m := range line {
				if err := q.Legal(m); err != nil {
					t.Fatalf("%s: %v in its line", p.SFEN(), err)
				}
				q.Make(m)
				positions = append(positions, q)
			}
			switch {
			case v.Outcome() == rules.Open:
				if len(line) != 0 {
					t.Errorf("%s: open, and a line of %d plies", p.SFEN(), len(line))
				}
			case !byPerpetual:
				if len(line) != v.Number() || q.HasMove() {
					t.Errorf("%s: %v, and a line of %d plies to %s", p.SFEN(), v, len(line), q.SFEN())
				}
			default:
				perpetual++
				loser := p.SideToMove()
				if v.Outcome() == rules.PerpetualWin {
					loser = loser.Other()
				}
				first := slices.IndexFunc(positions, func(x rules.Position) bool { return x.Key() == q.Key() })
				if first == len(positions)-1 {
					t.Errorf("%s: no position comes back in its line", p.SFEN())
					break
				}
				for k := first; k < len(line); k++ {
					if positions[k].SideToMove() == loser && !positions[k+1].InCheck() {
						t.Errorf("%s: the loser does not give check at ply %d of the cycle", p.SFEN(), k)
					}
				}
			}
		}
	}
	if perpetual == 0 {
		t.Error("no line of a perpetual check was played")
	}

	// without distances there are no lines, but moves by outcome
	if err := os.Remove(filepath.Join(dir, "P.gbd")); err != nil {
		t.Fatal(err)
	}
	tables = open(t, dir)
	p := position(t, "4k/5/3K1/5/5 b P 1")
	if line, err := tables.Line(&p); len(line) != 0 || err != nil {
		t.Errorf("a line without distances: %v, %v", line, err)
	}
	moves, err := tables.Moves(&p, Adjudication{})
	if err != nil || len(moves) == 0 {
		t.Fatal(moves, err)
	}
	for i, m := range moves {
		if m.Value.Number() != 0 || m.Exact != (m.Value.Outcome() == rules.Open) {
			t.Errorf("%s: %v without distances", m.Move.USI(), m.Result)
		}
		if i > 0 && m.Value == moves[i-1].Value && m.Move.USI() < moves[i-1].Move.USI() {
			t.Errorf("%s after %s", m.Move.USI(), moves[i-1].Move.USI())
		}
	}
}

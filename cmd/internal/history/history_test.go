package history

import (
	"context"
	"errors"
	"strings"
	"testing"

	"gogotb/cmd/internal/tabletest"
	"gogotb/rules"
	"gogotb/storage"
)

// openRook opens tables of the lone rook.
func openRook(t *testing.T) *storage.Tables {
	t.Helper()
	dir := t.TempDir()
	if err := tabletest.Write(dir, "R"); err != nil {
		t.Fatal(err)
	}
	tables, err := storage.Open([]string{dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tables.Close() })
	return tables
}

func play(t *testing.T, sfen, moves string, rule storage.Adjudication) *Game {
	t.Helper()
	p, err := rules.ParseSFEN(sfen)
	if err != nil {
		t.Fatal(err)
	}
	var played []rules.Move
	for _, text := range strings.Fields(moves) {
		m, err := rules.ParseUSI(text)
		if err != nil {
			t.Fatal(err)
		}
		played = append(played, m)
	}
	g, err := New(p, played, rule)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A move that brings a position back for the fourth time loses if all moves of its side since were checks, and draws,
// or is decided by the rule, if not. The first times it is worth what the tables say, a win.
func TestFourthTime(t *testing.T) {
	tables := openRook(t)
	loses := storage.Adjudication{Repetition: rules.FirstPlayerLoses, FirstPlayer: rules.Gote}
	for _, c := range []struct {
		name, sfen, before, cycle, last, move string
		rule                                  storage.Adjudication
		want                                  rules.Value // of the position after the move, for the opponent
		worth                                 int         // sign of the score of the move
	}{
		{"checks", "2k2/5/5/5/2K2 b R 1", "R*3c 3a2a", "3c2c 2a3a 2c3c 3a2a", "3c2c 2a3a", "2c3c",
			storage.Adjudication{}, rules.MakeValue(rules.PerpetualWin, 0), -1},
		{"no checks", "1k3/5/5/5/2K2 w R 1", "", "4a3a 3e4e 3a4a 4e3e", "4a3a 3e4e 3a4a", "4e3e",
			storage.Adjudication{}, rules.MakeValue(rules.Open, 0), 0},
		{"no checks, the first player loses", "1k3/5/5/5/2K2 w R 1", "", "4a3a 3e4e 3a4a 4e3e", "4a3a 3e4e 3a4a", "4e3e",
			loses, rules.MakeValue(rules.Open, 0), 1},
	} {
		for cycles := 1; cycles <= 2; cycles++ {
			g := play(t, c.sfen, c.before+strings.Repeat(" "+c.cycle, cycles)+" "+c.last, c.rule)
			moves, err := Moves(context.Background(), tables, g)
			if err != nil {
				t.Fatal(err)
			}
			for i, m := range moves {
				if i > 0 && m.Score > moves[i-1].Score {
					t.Errorf("%s: %v comes behind %v, which is worth less", c.name, m.Move, moves[i-1].Move)
				}
				if m.Move.USI() != c.move {
					continue
				}
				r := g.Result(m)
				if cycles == 1 && (r != m.Fresh || r.Value.Outcome() != rules.MateLoss) {
					t.Errorf("%s, the third time: %v", c.name, r.Value)
				}
				if cycles == 2 && (r.Value != c.want || !r.Exact || sign(int(m.Score)) != c.worth) {
					t.Errorf("%s, the fourth time: %v, score %d; want %v", c.name, r.Value, m.Score, c.want)
				}
			}
		}
	}
}

func sign(n int) int { return max(-1, min(n, 1)) }

// Without a history all moves have the values of the tables.
func TestNoHistory(t *testing.T) {
	tables := openRook(t)
	g := play(t, "2k2/5/5/5/2K2 b R 1", "R*3c 3a2a", storage.Adjudication{})
	moves, err := Moves(context.Background(), tables, g)
	if err != nil || len(moves) == 0 {
		t.Fatal(moves, err)
	}
	p := g.Position()
	for _, m := range moves {
		q := p
		q.Make(m.Move)
		if want, err := tables.Probe(&q); err != nil || g.Result(m) != want {
			t.Errorf("%v: %v, in the tables %v (%v)", m.Move, g.Result(m), want, err)
		}
	}
}

// An illegal move is named by its ply.
func TestIllegalMove(t *testing.T) {
	p, err := rules.ParseSFEN("2k2/5/5/5/2K2 b R 1")
	if err != nil {
		t.Fatal(err)
	}
	step, err := rules.ParseUSI("3e3d")
	if err != nil {
		t.Fatal(err)
	}
	_, err = New(p, []rules.Move{step, step}, storage.Adjudication{})
	var illegal *rules.IllegalMoveError
	if !errors.As(err, &illegal) || !strings.HasPrefix(err.Error(), "ply 2: ") {
		t.Error(err)
	}
}

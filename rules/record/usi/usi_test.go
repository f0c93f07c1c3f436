package usi

import (
	"errors"
	"strings"
	"testing"

	"gogotb/rules"
	"gogotb/rules/record"
)

func written(moves []record.Move) string {
	var words []string
	for _, m := range moves {
		words = append(words, m.USI())
	}
	return strings.Join(words, " ")
}

func TestGames(t *testing.T) {
	const handicap = "r1sgk/4p/5/P4/KGSBR w - 1"
	for _, c := range []struct {
		line, start, moves string
		end                record.End
		comment            string
		notes              int
	}{
		{line: "position startpos moves 5e4d 1a2b", start: rules.StartSFEN, moves: "5e4d 1a2b"},
		{line: "startpos moves 5e4d", start: rules.StartSFEN, moves: "5e4d"},
		{line: "startpos", start: rules.StartSFEN},
		{line: "position startpos moves", start: rules.StartSFEN},
		{line: "position sfen " + handicap + " moves 1a2a", start: handicap, moves: ""}, // the gold is there
		{line: "position sfen " + handicap + " moves 3a2b", start: handicap, moves: "3a2b"},
		{line: "sfen " + handicap + " moves 3a2b", start: handicap, moves: "3a2b"},
		{line: handicap + "   moves   3a2b  ", start: handicap, moves: "3a2b"},
		{line: "r1sgk/4p/5/P4/KGSBR w - moves 3a2b", start: handicap, moves: "3a2b"},
		{line: handicap, start: handicap},
		{line: "k4/4P/5/5/4K b - 1 moves 1b1a=", start: "k4/4P/5/5/4K b - 1"}, // a pawn must
		{line: "3k1/S4/5/5/4K b - 1 moves 5b5a= 2a1a 5a4b", start: "3k1/S4/5/5/4K b - 1", moves: "5b5a 2a1a 5a4b"},
		{line: "startpos moves 5e4d resign", start: rules.StartSFEN, moves: "5e4d", end: record.End{Text: "resign", Kind: record.Resigns}},
		{line: "startpos moves 5e4d Win", start: rules.StartSFEN, moves: "5e4d", end: record.End{Text: "Win", Kind: record.EnteringWins}},
		{line: "startpos moves 5e4d 投了", start: rules.StartSFEN, moves: "5e4d", end: record.End{Text: "投了", Kind: record.OtherEnd}, notes: 1},
		{line: "startpos moves 5e4d resign 1a2b", start: rules.StartSFEN, moves: "5e4d", end: record.End{Text: "resign", Kind: record.Resigns}, notes: 1},
		{line: "startpos moves 5e4d ; a game", start: rules.StartSFEN, moves: "5e4d", comment: "a game"},
	} {
		n := 0
		for g, err := range Games("# x\n\n  " + c.line + "\r\n") {
			n++
			var illegal *rules.IllegalMoveError
			if legal := !strings.Contains(c.line, "moves 1a2a") && !strings.Contains(c.line, "4P"); legal && err != nil || !legal && !errors.As(err, &illegal) {
				t.Errorf("%s: %v", c.line, err)
			}
			if g == nil || g.FileLine != 3 || g.Start.SFEN() != c.start || written(g.Moves) != c.moves || g.End != c.end || strings.Join(g.Comments, "|") != c.comment || len(g.Notes) != c.notes {
				t.Errorf("%s: %+v", c.line, g)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d games", c.line, n)
		}
	}
}

// TestManyGames: what is wrong with one game costs neither the moves before it nor another game.
func TestManyGames(t *testing.T) {
	const text = "startpos moves 5e4d 1a2b\n" +
		"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f\n" +
		"startpos moves 5e4d 9i9h 1a2b\n" +
		"startpos moves 5e4d 5d5c\n" +
		"startpos moves G*3c\n" +
		"なんだ\n" +
		"startpos moves 5e4d\n"
	var got []string
	for g, err := range Games(text) {
		line := "-"
		if g != nil {
			line = written(g.Moves)
		}
		if err != nil {
			line += "! " + strings.Join(strings.Fields(err.Error())[:3], " ")
		}
		got = append(got, line)
	}
	want := []string{
		"5e4d 1a2b", "-! USI: line 2:", "5e4d! USI: line 3:", "5e4d! USI: line 4:", "! USI: line 5:", "-! USI: line 6:", "5e4d",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("read\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func FuzzGames(f *testing.F) {
	f.Add("position startpos moves 5e4d resign ; x\n")
	f.Add("sfen r1sgk/4p/5/P4/KGSBR w - 1\nstartpos moves\n")
	f.Fuzz(func(t *testing.T, text string) {
		for g, err := range Games(text) {
			if g == nil && err == nil || err != nil && err.Error() == "" {
				t.Fatalf("%v, %v", g, err)
			}
			if g == nil {
				continue
			}
			p := g.Start
			for _, m := range g.Played() {
				if err := p.Legal(m); err != nil {
					t.Fatal(err)
				}
				p.Make(m)
			}
		}
	})
}

package western

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/rules/record/recordtest"
)

// read is what a text has, a line a game: where it starts unless that is usual, its moves, comments in braces, its end, how many notes
// there are, and in which line an error is.
func read(text string) string {
	var lines []string
	for g, err := range Games(text) {
		var words []string
		if g != nil {
			if start := g.Start.SFEN(); start != rules.StartSFEN {
				words = append(words, start)
			}
			for _, c := range g.Comments {
				words = append(words, "{"+c+"}")
			}
			for _, m := range g.Moves {
				words = append(words, m.USI())
				for _, c := range m.Comments {
					words = append(words, "{"+c+"}")
				}
			}
			if g.End.Kind != record.NoEnd {
				words = append(words, g.End.Text)
			}
			for range g.Notes {
				words = append(words, "N")
			}
		}
		var where *record.Error
		if errors.As(err, &where) {
			words = append(words, fmt.Sprintf("! line %d", where.Line))
		}
		lines = append(lines, strings.Join(words, " "))
	}
	return strings.Join(lines, "\n")
}

// TestGames reads lists as people write them.
func TestGames(t *testing.T) {
	const problem = "2sgk/5/3RG/5/4K b R 1"
	for text, want := range map[string]string{
		"1. G-44 K-22":                          "4e4d 1a2b",
		"G-44 K-22":                             "4e4d 1a2b",
		"1.G-44 K-22 2.S-34":                    "4e4d 1a2b 3e3d",
		"1) G-44\n2) K-22\n":                    "4e4d 1a2b",
		"1 G-44\n2 K-22\n10 S-34":               "4e4d 1a2b 3e3d", // the number 10 does not begin a game
		"1. G-44 1... K-22 2. S-34":             "4e4d 1a2b 3e3d",
		"4e4d 1a2b":                             "4e4d 1a2b",
		"G-44!, K-22?!":                         "4e4d 1a2b",
		problem + "\n1. G-12 Kx12 2. R*13":      problem + " 1c1b 1a1b R*1c",
		"sfen " + problem + " moves 1c1b\nKx12": problem + " 1c1b 1a1b",
		"position startpos\nG-44":               "4e4d",
		"# by hand\n1. G-44 {both\ncome out} K-22 ; and so\n2. S-34": "4e4d {both come out} 1a2b {and so} 3e3d",
		"{before} G-44{behind}K-22":                                  "{before} 4e4d {behind} 1a2b",
		"G-44 {open":                                                 "4e4d {open}",
		"1. G-44 resign\n1. S-34 1/2-1/2":                            "4e4d resign\n3e3d 1/2-1/2",
		"1. G-44 1-0 K-22 S-34":                                      "4e4d 1-0 N",
		"1. G-44 maybe K-22":                                         "4e4d 1a2b N",
		"1. G-44 K-11\n1. S-34":                                      "4e4d ! line 1\n3e3d",
		"1. G-44\nK-99":                                              "4e4d ! line 2",
		"1. G-44 Sx22 K-22":                                          "4e4d ! line 1",
		"9/9/9 b - 1\n1. G-44":                                       "! line 1\n4e4d",
		"":                                                           "",
	} {
		if got := read(text); got != want {
			t.Errorf("%q is read as\n%s\nwant\n%s", text, got, want)
		}
	}
}

// TestIllegal: a move that breaks a rule is kept, and so is what came before it.
func TestIllegal(t *testing.T) {
	for text, illegal := range map[string]string{
		"4k/5/4P/5/K4 b P 1\nP*14":        "P*1d", // two pawns on a file
		"4k/5/4P/5/K4 b P 1\nP*1d":        "P*1d",
		"4k/5/5/5/K4 b G 1\nG*22 K-12":    "1a1b", // into check
		"4k/5/5/5/K4 b G 1\n1. G*22 1a1b": "1a1b",
	} {
		g, err := recordtest.One(t, Games(text))
		var broken *rules.IllegalMoveError
		if !errors.As(err, &broken) || g.Illegal.USI() != illegal {
			t.Errorf("%q: %v, illegal %v", text, err, g.Illegal)
		}
	}
}

// FuzzGames reads anything: moves are legal, and errors are one line.
func FuzzGames(f *testing.F) {
	f.Add("1. G-44 S-22 {x} 2. S-34 resign\n1. 5e4d ; y\n")
	f.Add("2sgk/5/3RG/5/4K b R 1\nG-12 Kx12 R*13 *\n")
	f.Add("position startpos moves 5e4d resign ; x\n}{}\n")
	f.Fuzz(func(t *testing.T, text string) {
		for g, err := range Games(text) {
			if g == nil && err == nil || err != nil && (err.Error() == "" || strings.Contains(err.Error(), "\n")) {
				t.Fatalf("%v, %q", g, err)
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

package main

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"gogotb/cmd/internal/answer"
	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/rules/record/kif"
)

// TestSolveMates: the mates of public test suites and of an exhaustive search, by the program.
func TestSolveMates(t *testing.T) {
	data, err := os.ReadFile("../../verify/testdata/mates.tsv")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		field := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if field[0] == "sfen" {
			continue
		}
		for i, flags := range [][]string{{"--tsume"}, nil} {
			want := field[1+i]
			if want == "" {
				continue
			}
			n++
			limit := 7
			if plies, err := strconv.Atoi(want); err == nil {
				limit = max(limit, plies)
			}
			args := append([]string{"solve", "--json", "--max-plies", strconv.Itoa(limit), field[0]}, flags...)
			r := puzzleLines[answer.Solution](t, succeed(t, args...))[0]
			got := "none"
			if r.DTM != nil {
				got = strconv.Itoa(*r.DTM)
			}
			if got != want || r.DTM != nil && len(r.Line) != *r.DTM {
				t.Errorf("%v: %s, want %s: %+v", args, got, want, r)
			}
		}
	}
	if n == 0 {
		t.Error("no mates")
	}
}

func TestSolveJSON(t *testing.T) {
	for _, c := range []struct{ args, start string }{
		{"2sgk/5/3RG/5/4K b R 1", `{"sfen":"2sgk/5/3RG/5/4K b R 1","category":"win","by":"mate","dtm":3,"line":["1c1b",`},
		{"rbs+Rk/5/1B3/P3p/KGS2 w G 1", `{"sfen":"rbs+Rk/5/1B3/P3p/KGS2 w G 1","category":"loss","by":"mate","dtm":0,"line":[],"nodes":`},
		{"2k2/5/5/5/2K2 b - 1", `{"sfen":"2k2/5/5/5/2K2 b - 1","category":"no-mate","by":null,"dtm":null,"line":[],"nodes":`},
		{"--max-plies 2 2sgk/5/3RG/5/4K b R 1", `{"sfen":"2sgk/5/3RG/5/4K b R 1","category":"no-mate","by":null,"dtm":null,"max_plies":2,"line":[],"nodes":`},
	} {
		args := []string{"solve", "--json"}
		if rest, ok := strings.CutPrefix(c.args, "--max-plies 2 "); ok {
			args, c.args = append(args, "--max-plies", "2"), rest
		}
		got := succeed(t, append(args, c.args)...)
		if !strings.HasPrefix(got, c.start) || !strings.Contains(got, `,"seconds":`) {
			t.Errorf("%s: %swant %s", c.args, got, c.start)
		}
	}
	r := gogotb(t, "solve", "--json", "--nodes", "1000", rules.StartSFEN)
	if r.status != exitFailed || !strings.Contains(r.stdout, `"category":"unknown","by":null,"dtm":null,"line":[]`) || r.stderr != "" {
		t.Errorf("%+v", r)
	}
	r = gogotb(t, "solve", "--timeout", "1ms", rules.StartSFEN)
	if r.status != exitFailed || !strings.Contains(r.stdout, "Not known: out of time. Proved: no mate within") {
		t.Errorf("%+v", r)
	}
}

func TestSolveText(t *testing.T) {
	out := succeed(t, "solve", "--tsume", "2sgk/5/3RG/5/4K b R 1")
	for _, text := range []string{
		"Sente is to move. Sente mates with checks only in 3 plies.\n",
		"Best play: 1. 1c1b (G-12)  2. 1a1b (Kx12)  3. R*1c (R*13)\n",
		"moves made in",
	} {
		if !strings.Contains(out, text) {
			t.Errorf("%q is not in\n%s", text, out)
		}
	}
	for sfen, text := range map[string]string{
		"4k/4G/4P/5/4K w - 1":      "Gote is to move, in check. Gote is checkmated.\n",
		"4k/2G2/3S1/5/5 w - 1":     "Gote is to move. Gote has no legal move, which loses.\n",
		"5/4k/3G1/5/3R1 w - 1":     "Gote is to move, in check. Sente mates in 2 plies.\n",
		"2k2/5/5/5/2K2 b - 1":      "There is no mate.\n",
		"2k2/5/1+P3/5/5 b 2S 1":    "Sente mates in 3 plies.\n",
		"4k/5/5/5/K4 b RG 1":       "Sente mates in 3 plies.\n",
		"k4/5/5/5/5 b - 1":         "Sente is to move. Sente has no legal move, which loses.\n",
		"2pkb/4R/2+bG1/5/5 b 2S 1": "Sente mates in 5 plies.\n",
	} {
		if out := succeed(t, "solve", sfen); !strings.Contains(out, text) {
			t.Errorf("%q is not in\n%s", text, out)
		}
	}
	if out := succeed(t, "solve", "--dir", smallTables(t), "4k/5/5/5/K4 b RG 1"); !strings.Contains(out, "Sente mates in 3 plies.\n") || !strings.Contains(out, "From a table.\n") {
		t.Errorf("with tables:\n%s", out)
	}
}

// TestSolveTree: the tree is a KIF file of the game's mate with every longest defence as a variation.
func TestSolveTree(t *testing.T) {
	out := succeed(t, "solve", "--tree", "5/4k/3G1/5/3R1 w - 1")
	n := 0
	for g, err := range kif.Games(out) {
		if err != nil {
			t.Fatalf("%v in\n%s", err, out)
		}
		n++
		// The king can go to 1a and to 2a, and the gold mates on 2b.
		if len(g.Moves) != 2 || g.End.Kind != record.Checkmate || len(g.Variations) != 1 || g.Variations[0].Ply != 1 || len(g.Variations[0].Moves) != 2 {
			t.Errorf("%s", out)
		}
		if g.Moves[0].Move == g.Variations[0].Moves[0].Move {
			t.Errorf("the same defence twice:\n%s", out)
		}
	}
	if n != 1 {
		t.Errorf("%d games in\n%s", n, out)
	}
	refuse(t, exitUsage, []string{"--tree", "--json"}, "solve", "--tree", "--json", "5/4k/3G1/5/3R1 w - 1")
	refuse(t, exitUsage, []string{"--max-plies"}, "solve", "--max-plies", "-1", "5/4k/3G1/5/3R1 w - 1")
	refuse(t, exitUsage, []string{"--timeout"}, "solve", "--timeout", "-1s", "5/4k/3G1/5/3R1 w - 1")
	refuse(t, exitUsage, []string{"board"}, "solve", "5/4k/3G1/5 w - 1")
	refuse(t, exitUsage, []string{"arg"}, "solve")
	refuse(t, exitUsage, []string{"--hash 900 PiB"}, "solve", "--hash", "900PiB", "5/4k/3G1/5/3R1 w - 1")
}

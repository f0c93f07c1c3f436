package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"gogotb/cmd/internal/answer"
)

// pasted are ways in which people have a position, all of them this one.
var pasted = []string{
	"sfen 4k/5/5/5/K4 b R 1",
	"position sfen 4k/5/5/5/K4 b R 1",
	"position sfen 3k1/5/5/5/K4 w R 1 moves 2a1a",
	"4k/5/5/5/K4_b_R_1",
	" \t4k/5/5/5/K4  b R\r\n",
	"\ufeff4k/5/5/5/K4 b R 1",
	"4k/5/5/5/K4[R] w - - 0 1", // as Fairy-Stockfish writes it
	"position fen 3k1/5/5/5/K4[R] b - - 0 1 moves d5e5",
}

// TestPastedPositions: every command that takes a position takes it as people have it.
func TestPastedPositions(t *testing.T) {
	const plain = "4k/5/5/5/K4 b R 1"
	dir := smallTables(t)
	for _, args := range [][]string{
		{"moves"}, {"perft", "2"}, {"index"}, {"probe", "--dir", dir, "--json"}, {"solve", "--dir", dir}, {"game"},
	} {
		numbers := regexp.MustCompile(`( b R|ply) [0-9]`) // how many moves were played is not the same
		want := numbers.ReplaceAllString(succeed(t, append(args, plain)...), "$1")
		for _, text := range pasted {
			if got := numbers.ReplaceAllString(succeed(t, append(args, text)...), "$1"); got != want {
				t.Errorf("%v %q: %s, want %s", args, text, got, want)
			}
		}
	}
	for _, args := range [][]string{{"moves"}, {"perft", "2"}, {"game"}} {
		if got, want := succeed(t, append(args, "startpos")...), succeed(t, append(args, "rbsgk/4p/5/P4/KGSBR b - 1")...); got != want {
			t.Errorf("%v startpos: %s, want %s", args, got, want)
		}
	}
	for _, args := range [][]string{{"moves"}, {"perft", "1"}, {"index"}, {"solve"}, {"game"}} {
		refuse(t, exitUsage, []string{"board", "character 26"}, append(args, "\ufeffposition sfen 4k/5/5/5/K５ b R 1")...)
		refuse(t, exitUsage, []string{"FEN: hands", "character 14"}, append(args, "4k/5/5/5/K4[RX] w - - 0 1")...)
		status := exitUsage
		if args[0] == "game" {
			status = exitFailed // a game that breaks a rule, as with moves of its own
		}
		refuse(t, status, []string{"ply 2", "illegal move 1a1d"}, append(args, "4k/5/5/5/K4 w R 1 moves 1a1b 1a1d")...)
	}
}

// TestProbeBatch: blank lines and comments are passed over, and one strange line costs no other.
func TestProbeBatch(t *testing.T) {
	lines := append([]string{"\ufeff# from a club's page", "", "  "}, pasted...)
	lines = append(lines, "# and what cannot be read:", "４k/5/5/5/K4 b R 1", strings.Repeat("1e1d ", 1<<15), "4k/5/5/5/K4 b R 1")
	cmd := command(t, "probe", "--dir", smallTables(t), "--json", "-")
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\r\n"))
	r := finish(t, cmd)
	if r.status != exitFailed || r.stderr != "" {
		t.Errorf("status %d, standard error %q", r.status, r.stderr)
	}
	got := decodeLines[struct {
		answer.Probe
		Error string
	}](t, r.stdout)
	var short []string
	for _, g := range got {
		short = append(short, strings.TrimSuffix(fmt.Sprint(g.Material, " ", g.Category, " ", g.Error), " "))
	}
	want := strings.Repeat("R win\n", len(pasted)) + " SFEN: board, character 1: \"４\" is no piece\n the line is too long for a position\nR win"
	want = strings.ReplaceAll(want, "\n ", "\n  ")
	if strings.Join(short, "\n") != want {
		t.Errorf("answers:\n%s\nwant:\n%s", strings.Join(short, "\n"), want)
	}
}

package main

import (
	"bufio"
	"os"
	"strings"
	"testing"
)

func TestMoves(t *testing.T) {
	for _, c := range []struct{ sfen, want string }{
		// The start.
		{"rbsgk/4p/5/P4/KGSBR b - 1", "1e1b 1e1c 1e1d 2e1d 2e3d 2e4c 2e5b 3e2d 3e3d 3e4d 4e3d 4e4d 5d5c 5e4d"},
		// A rook may promote on the far rank, and need not; the king is on 5e.
		{"4k/1R3/5/5/K4 b - 1", "4b1b 4b2b 4b3b 4b4a 4b4a+ 4b4c 4b4d 4b4e 4b5b 5e4d 5e4e 5e5d"},
		// No legal move.
		{"k4/1R3/2K2/5/5 w - 2", ""},
		// One king: a drop on every empty square; the bishop gives no check to a king that is not there.
		{"k4/5/5/5/5 b B 1", "B*1a B*1b B*1c B*1d B*1e B*2a B*2b B*2c B*2d B*2e B*3a B*3b B*3c B*3d B*3e B*4a B*4b B*4c B*4d B*4e B*5b B*5c B*5d B*5e"},
	} {
		want := strings.ReplaceAll(c.want, " ", "\n")
		if want != "" {
			want += "\n"
		}
		if got := succeed(t, "moves", c.sfen); got != want {
			t.Errorf("moves %q:\n%swant\n%s", c.sfen, got, want)
		}
	}
}

func TestPerft(t *testing.T) {
	f, err := os.Open("../../rules/testdata/perft.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	counted := 0
	for n := 0; in.Scan(); n++ {
		field := strings.Split(in.Text(), "\t")
		if n == 0 || n > 3 && n%20 > 0 || field[1] > "4" {
			continue
		}
		counted++
		lines := strings.Split(succeed(t, "perft", field[1], field[0]), "\n")
		if got := lines[len(lines)-2]; got != field[2] {
			t.Errorf("perft %s %q: %s, want %s", field[1], field[0], got, field[2])
		}
	}
	if counted < 10 {
		t.Errorf("%d positions counted", counted)
	}
	if got := succeed(t, "perft", "0"); got != "1\n" {
		t.Errorf("perft 0: %q", got)
	}
	if got, want := succeed(t, "perft", "1", "--jobs", "1", "4k/5/5/5/K4 b - 1"), "5e4d: 1\n5e4e: 1\n5e5d: 1\n3\n"; got != want {
		t.Errorf("perft 1: %q, want %q", got, want)
	}
}

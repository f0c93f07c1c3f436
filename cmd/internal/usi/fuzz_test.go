package usi

import (
	"strings"
	"testing"
)

// Whatever is sent, every go is answered once, and nothing else happens.
func FuzzSession(f *testing.F) {
	for _, seed := range []string{
		"usi\nisready\nposition startpos\ngo depth 1\n", "uci\nposition fen 4k/5/5/5/K4[R] w - - 0 1 moves R@a5\ngo movetime 1",
		"position sfen 4k/5/5/5/K4 b R 1\ngo infinite\nisready\ngo ponder\nponderhit\ngo nodes 5 searchmoves 5e5d",
		"setoption name MultiPV value 3\nsetoption name Repetition value first-player-loses\ngo btime 1 wtime 1 binc 0 byoyomi 1",
		"go mate 1\ngameover win\nusinewgame\ngo wtime 10\ndebug go depth 1",
	} {
		f.Add(seed)
	}
	f.Add("position sfen 4k/R4/5/5/K4 b - 1 moves 5b5a=\nsetoption name Move_Overhead value 0\nsetoption name MateShare value 100\ngo depth 2")
	f.Fuzz(func(t *testing.T, input string) {
		if strings.Contains(strings.ToLower(input), "path") {
			return // no programs are to be started, no folders opened
		}
		var out strings.Builder
		if err := New("test", nil, &out).Run(strings.NewReader("setoption name Hash value 1\n" + input + "\nquit\n")); err != nil {
			t.Fatal(err)
		}
		want := 0
		for line := range strings.SplitSeq(input, "\n") {
			n, quit := answers(line)
			want += n
			if quit {
				break
			}
		}
		lines := strings.Split(out.String(), "\n")
		if got := count(lines, "bestmove") + count(lines, "checkmate"); got != want {
			t.Errorf("%q: %d answers to %d questions:\n%s", input, got, want, out.String())
		}
	})
}

// answers is how many answers a line asks for: 1 if the first word that is a command is go.
func answers(line string) (n int, quit bool) {
	for _, word := range strings.Fields(line) {
		switch word {
		case "go":
			return 1, false
		case "quit":
			return 0, true
		case "usi", "uci", "isready", "setoption", "position", "stop", "gameover", "ponderhit", "usinewgame", "ucinewgame", "debug", "register":
			return 0, false
		}
	}
	return 0, false
}

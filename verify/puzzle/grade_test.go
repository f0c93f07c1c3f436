package puzzle

import (
	"context"
	"testing"
)

// TestDifficulty: counts made by hand.
func TestDifficulty(t *testing.T) {
	for text, want := range map[string]Difficulty{
		// Checks: the rook to 1e, 2b, and 2a promoting, the gold to 1a, 1c, 2b, 2c; there is nothing to capture.
		"5/4k/5/5/3R1 b G 1 moves G*2c 1b1a 2c2b": {Plies: 3, Plausible: 7, Drops: 1},
		// The rook checks from four squares of the rank and four of the file, the gold from 1b, 2a and 2b; the rook is captured.
		"4k/5/5/5/K4 b RG 1 moves R*1b 1a1b G*1c": {Plies: 3, Plausible: 11, Drops: 2, Sacrifices: 1},
		// The first move is quiet, and the second: neither checks, and the king is not in check.
		"4k/5/5/5/K4 b G 1 moves 5e4d 1a1b 4d3c 1b1a G*2b": {Plies: 5, Plausible: 3, Quiet: 2, Drops: 1},
		// In check both moves are plausible, the capture and 4e, and getting out is not quiet; the next move is.
		"4k/5/5/r4/K4 b - 1 moves 5e5d 1a1b 5d4c": {Plies: 3, Plausible: 2, Quiet: 1},
	} {
		if got := difficultyOf(read(t, text)[0]); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

// TestGrade: points by the rules in GradeHelp.
func TestGrade(t *testing.T) {
	for _, c := range []struct {
		d    Difficulty
		want string
	}{
		{Difficulty{Plies: 1, Nodes: 999}, "easy, 0 points"},
		{Difficulty{Plies: 3, Plausible: 7, Drops: 1}, "easy, 1 point: 1 for 3 plies"},
		{Difficulty{Plies: 3, Plausible: 8, Sacrifices: 1, Nodes: 1000}, "easy, 4 points: 1 for 3 plies, 1 for 8 plausible first moves, 1 for 1 sacrifice, 1 for 1000 nodes"},
		{Difficulty{Plies: 5, Quiet: 1, Nodes: 9999}, "medium, 5 points: 2 for 5 plies, 2 for 1 quiet move, 1 for 9999 nodes"},
		{Difficulty{Plies: 7, Plausible: 99, Nodes: 10_000}, "medium, 8 points: 3 for 7 plies, 3 for 99 plausible first moves, 2 for 10000 nodes"},
		{Difficulty{Plies: 7, Plausible: 16, Quiet: 2, Drops: 3, Sacrifices: 1, Nodes: 12345}, "hard, 13 points: 3 for 7 plies, 2 for 16 plausible first moves, 4 for 2 quiet moves, 1 for 3 drops, 1 for 1 sacrifice, 2 for 12345 nodes"},
		{Difficulty{Plies: 13, Nodes: 100_000}, "hard, 9 points: 6 for 13 plies, 3 for 100000 nodes"},
		{Difficulty{Plies: 13, Nodes: 1_000_000}, "hard, 10 points: 6 for 13 plies, 4 for 1000000 nodes"},
	} {
		if got := c.d.String(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.d, got, c.want)
		}
	}
}

// TestRate: the nodes are counted, the same every time, and end at their limit.
func TestRate(t *testing.T) {
	easy := read(t, "5/4k/5/5/3R1 b G 1 moves G*2c 1b1a 2c2b")[0]
	d, err := Rate(context.Background(), easy)
	if err != nil || d.Nodes == 0 || d.Nodes >= 1000 || d.Grade() != Easy {
		t.Errorf("%+v, %v", d, err)
	}
	if again, err := Rate(context.Background(), easy); err != nil || again != d {
		t.Errorf("%+v, then %+v, %v", d, again, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Rate(ctx, easy); err != context.Canceled {
		t.Errorf("with a context that has ended: %v", err)
	}
}

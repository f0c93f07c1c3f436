package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"gogotb/cmd/internal/answer"
)

const (
	// Sente's rook checks from 3c and 2c, in turn: 3a2a 3c2c 2a3a 2c3c.
	rookGame   = "2k2/5/5/5/2K2 b R 1"
	rookChecks = "R*3c 3a2a 3c2c 2a3a 2c3c 3a2a 3c2c 2a3a 2c3c 3a2a 3c2c 2a3a"
	// The kings walk to and fro.
	kingsGame = "4k/5/5/5/K4 b - 1"
	kingsWalk = "5e4e 1a2a 4e5e 2a1a"
)

func TestGame(t *testing.T) {
	const fourfold = kingsWalk + " " + kingsWalk + " " + kingsWalk
	for _, c := range []struct {
		args  []string
		want  string
		words string
	}{
		{[]string{rookGame},
			`{"sfen":"2k2/5/5/5/2K2 b R 1","result":"ongoing","winner":null,"reason":null,"plies":0}`,
			"Sente is to move: the game goes on (ply 0)."},
		{[]string{rookGame, "R*3c"},
			`{"sfen":"2k2/5/2R2/5/2K2 w - 2","result":"ongoing","winner":null,"reason":null,"plies":1}`,
			"Gote is to move, in check: the game goes on (ply 1)."},
		{[]string{rookGame, rookChecks},
			`{"sfen":"2k2/5/3R1/5/2K2 b - 13","result":"ongoing","winner":null,"reason":null,"plies":12}`,
			"Sente is to move: the game goes on (ply 12)."},
		{[]string{rookGame, rookChecks, "2c3c"},
			`{"sfen":"2k2/5/2R2/5/2K2 w - 14","result":"win","winner":"gote","reason":"perpetual","plies":13}`,
			"The position has occurred for the fourth time, and Sente has given check with every move: Gote wins (ply 13)."},
		{[]string{kingsGame, fourfold},
			`{"sfen":"4k/5/5/5/K4 b - 13","result":"draw","winner":null,"reason":"repetition","plies":12}`,
			"The position has occurred for the fourth time: a draw (ply 12)."},
		{[]string{"--repetition", "first-player-loses", kingsGame, fourfold},
			`{"sfen":"4k/5/5/5/K4 b - 13","result":"win","winner":"gote","reason":"repetition","plies":12}`,
			"The position has occurred for the fourth time: Gote wins (ply 12)."},
		{[]string{"--repetition", "first-player-loses", "--first-player", "w", kingsGame, fourfold},
			`{"sfen":"4k/5/5/5/K4 b - 13","result":"win","winner":"sente","reason":"repetition","plies":12}`,
			"The position has occurred for the fourth time: Sente wins (ply 12)."},
		{[]string{"--repetition", "inventor", kingsGame, fourfold},
			`{"sfen":"4k/5/5/5/K4 b - 13","result":"draw","winner":null,"reason":"repetition","plies":12}`,
			"The position has occurred for the fourth time: a draw (ply 12)."},
		{[]string{"--max-plies", "4", kingsGame, kingsWalk},
			`{"sfen":"4k/5/5/5/K4 b - 5","result":"draw","winner":null,"reason":"ply-limit","plies":4}`,
			"The limit of plies is reached: a draw (ply 4)."},
		// The gold guards 2a and 2b, and the king guards the gold.
		{[]string{"4k/5/4K/5/5 b G 1", "G*1b"},
			`{"sfen":"4k/4G/4K/5/5 w - 2","result":"win","winner":"sente","reason":"checkmate","plies":1}`,
			"Gote is checkmated: Sente wins (ply 1)."},
		// The rook guards 4a and 5b, and the king guards the rook.
		{[]string{"k4/5/1RK2/5/5 b - 1", "4c4b"},
			`{"sfen":"k4/1R3/2K2/5/5 w - 2","result":"win","winner":"sente","reason":"stalemate","plies":1}`,
			"Gote has no legal move: Sente wins (ply 1)."},
		// Two rooks and two bishops are 20 points, the other five pieces of Sente's are 5.
		{[]string{"K4/5/5/5/4k b 2R2B2G2SPp 1"},
			`{"sfen":"K4/5/5/5/4k b 2R2B2G2SPp 1","result":"win","winner":"sente","reason":"impasse","plies":0}`,
			"Impasse: Sente has 25 points, Gote 1: Sente wins (ply 0)."},
		{[]string{"--impasse=false", "K4/5/5/5/4k b 2R2B2G2SPp 1"},
			`{"sfen":"K4/5/5/5/4k b 2R2B2G2SPp 1","result":"ongoing","winner":null,"reason":null,"plies":0}`,
			"Sente is to move: the game goes on (ply 0)."},
		{[]string{"K4/5/5/5/4k b 2RBGSPbgsp 1"},
			`{"sfen":"K4/5/5/5/4k b 2RBGSPbgsp 1","result":"undecided","winner":null,"reason":"impasse","plies":0}`,
			"Impasse: Sente has 18 points, Gote 8: undecided by the rule (ply 0)."},
		{[]string{"K4/5/5/5/4k b R 1"},
			`{"sfen":"K4/5/5/5/4k b R 1","result":"ongoing","winner":null,"reason":null,"plies":0}`,
			"Sente is to move: the game goes on (ply 0)."},
		{[]string{"--impasse", "K4/5/5/5/4k b R 1"},
			`{"sfen":"K4/5/5/5/4k b R 1","result":"undecided","winner":null,"reason":"impasse","plies":0}`,
			"Impasse: Sente has 5 points, Gote 0: undecided by the rule (ply 0)."},
	} {
		if got := succeed(t, append([]string{"game", "--json"}, c.args...)...); got != c.want+"\n" {
			t.Errorf("game --json %q:\n got %s want %s", c.args, got, c.want)
		}
		text := succeed(t, append([]string{"game"}, c.args...)...)
		if !strings.HasSuffix(text, "\n"+c.words+"\n") {
			t.Errorf("game %q:\n%s want %q at the end", c.args, text, c.words)
		}
	}
}

// TestGameFixture plays the games of the rules' fixture.
func TestGameFixture(t *testing.T) {
	text, err := os.ReadFile("../../rules/testdata/repetition.tsv")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")[1:]
	if len(lines) < 5 {
		t.Fatalf("%d games in the fixture", len(lines))
	}
	for _, line := range lines {
		f := strings.Split(line, "\t")
		var got answer.Game
		if err := json.Unmarshal([]byte(succeed(t, "game", "--json", f[0], f[1])), &got); err != nil {
			t.Fatal(err)
		}
		reason := "none"
		if got.Reason != nil {
			reason = *got.Reason
		}
		if got.Winner != nil {
			reason += " " + *got.Winner
		}
		want := f[2]
		switch {
		case strings.HasPrefix(want, "none"):
			want = "none"
		case strings.HasPrefix(want, "perpetual check by Sente, who loses"):
			want = "perpetual gote"
		}
		if reason != want {
			t.Errorf("%s %s: %s, want %s", f[0], f[1], reason, want)
		}
	}
}

// TestIllegalMoves: the error names the move, its ply and the rule it breaks.
func TestIllegalMoves(t *testing.T) {
	for _, c := range []struct {
		sfen, moves string
		texts       []string
	}{
		{rookGame, "R*3c 3a3b", []string{"ply 2", "3a3b", "check"}},
		{rookGame, rookChecks + " 2c3c 3a2a", []string{"ply 14", "3a2a", "over"}},
		{"2k2/5/5/2P2/2K2 b P 1", "P*3c", []string{"ply 1", "P*3c", "nifu"}},
		{"2k2/5/5/2P2/2K2 b P 1", "P*4a", []string{"ply 1", "P*4a", "far rank"}},
		{"5/2P2/4k/5/2K2 b - 1", "3b3a", []string{"ply 1", "3b3a", "must promote"}},
		// The rook takes the fourth file from the king, the king the rest.
		{"k4/5/K4/5/1R3 b P 1", "P*5b", []string{"ply 1", "P*5b", "uchifuzume"}},
		{kingsGame, "G*3c", []string{"ply 1", "G*3c", "in hand"}},
	} {
		refuse(t, exitFailed, c.texts, "game", c.sfen, c.moves)
	}
}

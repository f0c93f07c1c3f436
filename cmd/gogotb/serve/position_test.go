package serve

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"gogotb/cmd/internal/answer"
	"gogotb/rules"
)

// TestMovesAndGames: what the rules say of positions, moves and games.
func TestMovesAndGames(t *testing.T) {
	server := startServer(t, Options{})
	var position positionReply
	ask(t, server.URL, "position?sfen="+url.QueryEscape(rules.StartSFEN), &position)
	if !position.Legal || position.Table || position.Material != "RRBBGGSSPP" || len(position.Moves) != 14 {
		t.Errorf("the start: %+v", position)
	}
	position = positionReply{}
	ask(t, server.URL, "position?sfen=4k/4K/5/5/5_b_-", &position)
	if position.Legal || position.Error == nil || position.Error.Code != "bad-sfen" || len(position.Moves) > 0 {
		t.Errorf("kings that touch: %+v", position)
	}
	if f := position.Error.Fault; f == nil || *f != (answer.Fault{Code: "kings-adjacent", Square: "1a"}) {
		t.Errorf("kings that touch: fault %+v", f)
	}
	// As other programs write positions.
	for text, want := range map[string]string{
		"position startpos moves 1e1d":       "rbsgk/4p/5/P3R/KGSB1 w - 2",
		"4k/5/5/5/K4[RG] w - - 0 1":          "4k/5/5/5/K4 b RG 1",
		"\ufeff sfen 4k/5/5/5/K4 b RG 1\r\n": "4k/5/5/5/K4 b RG 1",
	} {
		position = positionReply{}
		ask(t, server.URL, "position?sfen="+url.QueryEscape(text), &position)
		if !position.Legal || position.SFEN != want {
			t.Errorf("%q: %+v, want %s", text, position, want)
		}
	}
	position = positionReply{}
	ask(t, server.URL, "position?sfen="+url.QueryEscape("4k/5/5/5/K4[RX] w - - 0 1"), &position)
	if e := position.Error; e == nil || e.Code != "bad-sfen" || e.Field != "hands" || e.Column != 14 {
		t.Errorf("a FEN with an unknown piece: %+v", position)
	}
	for move, want := range map[string]string{
		"P*3a": "dead-pawn", "P*1d": "nifu", "P*1a": "occupied", "G*3c": "not-in-hand", "5e5c": "cannot-reach", "1a1b": "not-yours", "3c3b": "no-piece", "5e5d": "",
	} {
		var got moveReply
		ask(t, server.URL, "move?sfen=4k/5/4P/5/K4_b_P&usi="+move, &got)
		if got.Rule != want || got.Legal != (want == "") || (got.After == "") != (want != "") || (got.Message == "") != (want == "") {
			t.Errorf("%s: %+v, want %q", move, got, want)
		}
	}
	var mate moveReply
	ask(t, server.URL, "move?sfen=4k/5/4K/5/3R1_b_P&usi=P*1b", &mate)
	if mate.Rule != "uchifuzume" {
		t.Errorf("a pawn drop that mates: %+v", mate)
	}
	for moves, want := range map[string]string{
		"":               "ongoing   0",
		"R*3b,1a2a":      "ongoing   2",
		"R*3b,1a1b":      "",
		"G*2c,1a2a,R*4a": "win sente checkmate 3",
		strings.Repeat("5e5d,1a1b,5d5e,1b1a,", 3): "draw  repetition 12",
	} {
		var got answer.Game
		r := ask(t, server.URL, "game?sfen=4k/5/5/5/K4_b_RG&moves="+url.QueryEscape(moves), &got)
		text := ""
		if r.StatusCode == http.StatusOK {
			text = fmt.Sprintln(got.Result, pointed(got.Winner), pointed(got.Reason), got.Plies)
		}
		if strings.TrimSpace(text) != want {
			t.Errorf("%s: %q, want %q", moves, text, want)
		}
	}
	var lost answer.Game
	ask(t, server.URL, "game?repetition=first-player-loses&sfen=4k/5/5/5/K4_b_RG&moves="+strings.Repeat("5e5d,1a1b,5d5e,1b1a,", 3), &lost)
	if pointed(lost.Winner) != "gote" {
		t.Errorf("first player loses: %+v", lost)
	}
}

func pointed(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// TestMovesAreNamed in all notations, by every address that names moves; a move that captures where the one before it
// went is 同 in Japanese.
func TestMovesAreNamed(t *testing.T) {
	server := startServer(t, Options{})
	const pinned = "2k2/5/2r2/2G2/2K2_b_-" // gold takes rook, or stays in its way
	want := moveName{"3d3c", "Gx33", "３三金"}
	var position positionReply
	ask(t, server.URL, "position?sfen="+pinned, &position)
	if len(position.Moves) == 0 || position.Moves[0] != want {
		t.Errorf("position: %+v", position.Moves)
	}
	var check moveReply
	ask(t, server.URL, "move?sfen="+pinned+"&usi=3d3c", &check)
	if check.Western != want.Western || check.Japanese != want.Japanese {
		t.Errorf("move: %+v", check)
	}
	var game gameReply
	ask(t, server.URL, "game?sfen=2k2/5/2r2/5/1G2K_w_-&moves=3c3d,4e3d&names=true", &game)
	if game.Moves == nil || !slices.Equal(*game.Moves, []moveName{{"3c3d", "R-34", "３四飛"}, {"4e3d", "Gx34", "同金"}}) {
		t.Errorf("game: %+v", game)
	}
	var probe answer.Probe
	ask(t, server.URL, "probe?sfen=4k/5/5/5/K4_b_RG&names=true", &probe)
	if m := probe.Moves[0]; m.Western != "G*23" || m.Japanese != "２三金" {
		t.Errorf("probe: %+v", m)
	}
	var line lineReply
	ask(t, server.URL, "line?sfen=4k/5/5/5/K4_b_RG", &line)
	if got := strings.Join(line.Japanese, " "); got != "２三金 ２一玉 ４一飛" {
		t.Errorf("line: %s", got)
	}
	var solution solutionReply
	ask(t, server.URL, "solve?sfen=4k/5/4K/5/5_b_GS", &solution)
	mates := map[string]string{"G*12": "１二金", "G*22": "２二金", "S*12": "１二銀"}
	if len(solution.Western) != 1 || len(solution.Japanese) != 1 || mates[solution.Western[0]] != solution.Japanese[0] {
		t.Errorf("solve: %s, %s", solution.Japanese, solution.Western)
	}
}

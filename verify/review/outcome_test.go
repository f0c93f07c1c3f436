package review

import (
	"fmt"
	"strings"
	"testing"

	"gogotb/rules"
)

// summaryOf reviews the one game of a text with little effort.
func summaryOf(t *testing.T, game string, options Options) (Summary, []Move) {
	t.Helper()
	options.Nodes, options.Plies = 2000, 5
	r, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	g, _ := theGame(t, game)
	var moves []Move
	s, err := r.Review(t.Context(), g, func(m *Move) error {
		moves = append(moves, *m)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, moves
}

// TestRemarks: what the rules say of games, and whether the file agrees.
func TestRemarks(t *testing.T) {
	kings := "sfen 4k/5/5/5/K4 b - 1 moves" + strings.Repeat(" 5e5d 1a1b 5d5e 1b1a", 3)
	checks := "sfen 2k2/5/5/5/2K2 b R 1 moves R*3c" + strings.Repeat(" 3a2a 3c2c 2a3a 2c3c", 3)
	const loser, mate = "sfen 4k/5/4K/5/5 b GS 1 moves", " G*1b"
	for _, c := range []struct {
		game    string
		options Options
		want    string // remarks, and after a colon how the game stands
	}{
		{kings, Options{}, "repetition@12 : draw repetition"},
		{kings, Options{Game: rules.GameOptions{Repetition: rules.FirstPlayerLoses}}, "repetition@12 : win gote repetition"},
		{kings, Options{Game: rules.GameOptions{Repetition: rules.FirstPlayerLoses, FirstPlayer: new(rules.Color(rules.Gote))}},
			"repetition@12 : win sente repetition"},
		{kings + " repetition", Options{}, "repetition@12 : draw repetition"},
		{kings + " resign", Options{}, "repetition@12 contradiction@12 : draw repetition"},
		{kings + " 5e5d", Options{}, "repetition@12 played-on@12 : draw repetition"},
		{checks, Options{}, "perpetual@13 : win gote perpetual"},
		{checks + " resign", Options{}, "perpetual@13 contradiction@13 : win gote perpetual"}, // the winner gives up
		{"sfen 4k/5/5/5/K4 b - 1 moves 5e5d 1a1b", Options{Game: rules.GameOptions{MaxPlies: 2}}, "ply-limit@2 : draw ply-limit"},
		{loser + mate, Options{}, ": win sente checkmate"},
		{loser + mate + " checkmate", Options{}, ": win sente checkmate"},
		{loser + mate + " resign", Options{}, ": win sente checkmate"},
		{loser + mate + " draw", Options{}, "contradiction@1 : win sente checkmate"},
		{loser + mate + " win", Options{}, "contradiction@1 : win sente checkmate"}, // the mated side's king has not entered
		{loser + " checkmate", Options{}, "contradiction@0 : ongoing"},
		{loser + " repetition", Options{}, "contradiction@0 : ongoing"},
		{loser + " resign", Options{}, "gave-up-won@0 : ongoing"},
		{loser + " timeout", Options{}, "gave-up-won@0 : ongoing"},
		{loser + " interrupted", Options{}, ": ongoing"},
		{"sfen 4k/5/5/5/K4 b - 1 moves 5e5d resign", Options{}, ": ongoing"},
		// 25 points to 1, 13 to 13, and too few pieces for anybody to have enough.
		{"sfen K4/5/5/5/4k b 2R2B2G2SPp 1 moves 5a4a 1e2e", Options{}, "impasse@0 : win sente impasse"},
		{"sfen K4/5/5/5/4k b RBGSPrbgsp 1 moves 5a4a 1e2e", Options{}, "impasse@0 : undecided impasse"},
		{"sfen K4/5/5/5/4k b RG 1 moves 5a4a 1e2e", Options{}, ": ongoing"},
	} {
		s, _ := summaryOf(t, c.game, c.options)
		got := ""
		for _, r := range s.Remarks {
			got += fmt.Sprintf("%v@%d ", r.Kind, r.Ply)
		}
		got += ": " + s.Status.Result.String()
		if s.Status.Result == rules.Win {
			got += " " + s.Status.Winner.String()
		}
		if s.Status.Reason != rules.NoReason {
			got += " " + s.Status.Reason.String()
		}
		if got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.game, got, c.want)
		}
	}
}

// TestEndedByTheRules: a move that makes a position for the fourth time is judged by what the rules make of it.
func TestEndedByTheRules(t *testing.T) {
	_, moves := summaryOf(t, "sfen 2k2/5/5/5/2K2 b R 1 moves R*3c"+strings.Repeat(" 3a2a 3c2c 2a3a 2c3c", 3), Options{})
	last := moves[len(moves)-1]
	if last.Judgement != Blunder || last.After.Category != Win || last.After.By != ByPerpetual || last.Proved {
		t.Errorf("the perpetual check: %+v", last)
	}
	// A table that holds all for open knows that the checks give the game away.
	open := Options{Table: func(*rules.Position) (rules.Value, bool) { return rules.MakeValue(rules.Open, 0), true }}
	_, moves = summaryOf(t, "sfen 2k2/5/5/5/2K2 b R 1 moves R*3c"+strings.Repeat(" 3a2a 3c2c 2a3a 2c3c", 3), open)
	if last := moves[len(moves)-1]; last.Judgement != Blunder || !last.Proved || len(last.Better) != last.Position.CountMoves()-1 {
		t.Errorf("the perpetual check, by a table: %+v", last)
	}
	// The opponent's fourth check of the same kind ends the game; here it is the one who flees that moves last.
	_, moves = summaryOf(t, "sfen 2k2/5/3R1/5/2K2 b - 1 moves"+strings.Repeat(" 2c3c 3a2a 3c2c 2a3a", 3), open)
	if last := moves[len(moves)-1]; last.Judgement != Best || !last.Proved || last.After.Category != Loss {
		t.Errorf("who flees: %+v", last)
	}
	_, moves = summaryOf(t, "sfen 4k/5/5/5/K4 b - 1 moves"+strings.Repeat(" 5e5d 1a1b 5d5e 1b1a", 3), Options{})
	if last := moves[len(moves)-1]; last.After.Category != Draw || last.After.By != ByRepetition {
		t.Errorf("the repetition: %+v", last)
	}
	_, moves = summaryOf(t, "sfen 3rk/3s1/4G/5/K4 b P 1 moves P*1b", Options{})
	if last := moves[len(moves)-1]; last.Judgement != Illegal || last.Broken != rules.PawnDropMate || !last.Proved {
		t.Errorf("the pawn drop: %+v", last)
	}
}

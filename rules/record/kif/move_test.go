package kif

import (
	"testing"

	"gogotb/rules"
)

// TestMoves checks notation by hand: both sides' origins, 同, promotion, and promoted pieces.
func TestMoves(t *testing.T) {
	p, err := rules.ParseSFEN("k4/2S1P/5/2b2/K2+R1 b GSPr 1")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		usi, kif string
		last     rules.Square
	}{
		{"1b1a+", "１一歩成(12)", rules.NoSquare},
		{"3b3a", "３一銀(32)", rules.NoSquare},
		{"3b3a+", "３一銀成(32)", rules.NoSquare},
		{"2e2d", "２四龍(25)", rules.NoSquare},
		{"G*4b", "４二金打", rules.NoSquare},
		{"5e4d", "同　玉(55)", 16},
	} {
		m, err := rules.ParseUSI(c.usi)
		if err != nil {
			t.Fatal(err)
		}
		if got := FormatMove(&p, m, c.last); got != c.kif {
			t.Errorf("%s: wrote %s, want %s", c.usi, got, c.kif)
		}
		if got, err := ParseMove(&p, c.kif, c.last); got != m || err != nil {
			t.Errorf("%s: read %v, %v", c.kif, got, err)
		}
	}
	for _, text := range []string{"３一銀不成(32)", "3一銀(32)"} {
		if m, err := ParseMove(&p, text, rules.NoSquare); err != nil || m.USI() != "3b3a" {
			t.Errorf("%s: %v %v", text, m, err)
		}
	}
	if _, err := ParseMove(&p, "３一銀(32) ", rules.NoSquare); err == nil {
		t.Error("a space after the move was accepted")
	}
}

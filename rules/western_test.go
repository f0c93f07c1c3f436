package rules

import (
	"errors"
	"testing"
)

// Every legal move of many positions, written and read; the texts are all different.
func TestWesternRoundTrip(t *testing.T) {
	var buf [MaxMoves]Move
	forRandomPositions(t, 3000, func(p *Position) {
		texts := map[string]bool{}
		for _, m := range p.Moves(buf[:0]) {
			text := p.Western(m)
			if texts[text] {
				t.Fatalf("%v: %s stands for two moves", p, text)
			}
			texts[text] = true
			back, err := p.ParseWestern(text)
			if err != nil || back != m {
				t.Fatalf("%v: %v is written %s, read back %v: %v", p, m, text, back, err)
			}
		}
	})
}

func TestWesternByHand(t *testing.T) {
	for _, c := range []struct{ sfen, usi, western string }{
		{StartSFEN, "4e4d", "G-44"},
		{StartSFEN, "1e1b", "Rx12"},
		{"4k/5/5/5/K4 b R 1", "R*3c", "R*33"},
		{"2s1k/1P3/5/5/K4 b - 1", "4b4a+", "P-41+"},
		{"1s2k/1P3/5/5/K4 b - 1", "4b4a+", "Px41+"},
		{"4k/2S2/5/5/K4 b - 1", "3b3a+", "S-31+"},
		{"4k/2S2/5/5/K4 b - 1", "3b3a", "S-31="},
		{"4k/2+S2/5/5/K4 b - 1", "3b3a", "+S-31"},
		{"4k/5/2p2/2+R2/K4 b - 1", "3d3c", "+Rx33"},
		{"4k/5/5/5/K1R2 w r 1", "R*3c", "R*33"},
		{"k4/5/5/2s2/4K w - 1", "3d3e+", "S-35+"},
		// two golds that can both go to 4c: the origin is written
		{"4k/G4/5/G4/4K b - 1", "5b5c", "G52-53"},
		{"4k/G4/p4/G4/4K b - 1", "5d5c", "G54x53"},
		// a promoted pawn moves like a gold and is none
		{"4k/G4/5/+P4/4K b - 1", "5b5c", "G-53"},
		{"4k/G4/5/+P4/4K b - 1", "5d5c", "+P-53"},
		// the other gold is pinned to its file, so there is no choice; then it is not
		{"4k/5/r1G2/G4/K4 b - 1", "3c4c", "G-43"},
		{"4k/r4/G1G2/5/K4 b - 1", "3c4c", "G-43"},
		{"4k/5/G1G2/5/K4 b - 1", "3c4c", "G33-43"},
		// a drop is no choice: the * says it
		{"4k/5/2G2/5/K4 b G 1", "3c4c", "G-43"},
		{"4k/5/2G2/5/K4 b G 1", "G*4c", "G*43"},
	} {
		p := mustParse(t, c.sfen)
		m, err := ParseUSI(c.usi)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Legal(m); err != nil {
			t.Errorf("%s: %v", c.sfen, err)
			continue
		}
		if got := p.Western(m); got != c.western {
			t.Errorf("%s %s: %s, want %s", c.sfen, c.usi, got, c.western)
		}
		if back, err := p.ParseWestern(c.western); err != nil || back != m {
			t.Errorf("%s %s: read as %v (%v), want %s", c.sfen, c.western, back, err, c.usi)
		}
	}
}

func TestParseWesternSuperfluousOrigin(t *testing.T) {
	p := mustParse(t, StartSFEN)
	if m, err := p.ParseWestern("G45-44"); err != nil || m.USI() != "4e4d" {
		t.Errorf("%v, %v", m, err)
	}
}

func TestParseWesternErrors(t *testing.T) {
	const golds = "4k/G4/5/G4/4K b - 1"
	for _, c := range []struct {
		sfen, text string
		column     int  // of a *MoveError
		rule       Rule // of an *IllegalMoveError
	}{
		{StartSFEN, "", 1, 0},
		{StartSFEN, "X-44", 1, 0},
		{StartSFEN, "g-44", 1, 0},
		{StartSFEN, "+", 2, 0},
		{StartSFEN, "+G-44", 2, 0},
		{StartSFEN, "+K-44", 2, 0},
		{StartSFEN, "G", 2, 0},
		{StartSFEN, "G44", 4, 0},
		{StartSFEN, "G4-44", 3, 0},
		{StartSFEN, "G46-44", 3, 0},
		{StartSFEN, "G45-4", 6, 0},
		{StartSFEN, "G-64", 3, 0},
		{StartSFEN, "G-4d", 4, 0},
		{StartSFEN, "G-44!", 5, 0},
		{StartSFEN, "G-44++", 6, 0},
		{StartSFEN, "G-44 ", 5, 0},
		{StartSFEN, "K*44", 2, 0},
		{StartSFEN, "+R*44", 3, 0},
		{StartSFEN, "G45*44", 2, 0},
		{StartSFEN, "R*44+", 5, 0},
		{StartSFEN, "R*44=", 5, 0},
		// understood, but not as the position has it
		{StartSFEN, "Gx44", 2, 0},
		{StartSFEN, "R-12", 2, 0},
		{StartSFEN, "G-44=", 5, 0},
		{StartSFEN, "+R-11", 1, 0},
		{StartSFEN, "G55-54", 2, 0},
		{golds, "G-53", 2, 0},
		{golds, "G-13", 3, 0},
		{"4k/2S2/5/5/K4 b - 1", "S-31", 5, 0},
		// illegal
		{StartSFEN, "G-44+", 0, CannotPromote},
		{StartSFEN, "R-13+", 0, OutsideZone},
		{StartSFEN, "G-43", 0, PieceMovesOtherwise},
		{StartSFEN, "G-35", 0, OwnPieceOnTarget},
		{StartSFEN, "K55-55", 0, NotAMove},
		{StartSFEN, "G*33", 0, NotInHand},
		{"4k/2P2/5/5/K4 b P 1", "P-31", 0, MustPromote},
		{"4k/2P2/5/5/K4 b P 1", "P*33", 0, SecondPawn},
		{"4r/5/4G/5/k3K b - 1", "G-23", 0, LeavesCheck},
	} {
		p := mustParse(t, c.sfen)
		m, err := p.ParseWestern(c.text)
		var bad *MoveError
		var illegal *IllegalMoveError
		switch {
		case errors.As(err, &bad) && bad.Column == c.column:
		case errors.As(err, &illegal) && illegal.Rule == c.rule:
		default:
			t.Errorf("%s %q: %v, %v; want character %d or rule %v", c.sfen, c.text, m, err, c.column, c.rule)
		}
		if m != 0 {
			t.Errorf("%s %q: a move beside an error", c.sfen, c.text)
		}
	}
}

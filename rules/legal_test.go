package rules

import (
	"slices"
	"testing"
)

// Worked by hand: a move and the rule that it breaks; 0 where it is legal.
func TestLegalByHand(t *testing.T) {
	for _, c := range []struct {
		sfen, move string
		want       Rule
	}{
		{StartSFEN, "5d5c", 0},
		{StartSFEN, "3c3b", NoPieceThere},
		{StartSFEN, "5a5b", NotYourPiece},
		{StartSFEN, "P*3c", NotInHand},
		{StartSFEN, "5e5d", OwnPieceOnTarget},
		{StartSFEN, "5d4c", PieceMovesOtherwise},
		{StartSFEN, "1e1a", PieceMovesOtherwise}, // 1b is in between
		{StartSFEN, "2e2d", PieceMovesOtherwise},
		{StartSFEN, "1e1c+", OutsideZone},
		{"4k/5/5/5/K4 b G 1", "G*5e", TargetOccupied},
		{"4k/5/5/5/K4 b G 1", "G*1a", TargetOccupied},
		{"4k/5/5/5/K4 b G 1", "G*3a", 0},

		// Promotion: on the far rank only, on the way in, out or along; not twice.
		{"4k/5/2S2/5/K4 b - 1", "3c3b+", OutsideZone},
		{"4k/2S2/5/5/K4 b - 1", "3b3a+", 0},
		{"4k/2S2/5/5/K4 b - 1", "3b3a", 0},
		{"2S1k/5/5/5/K4 b - 1", "3a4b+", 0},
		{"2S1k/5/5/5/K4 b - 1", "3a4b", 0},
		{"R4/4k/5/5/K4 b - 1", "5a2a+", 0},
		{"4k/2+S2/5/5/K4 b - 1", "3b3a+", CannotPromote},
		{"4k/2G2/5/5/K4 b - 1", "3b3a+", CannotPromote},
		{"5/K4/5/5/4k b - 1", "5b5a+", CannotPromote},
		{"4k/2P2/5/5/K4 b - 1", "3b3a", MustPromote},
		{"4k/2P2/5/5/K4 b - 1", "3b3a+", 0},
		{"4k/5/5/2p2/K4 w - 1", "3d3e", MustPromote},
		{"4k/5/5/2p2/K4 w - 1", "3d3e+", 0},

		// Pawn drops: far rank and nifu. A tokin is no pawn, and neither is the opponent's.
		{"4k/5/5/5/K4 b P 1", "P*3a", DeadPawn},
		{"4k/5/5/5/K4 w p 1", "P*3e", DeadPawn},
		{"4k/5/5/5/K4 w p 1", "P*3a", 0},
		{"4k/5/5/2P2/K4 b P 1", "P*3b", SecondPawn},
		{"4k/5/5/2P2/K4 b P 1", "P*4b", 0},
		{"4k/5/5/2+P2/K4 b P 1", "P*3b", 0},
		{"4k/5/5/2p2/K4 b P 1", "P*3b", 0},
		{"4k/2p2/5/5/K4 w p 1", "P*3d", SecondPawn},

		// The king's safety: walking into check, pins, a check that must be met.
		{"5/4r/3K1/5/k4 b - 1", "2c2b", LeavesCheck},
		{"5/4r/3K1/5/k4 b - 1", "2c2d", 0},
		{"4r/5/4G/5/k3K b - 1", "1c2c", LeavesCheck},
		{"4r/5/4G/5/k3K b - 1", "1c1b", 0},
		{"4r/5/5/5/k3K b G 1", "G*2c", LeavesCheck},
		{"4r/5/5/5/k3K b G 1", "G*1c", 0},
		{"5/5/2k2/5/2K2 b - 1", "3e3d", LeavesCheck}, // next to the other king
		{"4r/5/3P1/5/k1gbK b - 1", "1e2e", LeavesCheck},

		// Uchifuzume. The king on 1a; the gold on 2c guards 1b and 2b.
		{"3rk/5/3G1/5/K4 b P 1", "P*1b", PawnDropMate},
		{"3rk/5/3G1/5/K4 b G 1", "G*1b", 0},             // a gold may mate
		{"3sk/5/3G1/5/K4 b P 1", "P*1b", 0},             // the silver captures the pawn
		{"R2sk/5/3G1/5/K4 b P 1", "P*1b", PawnDropMate}, // the silver is pinned
		{"4k/5/3G1/5/K4 b P 1", "P*1b", 0},              // the king goes to 2a
		{"3rk/5/5/5/K4 b P 1", "P*1b", 0},               // the king captures the pawn
		{"3rk/5/4P/3G1/K4 b - 1", "1c1b", 0},            // a pawn that steps may mate
		{"3rk/5/3G1/5/5 b P 1", "P*1b", PawnDropMate},   // without the attacker's king
		{"k4/5/1g3/5/KR3 w p 1", "P*5d", PawnDropMate},  // the same for Gote
		{"4k/5/3G1/B4/K4 b P 1", "P*3c", 0},             // stalemate by a pawn drop
	} {
		p := mustParse(t, c.sfen)
		m, err := ParseUSI(c.move)
		if err != nil {
			t.Fatal(err)
		}
		var rule Rule
		if err := p.Legal(m); err != nil {
			rule = err.(*IllegalMoveError).Rule
		}
		if rule != c.want {
			t.Errorf("%s %s: %v, want %v", c.sfen, c.move, rule, c.want)
		}
		if listed := slices.Contains(p.Moves(nil), m); listed != (c.want == 0) {
			t.Errorf("%s %s: listed %v", c.sfen, c.move, listed)
		}
	}
}

// For each of the 65536 values of a Move, Legal and Moves agree.
func TestLegalAgreesWithMoves(t *testing.T) {
	var buf [MaxMoves]Move
	forRandomPositions(t, 200, func(p *Position) {
		legal := map[Move]bool{}
		for _, m := range p.Moves(buf[:0]) {
			legal[m] = true
		}
		for m := range 1 << 16 {
			if err := p.Legal(Move(m)); (err == nil) != legal[Move(m)] {
				t.Fatalf("%v: move %d: %v, listed %v", p, m, err, legal[Move(m)])
			}
		}
	})
}

func TestIllegalMoveErrorNamesRule(t *testing.T) {
	p := mustParse(t, "4k/5/5/2P2/K4 b P 1")
	err := p.Legal(Drop(Pawn, 7))
	if want := "illegal move P*3b: nifu, a second unpromoted pawn on the file"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	for r := NotAMove; r <= GameOver; r++ {
		if r.String() == "" || r.String() == Rule(255).String() {
			t.Errorf("rule %d has no text", uint8(r))
		}
	}
}

package rules

import (
	"errors"
	"strings"
	"testing"
)

// TestFaults gives every fault that an SFEN can have, with the square, side and kind that are to blame.
func TestFaults(t *testing.T) {
	seen := map[Fault]bool{}
	for _, c := range []struct {
		sfen, code, square string // square "": none
		color              Color
		kind               Kind
	}{
		{"5/5/5/5/5 b -", "no-king", "", 0, 0},
		{"k3k/5/5/5/K4 b -", "second-king", "1a", Gote, 0},
		{"k4/5/5/K4/K4 b -", "second-king", "5e", Sente, 0},
		{"kGG2/5/5/G4/K4 b -", "third-piece", "5d", 0, Gold},
		{"k+PG2/5/5/+p4/K4 b p", "third-piece", "", 0, Pawn},
		{"4k/5/5/5/K4 b 3S", "third-piece", "", 0, Silver},
		{"4k/5/5/5/K4 b 99999999999999999999r", "third-piece", "", 0, Rook},
		{"kP3/5/5/5/K4 b -", "pawn-on-far-rank", "4a", Sente, 0},
		{"k4/5/5/5/K3p b -", "pawn-on-far-rank", "1e", Gote, 0},
		{"k4/2P2/5/2P2/K4 b -", "second-pawn", "3d", Sente, 0},
		{"k4/2p2/5/2p2/K4 b -", "second-pawn", "3d", Gote, 0},
		{"5/k4/K4/5/5 b -", "kings-adjacent", "5b", 0, 0},
		{"k4/5/5/5/K3r w -", "opponent-in-check", "5e", Sente, 0},
		{"k4/5/R4/5/4K b -", "opponent-in-check", "5a", Gote, 0},
	} {
		_, err := ParseSFEN(c.sfen)
		var illegal *PositionError
		if !errors.As(err, &illegal) {
			t.Errorf("%s: %v is not about the position", c.sfen, err)
			continue
		}
		seen[illegal.Fault] = true
		square := ""
		if illegal.Square != NoSquare {
			square = illegal.Square.String()
		}
		if illegal.Fault.Code() != c.code || square != c.square || illegal.Kind != c.kind ||
			illegal.Color != c.color || illegal.Fault.OfSide() != (c.color == Gote || strings.Contains(illegal.Error(), "sente")) {
			t.Errorf("%s: %s, %q, %v, %v", c.sfen, illegal.Fault.Code(), square, illegal.Color, illegal.Kind)
		}
	}
	for f := NoSuchSide; f <= OffBoard; f++ {
		if strings.HasPrefix(f.Code(), "fault-") {
			t.Errorf("fault %d has no code", f)
		}
		// These cannot be written in SFEN.
		cannotBeWritten := f == NoSuchSide || f == NoSuchPiece || f == Overlap || f == OffBoard
		if seen[f] == cannotBeWritten {
			t.Errorf("%v: seen %v", f, seen[f])
		}
	}
	// A text that is wrong says nothing of the position.
	if _, err := ParseSFEN("6/5/5/5/K4 b -"); err == nil || errors.As(err, new(*PositionError)) {
		t.Errorf("error %v", err)
	}
}

// TestNewRefuses: New takes boards from programs, which may hold anything.
func TestNewRefuses(t *testing.T) {
	var board [Squares]Piece
	board[0] = MakePiece(Sente, King)
	for _, c := range []struct {
		piece      Piece
		sideToMove Color
		want       PositionError
	}{
		{MakePiece(Gote, Gold+promotion), Sente, PositionError{Fault: NoSuchPiece, Square: 24}},
		{MakePiece(Gote, Kinds), Sente, PositionError{Fault: NoSuchPiece, Square: 24}},
		{MakePiece(Sente, King), Sente, PositionError{Fault: SecondKing, Square: 24}},
		{MakePiece(Gote, King), 2, PositionError{Fault: NoSuchSide, Square: NoSquare}},
	} {
		board[24] = c.piece
		_, err := New(board, [2]Hand{}, c.sideToMove)
		var got *PositionError
		if !errors.As(err, &got) || *got != c.want {
			t.Errorf("%v, side %d: %v, want %v", c.piece, c.sideToMove, err, &c.want)
		}
	}
}

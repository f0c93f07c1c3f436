package rules

import (
	"errors"
	"testing"
)

func TestParseSFENByHand(t *testing.T) {
	p := mustParse(t, "1+B2k/2S2/1r3/1P3/K1+p2 w B2Gsr 12")
	for sq := Square(0); sq < Squares; sq++ {
		want := map[string]Piece{
			"4a": MakePiece(Sente, Horse), "1a": MakePiece(Gote, King), "3b": MakePiece(Sente, Silver),
			"4c": MakePiece(Gote, Rook), "4d": MakePiece(Sente, Pawn),
			"5e": MakePiece(Sente, King), "3e": MakePiece(Gote, Tokin),
		}[sq.String()]
		if p.At(sq) != want {
			t.Errorf("%v holds %v, want %v", sq, p.At(sq), want)
		}
	}
	if p.SideToMove() != Gote || p.MoveNumber() != 12 {
		t.Errorf("sideToMove %v, move %d", p.SideToMove(), p.MoveNumber())
	}
	if p.Hand(Sente) != (Hand{Bishop: 1, Gold: 2}) || p.Hand(Gote) != (Hand{Rook: 1, Silver: 1}) {
		t.Errorf("hands %v %v", p.Hand(Sente), p.Hand(Gote))
	}
	if p.HandCount(Sente, Gold) != 2 || p.King(Sente).String() != "5e" || p.King(Gote).String() != "1a" {
		t.Error("Count or King")
	}
	if p.OccupiedBy(Gote) != 1<<4|1<<11|1<<22 || p.Occupied().Count() != 7 {
		t.Errorf("occupied by Gote: %025b", p.OccupiedBy(Gote))
	}
	if p.Pieces(Gote, Tokin) != 1<<22 || p.Pieces(Gote, Pawn) != 0 {
		t.Error("Pieces")
	}
}

// What may be written in several ways is written in one.
func TestSFENNormalForm(t *testing.T) {
	for _, c := range [][2]string{
		{StartSFEN, StartSFEN},
		{"rbsgk/4p/5/P4/KGSBR b -", StartSFEN},
		{"4k/5/5/5/K4 w pg2SPRb2r 3", ""}, // three rooks
		{"4k/5/5/5/K4 w pg2SPRbr 3", "4k/5/5/5/K4 w R2SPrbgp 3"},
		{"4k/5/5/5/K4 b SS", "4k/5/5/5/K4 b 2S 1"},
		{"4k/5/5/5/5 b rGs 999999", "4k/5/5/5/5 b Grs 999999"},
		{"5/5/5/5/K4 b -", "5/5/5/5/K4 b - 1"},
	} {
		p, err := ParseSFEN(c[0])
		if c[1] == "" {
			if err == nil {
				t.Errorf("%s: no error", c[0])
			}
			continue
		}
		if err != nil || p.SFEN() != c[1] {
			t.Errorf("%s: %s (%v), want %s", c[0], p.SFEN(), err, c[1])
		}
	}
}

// Each kind of bad input: the field, and the character, counted from 1.
func TestParseSFENErrors(t *testing.T) {
	for _, c := range []struct {
		sfen   string
		field  Field
		column int
	}{
		// the board's shape
		{"", BoardField, 1},
		{" 4k/5/5/5/K4 b - 1", BoardField, 1},
		{"4k/5/5/K4 b - 1", BoardField, 10},
		{"4k/5/5/5/5/K4 b - 1", BoardField, 11},
		{"4k/5/5/5/K4/ b - 1", BoardField, 12},
		{"4k/5/4/5/K4 b - 1", BoardField, 7},
		{"4k/5//5/K4 b - 1", BoardField, 6},
		{"4k/5/5/5/K5 b - 1", BoardField, 11},
		{"4k/5/5/5/KGSBRP b - 1", BoardField, 15},
		{"4k/5/5/5/KGSBR1 b - 1", BoardField, 15},
		{"4k/6/5/5/K4 b - 1", BoardField, 4},
		{"4k/05/5/5/K4 b - 1", BoardField, 4},
		{"4k/9/5/5/K4 b - 1", BoardField, 4},
		{"4k/5/5/5/K22 b - 1", BoardField, 12},
		{"4k/5/5/5/K112 b - 1", BoardField, 12},
		// its letters
		{"4k/5/2X2/5/K4 b - 1", BoardField, 7},
		{"4k/5/2é2/5/K4 b - 1", BoardField, 7},
		{"4k/5/2l2/5/K4 b - 1", BoardField, 7},
		{"4k/5/2-2/5/K4 b - 1", BoardField, 7},
		{"4k/5/2+/5/K4 b - 1", BoardField, 7},
		{"4k/5/2+2/5/K4 b - 1", BoardField, 8},
		{"4k/5/2++P1/5/K4 b - 1", BoardField, 8},
		{"4k/5/5/5/+K4 b - 1", BoardField, 10},
		{"4+k/5/5/5/K4 b - 1", BoardField, 2},
		{"4k/5/2+g2/5/K4 b - 1", BoardField, 7},
		// its material
		{"5/5/5/5/5 b - 1", BoardField, 1},
		{"5/5/5/5/5 b RB 1", BoardField, 1},
		{"4k/5/2K2/5/K4 b - 1", BoardField, 12},
		{"k3k/5/2K2/5/5 b - 1", BoardField, 3},
		{"3rk/5/+R4/5/K3r b - 1", BoardField, 15},
		// where pieces stand
		{"P3k/5/5/5/K4 b - 1", BoardField, 1},
		{"4k/5/5/5/K3p b - 1", BoardField, 12},
		{"4k/P4/5/P4/K4 b - 1", BoardField, 9},
		{"4k/1p3/1p3/5/K4 b - 1", BoardField, 9},
		{"4k/4K/5/5/5 b - 1", BoardField, 2},
		{"4k/5/5/5/K3R b - 1", BoardField, 2},
		{"4k/5/5/5/r3K w - 1", BoardField, 12},
		// side to move
		{"4k/5/5/5/K4", SideToMoveField, 12},
		{"4k/5/5/5/K4 ", SideToMoveField, 13},
		{"4k/5/5/5/K4  b - 1", SideToMoveField, 13},
		{"4k/5/5/5/K4 B - 1", SideToMoveField, 13},
		{"4k/5/5/5/K4 bw - 1", SideToMoveField, 13},
		// hands
		{"4k/5/5/5/K4 b", HandsField, 14},
		{"4k/5/5/5/K4 b ", HandsField, 15},
		{"4k/5/5/5/K4 b 1P 1", HandsField, 15},
		{"4k/5/5/5/K4 b 0P 1", HandsField, 15},
		{"4k/5/5/5/K4 b 3P 1", HandsField, 15},
		{"4k/5/5/5/K4 b R2 1", HandsField, 16},
		{"4k/5/5/5/K4 b 22P 1", HandsField, 15},
		{"4k/5/5/5/K4 b 02P 1", HandsField, 15},
		{"4k/5/5/5/K4 b 3K 1", HandsField, 16},
		{"4k/5/5/5/K4 b 34 1", HandsField, 15},
		{"4k/5/5/5/K4 b 2 1", HandsField, 15},
		{"4k/5/5/5/K4 b K 1", HandsField, 15},
		{"4k/5/5/5/K4 b RX 1", HandsField, 16},
		{"4k/5/5/5/K4 b +R 1", HandsField, 15},
		{"4k/5/5/5/K4 b R- 1", HandsField, 16},
		{"4k/5/5/5/K4 b -R 1", HandsField, 15},
		{"4k/5/5/5/K4 b 2Rr 1", HandsField, 17},
		{"4k/5/5/5/K4 b RRR 1", HandsField, 17},
		{"4k/2P2/5/5/K4 b 2p 1", HandsField, 17},
		{"1+p2k/2P2/5/5/K4 b p 1", HandsField, 20},
		// move number and beyond
		{"4k/5/5/5/K4 b - ", MoveNumberField, 17},
		{"4k/5/5/5/K4 b - 0", MoveNumberField, 17},
		{"4k/5/5/5/K4 b - 01", MoveNumberField, 17},
		{"4k/5/5/5/K4 b - -1", MoveNumberField, 17},
		{"4k/5/5/5/K4 b - 1x", MoveNumberField, 18},
		{"4k/5/5/5/K4 b - 1000000", MoveNumberField, 17},
		{"4k/5/5/5/K4 b - 99999999999999999999999", MoveNumberField, 17},
		{"4k/5/5/5/K4 b - 1\n", MoveNumberField, 18},
		{"4k/5/5/5/K4 b - 1 ", ExtraField, 18},
		{"4k/5/5/5/K4 b - 1 2", ExtraField, 18},
	} {
		_, err := ParseSFEN(c.sfen)
		var e *SFENError
		if !errors.As(err, &e) {
			t.Errorf("%q: %v", c.sfen, err)
			continue
		}
		if e.Field != c.field || e.Column != c.column {
			t.Errorf("%q: %v; want %s, character %d", c.sfen, err, c.field, c.column)
		}
	}
}

func TestSFENErrorText(t *testing.T) {
	_, err := ParseSFEN("4k/5/5/5/K4 b 1P 1")
	want := "SFEN: hands, character 15: 1 is no number of pieces; 2 is, and one piece goes without"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestNewErrors(t *testing.T) {
	king, rook := MakePiece(Sente, King), MakePiece(Sente, Rook)
	gote := MakePiece(Gote, King)
	for name, c := range map[string]struct {
		board      [Squares]Piece
		hands      [2]Hand
		sideToMove Color
		square     Square
	}{
		"no king":          {square: NoSquare},
		"two kings":        {board: [Squares]Piece{20: king, 24: king}, square: 24},
		"no such side":     {board: [Squares]Piece{20: king}, sideToMove: 2, square: NoSquare},
		"promoted gold":    {board: [Squares]Piece{20: king, 3: MakePiece(Gote, Gold.Promote())}, square: 3},
		"no such piece":    {board: [Squares]Piece{20: king, 3: 255}, square: 3},
		"no such kind":     {board: [Squares]Piece{20: king, 3: 16}, square: 3},
		"three rooks":      {board: [Squares]Piece{20: king, 3: rook}, hands: [2]Hand{{Rook: 1}, {Rook: 1}}, square: NoSquare},
		"many pawns":       {board: [Squares]Piece{20: king}, hands: [2]Hand{{Pawn: 255}, {Pawn: 255}}, square: NoSquare},
		"opponent checked": {board: [Squares]Piece{4: gote, 14: rook}, square: 4},
		"dead pawn":        {board: [Squares]Piece{4: gote, 22: MakePiece(Gote, Pawn)}, square: 22},
	} {
		_, err := New(c.board, c.hands, c.sideToMove)
		var e *PositionError
		if !errors.As(err, &e) || e.Square != c.square {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := New([Squares]Piece{4: gote, 14: rook}, [2]Hand{}, Sente)
	if want := "illegal position: 1a: gote is in check, but sente is to move"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	_, err = New([Squares]Piece{4: gote, 9: king}, [2]Hand{}, Sente)
	if want := "illegal position: 1a: the kings are adjacent"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	p, err := New([Squares]Piece{4: gote, 14: rook, 20: king}, [2]Hand{{Pawn: 1}}, Gote)
	if want := "4k/5/4R/5/K4 w P 1"; err != nil || p.SFEN() != want {
		t.Errorf("%v (%v), want %s", &p, err, want)
	}
}

func TestHandicaps(t *testing.T) {
	// The number of pieces that Gote goes without.
	missing := []int{1, 1, 2, 3, 4, 5}
	if len(Handicaps) != len(missing) {
		t.Fatalf("%d handicaps", len(Handicaps))
	}
	start := mustParse(t, StartSFEN)
	for i, h := range Handicaps {
		p := mustParse(t, h.SFEN)
		if p.SFEN() != h.SFEN || p.SideToMove() != Gote || p.OccupiedBy(Sente) != start.OccupiedBy(Sente) {
			t.Errorf("%s: %v", h.Name, &p)
		}
		if n := 6 - p.OccupiedBy(Gote).Count(); n != missing[i] {
			t.Errorf("%s: %d pieces missing", h.Name, n)
		}
		for b := p.OccupiedBy(Gote); b != 0; b &= b - 1 {
			if p.At(b.First()) != start.At(b.First()) {
				t.Errorf("%s: %v on %v", h.Name, p.At(b.First()), b.First())
			}
		}
	}
}

func TestSFENRoundTrip(t *testing.T) {
	forRandomPositions(t, 20000, func(p *Position) {
		q, err := ParseSFEN(p.SFEN())
		if err != nil || q != *p {
			t.Fatalf("%v: read back %v, %v", p, &q, err)
		}
	})
}

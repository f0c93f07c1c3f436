package index

import (
	"errors"
	"testing"

	"gogotb/rules"
)

func placed2(pieces map[rules.Square]rules.Piece, sideToMove rules.Color) rules.Position {
	var board [rules.Squares]rules.Piece
	for s, p := range pieces {
		board[s] = p
	}
	return rules.Place(&board, &[2]rules.Hand{}, sideToMove)
}

func mustParse(t *testing.T, sfen string) rules.Position {
	t.Helper()
	p, err := rules.ParseSFEN(sfen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestEncodeRefusesOtherMaterial(t *testing.T) {
	x := mustIndex(t, "GP")
	for sfen, got := range map[string]string{
		"5/k4/5/2K2/5 b - 1":        "none",
		"5/k4/5/2K2/5 b P 1":        "P",
		"5/k4/5/2K2/5 w Gp2s 1":     "GSSP",
		"5/k4/5/2KG1/5 b 2P 1":      "GPP",
		"5/k4/5/2KG1/3P1 b Gb 1":    "BGGP",
		"5/k4/5/2KR1/5 b P 1":       "RP",
		"5/k4/5/2KR1/5 b GP 1":      "RGP",
		"5/k2+s1/5/2K2/3P1 w G 1":   "GSP",
		"5/k4/5/2K+S1/5 w p 1":      "SP",
		"rbsgk/4p/5/P4/KGSBR b - 1": "RRBBGGSSPP",
	} {
		p := mustParse(t, sfen)
		_, err := x.Encode(&p)
		var material *MaterialError
		if !errors.As(err, &material) || material.Want.String() != "GP" || material.Got.String() != got {
			t.Errorf("%s: %v, want a MaterialError with %s", sfen, err, got)
		}
	}
}

func TestEncodeRefusesMissingKing(t *testing.T) {
	x := mustIndex(t, "R")
	for sfen, missing := range map[string]rules.Color{
		"4k/5/5/5/R4 b - 1": rules.Sente,
		"4k/5/5/5/R4 w - 1": rules.Sente,
		"4K/5/5/5/R4 b - 1": rules.Gote,
		"4K/5/5/5/5 w r 1":  rules.Gote,
	} {
		p := mustParse(t, sfen)
		_, err := x.Encode(&p)
		var king *KingError
		if !errors.As(err, &king) || king.Missing != missing {
			t.Errorf("%s: %v, want a KingError for %s", sfen, err, missing)
		}
	}
}

func TestEncodeRefusesImpossiblePlacements(t *testing.T) {
	const s, g = rules.Sente, rules.Gote
	type pieces = map[rules.Square]rules.Piece
	K, k := rules.MakePiece(s, rules.King), rules.MakePiece(g, rules.King)
	P, p := rules.MakePiece(s, rules.Pawn), rules.MakePiece(g, rules.Pawn)
	for _, v := range []struct {
		name       string
		pieces     pieces
		sideToMove rules.Color
		fault      rules.Fault
		squares    []rules.Square // one of them is named
	}{
		{"adjacent kings", pieces{12: K, 16: k, 5: P, 24: P}, s, rules.KingsAdjacent, []rules.Square{12, 16}},
		{"adjacent kings, Gote to move", pieces{12: K, 16: k, 5: P, 24: P}, g, rules.KingsAdjacent, []rules.Square{12, 16}},
		{"own dead pawn", pieces{20: K, 24: k, 1: P, 7: P}, s, rules.PawnOnFarRank, []rules.Square{1}},
		{"own dead pawn, seen by Gote", pieces{20: K, 24: k, 1: P, 7: P}, g, rules.PawnOnFarRank, []rules.Square{1}},
		{"opposing dead pawn", pieces{0: K, 4: k, 7: P, 22: p}, s, rules.PawnOnFarRank, []rules.Square{22}},
		{"opposing dead pawn, kings in the middle", pieces{2: K, 17: k, 7: P, 22: p}, s, rules.PawnOnFarRank, []rules.Square{22}},
		{"dead pawn of the side to move", pieces{0: K, 4: k, 7: p, 22: p}, g, rules.PawnOnFarRank, []rules.Square{22}},
		{"two own pawns", pieces{20: K, 24: k, 6: P, 16: P}, s, rules.SecondPawnOnFile, []rules.Square{6, 16}},
		{"two pawns, kings in the middle", pieces{2: K, 22: k, 7: P, 17: P}, s, rules.SecondPawnOnFile, []rules.Square{7, 17}},
		{"two pawns on the right, kings in the middle", pieces{2: K, 22: k, 9: P, 19: P}, s, rules.SecondPawnOnFile, []rules.Square{9, 19}},
		{"two opposing pawns", pieces{20: K, 24: k, 6: p, 16: p}, s, rules.SecondPawnOnFile, []rules.Square{6, 16}},
	} {
		position := placed2(v.pieces, v.sideToMove)
		_, err := mustIndex(t, "PP").Encode(&position)
		checkFault(t, v.name, err, v.fault, v.squares...)
		var illegal *rules.PositionError
		if errors.As(err, &illegal) && v.fault.OfSide() && illegal.Color != v.pieces[illegal.Square].Color() {
			t.Errorf("%s: %v is said to be at fault", v.name, illegal.Color)
		}
	}
}

func checkFault(t *testing.T, name string, err error, fault rules.Fault, squares ...rules.Square) {
	t.Helper()
	var placement *rules.PositionError
	if !errors.As(err, &placement) || placement.Fault != fault {
		t.Errorf("%s: %v, want %s", name, err, fault)
		return
	}
	for _, s := range squares {
		if placement.Square == s {
			return
		}
	}
	t.Errorf("%s: %v, want it at one of %v", name, err, squares)
}

func TestEncodeSquaresRefuses(t *testing.T) {
	x := mustIndex(t, "GPP")
	slice := x.SliceNumber([]State{Own, Own, Opposing})
	for _, v := range []struct {
		name          string
		own, opposing rules.Square
		squares       [MaxPieces]rules.Square
		fault         rules.Fault
		where         rules.Square
	}{
		{"piece on a king", 0, 4, [5]rules.Square{0, 10, 11}, rules.Overlap, 0},
		{"pawn on a king", 5, 9, [5]rules.Square{12, 5, 11}, rules.Overlap, 5},
		{"pawn on a pawn", 0, 4, [5]rules.Square{12, 11, 11}, rules.Overlap, 11},
		{"gold on a pawn", 0, 4, [5]rules.Square{10, 10, 11}, rules.Overlap, 10},
		{"one king on the other", 7, 7, [5]rules.Square{10, 11, 12}, rules.Overlap, 7},
		{"overlap between middle kings", 2, 22, [5]rules.Square{12, 12, 17}, rules.Overlap, 12},
		{"gold on a middle king", 2, 22, [5]rules.Square{22, 12, 17}, rules.Overlap, 22},
		{"pawn on a middle king", 2, 22, [5]rules.Square{12, 22, 17}, rules.Overlap, 22},
		{"own king off the board", 25, 4, [5]rules.Square{10, 11, 12}, rules.OffBoard, 25},
		{"opposing king off the board", 4, 57, [5]rules.Square{10, 11, 12}, rules.OffBoard, 57},
		{"gold off the board", 0, 4, [5]rules.Square{32, 11, 12}, rules.OffBoard, 32},
		{"gold off the board between middle kings", 2, 22, [5]rules.Square{25, 7, 12}, rules.OffBoard, 25},
		{"pawn off the board", 0, 4, [5]rules.Square{10, 255, 12}, rules.OffBoard, 255},
		{"pawn off the board between middle kings", 2, 22, [5]rules.Square{10, 11, 25}, rules.OffBoard, 25},
		{"opposing pawn dead", 0, 4, [5]rules.Square{10, 12, 21}, rules.PawnOnFarRank, 21},
	} {
		_, err := x.EncodeSquares(slice, v.own, v.opposing, &v.squares)
		checkFault(t, v.name, err, v.fault, v.where)
	}
	// what is beyond the pieces on the board does not matter
	if _, err := x.EncodeSquares(slice, 0, 4, &[5]rules.Square{10, 11, 12, 99, 10}); err != nil {
		t.Error(err)
	}
	for _, slice := range []int{-1, len(x.Slices())} {
		_, err := x.EncodeSquares(slice, 0, 4, &[5]rules.Square{10, 11, 12})
		var s *SliceError
		if !errors.As(err, &s) || s.Slice != slice || s.Slices != len(x.Slices()) {
			t.Errorf("slice %d: %v, want a SliceError", slice, err)
		}
	}
}

// Whatever squares come in: an index below the size if they make a placement, else an error.
func TestEncodeSquaresTakesAnything(t *testing.T) {
	x := mustIndex(t, "GGP")
	edge := []rules.Square{0, 2, 4, 7, 12, 13, 22, 24, 25, 31, 32, 255}
	for slice := range x.Slices() {
		board := x.Slices()[slice].OnBoard()
		try(len(board)+2, edge, nil, func(list []rules.Square) {
			var squares [MaxPieces]rules.Square
			copy(squares[:], list[2:])
			i, err := x.EncodeSquares(slice, list[0], list[1], &squares)
			if possible := isPlacement(board, list); possible != (err == nil) {
				t.Fatalf("%v on %v: index %d, %v", board, list, i, err)
			}
			if err != nil && (i != 0 || !errors.As(err, new(*rules.PositionError))) || err == nil && i >= x.Size() {
				t.Fatalf("%v on %v: index %d, %v", board, list, i, err)
			}
		})
	}
}

func try(n int, values, chosen []rules.Square, f func([]rules.Square)) {
	if len(chosen) == n {
		f(chosen)
		return
	}
	for _, v := range values {
		try(n, values, append(chosen, v), f)
	}
}

// isPlacement tells whether kings and at most one pawn can stand on the squares of a list.
func isPlacement(board []SlicePiece, list []rules.Square) bool {
	for i, s := range list {
		if s >= rules.Squares {
			return false
		}
		for _, other := range list[:i] {
			if s == other {
				return false
			}
		}
	}
	for d, p := range board {
		if s := list[d+2]; p == (SlicePiece{rules.Pawn, Own}) && s.Rank() == 0 || p == (SlicePiece{rules.Pawn, Opposing}) && s.Rank() == 4 {
			return false
		}
	}
	k1, k2 := list[0], list[1]
	return max(abs(k1.Rank()-k2.Rank()), abs(k1.Column()-k2.Column())) > 1
}

// Checks do not matter, not even of the side that has just moved.
func TestEncodeOfIllegalPosition(t *testing.T) {
	position := placed2(map[rules.Square]rules.Piece{
		20: rules.MakePiece(rules.Sente, rules.King),
		24: rules.MakePiece(rules.Gote, rules.King),
		4:  rules.MakePiece(rules.Sente, rules.Rook),
	}, rules.Sente)
	x := mustIndex(t, "R")
	i, err := x.Encode(&position)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := x.Decode(i); err != nil || !p.Same(&position) {
		t.Errorf("index %d is %s, %v", i, p.SFEN(), err)
	}
}

func TestNoAllocations(t *testing.T) {
	for _, set := range []string{"none", "PP", "GSP", "RBGSP"} {
		x := mustIndex(t, set)
		for _, i := range []uint64{0, x.Size() / 3, x.Size() / 2, x.Size() - 1} {
			p, err := x.Decode(i)
			if err != nil {
				t.Fatal(err)
			}
			q := p.Rotated()
			c := x.Cursor(i)
			for name, f := range map[string]func(){
				"Rank":          func() { x.Encode(&p); x.Encode(&q) },
				"EncodeSquares": func() { x.EncodeSquares(c.Slice, c.Own, c.Opposing, &c.Squares) },
				"Decode":        func() { x.Decode(i) },
				"Cursor": func() {
					c := x.Cursor(i)
					for range 1000 {
						c.Next()
					}
				},
			} {
				if n := testing.AllocsPerRun(10, f); n != 0 {
					t.Errorf("%s, index %d of %s: %v allocations", name, i, set, n)
				}
			}
		}
	}
}

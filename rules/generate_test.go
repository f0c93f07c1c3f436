package rules

import (
	"slices"
	"testing"
)

func sorted(moves []Move) []Move {
	moves = slices.Clone(moves)
	slices.Sort(moves)
	return moves
}

// The generator, the counts and the predicates against the slow generator.
func TestMovesAgainstSlowGenerator(t *testing.T) {
	var buf [MaxMoves]Move
	forRandomPositions(t, 20000, func(p *Position) {
		s := slow(p)
		want := sorted(s.moves(false))
		got := sorted(p.Moves(buf[:0]))
		if !slices.Equal(got, want) {
			t.Fatalf("%v:\nmoves %v\nwant  %v", p, got, want)
		}
		if p.CountMoves() != len(want) {
			t.Fatalf("%v: CountMoves %d, want %d", p, p.CountMoves(), len(want))
		}
		if p.HasMove() != (len(want) > 0) {
			t.Fatalf("%v: HasMove %v, but %d moves", p, p.HasMove(), len(want))
		}
		if p.InCheck() != s.kingHangs(s.sideToMove) {
			t.Fatalf("%v: InCheck %v", p, p.InCheck())
		}
		var checks []Move
		for _, m := range want {
			gives := s.play(m).kingHangs(s.sideToMove.Other())
			if gives {
				checks = append(checks, m)
			}
			if p.GivesCheck(m) != gives {
				t.Fatalf("%v: %v: GivesCheck %v", p, m, p.GivesCheck(m))
			}
		}
		if got := sorted(p.Checks(buf[:0])); !slices.Equal(got, checks) {
			t.Fatalf("%v:\nchecks %v\nwant   %v", p, got, checks)
		}
	})
}

// Attacked and the sets of attackers against the slow pieces' reach.
func TestAttackedAgainstSlowReach(t *testing.T) {
	forRandomPositions(t, 2000, func(p *Position) {
		for c := Sente; c <= Gote; c++ {
			attacked := p.attackedBy(c, p.Occupied())
			for sq := Square(0); sq < Squares; sq++ {
				// A piece attacks a square if it could capture there.
				s := slow(p)
				s.board[sq] = MakePiece(c.Other(), Pawn)
				want := false
				for from, piece := range s.board {
					if piece != NoPiece && piece.Color() == c {
						want = want || slices.Contains(s.reach(from), int(sq))
					}
				}
				if p.Attacked(sq, c) != want || attacked.Has(sq) != want {
					t.Fatalf("%v: %v attacked by %v: %v and %v, want %v", p, sq, c, p.Attacked(sq, c), attacked.Has(sq), want)
				}
			}
		}
	})
}

// Every ray of every square with every set of blockers on it.
func TestSlidersWithAllBlockers(t *testing.T) {
	for _, slider := range []struct {
		table      *[32]slider
		directions []direction
	}{
		{rookRays, []direction{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}},
		{bishopRays, []direction{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}}},
	} {
		for s := Square(0); s < Squares; s++ {
			rays := walk(s, slider.directions, 0)
			for blockers := rays; ; blockers = (blockers - 1) & rays {
				for _, elsewhere := range []Bitboard{0, Board &^ rays} {
					got := slider.table[s].attacked(blockers | elsewhere)
					if want := walk(s, slider.directions, blockers); got != want {
						t.Fatalf("%v with blockers %025b: %025b, want %025b", s, blockers, got, want)
					}
				}
				if blockers == 0 {
					break
				}
			}
		}
		if slider.table[NoSquare].attacked(Board) != 0 {
			t.Fatal("a slider that is not on the board attacks something")
		}
	}
}

func TestLines(t *testing.T) {
	square := func(text string) Square {
		s, bad := parseSquare(text)
		if bad >= 0 {
			t.Fatal(text)
		}
		return s
	}
	set := func(texts ...string) (b Bitboard) {
		for _, text := range texts {
			b |= square(text).Bit()
		}
		return b
	}
	for _, c := range []struct {
		a, b          string
		between, line Bitboard
	}{
		{"5a", "1e", set("4b", "3c", "2d"), set("5a", "4b", "3c", "2d", "1e")},
		{"1c", "4c", set("2c", "3c"), set("5c", "4c", "3c", "2c", "1c")},
		{"3b", "3c", 0, set("3a", "3b", "3c", "3d", "3e")},
		{"4e", "2c", set("3d"), set("4e", "3d", "2c", "1b")},
		{"5a", "4c", 0, 0},
		{"3c", "3c", 0, 0},
	} {
		a, b := square(c.a), square(c.b)
		if between[a][b] != c.between || between[b][a] != c.between {
			t.Errorf("between %s and %s: %025b, want %025b", c.a, c.b, between[a][b], c.between)
		}
		if line[a][b] != c.line || line[b][a] != c.line {
			t.Errorf("line of %s and %s: %025b, want %025b", c.a, c.b, line[a][b], c.line)
		}
	}
}

// In a placement that is not a legal position a king can be attacked by the side to move.
// It is not captured.
func TestKingsAreNotCaptured(t *testing.T) {
	board := [Squares]Piece{4: MakePiece(Gote, King), 14: MakePiece(Sente, Rook), 20: MakePiece(Sente, King)}
	p := Place(&board, &[2]Hand{}, Sente)
	moves := p.Moves(nil)
	if len(moves) != 10 { // rook: 5c 4c 3c 2c 1b 1d 1e; king: 5d 4d 4e
		t.Errorf("%d moves: %v", len(moves), moves)
	}
	if err := p.Legal(Step(14, 4, false)); err == nil || err.(*IllegalMoveError).Rule != KingCaptured {
		t.Errorf("capture of the king: %v", err)
	}
}

func TestNoAllocation(t *testing.T) {
	p := mustParse(t, "+B4/1P1rk/2g2/P1S+B1/1KR1S b g 1")
	buf := make([]Move, 0, MaxMoves)
	for name, f := range map[string]func(){
		"Moves":      func() { p.Moves(buf) },
		"Checks":     func() { p.Checks(buf) },
		"CountMoves": func() { p.CountMoves() },
		"HasMove":    func() { p.HasMove() },
		"Make and Unmake": func() {
			for _, m := range p.Moves(buf) {
				p.Unmake(p.Make(m))
			}
		},
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func BenchmarkMoves(b *testing.B) {
	p := mustParse(b, "+B4/1P1rk/2g2/P1S+B1/1KR1S b g 1")
	buf := make([]Move, 0, MaxMoves)
	b.ReportAllocs()
	for b.Loop() {
		p.Moves(buf)
	}
}

func BenchmarkChecks(b *testing.B) {
	p := mustParse(b, "+B4/1P1rk/2g2/P1S+B1/1KR1S b g 1")
	buf := make([]Move, 0, MaxMoves)
	b.ReportAllocs()
	for b.Loop() {
		p.Checks(buf)
	}
}

func BenchmarkMakeUnmake(b *testing.B) {
	p := mustParse(b, "+B4/1P1rk/2g2/P1S+B1/1KR1S b g 1")
	moves := p.Moves(nil)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p.Unmake(p.Make(moves[i%len(moves)]))
	}
}

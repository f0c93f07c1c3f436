package rules

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// recomputed is the position put together again from what can be seen of it.
func recomputed(p *Position) Position {
	s := slow(p)
	q := Place(&s.board, &s.hands, s.sideToMove)
	q.number = p.number
	return q
}

// Every move of many positions is made, compared with the slow board, and taken back.
func TestMakeUnmake(t *testing.T) {
	var buf [MaxMoves]Move
	forRandomPositions(t, 3000, func(p *Position) {
		before := *p
		for _, m := range p.Moves(buf[:0]) {
			u := p.Make(m)
			if got, want := slow(p), slow(&before).play(m); got != want {
				t.Fatalf("%v: %v makes %v", &before, m, p)
			}
			if *p != recomputed(p) {
				t.Fatalf("%v: %v: sets or keys are not those of %v", &before, m, p)
			}
			if p.MoveNumber() != before.MoveNumber()+1 {
				t.Fatalf("move number %d after %d", p.MoveNumber(), before.MoveNumber())
			}
			if err := p.Validate(); err != nil {
				t.Fatalf("%v: %v: %v", &before, m, err)
			}
			p.Unmake(u)
			if *p != before {
				t.Fatalf("%v: %v taken back gives %v", &before, m, p)
			}
		}
	})
}

// Long games taken back from the end to the beginning.
func TestUnmakeWholeGames(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	var buf [MaxMoves]Move
	for range 200 {
		p := mustParse(t, StartSFEN)
		var positions []Position
		var undos []Undo
		for range 200 {
			moves := p.Moves(buf[:0])
			if len(moves) == 0 {
				break
			}
			positions = append(positions, p)
			undos = append(undos, p.Make(moves[random.IntN(len(moves))]))
		}
		for i, u := range slices.Backward(undos) {
			p.Unmake(u)
			if p != positions[i] {
				t.Fatalf("ply %d: %v, was %v", i, &p, &positions[i])
			}
		}
	}
}

// Keys tell positions apart, and nothing but board, hands and side to move enters them.
func TestKeys(t *testing.T) {
	seen := map[uint64]Position{}
	boards := map[uint64]Position{}
	forRandomPositions(t, 30000, func(p *Position) {
		q := *p
		q.number = 1
		if other, ok := seen[q.Key()]; ok && !other.Same(&q) {
			t.Fatalf("one key for %v and %v", &other, &q)
		}
		seen[q.Key()] = q
		if other, ok := boards[q.BoardKey()]; ok && (other.board != q.board || other.sideToMove != q.sideToMove) {
			t.Fatalf("one board key for %v and %v", &other, &q)
		}
		boards[q.BoardKey()] = q
	})

	a := mustParse(t, "4k/5/5/5/K4 b R2Pg 1")
	b := mustParse(t, "4k/5/5/5/K4 b R2Pg 7")
	c := mustParse(t, "4k/5/5/5/K4 b RPg 1")
	d := mustParse(t, "4k/5/5/5/K4 w R2Pg 1")
	if !a.Same(&b) || a.Key() != b.Key() {
		t.Error("the move number makes a difference")
	}
	if a.Same(&c) || a.Key() == c.Key() || a.BoardKey() != c.BoardKey() {
		t.Error("hands: no difference in Key, or one in BoardKey")
	}
	if a.Same(&d) || a.Key() == d.Key() || a.BoardKey() == d.BoardKey() {
		t.Error("the side to move makes no difference")
	}
}

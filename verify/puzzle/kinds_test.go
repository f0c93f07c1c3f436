package puzzle

import (
	"testing"

	"gogotb/rules"
)

// image returns a puzzle mirrored, rotated or both.
func image(p *Puzzle, mirrored, rotated bool) *Puzzle {
	q := &Puzzle{Position: p.Position}
	if mirrored {
		q.Position = q.Position.Mirrored()
	}
	if rotated {
		q.Position = q.Position.Rotated()
	}
	square := func(s rules.Square) rules.Square {
		if mirrored {
			s = s.Mirror()
		}
		if rotated {
			s = s.Rotate()
		}
		return s
	}
	for _, m := range p.Moves {
		if m.IsDrop() {
			q.Moves = append(q.Moves, rules.Drop(m.DropKind(), square(m.To())))
		} else {
			q.Moves = append(q.Moves, rules.Step(square(m.From()), square(m.To()), m.Promotes()))
		}
	}
	return q
}

// aMoveLater returns what is left of a puzzle after two plies.
func aMoveLater(p *Puzzle) *Puzzle {
	q := &Puzzle{Position: p.Position, Moves: p.Moves[2:]}
	q.Position.Make(p.Moves[0])
	q.Position.Make(p.Moves[1])
	return q
}

// TestKinds: a puzzle, its images and what is left of them after two plies are of a kind, whichever comes first.
func TestKinds(t *testing.T) {
	p := read(t, "2s2/1p2G/3k1/K3R/1GSB1 b Prb 19 moves 1d1c 2c3b 2e1d B*2c 1d2c 3b3c 4e3d")[0]
	var alike []*Puzzle
	for _, mirrored := range []bool{false, true} {
		for _, rotated := range []bool{false, true} {
			q := image(p, mirrored, rotated)
			if len(q.Moves) != 7 || !q.mates() {
				t.Fatalf("%s is no image", q.Text())
			}
			alike = append(alike, q, aMoveLater(q))
		}
	}
	for _, first := range alike {
		var k Kinds
		if !k.Add(first) {
			t.Errorf("%s: not new among none", first.Text())
		}
		for _, second := range alike {
			if k.Add(second) {
				t.Errorf("%s is said to be of another kind than %s", second.Text(), first.Text())
			}
		}
	}
	// Without its solution a puzzle is still of the kind of those that come to it, and a move that is illegal ends it.
	for _, moves := range [][]rules.Move{nil, {p.Moves[0], p.Moves[0]}} {
		var k Kinds
		if q := (&Puzzle{Position: p.Position, Moves: moves}); !k.Add(q) || k.Add(p) || k.Add(q) || !k.Add(aMoveLater(p)) {
			t.Errorf("%s: not as it should be", q.Text())
		}
	}
	// Two that meet after two plies are no puzzle a move later, nor is one with another piece in hand.
	var k Kinds
	for i, text := range []string{
		"2s2/1p2G/3k1/K3R/1GSB1 b Prb 19 moves 1d1c 2c3b 2e1d B*2c 1d2c 3b3c 4e3d",
		"2s2/1p2G/3k1/K3R/1GSB1 b rbp 19 moves 1d1c 2c3b 2e1d B*2c 1d2c 3b3c 4e3d",
		"5/4k/5/5/3R1 b G 1 moves G*2c 1b1a 2c2b",
		"3G1/4k/5/5/3R1 b - 1 moves 2a2b 1b1a 2b2a",
	} {
		if !k.Add(read(t, text)[0]) {
			t.Errorf("puzzle %d is of no kind with those before", i)
		}
	}
}

// TestLater: in one game, a mate by the same moves is there still.
func TestLater(t *testing.T) {
	five := read(t, "2k2/5/2G2/5/2K2 b GS 1 moves S*4b 3a2a G*1b 2a3a 3c3b")[0]
	three := read(t, "3k1/5/2G2/5/2K2 b G 1 moves G*1b 2a3a 3c3b")[0]
	other := read(t, "3k1/5/2G2/5/2K2 b G 1 moves G*1b 2a3a 3c4b")[0]
	for i, c := range []struct {
		p    *Puzzle
		q    []*Puzzle
		want bool
	}{
		{three, []*Puzzle{five}, true}, {five, []*Puzzle{three}, true}, {three, []*Puzzle{other, three}, true},
		{three, []*Puzzle{other}, false}, {five, []*Puzzle{other}, false}, {five, nil, false},
	} {
		if got := isLater(c.p, c.q); got != c.want {
			t.Errorf("case %d: %v", i, got)
		}
	}
}

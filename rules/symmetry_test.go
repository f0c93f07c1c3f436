package rules

import (
	"slices"
	"testing"
)

// mapped is the move with its squares mapped.
func mapped(m Move, square func(Square) Square) Move {
	if m.IsDrop() {
		return Drop(m.DropKind(), square(m.To()))
	}
	return Step(square(m.From()), square(m.To()), m.Promotes())
}

// The game is the same seen from the other side and in a mirror: moves map to moves, and
// making a mapped move gives the mapped position.
func TestRotatedAndMirrored(t *testing.T) {
	for _, symmetry := range []struct {
		name     string
		position func(*Position) Position
		square   func(Square) Square
	}{
		{"rotated", (*Position).Rotated, Square.Rotate},
		{"mirrored", (*Position).Mirrored, Square.Mirror},
	} {
		forRandomPositions(t, 3000, func(p *Position) {
			q := symmetry.position(p)
			if back := symmetry.position(&q); back != *p {
				t.Fatalf("%v %s twice: %v", p, symmetry.name, &back)
			}
			if err := q.Validate(); err != nil {
				t.Fatalf("%v %s: %v", p, symmetry.name, err)
			}
			var want []Move
			for _, m := range p.Moves(nil) {
				m2 := mapped(m, symmetry.square)
				want = append(want, m2)
				after, after2 := *p, q
				after.Make(m)
				after2.Make(m2)
				if symmetry.position(&after) != after2 {
					t.Fatalf("%v %s: %v and %v lead to different positions", p, symmetry.name, m, m2)
				}
			}
			if !slices.Equal(sorted(q.Moves(nil)), sorted(want)) {
				t.Fatalf("%v %s: moves differ", p, symmetry.name)
			}
		})
	}
}

func TestRotatedByHand(t *testing.T) {
	p := mustParse(t, "r1sgk/4p/5/P4/KG1BR w Bs 3")
	rotated, mirrored := p.Rotated(), p.Mirrored()
	if got, want := rotated.SFEN(), "rb1gk/4p/5/P4/KGS1R b Sb 3"; got != want {
		t.Errorf("rotated: %s, want %s", got, want)
	}
	if got, want := mirrored.SFEN(), "kgs1r/p4/5/4P/RB1GK w Bs 3"; got != want {
		t.Errorf("mirrored: %s, want %s", got, want)
	}
}

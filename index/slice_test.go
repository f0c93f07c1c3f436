package index

import (
	"fmt"
	"slices"
	"testing"

	"gogotb/rules"
)

// Worked by hand: golds have four states, and identical pieces ascend.
func TestSlicesOfTwoGolds(t *testing.T) {
	want := [][2]State{
		{OwnHand, OwnHand}, {OwnHand, OpposingHand}, {OwnHand, Own}, {OwnHand, Opposing},
		{OpposingHand, OpposingHand}, {OpposingHand, Own}, {OpposingHand, Opposing},
		{Own, Own}, {Own, Opposing},
		{Opposing, Opposing},
	}
	var got [][2]State
	for _, s := range Slices(Material{rules.Gold: 2}) {
		got = append(got, [2]State{s.Pieces[0].State, s.Pieces[1].State})
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

func TestSlicesOfSeveralKinds(t *testing.T) {
	// ways to give states: 6 to one piece, 21 to two alike; golds 4 and 10
	for set, want := range map[string]int{
		"none": 1, "R": 6, "G": 4, "GSP": 144, "RB": 36, "PP": 21, "GG": 10,
		"RBSP": 1296, "GGPP": 210, "RBGSP": 5184,
	} {
		x := mustIndex(t, set)
		list := x.Slices()
		if len(list) != want {
			t.Errorf("%s: %d slices, want %d", set, len(list), want)
		}
		if !slices.IsSortedFunc(list, func(a, b Slice) int {
			return slices.CompareFunc(a.Pieces, b.Pieces, func(p, q SlicePiece) int { return int(p.State) - int(q.State) })
		}) {
			t.Errorf("%s: slices out of order", set)
		}
		seen := map[string]bool{}
		for i, s := range list {
			seen[fmt.Sprint(s)] = true
			var m Material
			states := make([]State, 0, MaxPieces)
			for j, p := range s.Pieces {
				m[p.Kind]++
				states = append(states, p.State)
				if j > 0 && (s.Pieces[j-1].Kind > p.Kind || s.Pieces[j-1].Kind == p.Kind && s.Pieces[j-1].State > p.State) {
					t.Errorf("%s: slice %v is not in canonical order", set, s)
				}
				if p.Kind == rules.Gold && p.State.Promoted() {
					t.Errorf("%s: a promoted gold in %v", set, s)
				}
			}
			if m.String() != set {
				t.Errorf("slice %v of %s has the material %s", s, set, m)
			}
			if got := x.SliceNumber(states); got != i {
				t.Errorf("%s: slice %d has the number %d", set, i, got)
			}
			for j := 1; j < len(states); j++ {
				if s.Pieces[j-1].Kind == s.Pieces[j].Kind {
					states[j-1], states[j] = states[j], states[j-1]
				}
			}
			if got := x.SliceNumber(states); got != i {
				t.Errorf("%s: slice %d, identical pieces exchanged, has the number %d", set, i, got)
			}
		}
		if len(seen) != len(list) {
			t.Errorf("%s: a slice twice", set)
		}
	}
}

func TestSliceNumberOfNoSlice(t *testing.T) {
	x := mustIndex(t, "GP")
	for _, states := range [][]State{
		nil, {Own}, {Own, Own, Own}, {OwnPromoted, Own}, {OpposingPromoted, Own}, {Own, States}, {Own, 255},
	} {
		if got := x.SliceNumber(states); got != -1 {
			t.Errorf("states %d: slice %d, want -1", states, got)
		}
	}
}

func TestOnBoard(t *testing.T) {
	s := Slice{[]SlicePiece{{rules.Rook, OwnHand}, {rules.Silver, OwnPromoted}, {rules.Pawn, OpposingHand}, {rules.Pawn, Opposing}}}
	want := []SlicePiece{{rules.Silver, OwnPromoted}, {rules.Pawn, Opposing}}
	if got := s.OnBoard(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for _, p := range []struct {
		slice SlicePiece
		board rules.Piece
	}{
		{SlicePiece{rules.Rook, OwnHand}, rules.NoPiece},
		{SlicePiece{rules.Rook, OpposingHand}, rules.NoPiece},
		{SlicePiece{rules.Silver, OwnPromoted}, rules.MakePiece(rules.Sente, rules.PromotedSilver)},
		{SlicePiece{rules.Pawn, OpposingPromoted}, rules.MakePiece(rules.Gote, rules.Tokin)},
		{SlicePiece{rules.Gold, Opposing}, rules.MakePiece(rules.Gote, rules.Gold)},
		{SlicePiece{rules.Pawn, Own}, rules.MakePiece(rules.Sente, rules.Pawn)},
	} {
		if got := p.slice.Piece(); got != p.board {
			t.Errorf("%v is piece %d, want %d", p.slice, got, p.board)
		}
	}
}

func TestRotatedState(t *testing.T) {
	for s := range States {
		w := s.Rotated()
		if w == s || w.Rotated() != s || w.OnBoard() != s.OnBoard() || w.Promoted() != s.Promoted() || w.Owner() == s.Owner() {
			t.Errorf("%s seen from the other side: %s", s, w)
		}
	}
}

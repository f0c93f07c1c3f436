package index

import (
	"slices"

	"gogotb/rules"
)

// State is where a piece of the set is and whose it is, seen from the side to move
// ("own"). The order is part of the file format. Golds have no promoted states.
type State uint8

const (
	OwnHand State = iota
	OpposingHand
	Own         // on the board, unpromoted
	OwnPromoted // on the board
	Opposing
	OpposingPromoted
	// States is the number of values a State can take.
	States
)

// OnBoard tells whether the piece is on the board.
func (s State) OnBoard() bool { return s >= Own }

// Promoted tells whether the piece shows its promoted side.
func (s State) Promoted() bool { return s == OwnPromoted || s == OpposingPromoted }

// Owner returns the owner of the piece when Sente is the side to move.
func (s State) Owner() rules.Color {
	if s == OpposingHand || s >= Opposing {
		return rules.Gote
	}
	return rules.Sente
}

// Rotated returns the same state seen from the other side.
func (s State) Rotated() State {
	return [States]State{OpposingHand, OwnHand, Opposing, OpposingPromoted, Own, OwnPromoted}[s]
}

func (s State) String() string {
	return [States]string{"own hand", "opposing hand", "own", "own promoted", "opposing", "opposing promoted"}[s]
}

// SlicePiece is a piece of a slice: its unpromoted kind, Rook..Pawn, and its state.
type SlicePiece struct {
	Kind  rules.Kind
	State State
}

// Piece returns the piece as it stands on the board when Sente is the side to move, NoPiece
// for a piece in a hand.
func (p SlicePiece) Piece() rules.Piece {
	k := p.Kind
	switch {
	case !p.State.OnBoard():
		return rules.NoPiece
	case p.State.Promoted():
		k = k.Promote()
	}
	return rules.MakePiece(p.State.Owner(), k)
}

// Slice is one assignment of states to the pieces of a set. The pieces are in the order
// R B G S P; identical pieces are not told apart, their states ascend.
type Slice struct {
	Pieces []SlicePiece
}

// OnBoard returns the pieces on the board in the order of the slice: the dimensions of its
// placements.
func (s *Slice) OnBoard() []SlicePiece {
	var board []SlicePiece
	for _, p := range s.Pieces {
		if p.State.OnBoard() {
			board = append(board, p)
		}
	}
	return board
}

// Slices returns the slices of a set in the order of the file format: lexicographic in the
// states, the first piece most significant. The number of a slice is its place in it.
func Slices(m Material) []Slice {
	list := [][]SlicePiece{nil}
	for k, n := range m {
		var next [][]SlicePiece
		for _, head := range list {
			for _, states := range kindStates(rules.Kind(k), int(n)) {
				pieces := slices.Clone(head)
				for _, s := range states {
					pieces = append(pieces, SlicePiece{rules.Kind(k), s})
				}
				next = append(next, pieces)
			}
		}
		list = next
	}
	result := make([]Slice, len(list))
	for i, pieces := range list {
		result[i].Pieces = pieces
	}
	return result
}

// kindStates returns the ways to give states to n identical pieces of kind k: ascending
// states, in lexicographic order.
func kindStates(k rules.Kind, n int) [][]State {
	ways := [][]State{nil}
	for range n {
		var next [][]State
		for _, head := range ways {
			for s := OwnHand; s < States; s++ {
				if s.Promoted() && !k.CanPromote() || len(head) > 0 && s < head[len(head)-1] {
					continue
				}
				next = append(next, append(slices.Clone(head), s))
			}
		}
		ways = next
	}
	return ways
}

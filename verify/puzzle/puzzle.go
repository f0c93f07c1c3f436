package puzzle

import (
	"gogotb/rules"
	"gogotb/rules/record"
)

// Puzzle is a position and what is claimed about it.
type Puzzle struct {
	File string // where it was read, if it was
	Line int    // of the file, from 1
	Name string // title or author, if the file has one
	// Notes say what the reader passed over.
	Notes []record.Note

	Position rules.Position
	// Plies is the claimed length of the mate, 0 if nothing is claimed but the moves. If
	// there are none either, the claim is that the side to move mates.
	Plies int
	// Moves are the claimed solution. They may be illegal.
	Moves []rules.Move
	// Variations are other lines that the file gives.
	Variations []Variation

	// Grade is how hard it is said to be. It is no part of the claim, nor is Last.
	Grade Grade
	// Last is the move that led to the position, nil if nothing is said of it.
	Last *PriorMove
}

// PriorMove is the move of the other side that led to a puzzle.
type PriorMove struct {
	Before rules.Position
	Move   rules.Move
}

// Claimed returns the length that is claimed, by number or by moves; 0 if none is.
func (p *Puzzle) Claimed() int {
	switch n := len(p.Moves); {
	case p.Plies > 0:
		return p.Plies
	case n%2 == 1 || p.mates():
		return n
	}
	return 0 // the last move is a defence, so the line is unfinished
}

// mates tells whether the moves are legal and leave the side to move no move.
func (p *Puzzle) mates() bool {
	q := p.Position
	for _, m := range p.Moves {
		if q.Legal(m) != nil {
			return false
		}
		q.Make(m)
	}
	return !q.HasMove()
}

// Attacker returns the side that is claimed to mate.
func (p *Puzzle) Attacker() rules.Color {
	if n := p.Claimed(); n > 0 && n%2 == 0 {
		return p.Position.SideToMove().Other()
	}
	return p.Position.SideToMove()
}

// fullSet is how many pieces of each kind the game has.
const fullSet = 2

// CompleteHand returns the position with every piece of the full set that is on neither side's
// board nor in the attacker's hand given to the other side, as tsume custom has it.
func CompleteHand(p rules.Position, attacker rules.Color) rules.Position {
	var board [rules.Squares]rules.Piece
	var free rules.Hand
	for k := range free {
		free[k] = fullSet - p.HandCount(attacker, rules.Kind(k))
	}
	for s := range board {
		board[s] = p.At(rules.Square(s))
		if board[s] != rules.NoPiece && board[s].Kind() != rules.King {
			free[board[s].Kind().Unpromote()]--
		}
	}
	var hands [2]rules.Hand
	hands[attacker] = p.Hand(attacker)
	hands[attacker.Other()] = free
	return rules.Place(&board, &hands, p.SideToMove())
}

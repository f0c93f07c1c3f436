package main

import (
	"gogotb/rules"
)

// predecessors calls emit with every legal position from which a legal move leads to p.
// Some may come more than once.
//
// A move is taken back in every way there might be: the piece goes back to a square, or
// to the hand; it had promoted, or not; it had captured something that is now in the
// mover's hand, or not. What is impossible among that is told by the rules: the
// position must be legal, and so must be the move in it.
func predecessors(p *rules.Position, emit func(q rules.Position)) {
	mover := p.Turn().Other()
	var board [rules.Squares]rules.Piece
	for s := range board {
		board[s] = p.At(rules.Square(s))
	}
	hands := [2]rules.Hand{p.Hand(rules.Sente), p.Hand(rules.Gote)}
	try := func(m rules.Move) {
		q := rules.Place(&board, &hands, mover)
		if q.Validate() == nil && q.Legal(m) == nil {
			emit(q)
		}
	}
	for to := rules.Square(0); to < rules.Squares; to++ {
		piece := board[to]
		if piece == rules.NoPiece || piece.Color() != mover {
			continue
		}
		kind := piece.Kind()
		board[to] = rules.NoPiece
		if kind < rules.HandKinds {
			hands[mover][kind]++
			try(rules.Drop(kind, to))
			hands[mover][kind]--
		}
		// Where the piece came from, and what stood there instead of nothing: a
		// captured piece, which shows either side.
		step := func(before rules.Kind, promotes bool) {
			for from := rules.Square(0); from < rules.Squares; from++ {
				if board[from] != rules.NoPiece || from == to || !aligned(from, to) {
					continue
				}
				board[from] = rules.MakePiece(mover, before)
				m := rules.Step(from, to, promotes)
				try(m)
				for k, n := range hands[mover] {
					if n == 0 {
						continue
					}
					captured := rules.Kind(k)
					hands[mover][k]--
					board[to] = rules.MakePiece(mover.Other(), captured)
					try(m)
					if captured.CanPromote() {
						board[to] = rules.MakePiece(mover.Other(), captured.Promote())
						try(m)
					}
					board[to] = rules.NoPiece
					hands[mover][k]++
				}
				board[from] = rules.NoPiece
			}
		}
		step(kind, false)
		if kind.IsPromoted() {
			step(kind.Unpromote(), true)
		}
		board[to] = piece
	}
}

// aligned tells whether any piece could go from one square to the other.
func aligned(a, b rules.Square) bool {
	ranks, columns := a.Rank()-b.Rank(), a.Column()-b.Column()
	return ranks == 0 || columns == 0 || ranks == columns || ranks == -columns
}

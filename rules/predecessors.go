package rules

import "iter"

// Predecessors lists every legal position from which a legal move leads to p. Some may come more than once.
func (p *Position) Predecessors() iter.Seq[Position] {
	return func(yield func(Position) bool) {
		r := retractor{board: p.board, hands: p.hands, mover: p.sideToMove.Other(), yield: yield}
		for to := Square(0); to < Squares; to++ {
			if piece := p.board[to]; piece != NoPiece && piece.Color() == r.mover && !r.retract(to, piece.Kind()) {
				return
			}
		}
	}
}

// A retractor takes moves back.
//
// A move is taken back in every way there might be: the piece goes back to a square, or
// to the hand; it had promoted, or not; it had captured something that is now in the
// mover's hand, or not. What is impossible among that is told by the rules: the
// position must be legal, and so must be the move in it.
type retractor struct {
	board [Squares]Piece
	hands [2]Hand
	mover Color
	yield func(Position) bool
}

// try yields the position as it stands, if m is legal in it. It tells whether more is wanted, as all methods do.
func (r *retractor) try(m Move) bool {
	q := Place(&r.board, &r.hands, r.mover)
	return q.Validate() != nil || q.Legal(m) != nil || r.yield(q)
}

// retract takes back the moves to a square, on which a piece of the kind stands.
func (r *retractor) retract(to Square, kind Kind) bool {
	piece := r.board[to]
	r.board[to] = NoPiece
	defer func() { r.board[to] = piece }()
	if kind < HandKinds {
		r.hands[r.mover][kind]++
		more := r.try(Drop(kind, to))
		r.hands[r.mover][kind]--
		if !more {
			return false
		}
	}
	return r.retractSteps(to, kind, false) && (!kind.IsPromoted() || r.retractSteps(to, kind.Unpromote(), true))
}

// retractSteps takes back the moves on the board of a piece that was of the kind before.
func (r *retractor) retractSteps(to Square, before Kind, promotes bool) bool {
	for from := Square(0); from < Squares; from++ {
		if r.board[from] != NoPiece || from == to || !aligned(from, to) {
			continue
		}
		r.board[from] = MakePiece(r.mover, before)
		m := Step(from, to, promotes)
		more := r.try(m) && r.retractCaptures(m)
		r.board[from] = NoPiece
		if !more {
			return false
		}
	}
	return true
}

// retractCaptures takes m back with each piece that it may have captured, which then showed either side.
func (r *retractor) retractCaptures(m Move) bool {
	to := m.To()
	more := true
	for k := Rook; k < HandKinds && more; k++ {
		if r.hands[r.mover][k] == 0 {
			continue
		}
		r.hands[r.mover][k]--
		r.board[to] = MakePiece(r.mover.Other(), k)
		more = r.try(m)
		if more && k.CanPromote() {
			r.board[to] = MakePiece(r.mover.Other(), k.Promote())
			more = r.try(m)
		}
		r.board[to] = NoPiece
		r.hands[r.mover][k]++
	}
	return more
}

// aligned tells whether any piece could go from one square to the other.
func aligned(a, b Square) bool {
	ranks, columns := a.Rank()-b.Rank(), a.Column()-b.Column()
	return ranks == 0 || columns == 0 || ranks == columns || ranks == -columns
}

package rules

// Undo is what Unmake needs to take a move back.
type Undo struct {
	boardKey, handKey uint64
	move              Move
	captured          Piece
}

// Make plays a move, which must be one of Moves, and returns what takes it back.
func (p *Position) Make(m Move) Undo {
	u := Undo{boardKey: p.boardKey, handKey: p.handKey, move: m}
	us, to := p.sideToMove&1, m.To()
	bit := to.Bit()
	if m.IsDrop() {
		k := m.DropKind()
		p.changeHand(us, k, -1)
		p.put(MakePiece(us, k), to)
	} else {
		from := m.From()
		if u.captured = p.board[to]; u.captured != NoPiece {
			k := u.captured.Kind()
			p.kinds[k] &^= bit
			p.by[us^1] &^= bit
			p.boardKey ^= boardKeys[to][u.captured&31]
			p.changeHand(us, k.Unpromote(), 1)
		}
		piece := p.board[from]
		p.board[from] = NoPiece
		p.kinds[piece.Kind()] &^= from.Bit()
		p.by[us] &^= from.Bit()
		p.boardKey ^= boardKeys[from][piece&31]
		if m.Promotes() {
			piece += Piece(promotion)
		}
		p.put(piece, to)
		if piece.Kind() == King {
			p.kings[us] = to
		}
	}
	p.sideToMove = us ^ 1
	p.boardKey ^= sideToMoveKey
	p.number++
	return u
}

// Unmake takes back the last move made, whose Make returned u.
func (p *Position) Unmake(u Undo) {
	us, to := p.sideToMove&1^1, u.move.To()
	bit := to.Bit()
	piece := p.board[to]
	p.kinds[piece.Kind()] &^= bit
	p.by[us] &^= bit
	p.board[to] = u.captured
	if u.move.IsDrop() {
		p.hands[us][u.move.DropKind()]++
	} else {
		from := u.move.From()
		if u.move.Promotes() {
			piece -= Piece(promotion)
		}
		p.board[from] = piece
		p.kinds[piece.Kind()] |= from.Bit()
		p.by[us] |= from.Bit()
		if piece.Kind() == King {
			p.kings[us] = from
		}
		if u.captured != NoPiece {
			k := u.captured.Kind()
			p.kinds[k] |= bit
			p.by[us^1] |= bit
			p.hands[us][k.Unpromote()]--
		}
	}
	p.sideToMove = us
	p.number--
	p.boardKey, p.handKey = u.boardKey, u.handKey
}

func (p *Position) put(piece Piece, s Square) {
	p.board[s] = piece
	p.kinds[piece.Kind()] |= s.Bit()
	p.by[piece.Color()&1] |= s.Bit()
	p.boardKey ^= boardKeys[s][piece&31]
}

func (p *Position) changeHand(c Color, k Kind, by int8) {
	n := p.hands[c][k]
	p.hands[c][k] = n + uint8(by)
	p.handKey ^= handKeys[c][k][n&3] ^ handKeys[c][k][(n+uint8(by))&3]
}

package rules

// Checks writes the legal moves that give check over buf and returns them, as Moves
// does with all.
func (p *Position) Checks(buf []Move) []Move {
	us := p.sideToMove & 1
	k := p.kings[us^1]
	if k == NoSquare {
		return buf[:0]
	}
	var l moveSets
	p.generate(&l)
	occupied := p.Occupied()
	// Pieces that uncover a check when they leave their line with the king.
	uncovering := p.blockers(k, us) & p.by[us]
	n := 0
	for i := range l.set[:l.n] {
		s := &l.set[i]
		// A piece attacks the king from the squares that, with colours exchanged, it
		// would attack from the king's. That it leaves its origin opens no line for itself:
		// if it could attack along it, the king would be in check already.
		plain := attacksFrom(us^1, s.kind, k, occupied)
		var promoting Bitboard
		if s.promoting != 0 {
			promoting = attacksFrom(us^1, s.kind.Promote(), k, occupied)
		}
		if from := Square(s.origin); from < Squares && uncovering.Has(from) {
			plain |= ^line[k&31][from]
			promoting |= ^line[k&31][from]
		}
		s.plain &= plain
		s.promoting &= promoting
		if s.plain|s.promoting != 0 {
			l.set[n] = *s
			n++
		}
	}
	l.n = n
	return l.appendTo(buf[:0])
}

// GivesCheck tells whether the legal move m gives check.
func (p *Position) GivesCheck(m Move) bool {
	us, to := p.sideToMove&1, m.To()
	k := p.kings[us^1]
	if k == NoSquare {
		return false
	}
	occupied := p.Occupied() | to.Bit()
	sliders := p.by[us]
	var kind Kind
	if m.IsDrop() {
		kind = m.DropKind()
	} else {
		from := m.From()
		kind = p.board[from].Kind()
		if m.Promotes() {
			kind = kind.Promote()
		}
		occupied &^= from.Bit()
		sliders &^= from.Bit()
	}
	if attacksFrom(us, kind, to, occupied).Has(k) {
		return true
	}
	return sliders&(rookRays[k&31].attacked(occupied)&p.rooks()|
		bishopRays[k&31].attacked(occupied)&p.bishops()) != 0
}

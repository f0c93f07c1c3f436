package rules

// MaxMoves is an upper bound on the legal moves of a position: 115 drops (five kinds,
// 23 squares) and, for each piece of the full set, the most moves it can have
// (rook 16, bishop 12, gold 6, silver 10, pawn 1; king 8), which comes to 213.
const MaxMoves = 224

// Moves are generated in two steps. The first works on sets of squares only: for each
// piece, and each kind in hand, it finds the destinations of its legal moves. The
// second reads these sets in the way the caller needs: as moves, as a count, or cut
// down to checks.

// moveSet holds the legal moves of one piece, or the drops of one kind.
type moveSet struct {
	origin    uint8 // as in Move: a square, or dropBase + the kind dropped
	kind      Kind
	plain     Bitboard // destinations of moves without promotion
	promoting Bitboard // destinations of moves with promotion
}

// moveSets has room for a set for every square and for every kind in hand.
type moveSets struct {
	n   int
	set [32]moveSet
}

func (l *moveSets) add(s moveSet) {
	if s.plain|s.promoting != 0 {
		l.set[l.n&31] = s
		l.n++
	}
}

// constraints is what the safety of the own king leaves to the side to move.
type constraints struct {
	kingTargets Bitboard // where the king may go
	targets     Bitboard // where other pieces may go; drops need an empty square besides
	pinned      Bitboard // own pieces that must stay on their line with the king
}

func (p *Position) constraints() constraints {
	us, them := p.sideToMove&1, p.sideToMove&1^1
	// Kings are never captured, not even in an illegal placement.
	free := Board &^ p.by[us] &^ p.kings[them].Bit()
	k := p.kings[us] & 31
	if k == NoSquare {
		return constraints{targets: free}
	}
	// The king does not hide the squares behind it from a slider.
	attacked := p.attackedBy(them, p.Occupied()&^k.Bit())
	c := constraints{
		kingTargets: steps[Sente][King][k] & free &^ attacked,
		targets:     free,
		pinned:      p.blockers(k, them) & p.by[us],
	}
	if attacked.Has(k) {
		checkers := p.attackers(k, them, p.Occupied())
		if checkers&(checkers-1) == 0 {
			c.targets &= checkers | between[k][checkers.First()&31]
		} else {
			c.targets = 0
		}
	}
	return c
}

// boardMoves returns the moves of the own piece on s, the king excepted.
func (p *Position) boardMoves(s Square, c *constraints) moveSet {
	us := p.sideToMove & 1
	kind := p.board[s].Kind()
	to := attacksFrom(us, kind, s, p.Occupied()) & c.targets
	if c.pinned.Has(s) {
		to &= line[p.kings[us]&31][s&31]
	}
	m := moveSet{origin: uint8(s), kind: kind, plain: to}
	if kind.CanPromote() {
		zone := FarRank(us)
		m.promoting = to & zone
		if zone.Has(s) {
			m.promoting = to
		}
		if kind == Pawn {
			m.plain &^= zone
		}
	}
	return m
}

// pawnDrops returns where a pawn may be dropped: no dead pawn, no second pawn on a file, no
// mate.
func (p *Position) pawnDrops(empty Bitboard) Bitboard {
	us := p.sideToMove & 1
	to := empty &^ FarRank(us) &^ files(p.kinds[Pawn]&p.by[us])
	if check := to & steps[us^1][Pawn][p.kings[us^1]&31]; check != 0 && p.pawnDropMates(check.First()) {
		to &^= check
	}
	return to
}

// files fills every file that holds a square of b.
func files(b Bitboard) Bitboard {
	b |= b<<5 | b>>5
	b |= b<<10 | b>>10
	return (b | b<<5 | b>>5) & Board
}

// pawnDropMates tells whether a pawn dropped on s, in front of the opposing king, mates it.
// The check is from next to the king, so nothing can come between: the king moves, or
// the pawn is captured. The king was not in check, so it hides no square from a slider.
func (p *Position) pawnDropMates(s Square) bool {
	us, them := p.sideToMove&1, p.sideToMove&1^1
	k := p.kings[them]
	occupied := p.Occupied() | s.Bit()
	if steps[Sente][King][k&31]&^p.by[them]&^p.attackedBy(us, occupied) != 0 {
		return false
	}
	capturers := p.attackers(s, them, occupied) &^ k.Bit()
	if capturers == 0 {
		return true
	}
	pinned := p.blockers(k, us) &^ line[k&31][s&31]
	return capturers&^pinned == 0
}

// generate finds all legal moves.
func (p *Position) generate(l *moveSets) {
	us := p.sideToMove & 1
	c := p.constraints()
	l.add(moveSet{origin: uint8(p.kings[us]), kind: King, plain: c.kingTargets})
	if c.targets == 0 {
		return
	}
	for b := p.by[us] &^ p.kings[us].Bit(); b != 0; b &= b - 1 {
		l.add(p.boardMoves(b.First(), &c))
	}
	empty := c.targets &^ p.Occupied()
	if empty == 0 || p.hands[us] == (Hand{}) {
		return
	}
	for k := Rook; k < Pawn; k++ {
		if p.hands[us][k] != 0 {
			l.add(moveSet{origin: uint8(dropBase + k), kind: k, plain: empty})
		}
	}
	if p.hands[us][Pawn] != 0 {
		l.add(moveSet{origin: uint8(dropBase + Pawn), kind: Pawn, plain: p.pawnDrops(empty)})
	}
}

func (l *moveSets) appendTo(buf []Move) []Move {
	for i := range l.set[:l.n] {
		s := &l.set[i]
		origin := Move(s.origin) << 5
		for b := s.promoting; b != 0; b &= b - 1 {
			buf = append(buf, origin|promoteFlag|Move(b.First()))
		}
		for b := s.plain; b != 0; b &= b - 1 {
			buf = append(buf, origin|Move(b.First()))
		}
	}
	return buf
}

// Moves writes all legal moves over buf, in no particular order, and returns them. It
// does not allocate if buf has a capacity of MaxMoves.
func (p *Position) Moves(buf []Move) []Move {
	var l moveSets
	p.generate(&l)
	return l.appendTo(buf[:0])
}

// CountMoves returns the number of legal moves, found without listing them.
func (p *Position) CountMoves() (n int) {
	var l moveSets
	p.generate(&l)
	for i := range l.set[:l.n] {
		n += l.set[i].plain.Count() + l.set[i].promoting.Count()
	}
	return n
}

// HasMove tells whether there is a legal move; it stops at the first it finds.
func (p *Position) HasMove() bool {
	us := p.sideToMove & 1
	c := p.constraints()
	if c.kingTargets != 0 {
		return true
	}
	if c.targets == 0 {
		return false
	}
	empty := c.targets &^ p.Occupied()
	if empty != 0 {
		hand := p.hands[us]
		if hand[Rook]|hand[Bishop]|hand[Gold]|hand[Silver] != 0 {
			return true
		}
	}
	for b := p.by[us] &^ p.kings[us].Bit(); b != 0; b &= b - 1 {
		if m := p.boardMoves(b.First(), &c); m.plain|m.promoting != 0 {
			return true
		}
	}
	return empty != 0 && p.hands[us][Pawn] != 0 && p.pawnDrops(empty) != 0
}

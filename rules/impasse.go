package rules

// impasseNeed is the number of points that a player needs in an impasse. The full set is worth 26.
const impasseNeed = 24

// KingsEntered tells whether both kings stand on the far ranks of their sides.
func (p *Position) KingsEntered() bool {
	return FarRank(Sente).Has(p.kings[Sente]) && FarRank(Gote).Has(p.kings[Gote])
}

// ImpassePoints is what c's pieces count in an impasse, on the board and in hand: rooks
// and bishops, promoted or not, 5 each, the king nothing, the others 1.
func (p *Position) ImpassePoints(c Color) int {
	big := (p.rooks() | p.bishops()) & p.by[c]
	small := p.by[c] &^ big &^ p.kinds[King]
	hand := p.hands[c]
	return 5*(big.Count()+int(hand[Rook]+hand[Bishop])) +
		small.Count() + int(hand[Gold]+hand[Silver]+hand[Pawn])
}

// Impasse is the result by counting points: a player with fewer than 24 loses; a draw if
// neither has. If both have fewer, the rule contradicts itself: Undecided.
func (p *Position) Impasse() Status {
	sente := p.ImpassePoints(Sente) < impasseNeed
	gote := p.ImpassePoints(Gote) < impasseNeed
	s := Status{Reason: ImpasseCount}
	switch {
	case sente && gote:
		s.Result = Undecided
	case sente || gote:
		s.Result, s.Winner = Win, winnerOver([2]bool{sente, gote})
	default:
		s.Result = Draw
	}
	return s
}

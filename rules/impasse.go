package rules

// impasseNeed is the number of points that a player needs in an impasse. The full set
// is worth 26.
const impasseNeed = 24

// KingsEntered tells whether both kings stand on the far ranks of their sides.
func (p *Position) KingsEntered() bool {
	return FarRank(Sente).Has(p.kings[Sente]) && FarRank(Gote).Has(p.kings[Gote])
}

// ImpassePoints returns what c's pieces count in an impasse, on the board and in hand: rooks
// and bishops, promoted or not, 5 each, the king nothing, the others 1.
func (p *Position) ImpassePoints(c Color) int {
	big := (p.rooks() | p.bishops()) & p.by[c]
	small := p.by[c] &^ big &^ p.kinds[King]
	hand := p.hands[c]
	return 5*(big.Count()+int(hand[Rook]+hand[Bishop])) +
		small.Count() + int(hand[Gold]+hand[Silver]+hand[Pawn])
}

// Impasse returns the result by counting points: a player with fewer than 24 loses. If both
// have fewer, the rule contradicts itself: Undecided. If neither has, it is a draw, which
// the 26 points that exist do not allow.
func (p *Position) Impasse() Status {
	few := [2]bool{p.ImpassePoints(Sente) < impasseNeed, p.ImpassePoints(Gote) < impasseNeed}
	if few[Sente] && few[Gote] {
		return Status{Result: Undecided, Reason: ImpasseCount}
	}
	return Status{Win, winnerOver(few), ImpasseCount}
}

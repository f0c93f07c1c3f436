package engine

import (
	"gogotb/cmd/internal/dialect"
	"gogotb/rules"
)

// worth are centipawns of pieces on the board, by kind.
var worth = [rules.Kinds]dialect.Score{
	rules.Pawn: 100, rules.Silver: 400, rules.Gold: 450, rules.Bishop: 600, rules.Rook: 750,
	rules.Tokin: 350, rules.PromotedSilver: 420, rules.Horse: 900, rules.Dragon: 1100,
}

// inHand returns the worth of a piece in hand, which can go anywhere.
func inHand(k rules.Kind) dialect.Score { return worth[k] * 11 / 10 }

// besideKing is what an attack on a square beside the king costs.
const besideKing = 25

// evaluate estimates a position for the side to move: material, and how hemmed in the kings are.
func evaluate(p *rules.Position) dialect.Score {
	us, them := p.SideToMove(), p.SideToMove().Other()
	return side(p, us) - side(p, them)
}

func side(p *rules.Position, c rules.Color) (s dialect.Score) {
	for k, w := range worth {
		if w != 0 {
			s += w * dialect.Score(p.Pieces(c, rules.Kind(k)).Count())
		}
	}
	for k, n := range p.Hand(c) {
		s += inHand(rules.Kind(k)) * dialect.Score(n)
	}
	king := p.King(c)
	if king == rules.NoSquare {
		return s
	}
	rank, column := king.Rank(), king.Column()
	for r := max(rank-1, 0); r <= min(rank+1, 4); r++ {
		for f := max(column-1, 0); f <= min(column+1, 4); f++ {
			if p.Attacked(rules.Square(5*r+f), c.Other()) {
				s -= besideKing
			}
		}
	}
	return s
}

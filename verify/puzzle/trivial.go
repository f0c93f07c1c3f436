package puzzle

import "gogotb/rules"

// trivial tells whether a puzzle with its whole solution is solved without thinking: its first move mates, is the only
// one there is, gives the only check there is, or takes back on the square where the other side has just captured.
func (p *Puzzle) trivial() bool {
	q := p.Position
	first := p.Moves[0]
	if len(p.Moves) == 1 || q.CountMoves() == 1 {
		return true
	}
	if q.GivesCheck(first) && len(q.Checks(make([]rules.Move, 0, rules.MaxMoves))) == 1 {
		return true
	}
	return p.Last != nil && first.To() == p.Last.Move.To() && p.Last.Before.At(first.To()) != rules.NoPiece
}

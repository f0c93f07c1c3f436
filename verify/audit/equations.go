package audit

import "gogotb/rules"

// succession is the values of all legal successors of a position, taken in one by one.
type succession struct {
	moves        int
	mateWins     int
	bestLoss     int // least number of a mate loss, or none
	worstWin     int // greatest number of a mate win, or none
	lowestRank   int // of a perpetual loss, or none
	highestRank  int // by the equation for the loser
	unperpetuals int // successors that are no win, neither by mate nor by perpetual check
}

const none = -1

func newSuccession() succession {
	return succession{bestLoss: none, worstWin: none, lowestRank: none, highestRank: 1}
}

// add takes in the value of a successor and whether the move to it gives check.
func (s *succession) add(v rules.Value, check bool) {
	s.moves++
	n := v.Number()
	switch v.Outcome() {
	case rules.MateWin:
		s.mateWins++
		s.worstWin = max(s.worstWin, n)
		// A move into a lost mate counts as rank 0: one more move without check, or none.
	case rules.MateLoss:
		s.unperpetuals++
		if s.bestLoss == none || n < s.bestLoss {
			s.bestLoss = n
		}
	case rules.PerpetualWin:
		if !check {
			n++
		}
		s.highestRank = max(s.highestRank, n)
	case rules.PerpetualLoss:
		s.unperpetuals++
		if s.lowestRank == none || n < s.lowestRank {
			s.lowestRank = n
		}
	default:
		s.unperpetuals++
	}
}

// value returns what the successors make the position: exact for mates. For the
// undecided rest it is necessary only, see the package comment.
func (s *succession) value() rules.Value {
	switch {
	case s.bestLoss != none:
		return makeValue(rules.MateWin, s.bestLoss+1)
	case s.mateWins == s.moves:
		return makeValue(rules.MateLoss, s.worstWin+1) // 0 without moves
	case s.lowestRank != none:
		return makeValue(rules.PerpetualWin, s.lowestRank)
	case s.unperpetuals == 0:
		return makeValue(rules.PerpetualLoss, s.highestRank)
	}
	return rules.MakeValue(rules.Open, 0)
}

// makeValue is rules.MakeValue for numbers that wrong values may have made too large.
func makeValue(o rules.Outcome, n int) rules.Value {
	return rules.MakeValue(o, min(n, rules.MaxNumber))
}

// What values say is asked here by the audit's own functions, not by the methods of rules.Value, which the solver and
// the probe use: a fault there must show.

// isWin tells whether the side to move wins.
func isWin(v rules.Value) bool {
	return v.Outcome() == rules.MateWin || v.Outcome() == rules.PerpetualWin
}

// isPerpetual tells whether the value is by perpetual check.
func isPerpetual(v rules.Value) bool {
	return v.Outcome() == rules.PerpetualWin || v.Outcome() == rules.PerpetualLoss
}

// isUndecided tells whether the value is one that mate leaves undecided.
func isUndecided(v rules.Value) bool {
	return v.Outcome() == rules.Open || isPerpetual(v)
}

package review

import (
	"context"

	"gogotb/rules"
)

// Judgement is what a review says of a move.
type Judgement uint8

const (
	// OK: nothing can be said against it.
	OK Judgement = iota
	// Best: as good as any other, by a table, by the solver, or by a back end.
	Best
	// Only: all others lose, or do not win.
	Only
	// Longer: it mates, but not as soon as it might.
	Longer
	// MissedMate: there was a mate, and this is no part of one.
	MissedMate
	// AllowedMate: the opponent mates, which another move avoids.
	AllowedMate
	// Shortened: lost, but another move would have held out longer.
	Shortened
	// Inaccuracy, Mistake, Blunder: a loss in winning chances, by a back end; a Blunder is also what gives a win or a draw
	// away that is no matter of mates.
	Inaccuracy
	Mistake
	Blunder
	// Illegal: it breaks a rule.
	Illegal
)

// judgements are the words for judgements.
var judgements = [...]string{
	OK: "ok", Best: "best", Only: "only", Longer: "longer", MissedMate: "missed-mate", AllowedMate: "allowed-mate", Shortened: "shortened",
	Inaccuracy: "inaccuracy", Mistake: "mistake", Blunder: "blunder", Illegal: "illegal",
}

func (j Judgement) String() string {
	if int(j) < len(judgements) {
		return judgements[j]
	}
	return judgements[OK]
}

// Move is what a review says of a move.
type Move struct {
	Ply      int // from 1
	Position rules.Position
	rules.Move
	// Before is for the side to move, After for its opponent.
	Before, After Value
	Judgement     Judgement
	// Mate is the length in plies of the mate that the judgement is about, 0 if it is about none; where it is not known exactly, that
	// of the one that is proved.
	Mate int
	// Line shows it, from Position on: the mate that was missed, the longest defence; after AllowedMate it begins with
	// the move made.
	Line []rules.Move
	// Better are moves to make instead: with AllowedMate all that certainly avoid the mate, or, where that is certain of none, those of which
	// it is undecided.
	Better []rules.Move
	// Proved: by the rules, a table or the solver.
	Proved bool
	// Loss in the chance of winning, from 0 to 1, by a back end; 0 if it was not asked.
	Loss float64
	// Broken is the rule that an illegal move breaks.
	Broken rules.Rule
}

// judge judges the move at a ply, 0 the first, once the values before and after it are settled.
func (r *Reviewer) judge(ctx context.Context, g *game, ply int) (Move, error) {
	at := &g.at[ply]
	m := Move{Ply: ply + 1, Position: at.position, Move: g.moves[ply], Before: at.value, After: g.at[ply+1].value}
	if ended := &g.at[ply+1].ended; ended.ended {
		m.After = *ended
	}
	if m.Before.Table && (m.After.Table || m.After.ended) {
		r.judgeByTable(&m, g.first)
		return m, nil
	}
	if m.Before.Category == Unknown && m.After.By == ByMate && m.After.Category == Win {
		if at.others == nil {
			if err := r.compare(ctx, g, ply, &m.Before, &m.After); err != nil {
				return m, err
			}
		}
		if m.Before.Category == Unknown {
			m.allowed(at.others)
			return m, nil
		}
	}
	switch m.Before.Category {
	case Win:
		m.judgeWon()
	case Loss:
		m.judgeLost()
	default:
		r.judgeOpen(&m)
	}
	if m.Judgement == OK || m.Judgement == Best && m.Before.Category != Loss {
		only, err := r.onlyMove(ctx, g, ply)
		if err != nil {
			return m, err
		}
		if only {
			m.Judgement, m.Proved = Only, true
		}
	}
	return m, nil
}

// allowed judges a move after which the opponent mates.
func (m *Move) allowed(o *others) {
	m.Judgement, m.Mate = AllowedMate, m.After.Most
	m.Line = append([]rules.Move{m.Move}, m.After.Line...)
	m.Better, m.Proved = o.avoid, true
	if len(o.avoid) == 0 {
		m.Better, m.Proved = o.open, false
	}
}

// judgeWon judges a move in a position that is won by mate, as far as the solver knows it.
func (m *Move) judgeWon() {
	n := m.Before.Most
	kept := m.After.Category == Loss
	switch {
	case !kept:
		m.instead(MissedMate, n)
		m.Proved = m.After.Category != Unknown || m.After.None >= n-1
	case m.After.By == ByMate && m.After.Most+1 <= m.Before.None+1:
		m.Judgement, m.Proved = Best, true
	case m.After.By == ByMate && m.After.None >= n-1:
		m.instead(Longer, n)
		m.Proved = true
	default:
		m.Proved = true // it wins, and whether there is a shorter way is open
	}
}

// judgeLost judges a move in a position that is lost by mate, as far as the solver knows it.
func (m *Move) judgeLost() {
	n := m.Before.Most
	switch {
	case m.After.By != ByMate:
	case m.After.Most+1 <= m.Before.None:
		m.instead(Shortened, n)
		m.Proved = true
	case m.After.None+2 >= n:
		m.Judgement, m.Proved = Best, true
	default:
		m.Proved = true // it loses, and whether another would hold out longer is open
	}
}

// instead says what should have been played: the line of the value before the move.
func (m *Move) instead(j Judgement, mate int) {
	m.Judgement, m.Mate, m.Line = j, mate, m.Before.Line
	if len(m.Line) > 0 {
		m.Better = m.Line[:1]
	}
}

// judgeOpen judges a move in a position of which nothing is known, and after which the opponent does not mate.
func (r *Reviewer) judgeOpen(m *Move) {
	if m.After.ended {
		switch m.After.Category {
		case Loss: // the opponent has lost by the rules
			m.Judgement, m.Proved = Best, true
			return
		case Win:
			if m.Position.CountMoves() > 1 {
				m.Judgement = Blunder
			}
			return
		}
	}
	e := m.Before.Evaluation
	if e == nil {
		return
	}
	after, ok := r.chanceAfter(&m.After)
	if !ok {
		return
	}
	m.Loss = max(e.Chance(r.options.Scale)-after, 0)
	t, percent := &r.options.Thresholds, 100*m.Loss
	switch {
	case e.Move == m.Move: // that it thinks otherwise now says more about it than about the move
		m.Judgement = Best
	case percent >= t.Blunder:
		m.Judgement = Blunder
	case percent >= t.Mistake:
		m.Judgement = Mistake
	case percent >= t.Inaccuracy:
		m.Judgement = Inaccuracy
	}
	if e.Move != 0 && e.Move != m.Move {
		m.Better = []rules.Move{e.Move}
	}
}

// chanceAfter returns the chance of winning of the side that has moved.
func (r *Reviewer) chanceAfter(after *Value) (chance float64, ok bool) {
	if grade, known := after.grade(); known {
		return 1 - float64(grade)/2, true
	}
	if after.Evaluation == nil {
		return 0, false
	}
	return 1 - after.Evaluation.Chance(r.options.Scale), true
}

package review

import "gogotb/rules"

// judgeByTable judges a move where a table knows the values before and after it, and so those after all other moves; or the rules have
// ended the game after it.
func (r *Reviewer) judgeByTable(m *Move, first rules.Color) {
	m.Proved = true
	before, _ := m.Before.grade()
	after, _ := m.After.grade()
	switch kept := after+before == 2; {
	case m.After.ended && m.After.Category == Loss && m.After.By != ByMate: // the opponent has lost by the rules
		m.Judgement = Best
	case !kept && m.Before.By == ByMate:
		m.instead(MissedMate, m.Before.Most)
	case !kept && m.After.By == ByMate:
		m.allowed(&others{avoid: r.keeping(m, first)})
	case !kept:
		m.Judgement, m.Better = Blunder, r.keeping(m, first)
	case m.Before.Category == Win && m.Before.By == ByMate && m.After.By != ByMate: // it wins all the same, in another way
		m.instead(MissedMate, m.Before.Most)
	case m.Before.Category != Loss && len(r.keeping(m, first)) == 1:
		m.Judgement = Only
	case m.Before.By == ByMate && m.After.Most+1 > m.Before.Most:
		m.instead(Longer, m.Before.Most)
	case m.Before.By == ByMate && m.After.Most+1 < m.Before.Most:
		m.instead(Shortened, m.Before.Most)
	case m.Before.Category == Loss && m.Before.By != m.After.By:
		m.Judgement = Shortened // mated, where it could have been put off for ever
	case m.Before.By == m.After.By && m.ranked():
		m.Judgement = Best
	}
}

// ranked tells whether a move keeps the rank of a win or loss by perpetual check, or there is none.
func (m *Move) ranked() bool {
	rank := m.After.Rank
	if m.Before.Category == Loss && m.After.By == ByPerpetual && !m.Position.GivesCheck(m.Move) {
		rank++
	}
	return rank == m.Before.Rank || m.Before.Category == Loss && m.Before.Rank == 1
}

// keeping returns the moves that win or draw as the best does.
func (r *Reviewer) keeping(m *Move, first rules.Color) []rules.Move {
	var moves []rules.Move
	want, _ := m.Before.grade()
	p := m.Position
	for _, other := range p.Moves(nil) {
		u := p.Make(other)
		v, ok := r.probe(&p, first)
		switch {
		case other == m.Move: // which the rules may have valued
			v, ok = m.After, true
		case !p.HasMove():
			v, ok = mated(), true
		}
		p.Unmake(u)
		if grade, known := v.grade(); ok && known && 2-grade == want {
			moves = append(moves, other)
		}
	}
	return moves
}

package review

import (
	"context"

	"gogotb/rules"
	"gogotb/verify/mate"
)

// refined returns the value of the position at a ply by itself, with what the neighbours' own values add: a move into a
// lost position wins, the first move of a mate and every move of a lost position keep what they were worth.
func (g *game) refined(ply int) Value {
	v := g.at[ply].own
	if v.Table || g.at[ply].own.Most == 0 {
		return v
	}
	if ply < len(g.moves) {
		if next := &g.at[ply+1].own; next.By == ByMate && next.Category == Loss {
			v.tighten(next.Most+1, append([]rules.Move{g.moves[ply]}, next.Line...))
		}
	}
	if ply > 0 {
		prev := &g.at[ply-1].own
		follows := len(prev.Line) > 0 && prev.Line[0] == g.moves[ply-1]
		switch {
		case prev.By != ByMate:
		case follows:
			v.tighten(prev.Most-1, prev.Line[1:])
		case prev.Category == Loss:
			v.tighten(prev.Most-1, nil)
		}
	}
	return v
}

// settle finds the value of the position at a ply that the review goes by.
func (r *Reviewer) settle(ctx context.Context, g *game, ply int) error {
	at := &g.at[ply]
	at.value = g.refined(ply)
	v := &at.value
	switch {
	case v.By == ByMate && v.Most > 0 && len(v.Line) == 0:
		return r.borrow(ctx, func(s *searcher) {
			v.learn(s.value(&at.position, mate.Options{MaxPlies: within(v.Most), MaxNodes: moreEffort * r.options.Nodes, AnyLength: true}))
		})
	case v.Category != Unknown:
		return nil
	}
	if ply > 0 {
		if prev := g.refined(ply - 1); prev.By == ByMate && prev.Category == Win {
			if err := r.lookAgain(ctx, v, &at.position, prev.Most-1); err != nil || v.Category != Unknown {
				return err
			}
		}
	}
	if ply < len(g.moves) {
		if next := g.refined(ply + 1); next.By == ByMate && next.Category == Win {
			return r.compare(ctx, g, ply, v, &next)
		}
	}
	return nil
}

// lookAgain looks with more effort at a position of which nothing is known: for any mate, and whether there is one within plies.
func (r *Reviewer) lookAgain(ctx context.Context, v *Value, p *rules.Position, plies int) error {
	return r.borrow(ctx, func(s *searcher) {
		ask := mate.Options{MaxPlies: r.options.Plies, MaxNodes: moreEffort * r.options.Nodes, AnyLength: true}
		if v.learn(s.value(p, ask)); v.Category == Unknown && v.None < plies {
			ask.MaxPlies, ask.AnyLength = within(plies), false
			v.learn(s.value(p, ask))
		}
	})
}

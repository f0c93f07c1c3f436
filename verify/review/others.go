package review

import (
	"context"

	"gogotb/rules"
	"gogotb/verify/mate"
)

// The searches after each of the moves that were not made have smaller limits: parts of Options.Nodes.
const (
	comparedPart = 8
	onlyPart     = 16
	// onlyPlies is how long the mates are that make a move the only one.
	onlyPlies = 9
)

// others are the moves of a position that were not made, by what they come to against a mate that the move made allows.
type others struct {
	avoid []rules.Move // the opponent has no mate within as many plies
	open  []rules.Move // undecided
	lost  bool         // all of them are mated within as many plies
}

// compare finds out what the moves at a ply that were not made come to, where the one that was made lets the opponent mate: next is the
// value after it. If all are mated as soon, v, the value before it, is lost.
func (r *Reviewer) compare(ctx context.Context, g *game, ply int, v, next *Value) error {
	o := &others{lost: true}
	longest := next.Most
	err := r.borrow(ctx, func(s *searcher) {
		ask := mate.Options{MaxPlies: within(next.Most), MaxNodes: r.options.Nodes/comparedPart + 1}
		g.eachOther(ply, func(m rules.Move, p *rules.Position) bool {
			after := mated()
			if p.HasMove() {
				after = s.value(p, ask)
			}
			switch {
			case after.Category == Win:
				longest = max(longest, after.Most)
				return true
			case after.Category == Loss || after.None >= next.Most:
				o.avoid = append(o.avoid, m)
			default:
				o.open = append(o.open, m)
			}
			o.lost = false
			return true
		})
	})
	if err != nil {
		return err
	}
	g.at[ply].others = o
	if o.lost {
		v.tighten(longest+1, append([]rules.Move{g.moves[ply]}, next.Line...))
		if _, exact := next.DTM(); exact && longest == next.Most {
			v.None = max(v.None, longest) // the move made holds out so long
		}
	}
	return nil
}

// onlyMove tells whether all moves but the one made let the opponent mate soon.
func (r *Reviewer) onlyMove(ctx context.Context, g *game, ply int) (only bool, err error) {
	only = true
	if g.at[ply].position.CountMoves() == 1 {
		return true, nil
	}
	err = r.borrow(ctx, func(s *searcher) {
		ask := mate.Options{MaxPlies: min(onlyPlies, r.options.Plies), MaxNodes: r.options.Nodes/onlyPart + 1}
		g.eachOther(ply, func(_ rules.Move, p *rules.Position) bool {
			only = p.HasMove() && s.value(p, ask).Category == Win
			return only
		})
	})
	return only, err
}

// eachOther plays each of the moves that were not made at a ply, until a function returns false.
func (g *game) eachOther(ply int, try func(rules.Move, *rules.Position) bool) {
	p := g.at[ply].position
	for _, m := range p.Moves(nil) {
		if m == g.moves[ply] {
			continue
		}
		u := p.Make(m)
		next := try(m, &p)
		p.Unmake(u)
		if !next {
			return
		}
	}
}

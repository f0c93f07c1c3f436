package puzzle

import (
	"gogotb/rules"
	"gogotb/verify/mate"
)

// uniqueness is whether the attacker has one solution.
type uniqueness uint8

const (
	open    uniqueness = iota // that is not known
	several                   // it has more
	single
)

// unique tells whether the attacker, to move, has one solution of a mate in n plies: at each of his turns but the last,
// against every longest defence, one move only that mates within as many plies as there are left and Beyond more.
func (s *gameSearch) unique(p *rules.Position, n int) (uniqueness, error) {
	by := p.SideToMove()
	var solution rules.Move
	for _, m := range p.Moves(make([]rules.Move, 0, rules.MaxMoves)) {
		after := *p
		after.Make(m)
		r, err := s.ask(&after, mate.Options{By: &by, MaxPlies: n - 1 + s.opt.Beyond, MaxNodes: followUp * s.opt.Nodes, AnyLength: true})
		switch {
		case err != nil || r.Verdict == mate.Unknown:
			return open, err
		case r.Verdict != mate.MatedIn:
		case solution != 0:
			return several, nil
		default:
			solution = m
		}
	}
	if solution == 0 { // a mate that was proved is proved again, if the nodes suffice
		return open, nil
	}
	if n <= 3 {
		return single, nil
	}
	after := *p
	after.Make(solution)
	for _, reply := range after.Moves(make([]rules.Move, 0, rules.MaxMoves)) {
		next := after
		next.Make(reply)
		r, err := s.ask(&next, mate.Options{By: &by, MaxPlies: n - 2, MaxNodes: followUp * s.opt.Nodes})
		if err != nil || r.Verdict != mate.MateIn {
			return open, err
		}
		if r.Plies < n-2 {
			continue
		}
		if u, err := s.unique(&next, n-2); u != single {
			return u, err
		}
	}
	return single, nil
}

package mate

import (
	"cmp"
	"errors"

	"gogotb/rules"
)

var (
	// ErrTree means that there are more best defences than Options.Tree allows.
	ErrTree = errors.New("the tree of best defences is too large")
	// ErrCollision means that the line of a mate could not be played out.
	ErrCollision = errors.New("two positions have the same hash")
)

// Branch is a move and, after it, all best answers of the defender or one best move of the attacker.
type Branch struct {
	Move  rules.Move
	Plies int // to the end of the game, the move included
	Next  []Branch
}

// guide finds the best moves of a position that is won for the attacker in exactly so many plies: one for the
// attacker, all (if all is set) or one for the defender. ok is false if it cannot.
type guide func(pos *rules.Position, plies int, all bool) (moves []rules.Move, ok bool)

// line follows a guide to the end, which has to be mate.
func line(pos rules.Position, plies int, g guide) ([]rules.Move, bool) {
	moves := make([]rules.Move, 0, plies)
	for ; plies > 0; plies-- {
		best, ok := g(&pos, plies, false)
		if !ok {
			return nil, false
		}
		moves = append(moves, best[0])
		pos.Make(best[0])
	}
	return moves, !pos.HasMove()
}

// tree follows a guide along all best defences. room is the number of moves it may still take up; it is negative
// if there was not enough.
func tree(pos rules.Position, plies int, g guide, room *int) ([]Branch, bool) {
	if plies == 0 {
		return nil, true
	}
	best, ok := g(&pos, plies, true)
	if !ok {
		return nil, false
	}
	if *room -= len(best); *room < 0 {
		return nil, false
	}
	branches := make([]Branch, len(best))
	for i, m := range best {
		u := pos.Make(m)
		next, ok := tree(pos, plies-1, g, room)
		pos.Unmake(u)
		if !ok {
			return nil, false
		}
		branches[i] = Branch{m, plies, next}
	}
	return branches, true
}

// play makes the answer from a mate that is proved for s.
func (q *quest) play(s *side) Result {
	r := Result{Verdict: MatedIn, Plies: s.most}
	if s.most%2 == 1 {
		r.Verdict = MateIn
	}
	q.meter.allow(noBudget)
	if q.opt.AnyLength {
		var ok bool
		if r.Line, ok = s.anyLine(); !ok {
			return q.noLine()
		}
		return r
	}
	return q.follow(r, s.guide)
}

// follow adds line and tree to an answer of exact length.
func (q *quest) follow(r Result, g guide) Result {
	var ok bool
	if r.Line, ok = line(q.pos, r.Plies, g); !ok {
		return q.noLine()
	}
	if q.opt.Tree > 0 {
		room := q.opt.Tree
		if r.Tree, ok = tree(q.pos, r.Plies, g, &room); !ok {
			if room < 0 {
				return Result{Cause: ErrTree}
			}
			return q.noLine()
		}
	}
	return r
}

// noLine is the answer if the line or the tree of a mate cannot be completed.
func (q *quest) noLine() Result { return Result{Cause: cmp.Or(q.meter.cause, ErrCollision)} }

// guide is a guide by search.
func (s *side) guide(pos *rules.Position, plies int, all bool) ([]rules.Move, bool) {
	if pos.SideToMove() == s.attacker {
		r := s.search(pos, uint16(plies))
		return []rules.Move{r.move}, r.pn == 0 && pos.Legal(r.move) == nil
	}
	if !all && plies > 2 {
		// What refutes a mate two plies shorter holds out longest.
		r := s.search(pos, uint16(plies-2))
		return []rules.Move{r.move}, r.dn == 0 && pos.Legal(r.move) == nil
	}
	var best []rules.Move
	p := *pos
	for _, m := range pos.Moves(nil) {
		u := p.Make(m)
		longest := plies == 2 // all moves are followed by mate at once
		if !longest {
			r := s.search(&p, uint16(plies-3))
			if !r.decided() {
				return nil, false
			}
			longest = r.dn == 0
		}
		p.Unmake(u)
		if longest {
			best = append(best, m)
		}
	}
	return best, len(best) > 0
}

// search decides whether the attacker mates within plies (not 0) from pos.
func (s *side) search(pos *rules.Position, plies uint16) kid {
	s.prover.pos = *pos
	if s.crew != nil {
		return s.crew.search(plies)
	}
	return s.prover.search(plies)
}

// anyLine plays a proof of any length to its end: the attacker by the proof, the defender to where the longest is left.
func (s *side) anyLine() ([]rules.Move, bool) {
	var moves []rules.Move
	pos := s.pos
	for plies := s.most; plies > 0 && pos.HasMove(); { // plies is an upper bound
		var next kid
		if pos.SideToMove() == s.attacker {
			if next = s.search(&pos, uint16(plies)); next.pn != 0 || pos.Legal(next.move) != nil {
				return nil, false
			}
			next.plies--
		} else {
			for _, m := range pos.Moves(nil) {
				u := pos.Make(m)
				r := s.search(&pos, uint16(plies-1))
				pos.Unmake(u)
				if r.pn != 0 {
					return nil, false
				}
				if r.plies >= next.plies {
					next = kid{plies: r.plies, move: m}
				}
			}
		}
		moves = append(moves, next.move)
		pos.Make(next.move)
		plies = int(next.plies)
	}
	return moves, !pos.HasMove()
}

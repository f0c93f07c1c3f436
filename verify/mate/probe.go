package mate

import "gogotb/rules"

// fromTable answers from Options.Table, if it covers the position.
func (q *quest) fromTable() (Result, bool) {
	if q.opt.Table == nil || q.opt.Tsume {
		return Result{}, false
	}
	v, ok := q.opt.Table(&q.pos)
	if !ok || v.Outcome() == rules.Illegal {
		return Result{}, false
	}
	mated := v.Outcome() == rules.MateLoss
	if !mated && v.Outcome() != rules.MateWin {
		// Open, or decided by perpetual check: nobody can force a mate.
		for _, s := range q.sides {
			s.none = true
		}
		return Result{Verdict: NoMate, FromTable: true}, true
	}
	n := v.Number()
	r := Result{Verdict: MateIn, Plies: n, FromTable: true}
	if mated {
		r.Verdict = MatedIn
	}
	var winner *side
	for _, s := range q.sides {
		if s.attacking() != mated {
			winner = s
		} else {
			s.none = true
		}
	}
	if winner == nil { // it was not asked about
		return Result{Verdict: NoMate, FromTable: true}, true
	}
	winner.least, winner.most = n-2, n
	if limit := q.opt.MaxPlies; limit > 0 && n > limit {
		return Result{Verdict: NoMateWithin, Plies: limit, FromTable: true}, true
	}
	r = q.follow(r, q.tableGuide)
	// A table that answers for one position but not for the next is no help.
	return r, r.Verdict != Unknown || r.Cause == ErrTree
}

// tableGuide is a guide by Options.Table: the best moves are those to a position of one ply less.
func (q *quest) tableGuide(pos *rules.Position, plies int, all bool) ([]rules.Move, bool) {
	want := rules.MakeValue(rules.MateLoss, plies-1)
	if plies%2 == 0 {
		want = rules.MakeValue(rules.MateWin, plies-1)
	}
	attacking := plies%2 == 1
	var best []rules.Move
	p := *pos
	for _, m := range pos.Moves(nil) {
		u := p.Make(m)
		v, ok := q.opt.Table(&p)
		p.Unmake(u)
		if !ok {
			return nil, false
		}
		if v == want {
			best = append(best, m)
			if attacking || !all {
				break
			}
		}
	}
	return best, len(best) > 0
}

package puzzle

import (
	"slices"

	"gogotb/rules"
)

// cooks looks at every other move of the attacker along the solution, and reports the quickest mates of a ply first.
func (k *check) cooks() {
	k.Searched = AnyLength
	for i, m := range k.solution.moves {
		p := k.solution.positions[i]
		if k.lengths.attacking(&p) {
			first := len(k.Flaws)
			k.cooksAt(i, p, m)
			slices.SortStableFunc(k.Flaws[first:], func(a, b Flaw) int { return a.Plies - b.Plies })
		}
	}
}

// cooksAt looks at the alternatives to move i of the solution.
func (k *check) cooksAt(i int, p rules.Position, solution rules.Move) {
	covered := k.lengths.covered(&p)
	last := i > 1 && k.after(&p, solution, 0).within(0) // the attacker's first move is the key, be it his last, too
	left := k.lengths.after(&p, solution, max(k.Plies, k.claimed)+k.futileRoom())
	if left.state != mates {
		k.open = true
		return
	}
	far := min(left.plies+k.opt.Beyond, AnyLength)
	for _, m := range k.sortedMoves(&p) {
		if m == solution {
			continue
		}
		after := k.lengths.after(&p, m, left.plies)
		if after.state == fails && after.plies < far {
			// A longer mate that is tolerated is not worth a doubt.
			longer := k.lengths.after(&p, m, far)
			if longer.state != unknown || k.opt.Tolerate&LongerMate == 0 {
				after = longer
			}
		}
		switch after.state {
		case unknown:
			k.open = true
		case fails:
			k.searched(i, after.plies)
			k.perpetualAlternative(i, p, m)
		case mates:
			if !covered {
				k.searched(i, far)
			}
			k.cook(i, p, m, after.plies, left.plies, last)
		}
	}
}

// searched notes how far the alternatives to move i have been searched, in plies after it.
func (k *check) searched(i, plies int) {
	if plies < AnyLength {
		k.Searched = min(k.Searched, i+1+plies)
	}
}

// cook reports that m, played instead of move i of the solution, mates in plies more; left is how many the
// solution has, and last that its move ends the puzzle.
func (k *check) cook(i int, p rules.Position, m rules.Move, plies, left int, last bool) {
	l := newLine(p)
	l.play(m)
	var reasons Tolerance
	if last {
		reasons |= LastMove
	}
	if k.promotionAside(i, m) && plies == left {
		reasons |= Promotion
	}
	if plies > left {
		reasons |= LongerMate
	}
	f := Flaw{Kind: Cook, Ply: i + 1, Plies: i + 1 + plies, Tolerated: reasons & k.opt.Tolerate}
	f.Refutes = f.Tolerated == 0
	if f.Refutes || plies <= left {
		// Of those that dally it is enough to know the move.
		l.join(k.bestStrict(l.last(), plies))
	}
	f.Moves = l.moves
	k.add(f)
}

// bestStrict is best with all defences counted.
func (k *check) bestStrict(p rules.Position, n int) line {
	count := k.count
	defer func() { k.count = count }()
	k.count = k.lengths.of
	return k.best(p, n)
}

// promotionAside tells whether m and move i of the solution differ in the promotion only,
// and the solution can go on after both, to the same end.
func (k *check) promotionAside(i int, m rules.Move) bool {
	if !sameStep(m, k.solution.moves[i]) {
		return false
	}
	p := k.solution.positions[i]
	p.Make(m)
	piece := m.To()
	for _, next := range k.solution.moves[i+1:] {
		if next.To() == piece && !k.lengths.attacking(&p) {
			piece = rules.NoSquare // captured
		}
		if !next.IsDrop() && next.From() == piece {
			if piece = next.To(); p.Legal(next) != nil {
				// What has promoted already cannot do so, and the other way round.
				next = rules.Step(next.From(), next.To(), !next.Promotes())
			}
		}
		if p.Legal(next) != nil || k.opt.Tsume && k.lengths.attacking(&p) && !p.GivesCheck(next) {
			return false
		}
		p.Make(next)
	}
	return k.count(&p, 0).within(0)
}

// sameStep tells whether two different moves differ in the promotion only.
func sameStep(a, b rules.Move) bool {
	return a != b && !a.IsDrop() && !b.IsDrop() && a.From() == b.From() && a.To() == b.To()
}

// perpetualAlternative reports a move that does not mate, but wins because of a perpetual check.
func (k *check) perpetualAlternative(i int, p rules.Position, m rules.Move) {
	p.Make(m)
	switch v, ok := k.lengths.value(&p); {
	case k.opt.Tsume:
	case !ok:
		k.omit(PerpetualAlternatives)
	case v.Outcome() == rules.PerpetualLoss:
		k.add(Flaw{Kind: Perpetual, Ply: i + 1, Moves: []rules.Move{m}})
	}
}

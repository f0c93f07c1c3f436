package retro

import (
	"context"
	"sync/atomic"

	"gogotb/rules"
)

// perpetuals finds, among the positions that mate leaves undecided, those in which Gote
// can hold out only by checking for ever, rank by rank. What has been found leaves the
// undecided positions, so the ranks are alike: Gote must not make a move that stays
// undecided unless it is a check from which Sente can go on.
// The ranks up to done are found already.
func (s *solver) perpetuals(ctx context.Context, done int) error {
	if err := s.sync(ctx); err != nil {
		return err
	}
	p := &perpetual{solver: s, quiet: newSet(s.layout), bad: newSet(s.layout), candidates: newSet(s.layout), removed: newFlags(s.layout)}
	if done == 0 {
		if err := p.mutualChecks(ctx); err != nil {
			return err
		}
	}
	if err := p.findQuiet(ctx); err != nil {
		return err
	}
	for rank := done + 1; ; rank++ {
		found, err := p.rank(ctx, rank)
		if found == 0 || err != nil {
			return err
		}
		if err := s.finished(Progress{Phase: PerpetualPhase, Ply: rank, Found: found}); err != nil {
			return err
		}
	}
}

// perpetual is the state of that analysis. Of the solver it uses notWon and notLost, the
// undecided positions with Sente and with Gote to move, and last: the candidates that
// may still be of the rank sought. changed flags the rows of notWon, quiet or bad that
// the last pass has changed.
type perpetual struct {
	*solver
	quiet      *set  // Sente to move, not in check: Gote's way out
	candidates *set  // Gote to move: those without a move into quiet
	bad        *set  // Sente to move: quiet, and those in check that Sente cannot win from
	removed    flags // flags of the rows of last that have lost positions
}

// mutualChecks looks for positions in which both sides can give check for ever. There
// must be none.
func (p *perpetual) mutualChecks(ctx context.Context) error {
	err := p.eachRow(ctx, func(w *worker) {
		r := *p.notWon.row(w.place.s, w.place.pair, w.place.r)
		if !r.empty() {
			checked := attackRow(&w.place, rules.Gote)
			r.and(&checked)
		}
		p.bad.put(&w.place, &r)
		p.last.put(&w.place, p.notLost.row(w.place.s, w.place.pair, w.place.r))
	})
	if err != nil {
		return err
	}
	for before := ^uint64(0); ; {
		gote, err := p.keepCheckers(ctx, p.last, p.bad, rules.Gote)
		if err != nil {
			return err
		}
		if gote == 0 {
			return nil
		}
		sente, err := p.keepCheckers(ctx, p.bad, p.last, rules.Sente)
		if err != nil {
			return err
		}
		if sente == before {
			return &MutualCheckError{p.layout.material, sente}
		}
		before = sente
	}
}

// keepCheckers keeps, of the positions of t with side c to move, those in which c has a
// move into the set into, and is in check; it returns how many there are.
func (p *perpetual) keepCheckers(ctx context.Context, t, into *set, c rules.Color) (uint64, error) {
	if err := p.overlay(ctx, into, c, nil); err != nil {
		return 0, err
	}
	k := kernel{layout: p.layout, mover: c, source: into}
	var found atomic.Uint64
	err := p.eachRow(ctx, func(w *worker) {
		pl := &w.place
		need := *t.row(pl.s, pl.pair, pl.r)
		need.keepDistinct(pl)
		if !need.empty() {
			checked := attackRow(pl, c.Other())
			need.and(&checked)
		}
		var acc row
		if !need.empty() {
			acc = *k.pre(w, &need)
			acc.and(&need)
		}
		t.put(pl, &acc)
		found.Add(weigh(pl.s, pl.pair, &acc))
	})
	return found.Load() / weightUnit, err
}

// findQuiet makes quiet the undecided positions in which Sente is not in check, and
// candidates the undecided positions in which Gote has no move into them.
func (p *perpetual) findQuiet(ctx context.Context) error {
	err := p.eachFlagged(ctx, p.notWon.flags, func(w *worker) {
		pl := &w.place
		r := *p.notWon.row(pl.s, pl.pair, pl.r)
		checked := attackRow(pl, rules.Gote)
		r.andNot(&checked)
		p.quiet.put(pl, &r)
	})
	if err != nil {
		return err
	}
	if err := p.overlay(ctx, p.quiet, rules.Gote, nil); err != nil {
		return err
	}
	k := kernel{layout: p.layout, mover: rules.Gote, source: p.quiet}
	return p.eachFlagged(ctx, p.notLost.flags, func(w *worker) {
		r := *p.notLost.row(w.place.s, w.place.pair, w.place.r)
		r.andNotPre(&k, w)
		p.candidates.put(&w.place, &r)
	})
}

// rank finds the positions of a rank and takes them from the undecided ones.
func (p *perpetual) rank(ctx context.Context, rank int) (found uint64, err error) {
	if err := p.begin(ctx); err != nil {
		return 0, err
	}
	for first := true; ; first = false {
		if err := p.strand(ctx, first); err != nil {
			return 0, err
		}
		removed, err := p.discard(ctx)
		if err != nil {
			return 0, err
		}
		if !removed {
			break
		}
	}
	lost, err := p.recordLosses(ctx, rules.MakeValue(rules.PerpetualLoss, rank))
	if lost == 0 || err != nil {
		return 0, err
	}
	p.changed.clear()
	won, err := p.winPass(ctx, kernel{mover: rules.Sente, source: p.last}, rules.MakeValue(rules.PerpetualWin, rank))
	if err != nil {
		return 0, err
	}
	return lost + won, p.addCandidates(ctx)
}

// addCandidates takes the wins that changed flags from quiet and finds what they add to
// the candidates.
func (p *perpetual) addCandidates(ctx context.Context) error {
	err := p.eachFlagged(ctx, p.changed, func(w *worker) {
		pl := &w.place
		quiet := p.quiet.row(pl.s, pl.pair, pl.r)
		r, won := *quiet, *quiet
		won.keepDistinct(pl)
		won.andNot(p.notWon.row(pl.s, pl.pair, pl.r))
		r.andNot(&won)
		p.quiet.put(pl, &r)
		p.changed.put(pl.s, pl.pair, pl.r, !won.empty())
	})
	if err != nil {
		return err
	}
	if err := p.overlay(ctx, p.quiet, rules.Gote, p.changed); err != nil {
		return err
	}
	k := kernel{layout: p.layout, mover: rules.Gote, source: p.quiet}
	_, err = p.sweep(ctx, &k, p.changed, p.notLost, losses, 0, func(w *worker) {
		pl := &w.place
		r := *p.notLost.row(pl.s, pl.pair, pl.r)
		r.andNotPre(&k, w)
		p.candidates.put(pl, &r)
	})
	return err
}

// begin makes last the candidates and bad the quiet positions.
func (p *perpetual) begin(ctx context.Context) error {
	err := p.each(ctx, p.all, func(w *worker, i int) {
		p.bad.copyUnit(p.layout, i, p.quiet)
		p.last.copyUnit(p.layout, i, p.candidates)
	})
	if err != nil {
		return err
	}
	return p.overlay(ctx, p.last, rules.Sente, nil)
}

// strand adds to bad the undecided positions in which Sente is in check and has no move
// into last: all of them at first, later those with a move into a row that has lost
// positions.
func (p *perpetual) strand(ctx context.Context, first bool) error {
	k := kernel{layout: p.layout, mover: rules.Sente, source: p.last}
	look := func(w *worker) {
		pl := &w.place
		bad := p.bad.row(pl.s, pl.pair, pl.r)
		need := *p.notWon.row(pl.s, pl.pair, pl.r)
		need.andNot(bad) // what is left is in check
		need.andNotPre(&k, w)
		if !need.empty() {
			need.or(bad)
			p.bad.put(pl, &need)
			p.changed.put(pl.s, pl.pair, pl.r, true)
		}
	}
	p.changed.clear()
	var err error
	if first {
		err = p.eachFlagged(ctx, p.notWon.flags, look)
	} else {
		_, err = p.sweep(ctx, &k, p.removed, p.notWon, losses, 0, look)
	}
	if err != nil {
		return err
	}
	return p.overlay(ctx, p.bad, rules.Gote, p.changed)
}

// discard takes from last the positions in which Gote has a move into what is new in bad.
func (p *perpetual) discard(ctx context.Context) (removed bool, err error) {
	var any atomic.Bool
	k := kernel{layout: p.layout, mover: rules.Gote, source: p.bad}
	p.removed.clear()
	_, err = p.sweep(ctx, &k, p.changed, p.last, losses, 0, func(w *worker) {
		pl := &w.place
		candidates := p.last.row(pl.s, pl.pair, pl.r)
		need := *candidates
		need.keepDistinct(pl)
		if need.empty() {
			return
		}
		lost := *k.pre(w, &need)
		lost.and(&need)
		if lost.empty() {
			return
		}
		left := *candidates
		left.andNot(&lost)
		p.last.put(pl, &left)
		p.removed.put(pl.s, pl.pair, pl.r, true)
		any.Store(true)
	})
	if err != nil {
		return false, err
	}
	return any.Load(), p.overlay(ctx, p.last, rules.Sente, p.removed)
}

// recordLosses takes the positions of last from notLost and records them.
func (p *perpetual) recordLosses(ctx context.Context, v rules.Value) (uint64, error) {
	return p.recordEach(ctx, p.last, losses, v, func(w *worker) {
		pl := &w.place
		lost := *p.last.row(pl.s, pl.pair, pl.r)
		lost.keepDistinct(pl)
		if lost.empty() {
			return
		}
		w.record(&lost)
		for _, t := range []*set{p.notLost, p.candidates} {
			left := *t.row(pl.s, pl.pair, pl.r)
			left.andNot(&lost)
			t.put(pl, &left)
		}
	})
}

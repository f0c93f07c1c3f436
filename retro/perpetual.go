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
	l := s.layout
	s.last.releaseAll(l)
	create := s.newSet
	if s.rows >= s.tuning.thinFrom {
		create = s.newThinSet
	}
	for _, t := range []**set{&s.notWon, &s.notLost} {
		few := create()
		err := s.each(ctx, s.all, func(_ *worker, i int) {
			if few.present != nil {
				(*t).thin(l, i, few)
			} else {
				(*t).release(l, i)
			}
		})
		if err != nil {
			return err
		}
		if few.present != nil {
			*t = few
		}
	}
	s.last = create()
	p := &perpetual{solver: s, quiet: create(), candidates: create(), bad: create(), alive: create(),
		fresh: newFlags(l), touched: newFlags(l)}
	if done == 0 {
		if err := p.mutualChecks(ctx); err != nil {
			return err
		}
	}
	if err := p.begin(ctx); err != nil {
		return err
	}
	for rank := done + 1; ; rank++ {
		found, err := p.rank(ctx, rank)
		if found == 0 || err != nil {
			p.close()
			return err
		}
		if err := s.finished(Progress{Phase: PerpetualPhase, Ply: rank, Found: found}); err != nil {
			return err
		}
	}
}

// perpetual is the state of that analysis. Of the solver it uses notWon and notLost, the
// undecided positions with Sente and with Gote to move, and last: the candidates that
// may be of the rank sought.
//
// For a rank, Sente in check and Gote among the candidates are looked at only as far as
// something may have changed: from the candidates that the rank before has added, back
// along Sente's moves and Gote's checks (hope). The positions that this reaches are taken
// to be good until they prove bad: first the candidates with a move into a bad position
// (discard), then the checks that lose their last good answer (strand), and so on. All
// other positions in check stay bad. What is good in the end is of the rank.
type perpetual struct {
	*solver
	quiet      *set // Sente to move, not in check: Gote's way out
	candidates *set // Gote to move: those without a move into quiet
	bad        *set // Sente to move: quiet, and those in check that are not good
	alive      *set // Sente to move, in check: those that hope has reached

	// Flags. The solver's changed flags the rows of notWon, quiet, bad or alive that the
	// last pass has changed; fresh those of last; touched those of bad that hope has.
	fresh, touched flags
}

// close lets go of what the rest of the analysis has no use for.
func (p *perpetual) close() {
	for _, t := range []*set{p.quiet, p.candidates, p.bad, p.alive} {
		t.releaseAll(p.layout)
	}
}

// begin makes quiet the undecided positions in which Sente is not in check, candidates
// the undecided positions in which Gote has no move into them, and all of these new. All
// positions with Sente to move are bad.
func (p *perpetual) begin(ctx context.Context) error {
	err := p.each(ctx, p.all, func(_ *worker, i int) { p.bad.copyUnit(p.layout, i, p.notWon) })
	if err != nil {
		return err
	}
	err = p.eachFlagged(ctx, p.notWon.flags, func(w *worker) {
		pl := &w.place
		r := *p.notWon.rowAt(pl)
		checked := attackRow(pl, rules.Gote)
		r.andNot(&checked)
		p.quiet.put(pl, &r)
	})
	if err != nil {
		return err
	}
	for _, t := range []*set{p.quiet, p.bad} {
		if err := p.overlay(ctx, t, rules.Gote, nil); err != nil {
			return err
		}
	}
	p.changed.fill(p.layout)
	return p.addCandidates(ctx)
}

// rank finds the positions of a rank and takes them from the undecided ones.
func (p *perpetual) rank(ctx context.Context, rank int) (found uint64, err error) {
	if err := p.hope(ctx); err != nil {
		return 0, err
	}
	for first := true; ; first = false {
		removed, err := p.discard(ctx, first)
		if err != nil {
			return 0, err
		}
		if !removed {
			break
		}
		if err := p.strand(ctx); err != nil {
			return 0, err
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
	if err := p.clear(ctx, p.last); err != nil {
		return 0, err
	}
	if err := p.forgetWins(ctx); err != nil {
		return 0, err
	}
	return lost + won, p.addCandidates(ctx)
}

// forgetWins takes the wins that changed flags from quiet and bad; changed then flags the
// rows of these.
func (p *perpetual) forgetWins(ctx context.Context) error {
	err := p.eachFlagged(ctx, p.changed, func(w *worker) {
		pl := &w.place
		any := false
		for _, t := range []*set{p.quiet, p.bad} {
			r := *t.rowAt(pl)
			won := r
			won.keepDistinct(pl)
			won.andNot(p.notWon.rowAt(pl))
			if !won.empty() {
				r.andNot(&won)
				t.put(pl, &r)
				any = true
			}
		}
		p.changed.putAt(pl, any)
	})
	if err != nil {
		return err
	}
	for _, t := range []*set{p.quiet, p.bad} {
		if err := p.overlay(ctx, t, rules.Gote, p.changed); err != nil {
			return err
		}
	}
	return nil
}

// addCandidates finds the candidates that the rows of quiet flagged in changed add; they
// are put into last, which was empty.
func (p *perpetual) addCandidates(ctx context.Context) error {
	p.fresh.clear()
	k := kernel{mover: rules.Gote, source: p.quiet}
	_, err := p.sweep(ctx, &k, p.changed, p.notLost, losses, 0, func(w *worker) {
		pl := &w.place
		r := *p.notLost.rowAt(pl)
		r.andNot(p.candidates.rowAt(pl))
		r.andNotPre(&k, w)
		if r.empty() {
			return
		}
		p.last.put(pl, &r)
		p.fresh.putAt(pl, true)
		r.or(p.candidates.rowAt(pl))
		p.candidates.put(pl, &r)
	})
	if err != nil {
		return err
	}
	return p.overlay(ctx, p.last, rules.Sente, p.fresh)
}

// hope adds to last, and takes from bad, all that the new candidates in last may make good.
func (p *perpetual) hope(ctx context.Context) error {
	if err := p.clear(ctx, p.alive); err != nil {
		return err
	}
	p.touched.clear()
	answers := kernel{mover: rules.Sente, source: p.last}
	checks := kernel{mover: rules.Gote, source: p.alive}
	for {
		p.changed.clear()
		n, err := p.sweep(ctx, &answers, p.fresh, p.bad, losses, 0, func(w *worker) {
			pl := &w.place
			bad := p.bad.rowAt(pl)
			r := *bad
			r.and(p.notWon.rowAt(pl))
			r.andNot(p.quiet.rowAt(pl))
			if r.empty() {
				return
			}
			r.and(answers.pre(w, &r))
			if r.empty() {
				return
			}
			left := *bad
			left.andNot(&r)
			p.bad.put(pl, &left)
			p.touched.putAt(pl, true)
			r.or(p.alive.rowAt(pl))
			p.alive.put(pl, &r)
			p.changed.putAt(pl, true)
			w.recorded += weightUnit
		})
		if err != nil || n == 0 {
			return p.settle(ctx, err)
		}
		if err := p.overlay(ctx, p.alive, rules.Gote, p.changed); err != nil {
			return err
		}
		p.fresh.clear()
		n, err = p.sweep(ctx, &checks, p.changed, p.candidates, losses, 0, func(w *worker) {
			pl := &w.place
			last := p.last.rowAt(pl)
			r := *p.candidates.rowAt(pl)
			r.andNot(last)
			if r.empty() {
				return
			}
			r.and(checks.pre(w, &r))
			if r.empty() {
				return
			}
			r.or(last)
			p.last.put(pl, &r)
			p.fresh.putAt(pl, true)
			w.recorded += weightUnit
		})
		if err != nil || n == 0 {
			return p.settle(ctx, err)
		}
		if err := p.overlay(ctx, p.last, rules.Sente, p.fresh); err != nil {
			return err
		}
	}
}

// settle ends hope: it brings the overlay of bad up to date.
func (p *perpetual) settle(ctx context.Context, err error) error {
	if err != nil {
		return err
	}
	return p.overlay(ctx, p.bad, rules.Gote, p.touched)
}

// discard takes from last the positions in which Gote has a move into bad: at first all
// of them, later those with a move into what is new there.
func (p *perpetual) discard(ctx context.Context, first bool) (removed bool, err error) {
	var any atomic.Bool
	k := kernel{mover: rules.Gote, source: p.bad}
	look := func(w *worker) {
		pl := &w.place
		last := p.last.rowAt(pl)
		lost := *last
		lost.keepDistinct(pl)
		if lost.empty() {
			return
		}
		lost.and(k.pre(w, &lost))
		if lost.empty() {
			return
		}
		left := *last
		left.andNot(&lost)
		p.last.put(pl, &left)
		p.fresh.putAt(pl, true)
		any.Store(true)
	}
	p.fresh.clear()
	if first {
		err = p.eachFlagged(ctx, p.last.flags, look)
	} else {
		_, err = p.sweep(ctx, &k, p.changed, p.last, losses, 0, look)
	}
	if err != nil {
		return false, err
	}
	return any.Load(), p.overlay(ctx, p.last, rules.Sente, p.fresh)
}

// strand puts into bad the positions in which Sente is in check and had moves into last,
// but has none any more.
func (p *perpetual) strand(ctx context.Context) error {
	k := kernel{mover: rules.Sente, source: p.last}
	p.changed.clear()
	_, err := p.sweep(ctx, &k, p.fresh, p.alive, losses, 0, func(w *worker) {
		pl := &w.place
		bad := p.bad.rowAt(pl)
		r := *p.notWon.rowAt(pl)
		r.andNot(bad)
		r.andNotPre(&k, w)
		if !r.empty() {
			r.or(bad)
			p.bad.put(pl, &r)
			p.changed.putAt(pl, true)
		}
	})
	if err != nil {
		return err
	}
	return p.overlay(ctx, p.bad, rules.Gote, p.changed)
}

// recordLosses takes the positions of last from notLost and records them.
func (p *perpetual) recordLosses(ctx context.Context, v rules.Value) (uint64, error) {
	return p.recordEach(ctx, p.last, losses, v, func(w *worker) {
		pl := &w.place
		lost := *p.last.rowAt(pl)
		lost.keepDistinct(pl)
		if lost.empty() {
			return
		}
		w.record(&lost)
		for _, t := range []*set{p.notLost, p.candidates} {
			left := *t.rowAt(pl)
			left.andNot(&lost)
			t.put(pl, &left)
		}
	})
}

package retro

import (
	"context"
	"sync/atomic"

	"gogotb/rules"
)

// perpetuals finds, among the positions that mate leaves undecided, those in which Gote
// can hold out only by checking for ever, rank by rank. What has been found leaves the
// undecided positions, so the levels are alike: Gote must not make a move that stays
// undecided unless it is a check and Sente can go on from there.
func (s *solver) perpetuals(ctx context.Context) error {
	if err := s.sync(ctx); err != nil {
		return err
	}
	p := &perpetual{solver: s, bad: newSet(s.layout), removed: newFlags(s.layout)}
	if err := p.mutualChecks(ctx); err != nil {
		return err
	}
	for rank := 1; ; rank++ {
		lost, err := p.level(ctx, rank)
		if lost == 0 || err != nil {
			return err
		}
	}
}

// perpetual is the state of that analysis. Of the solver it uses notWon and notLost, the
// undecided positions with Sente and with Gote to move, and last: the positions of
// notLost that may still be of the rank sought.
type perpetual struct {
	*solver
	bad     *set // Sente to move: the undecided positions that Gote can safely enter
	removed *set // flags of the rows of last that have lost positions
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
		need := distinctRow(pl)
		need.and(t.row(pl.s, pl.pair, pl.r))
		if !need.empty() {
			checked := attackRow(pl, c.Other())
			need.and(&checked)
		}
		var acc row
		if !need.empty() && k.pre(w, &need, &acc) {
			acc.and(&need)
		}
		t.put(pl, &acc)
		found.Add(weigh(pl.s, pl.pair, &acc))
	})
	return found.Load() / weightUnit, err
}

// level finds the positions of a rank and takes them from notWon and notLost.
func (p *perpetual) level(ctx context.Context, rank int) (lost uint64, err error) {
	if err := p.candidates(ctx); err != nil {
		return 0, err
	}
	for first := true; ; first = false {
		if err := p.stranded(ctx, first); err != nil {
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
	lost, err = p.recordLosses(ctx, rules.MakeValue(rules.PerpetualLoss, rank))
	if lost == 0 || err != nil {
		return 0, err
	}
	won, err := p.winPass(ctx, kernel{mover: rules.Sente, source: p.last}, rules.MakeValue(rules.PerpetualWin, rank), true)
	if err != nil {
		return 0, err
	}
	p.report(Progress{Phase: PerpetualPhase, Ply: rank, Found: lost + won})
	return lost, nil
}

// candidates makes bad the undecided positions in which Sente is not in check, and last
// the undecided positions in which Gote has no move into them.
func (p *perpetual) candidates(ctx context.Context) error {
	err := p.eachRow(ctx, func(w *worker) {
		pl := &w.place
		r := *p.notWon.row(pl.s, pl.pair, pl.r)
		if !r.empty() {
			checked := attackRow(pl, rules.Gote)
			r.andNot(&checked)
		}
		p.bad.put(pl, &r)
	})
	if err != nil {
		return err
	}
	if err := p.overlay(ctx, p.bad, rules.Gote, nil); err != nil {
		return err
	}
	k := kernel{layout: p.layout, mover: rules.Gote, source: p.bad}
	err = p.eachRow(ctx, func(w *worker) {
		r := *p.notLost.row(w.place.s, w.place.pair, w.place.r)
		r.andNotPre(&k, w)
		p.last.put(&w.place, &r)
	})
	if err != nil {
		return err
	}
	return p.overlay(ctx, p.last, rules.Sente, nil)
}

// stranded adds to bad the undecided positions in which Sente is in check and has no move
// into last: all of them at first, later those of rows where last has changed.
func (p *perpetual) stranded(ctx context.Context, first bool) error {
	k := kernel{layout: p.layout, mover: rules.Sente, source: p.last}
	if !first {
		k.changed = p.removed
	}
	err := p.eachRow(ctx, func(w *worker) {
		pl := &w.place
		if pl.r == 0 {
			clear(p.changed.pairFlags(pl.s, pl.pair))
		}
		if !p.notWon.flagged(pl.s, pl.pair, pl.r) {
			return
		}
		need := attackRow(pl, rules.Gote)
		need.and(p.notWon.row(pl.s, pl.pair, pl.r))
		bad := p.bad.row(pl.s, pl.pair, pl.r)
		need.andNot(bad)
		if need.empty() {
			return
		}
		var acc row
		if !k.pre(w, &need, &acc) && !first {
			return
		}
		need.andNot(&acc)
		if !need.empty() {
			need.or(bad)
			p.bad.put(pl, &need)
			p.changed.flag(pl.s, pl.pair, pl.r, true)
		}
	})
	if err != nil {
		return err
	}
	return p.overlay(ctx, p.bad, rules.Gote, p.changed)
}

// discard takes from last the positions in which Gote has a move into what is new in bad.
func (p *perpetual) discard(ctx context.Context) (removed bool, err error) {
	var any atomic.Bool
	k := kernel{layout: p.layout, mover: rules.Gote, source: p.bad, changed: p.changed}
	err = p.eachRow(ctx, func(w *worker) {
		pl := &w.place
		if pl.r == 0 {
			clear(p.removed.pairFlags(pl.s, pl.pair))
		}
		if !p.last.flagged(pl.s, pl.pair, pl.r) || !pl.distinct {
			return
		}
		candidates := p.last.row(pl.s, pl.pair, pl.r)
		need := distinctRow(pl)
		need.and(candidates)
		var acc row
		if need.empty() || !k.pre(w, &need, &acc) {
			return
		}
		acc.and(&need)
		if acc.empty() {
			return
		}
		left := *candidates
		left.andNot(&acc)
		p.last.put(pl, &left)
		p.removed.flag(pl.s, pl.pair, pl.r, true)
		any.Store(true)
	})
	if err != nil {
		return false, err
	}
	return any.Load(), p.overlay(ctx, p.last, rules.Sente, p.removed)
}

// recordLosses takes the positions of last from notLost and records them.
func (p *perpetual) recordLosses(ctx context.Context, v rules.Value) (uint64, error) {
	var found atomic.Uint64
	err := p.each(ctx, p.all, func(w *worker, i int) {
		u := p.layout.units[i]
		sl := &p.layout.slices[u.slice]
		w.log.reset()
		for pair := u.pair; pair < u.ends; pair++ {
			for r := range p.last.flaggedRows(sl, pair) {
				w.place.set(sl, pair, r)
				lost := distinctRow(&w.place)
				lost.and(p.last.row(sl, pair, r))
				if lost.empty() {
					continue
				}
				w.log.add((pair-u.pair)*sl.rows+r, &lost)
				found.Add(weigh(sl, pair, &lost))
				left := *p.notLost.row(sl, pair, r)
				left.andNot(&lost)
				p.notLost.put(&w.place, &left)
			}
		}
		p.keep(w, losses, i, v)
	})
	return found.Load() / weightUnit, err
}

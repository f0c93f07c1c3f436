package retro

import (
	"context"
	"sync/atomic"

	"gogotb/rules"
)

// mutualChecks looks for positions in which both sides can give check for ever. There
// must be none. It leaves last and bad empty.
func (p *perpetual) mutualChecks(ctx context.Context) error {
	// Sente to move in bad, Gote in last: in check, and with a check that leads on.
	err := p.eachFlagged(ctx, p.notWon.flags, func(w *worker) {
		r := attackRow(&w.place, rules.Gote)
		r.and(p.notWon.rowAt(&w.place))
		p.bad.put(&w.place, &r)
	})
	if err != nil {
		return err
	}
	gote, err := p.checkers(ctx, p.notLost, p.last, p.bad, rules.Gote)
	for before := ^uint64(0); gote > 0 && err == nil; {
		var sente uint64
		if sente, err = p.checkers(ctx, p.bad, p.bad, p.last, rules.Sente); err != nil {
			return err
		}
		if sente == before {
			return &MutualCheckError{p.layout.material, sente}
		}
		before = sente
		gote, err = p.checkers(ctx, p.last, p.last, p.bad, rules.Gote)
	}
	if err != nil {
		return err
	}
	return p.each(ctx, p.all, func(_ *worker, i int) {
		u := p.layout.units[i]
		for _, t := range []*set{p.last, p.bad} {
			for pair := u.pair; pair < u.ends; pair++ {
				clear(t.flags.pair(&p.layout.slices[u.slice], pair))
			}
			t.release(p.layout, i)
		}
	})
}

// checkers makes result the positions of t, with side c to move, in which c is in check
// and has a move into the set into; it returns how many there are. result is t or empty.
func (p *perpetual) checkers(ctx context.Context, t, result, into *set, c rules.Color) (uint64, error) {
	if err := p.overlay(ctx, into, c, nil); err != nil {
		return 0, err
	}
	k := kernel{mover: c, source: into}
	var found atomic.Uint64
	err := p.eachFlagged(ctx, t.flags, func(w *worker) {
		pl := &w.place
		r := attackRow(pl, c.Other())
		r.and(t.rowAt(pl))
		r.keepDistinct(pl)
		if !r.empty() {
			r.and(k.pre(w, &r))
		}
		result.put(pl, &r)
		found.Add(weigh(pl.s, pl.pair, &r))
	})
	return found.Load() / weightUnit, err
}

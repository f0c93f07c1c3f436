package retro

import (
	"context"
	"sync/atomic"

	"gogotb/rules"
)

// mutualChecks looks for positions in which both sides can give check for ever. There must be none.
// It uses ofRank and bad, and leaves them empty.
func (p *perpetuals) mutualChecks(ctx context.Context) error {
	sente, gote := p.bad, p.ofRank // by side to move: in check, and with a check that leads on
	err := p.visit(ctx, p.flaggedRows(p.sente.flags), func(w *worker) {
		r := attackRow(&w.place, rules.Gote)
		r.and(p.sente.read(w.place.address))
		sente.write(w.place.address, &r)
	})
	if err != nil {
		return err
	}
	found, err := p.checkers(ctx, p.gote, gote, sente, rules.Gote)
	for before := ^uint64(0); found > 0 && err == nil; {
		var n uint64
		if n, err = p.checkers(ctx, sente, sente, gote, rules.Sente); err != nil {
			return err
		}
		if n == before {
			return &MutualCheckError{p.layout.material, n}
		}
		before = n
		found, err = p.checkers(ctx, gote, gote, sente, rules.Gote)
	}
	sente.releaseAll()
	gote.releaseAll()
	return err
}

// checkers makes result the positions of t, with side c to move, in which c is in check and has a
// move into the set into; it returns how many there are. result is t or empty.
func (p *perpetuals) checkers(ctx context.Context, t, result, into *set, c rules.Color) (uint64, error) {
	if err := p.overlay(ctx, into, c, nil); err != nil {
		return 0, err
	}
	k := kernel{mover: c, source: into}
	var found atomic.Uint64
	kind := SenteRows
	if c == rules.Gote {
		kind = GoteRows
	}
	_, err := p.change(ctx, p.ownRows(c, t.flags), kind, func(w *worker) {
		pl := &w.place
		r := attackRow(pl, c.Other())
		r.and(t.read(pl.address))
		r.keepDistinct(pl)
		k.keepPre(w, &r)
		result.write(pl.address, &r)
		if !r.empty() {
			w.tell(&r)
			found.Add(r.positions(pl))
		}
	})
	if err != nil {
		return 0, err
	}
	for _, i := range p.copied[c] {
		result.clear(p.layout.units[i])
	}
	sums, err := p.swap(ctx, Sums{Found: found.Load() / quarters}, func(_ DeltaKind, a address, r *chunkReader) { result.add(a, r) })
	return sums.Found, err
}

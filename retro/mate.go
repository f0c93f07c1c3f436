package retro

import (
	"context"
	"sync/atomic"

	"gogotb/rules"
)

// mates finds all positions won and lost by mate, with their plies.
func (s *solver) mates(ctx context.Context) error {
	if err := s.plyZero(ctx); err != nil {
		return err
	}
	if err := s.plyOne(ctx); err != nil {
		return err
	}
	if err := s.overlay(ctx, s.notWon, rules.Gote, s.changed); err != nil {
		return err
	}
	if err := s.sync(ctx); err != nil {
		return err
	}
	if err := s.overlay(ctx, s.notWon, rules.Gote, nil); err != nil {
		return err
	}
	for ply := 2; ; ply += 2 {
		lost, err := s.lossPass(ctx, ply)
		if err != nil {
			return err
		}
		s.report(Progress{Phase: MatePhase, Ply: ply, Found: lost})
		if lost == 0 {
			return nil
		}
		won, err := s.winPass(ctx, kernel{mover: rules.Sente, source: s.last}, rules.MakeValue(rules.MateWin, ply+1), true)
		if err != nil {
			return err
		}
		s.report(Progress{Phase: MatePhase, Ply: ply + 1, Found: won})
		if won == 0 {
			return nil
		}
		if err := s.overlay(ctx, s.notWon, rules.Gote, s.changed); err != nil {
			return err
		}
	}
}

// plyZero fills notWon and notLost with the legal positions and finds the positions
// without a legal move. Those that have no move but, perhaps, pawn drops are found
// first. In check, they are the positions that no pawn drop may lead to.
func (s *solver) plyZero(ctx context.Context) error {
	pawns := s.layout.material[rules.Pawn] > 0
	drops := allDrops
	if pawns {
		drops = noPawnDrops
	}
	if err := s.fillLegal(ctx, s.notWon, rules.Sente); err != nil {
		return err
	}
	if err := s.overlay(ctx, s.notWon, rules.Gote, nil); err != nil {
		return err
	}
	// notLost: no move, pawn drops aside
	var legal atomic.Uint64
	k := kernel{layout: s.layout, mover: rules.Gote, source: s.notWon, drops: drops}
	err := s.eachRow(ctx, func(w *worker) {
		p := &w.place
		r := legalRow(p, rules.Gote)
		legal.Add(weigh(p.s, p.pair, &r))
		r.andNotPre(&k, w)
		s.notLost.put(p, &r)
	})
	if err != nil {
		return err
	}
	s.legal = legal.Load() / weightUnit
	if pawns {
		if err := s.forbidPawnDropMates(ctx); err != nil {
			return err
		}
	}
	var stuck, mated atomic.Uint64
	k = kernel{layout: s.layout, mover: rules.Gote, source: s.notWon, drops: onlyPawnDrops}
	err = s.eachRow(ctx, func(w *worker) {
		p := &w.place
		r := *s.notLost.row(p.s, p.pair, p.r)
		if pawns && !r.empty() {
			r.andNotPre(&k, w)
		}
		s.last.put(p, &r)
		if r.empty() {
			return
		}
		stuck.Add(weigh(p.s, p.pair, &r))
		checked := attackRow(p, rules.Sente)
		r.and(&checked)
		mated.Add(weigh(p.s, p.pair, &r))
	})
	if err != nil {
		return err
	}
	s.mated = mated.Load() / weightUnit
	if pawns {
		if err := s.fillLegal(ctx, s.notWon, rules.Sente); err != nil {
			return err
		}
		if err := s.overlay(ctx, s.notWon, rules.Gote, nil); err != nil {
			return err
		}
	}
	err = s.each(ctx, s.all, func(w *worker, i int) {
		u := s.layout.units[i]
		sl := &s.layout.slices[u.slice]
		w.log.reset()
		for pair := u.pair; pair < u.ends; pair++ {
			for r := range sl.rows {
				w.place.set(sl, pair, r)
				legal := legalRow(&w.place, rules.Gote)
				lost := s.last.row(sl, pair, r)
				if s.last.flagged(sl, pair, r) {
					w.log.add((pair-u.pair)*sl.rows+r, lost)
				}
				legal.andNot(lost)
				s.notLost.put(&w.place, &legal)
			}
		}
		s.keep(w, losses, i, rules.MakeValue(rules.MateLoss, 0))
	})
	if err != nil {
		return err
	}
	s.report(Progress{Phase: MatePhase, Ply: 0, Found: stuck.Load() / weightUnit})
	return s.overlay(ctx, s.last, rules.Sente, nil)
}

// forbidPawnDropMates removes from notWon the positions in which Sente is in check and
// has no legal move but, perhaps, a pawn drop. (A pawn drop never answers the check of a
// dropped pawn, which is next to the king; other checks cannot come from a pawn drop.)
func (s *solver) forbidPawnDropMates(ctx context.Context) error {
	if err := s.fillLegal(ctx, s.last, rules.Gote); err != nil {
		return err
	}
	if err := s.overlay(ctx, s.last, rules.Sente, nil); err != nil {
		return err
	}
	k := kernel{layout: s.layout, mover: rules.Sente, source: s.last, drops: noPawnDrops}
	return s.eachRow(ctx, func(w *worker) {
		p := &w.place
		r := legalRow(p, rules.Sente)
		mated := r
		checked := attackRow(p, rules.Gote)
		mated.and(&checked)
		if !mated.empty() {
			mated.andNotPre(&k, w)
			r.andNot(&mated)
		}
		s.notWon.put(p, &r)
	})
}

// andNotPre takes the positions of Pre from the row, at w.place.
func (r *row) andNotPre(k *kernel, w *worker) {
	var acc row
	if !r.empty() && k.pre(w, r, &acc) {
		r.andNot(&acc)
	}
}

// plyOne finds the positions with a move into a position of ply 0. Pawn drops into
// checkmates do not count.
func (s *solver) plyOne(ctx context.Context) error {
	k := kernel{mover: rules.Sente, source: s.last}
	if s.layout.material[rules.Pawn] > 0 {
		k.drops = noPawnDrops
	}
	won, err := s.winPass(ctx, k, rules.MakeValue(rules.MateWin, 1), true)
	if err != nil {
		return err
	}
	if s.layout.material[rules.Pawn] > 0 {
		err = s.eachRow(ctx, func(w *worker) {
			p := &w.place
			if s.last.flagged(p.s, p.pair, p.r) {
				checked := attackRow(p, rules.Sente)
				s.last.row(p.s, p.pair, p.r).andNot(&checked)
			}
		})
		if err != nil {
			return err
		}
		k.drops = onlyPawnDrops
		more, err := s.winPass(ctx, k, rules.MakeValue(rules.MateWin, 1), false)
		if err != nil {
			return err
		}
		won += more
	}
	s.report(Progress{Phase: MatePhase, Ply: 1, Found: won})
	return nil
}

// fillLegal makes t the set of all legal positions with side c to move.
func (s *solver) fillLegal(ctx context.Context, t *set, c rules.Color) error {
	return s.eachRow(ctx, func(w *worker) {
		r := legalRow(&w.place, c)
		t.put(&w.place, &r)
	})
}

// put stores a row and its flag.
func (t *set) put(p *place, r *row) {
	*t.row(p.s, p.pair, p.r) = *r
	t.flag(p.s, p.pair, p.r, !r.empty())
}

// winPass finds the positions of notWon with a move into the source of k, takes them from
// notWon and records them with the value v. The
// flags of changed tell the rows; they are cleared first if fresh is set.
func (s *solver) winPass(ctx context.Context, k kernel, v rules.Value, fresh bool) (uint64, error) {
	k.layout = s.layout
	var found atomic.Uint64
	err := s.each(ctx, s.all, func(w *worker, i int) {
		u := s.layout.units[i]
		sl := &s.layout.slices[u.slice]
		w.log.reset()
		var count uint64
		for pair := u.pair; pair < u.ends; pair++ {
			if fresh {
				clear(s.changed.pairFlags(sl, pair))
			}
			if !s.notWon.anyFlag(sl, pair) || !k.sourceFlagged(k.source, sl, pair) {
				continue
			}
			for r := range s.notWon.flaggedRows(sl, pair) {
				need := s.notWon.row(sl, pair, r)
				w.place.set(sl, pair, r)
				var acc row
				if !w.place.distinct || !k.pre(w, need, &acc) {
					continue
				}
				acc.and(need)
				if acc.empty() {
					continue
				}
				acc.keepDistinct(&w.place) // not the overlay
				if acc.empty() {
					continue
				}
				need.andNot(&acc)
				s.changed.flag(sl, pair, r, true)
				if need.empty() {
					s.notWon.flag(sl, pair, r, false)
				}
				w.log.add((pair-u.pair)*sl.rows+r, &acc)
				count += weigh(sl, pair, &acc)
			}
		}
		s.keep(w, wins, i, v)
		found.Add(count)
	})
	return found.Load() / weightUnit, err
}

// lossPass finds the losses of an even ply, takes them from notLost, records them and
// makes them the set last, with its overlay.
func (s *solver) lossPass(ctx context.Context, ply int) (uint64, error) {
	k := kernel{layout: s.layout, mover: rules.Gote, source: s.notWon, changed: s.changed}
	var found atomic.Uint64
	err := s.each(ctx, s.all, func(w *worker, i int) {
		u := s.layout.units[i]
		sl := &s.layout.slices[u.slice]
		w.log.reset()
		var count uint64
		for pair := u.pair; pair < u.ends; pair++ {
			for r := range s.last.flaggedRows(sl, pair) {
				*s.last.row(sl, pair, r) = row{}
			}
			clear(s.last.pairFlags(sl, pair))
			if !s.notLost.anyFlag(sl, pair) || !k.sourceFlagged(s.changed, sl, pair) {
				continue
			}
			for r := range s.notLost.flaggedRows(sl, pair) {
				left := s.notLost.row(sl, pair, r)
				w.place.set(sl, pair, r)
				var acc row
				if !k.pre(w, left, &acc) {
					continue
				}
				lost := *left
				lost.andNot(&acc)
				if lost.empty() {
					continue
				}
				left.andNot(&lost)
				if left.empty() {
					s.notLost.flag(sl, pair, r, false)
				}
				s.last.put(&w.place, &lost)
				w.log.add((pair-u.pair)*sl.rows+r, &lost)
				count += weigh(sl, pair, &lost)
			}
		}
		s.keep(w, losses, i, rules.MakeValue(rules.MateLoss, ply))
		found.Add(count)
	})
	if err != nil {
		return 0, err
	}
	return found.Load() / weightUnit, s.overlay(ctx, s.last, rules.Sente, nil)
}

// keep moves the rows that w has recorded for a unit to a log.
func (s *solver) keep(w *worker, log, unit int, v rules.Value) {
	if len(w.log.bytes) > 0 {
		s.logs[log][unit] = append(s.logs[log][unit], w.log.chunk(v))
	}
}

// overlay brings the overlay of t, for captures by side c, up to date. If changed is nil,
// t must be without one; else its rows are looked at where a row flagged in changed is a
// source, and flagged there, too, when they change. Slices with more pieces in hand come first, because
// the others read them.
func (s *solver) overlay(ctx context.Context, t *set, c rules.Color, changed *set) error {
	flags := changed
	if flags == nil {
		flags = t
	}
	for _, units := range s.levels {
		err := s.each(ctx, units, func(w *worker, i int) {
			u := s.layout.units[i]
			sl := &s.layout.slices[u.slice]
			if len(sl.moves[c].captures) == 0 {
				return
			}
			for pair := u.pair; pair < u.ends; pair++ {
				if !s.layout.capturesFlagged(sl, pair, c, flags) {
					continue
				}
				for r := range sl.rows {
					w.place.set(sl, pair, r)
					if s.layout.captureFlagged(&w.place, c, flags) {
						s.overlayAt(&w.place, t, c, changed)
					}
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *solver) overlayAt(p *place, t *set, c rules.Color, changed *set) {
	target := t.row(p.s, p.pair, p.r)
	r := s.layout.overlayRow(p, t, c)
	distinct := *target
	distinct.keepDistinct(p)
	r.or(&distinct)
	if r == *target {
		return
	}
	t.put(p, &r)
	if changed != nil {
		changed.flag(p.s, p.pair, p.r, true)
	}
}

// capturesFlagged tells whether the overlay of a king pair may have to change.
func (l *layout) capturesFlagged(s *slice, pair int, c rules.Color, changed *set) bool {
	for _, link := range s.moves[c].captures {
		if changed.anyFlag(&l.slices[link.to], pair) {
			return true
		}
	}
	return false
}

// sync takes the lost positions from notWon and the won ones from notLost. It leaves
// notWon without its overlay.
func (s *solver) sync(ctx context.Context) error {
	err := s.eachRow(ctx, func(w *worker) {
		p := &w.place
		if s.notWon.flagged(p.s, p.pair, p.r) {
			r := s.layout.turned(p, s.notLost)
			r.and(s.notWon.row(p.s, p.pair, p.r))
			s.notWon.put(p, &r)
		}
	})
	if err != nil {
		return err
	}
	return s.eachRow(ctx, func(w *worker) {
		p := &w.place
		if s.notLost.flagged(p.s, p.pair, p.r) {
			r := s.layout.turned(p, s.notWon)
			s.notLost.put(p, &r)
		}
	})
}

package retro

import (
	"context"
	"sync/atomic"

	"gogotb/rules"
)

// firstPlies finds the positions without a legal move and those with a move into them.
func (s *solver) firstPlies(ctx context.Context) error {
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
	return s.overlay(ctx, s.notWon, rules.Gote, nil)
}

// mates finds the positions won and lost by mate in more than done plies. Losses are of
// even, wins of odd plies.
func (s *solver) mates(ctx context.Context, done int) error {
	for ply := done + 1; ; ply++ {
		var found uint64
		var err error
		if ply%2 == 0 {
			found, err = s.lossPass(ctx, ply)
		} else {
			s.changed.clear()
			found, err = s.winPass(ctx, kernel{mover: rules.Sente, source: s.last}, rules.MakeValue(rules.MateWin, ply))
			if err == nil {
				err = s.overlay(ctx, s.notWon, rules.Gote, s.changed)
			}
		}
		if err != nil || found == 0 {
			return err
		}
		if err := s.finished(Progress{Phase: MatePhase, Ply: ply, Found: found}); err != nil {
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
	k := kernel{mover: rules.Gote, source: s.notWon, drops: drops}
	err := s.eachRow(ctx, s.sweeps[rules.Gote], func(w *worker) {
		p := &w.place
		r := legalRow(p, rules.Gote)
		r.andNotPre(&k, w)
		s.notLost.put(p, &r)
	})
	if err != nil {
		return err
	}
	if pawns {
		if err := s.forbidPawnDropMates(ctx); err != nil {
			return err
		}
	}
	var mated atomic.Uint64
	k = kernel{mover: rules.Gote, source: s.notWon, drops: onlyPawnDrops}
	err = s.eachRow(ctx, s.sweeps[rules.Gote], func(w *worker) {
		p := &w.place
		r := *s.notLost.rowAt(p)
		if pawns && !r.empty() {
			r.andNotPre(&k, w)
		}
		s.last.put(p, &r)
		if r.empty() {
			return
		}
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
	if err := s.fillLegal(ctx, s.notLost, rules.Gote); err != nil {
		return err
	}
	lost, err := s.recordEach(ctx, s.last, losses, rules.MakeValue(rules.MateLoss, 0), func(w *worker) {
		p := &w.place
		r := *s.notLost.rowAt(p)
		r.andNot(s.last.rowAt(p))
		s.notLost.put(p, &r)
		w.record(s.last.rowAt(p))
	})
	if err != nil {
		return err
	}
	s.report(Progress{Phase: MatePhase, Ply: 0, Found: lost})
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
	k := kernel{mover: rules.Sente, source: s.last, drops: noPawnDrops}
	return s.eachRow(ctx, s.sweeps[rules.Sente], func(w *worker) {
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
	if !r.empty() {
		r.andNot(k.pre(w, r))
	}
}

// plyOne finds the positions with a move into a position of ply 0. Pawn drops into
// checkmates do not count.
func (s *solver) plyOne(ctx context.Context) error {
	k := kernel{mover: rules.Sente, source: s.last}
	if s.layout.material[rules.Pawn] > 0 {
		k.drops = noPawnDrops
	}
	won, err := s.winPass(ctx, k, rules.MakeValue(rules.MateWin, 1))
	if err != nil {
		return err
	}
	if s.layout.material[rules.Pawn] > 0 {
		err = s.eachFlagged(ctx, s.last.flags, func(w *worker) {
			p := &w.place
			checked := attackRow(p, rules.Sente)
			s.last.rowAt(p).andNot(&checked)
		})
		if err != nil {
			return err
		}
		k.drops = onlyPawnDrops
		more, err := s.winPass(ctx, k, rules.MakeValue(rules.MateWin, 1))
		if err != nil {
			return err
		}
		won += more
	}
	s.report(Progress{Phase: MatePhase, Ply: 1, Found: won})
	return nil
}

// fillLegal makes t the set of all legal positions with side c to move. It counts them.
func (s *solver) fillLegal(ctx context.Context, t *set, c rules.Color) error {
	var legal atomic.Uint64
	err := s.eachRow(ctx, s.all, func(w *worker) {
		r := legalRow(&w.place, c)
		legal.Add(weigh(w.place.s, w.place.pair, &r))
		t.put(&w.place, &r)
	})
	s.legal = legal.Load() / weightUnit
	return err
}

// winPass finds the positions of notWon with a move into the source of k, takes them from
// notWon, flags their rows in changed and records them with the value v.
func (s *solver) winPass(ctx context.Context, k kernel, v rules.Value) (uint64, error) {
	return s.sweep(ctx, &k, k.source.flags, s.notWon, wins, v, func(w *worker) {
		p := &w.place
		if !p.distinct {
			return // nothing but overlays
		}
		need := s.notWon.rowAt(p)
		var won row
		if !won.meet(k.pre(w, need), need) {
			return
		}
		won.keepDistinct(p)
		if won.empty() {
			return
		}
		if !need.remove(&won) {
			s.notWon.flags.putAt(p, false)
		}
		s.changed.putAt(p, true)
		w.record(&won)
	})
}

// lossPass finds the losses of an even ply, takes them from notLost, records them and
// makes them the set last, with its overlay.
func (s *solver) lossPass(ctx context.Context, ply int) (uint64, error) {
	if err := s.clear(ctx, s.last); err != nil {
		return 0, err
	}
	k := kernel{mover: rules.Gote, source: s.notWon, whole: true}
	lost, err := s.sweep(ctx, &k, s.changed, s.notLost, losses, rules.MakeValue(rules.MateLoss, ply), func(w *worker) {
		p := &w.place
		left := s.notLost.rowAt(p)
		lost := *left
		if !lost.remove(k.pre(w, left)) {
			return
		}
		if !left.remove(&lost) {
			s.notLost.flags.putAt(p, false)
		}
		s.last.put(p, &lost)
		w.record(&lost)
	})
	if err != nil {
		return 0, err
	}
	return lost, s.overlay(ctx, s.last, rules.Sente, nil)
}

// sync takes the lost positions from notWon and the won ones from notLost. It leaves
// notWon without its overlay.
func (s *solver) sync(ctx context.Context) error {
	err := s.eachFlagged(ctx, s.notWon.flags, func(w *worker) {
		p := &w.place
		r := s.layout.turned(p, s.notLost)
		r.and(s.notWon.rowAt(p))
		s.notWon.put(p, &r)
	})
	if err != nil {
		return err
	}
	return s.eachFlagged(ctx, s.notLost.flags, func(w *worker) {
		p := &w.place
		r := s.layout.turned(p, s.notWon)
		s.notLost.put(p, &r)
	})
}

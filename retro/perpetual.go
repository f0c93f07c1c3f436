package retro

import (
	"context"

	"gogotb/rules"
)

// perpetuals is the phase that finds, among the positions that mate leaves undecided, those in
// which Gote can hold out only by checking for ever, rank by rank. What has been found leaves the
// undecided positions, so the ranks are alike: Gote must not make a move that stays undecided
// unless it is a check from which Sente can go on.
//
// A rank is the greatest set of positions in which that holds, so positions are taken to be of it
// until they prove not to be. Only those are looked at for which something may have changed: from
// the candidates that the rank before has added, back along Sente's answers and Gote's checks
// (assume). Then the candidates with a move into a bad position are found out (refute), then the
// positions in check that lose their last answer by that (returnUnanswered), and so on. What is
// left is of the rank.
type perpetuals struct {
	*solver
	undecided
	quiet      *set // Sente to move, not in check: a move into it is Gote's way out
	candidates *set // Gote to move: those without a move into quiet
	ofRank     *set // Gote to move: candidates taken to be of the rank sought
	bad        *set // Sente to move: quiet, and those in check that are not taken to be of the rank
	answered   *set // Sente to move, in check: those that had a move into ofRank, of the rank or not

	// The rows that the last pass has changed, of a set with Sente to move and of ofRank; and those
	// of bad that assume has.
	changed, changedOfRank, changedBad flags
}

// newPerpetuals begins the phase. Undecided positions are few: their sets give back the memory of
// empty boards, or become sparse if the material set is large.
func newPerpetuals(ctx context.Context, s *solver, u undecided) (*perpetuals, error) {
	create := s.newSet
	if s.rows >= s.tuning.sparseFrom {
		create = s.newSparseSet
	}
	for _, t := range []**set{&u.sente, &u.gote} {
		few := create()
		err := s.eachUnit(ctx, s.all, func(_ *worker, i int) {
			if few.stored != nil {
				(*t).moveTo(few, s.layout.units[i])
			} else {
				(*t).releaseEmpty(s.layout.units[i])
			}
		})
		if err != nil {
			return nil, err
		}
		if few.stored != nil {
			*t = few
		}
	}
	return &perpetuals{
		solver: s, undecided: u, ofRank: create(), quiet: create(), candidates: create(), bad: create(), answered: create(),
		changed: newFlags(s.layout), changedOfRank: newFlags(s.layout), changedBad: newFlags(s.layout),
	}, nil
}

// ranks finds the positions of all ranks above done.
func (p *perpetuals) ranks(ctx context.Context, done int) error {
	if done == 0 {
		if err := p.mutualChecks(ctx); err != nil {
			return err
		}
	}
	if err := p.begin(ctx, done); err != nil {
		return err
	}
	for rank := done + 1; ; rank++ {
		found, err := p.rank(ctx, rank)
		if found == 0 || err != nil {
			return err
		}
		if err := p.finished(Progress{Phase: PerpetualPhase, Ply: rank, Found: found}); err != nil {
			return err
		}
	}
}

// end returns what the phase leaves undecided, and lets go of everything else.
func (p *perpetuals) end() undecided {
	for _, t := range []*set{p.ofRank, p.quiet, p.candidates, p.bad, p.answered} {
		t.releaseAll()
	}
	return p.undecided
}

// begin makes quiet the undecided positions in which Sente is not in check, candidates the
// undecided positions in which Gote had no move into them before rank done was found. All rows of quiet
// have changed since. All positions with Sente to move are bad.
func (p *perpetuals) begin(ctx context.Context, done int) error {
	if done > 0 {
		if err := p.findOldCandidates(ctx, done); err != nil {
			return err
		}
	}
	err := p.eachUnit(ctx, p.all, func(_ *worker, i int) { p.sente.copyTo(p.bad, p.layout.units[i]) })
	if err != nil {
		return err
	}
	if err := p.addQuiet(ctx, p.sente); err != nil {
		return err
	}
	for _, t := range []*set{p.quiet, p.bad} {
		if err := p.overlay(ctx, t, rules.Gote, nil); err != nil {
			return err
		}
	}
	p.changed.fill(p.layout)
	return nil
}

// addQuiet adds to quiet the positions of t in which Sente is not in check.
func (p *perpetuals) addQuiet(ctx context.Context, t *set) error {
	return p.visit(ctx, p.flaggedRows(t.flags), func(w *worker) {
		r := *t.read(w.place.address)
		checked := attackRow(&w.place, rules.Gote)
		r.andNot(&checked)
		if !r.empty() {
			p.quiet.create(w.place.address).or(&r)
			p.quiet.flags.flag(w.place.address, true)
		}
	})
}

// findOldCandidates makes candidates what is left of those from before a rank that is found: in
// which Gote has no move into what was quiet then. It uses answered, and leaves it and quiet empty.
func (p *perpetuals) findOldCandidates(ctx context.Context, rank int) error {
	ofRank := rules.MakeValue(rules.PerpetualWin, rank)
	err := p.addResults(ctx, wins, p.answered, func(v rules.Value) bool { return v == ofRank })
	for _, t := range []*set{p.sente, p.answered} {
		if err == nil {
			err = p.addQuiet(ctx, t)
		}
	}
	if err == nil {
		err = p.overlay(ctx, p.quiet, rules.Gote, nil)
	}
	if err != nil {
		return err
	}
	k := kernel{mover: rules.Gote, source: p.quiet}
	err = p.visit(ctx, p.ownRows(rules.Gote, p.gote.flags), func(w *worker) {
		r := *p.gote.read(w.place.address)
		k.removePre(w, &r)
		p.candidates.write(w.place.address, &r)
	})
	for _, t := range []*set{p.quiet, p.answered} {
		if err == nil {
			err = p.clear(ctx, t)
		}
	}
	return err
}

// rank finds the positions of a rank and takes them from the undecided ones.
func (p *perpetuals) rank(ctx context.Context, rank int) (found uint64, err error) {
	if err := p.addCandidates(ctx); err != nil {
		return 0, err
	}
	if err := p.assume(ctx); err != nil {
		return 0, err
	}
	for first := true; ; first = false {
		refuted, err := p.refute(ctx, first)
		if err != nil {
			return 0, err
		}
		if !refuted {
			break
		}
		if err := p.returnUnanswered(ctx); err != nil {
			return 0, err
		}
	}
	lost, err := p.recordLosses(ctx, rules.MakeValue(rules.PerpetualLoss, rank))
	if err != nil {
		return 0, err
	}
	p.changed.clear()
	k := kernel{mover: rules.Sente, source: p.ofRank}
	won, err := p.recordWins(ctx, k, p.sente, p.changed, rules.MakeValue(rules.PerpetualWin, rank))
	if err != nil {
		return 0, err
	}
	found, err = p.swapWins(ctx, lost+won, p.sente, p.changed)
	if found == 0 || err != nil {
		return 0, err
	}
	if err := p.clear(ctx, p.ofRank); err != nil {
		return 0, err
	}
	return found, p.removeWins(ctx)
}

// removeWins takes the wins, in the rows that changed flags, from quiet and bad; changed then flags
// the rows of these.
func (p *perpetuals) removeWins(ctx context.Context) error {
	err := p.visit(ctx, p.flaggedRows(p.changed), func(w *worker) {
		a := w.place.address
		any := false
		for _, t := range []*set{p.quiet, p.bad} {
			r := *t.read(a)
			won := r
			won.keepDistinct(&w.place)
			won.andNot(p.sente.read(a))
			if !won.empty() {
				r.andNot(&won)
				t.write(a, &r)
				any = true
			}
		}
		p.changed.flag(a, any)
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

// addCandidates finds the candidates that the rows of quiet flagged in changed add; they are put
// into ofRank, which was empty.
func (p *perpetuals) addCandidates(ctx context.Context) error {
	p.changedOfRank.clear()
	k := kernel{mover: rules.Gote, source: p.quiet}
	_, err := p.change(ctx, p.rowsReaching(p.changed, &k, p.gote.flags), GoteRows, func(w *worker) {
		a := w.place.address
		r := *p.gote.read(a)
		r.andNot(p.candidates.read(a))
		k.removePre(w, &r)
		if r.empty() {
			return
		}
		w.tell(&r)
		p.ofRank.write(a, &r)
		p.changedOfRank.flag(a, true)
		r.or(p.candidates.read(a))
		p.candidates.write(a, &r)
	})
	if err != nil {
		return err
	}
	if _, err := p.swap(ctx, Sums{}, p.addCopiedOfRank); err != nil {
		return err
	}
	return p.overlay(ctx, p.ofRank, rules.Sente, p.changedOfRank)
}

// addCopiedOfRank adds to ofRank what another part has added.
func (p *perpetuals) addCopiedOfRank(_ DeltaKind, a address, r *chunkReader) {
	p.ofRank.add(a, r)
	p.changedOfRank.flag(a, true)
}

// assume adds to ofRank, and takes from bad, all that may be of the rank because of the new
// candidates in ofRank.
func (p *perpetuals) assume(ctx context.Context) error {
	if err := p.clear(ctx, p.answered); err != nil {
		return err
	}
	p.changedBad.clear()
	for {
		any, err := p.assumeAnswered(ctx)
		if any && err == nil {
			any, err = p.assumeChecking(ctx)
		}
		if err != nil {
			return err
		}
		if !any {
			return p.overlay(ctx, p.bad, rules.Gote, p.changedBad)
		}
	}
}

// assumeAnswered takes the positions in check with a move into what is new in ofRank from bad, and
// adds them to answered. It tells whether there are any.
func (p *perpetuals) assumeAnswered(ctx context.Context) (any bool, err error) {
	p.changed.clear()
	k := kernel{mover: rules.Sente, source: p.ofRank}
	found, err := p.change(ctx, p.rowsReaching(p.changedOfRank, &k, p.bad.flags), SenteRows, func(w *worker) {
		a := w.place.address
		bad := p.bad.read(a)
		r := *bad
		r.and(p.sente.read(a))
		r.andNot(p.quiet.read(a))
		if k.keepPre(w, &r); r.empty() {
			return
		}
		w.tell(&r)
		left := *bad
		left.andNot(&r)
		p.bad.write(a, &left)
		p.changedBad.flag(a, true)
		r.or(p.answered.read(a))
		p.answered.write(a, &r)
		p.changed.flag(a, true)
	})
	if err != nil {
		return false, err
	}
	sums, err := p.swap(ctx, Sums{Found: found}, func(_ DeltaKind, a address, r *chunkReader) {
		p.bad.remove(a, r)
		p.changedBad.flag(a, true)
		p.answered.add(a, r)
		p.changed.flag(a, true)
	})
	if err != nil || sums.Found == 0 {
		return false, err
	}
	return true, p.overlay(ctx, p.answered, rules.Gote, p.changed)
}

// assumeChecking adds to ofRank the candidates with a check into what is new in answered. It tells
// whether there are any.
func (p *perpetuals) assumeChecking(ctx context.Context) (any bool, err error) {
	p.changedOfRank.clear()
	k := kernel{mover: rules.Gote, source: p.answered}
	found, err := p.change(ctx, p.rowsReaching(p.changed, &k, p.candidates.flags), GoteRows, func(w *worker) {
		a := w.place.address
		before := p.ofRank.read(a)
		r := *p.candidates.read(a)
		r.andNot(before)
		if k.keepPre(w, &r); r.empty() {
			return
		}
		w.tell(&r)
		r.or(before)
		p.ofRank.write(a, &r)
		p.changedOfRank.flag(a, true)
	})
	if err != nil {
		return false, err
	}
	sums, err := p.swap(ctx, Sums{Found: found}, p.addCopiedOfRank)
	if err != nil || sums.Found == 0 {
		return false, err
	}
	return true, p.overlay(ctx, p.ofRank, rules.Sente, p.changedOfRank)
}

// refute takes from ofRank the positions in which Gote has a move into bad: at first all of them,
// later those with a move into what is new there. It tells whether there were any.
func (p *perpetuals) refute(ctx context.Context, first bool) (refuted bool, err error) {
	k := kernel{mover: rules.Gote, source: p.bad}
	rows := p.ownRows(rules.Gote, p.ofRank.flags)
	if !first {
		rows = p.rowsReaching(p.changed, &k, p.ofRank.flags)
	}
	p.changedOfRank.clear()
	found, err := p.change(ctx, rows, GoteRows, func(w *worker) {
		a := w.place.address
		ofRank := p.ofRank.read(a)
		r := *ofRank
		r.keepDistinct(&w.place)
		if k.keepPre(w, &r); r.empty() {
			return
		}
		w.tell(&r)
		left := *ofRank
		left.andNot(&r)
		p.ofRank.write(a, &left)
		p.changedOfRank.flag(a, true)
	})
	if err != nil {
		return false, err
	}
	sums, err := p.swap(ctx, Sums{Found: found}, func(_ DeltaKind, a address, r *chunkReader) {
		p.ofRank.remove(a, r)
		p.changedOfRank.flag(a, true)
	})
	if err != nil {
		return false, err
	}
	return sums.Found > 0, p.overlay(ctx, p.ofRank, rules.Sente, p.changedOfRank)
}

// returnUnanswered puts the positions in check that had moves into ofRank, but have none any more,
// back into bad.
func (p *perpetuals) returnUnanswered(ctx context.Context) error {
	k := kernel{mover: rules.Sente, source: p.ofRank}
	p.changed.clear()
	_, err := p.change(ctx, p.rowsReaching(p.changedOfRank, &k, p.answered.flags), SenteRows, func(w *worker) {
		a := w.place.address
		bad := p.bad.read(a)
		r := *p.sente.read(a)
		r.andNot(bad)
		if k.removePre(w, &r); r.empty() {
			return
		}
		w.tell(&r)
		r.or(bad)
		p.bad.write(a, &r)
		p.changed.flag(a, true)
	})
	if err != nil {
		return err
	}
	_, err = p.swap(ctx, Sums{}, func(_ DeltaKind, a address, r *chunkReader) {
		p.bad.add(a, r)
		p.changed.flag(a, true)
	})
	if err != nil {
		return err
	}
	return p.overlay(ctx, p.bad, rules.Gote, p.changed)
}

// recordLosses takes the positions of ofRank from the undecided ones and from candidates, and
// records them.
func (p *perpetuals) recordLosses(ctx context.Context, v rules.Value) (uint64, error) {
	return p.record(ctx, p.ownRows(rules.Gote, p.ofRank.flags), losses, v, eachRow(func(w *worker) {
		a := w.place.address
		lost := *p.ofRank.read(a)
		lost.keepDistinct(&w.place)
		if lost.empty() {
			return
		}
		w.record(&lost)
		for _, t := range []*set{p.gote, p.candidates} {
			left := *t.read(a)
			left.andNot(&lost)
			t.write(a, &left)
		}
	}))
}

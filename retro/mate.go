package retro

import (
	"context"
	"math/bits"
	"sync/atomic"

	"gogotb/rules"
)

// mates is the phase that finds the positions won and lost by mate, ply by ply.
//
// Sente is the side that wins. notWon has Sente to move, notLost has Gote to move, and so nothing
// has to be rotated from ply to ply: wins are found in notWon as the positions with a move into
// lost, losses in notLost as those without a move into notWon. notWon may keep lost positions, and
// notLost won ones: no winning move leads from the former, and a move into a lost position, which
// stays in notWon, keeps the latter from being taken for losses. removeDecided removes both at
// once; it has to come between ply 1 and ply 2, because a pawn drop into a checkmate must not save
// Gote either.
type mates struct {
	*solver
	notWon   *set  // Sente to move: the legal positions less the wins found
	notLost  *set  // Gote to move: the legal positions less the losses found
	lost     *set  // Gote to move: the losses of the last even ply
	newlyWon flags // rows of notWon that the wins of the last odd ply have left
}

func newMates(s *solver) *mates {
	return &mates{s, s.newSet(), s.newSet(), s.newSet(), newFlags(s.layout)}
}

// firstPlies finds the positions without a legal move and those with a move into them.
func (m *mates) firstPlies(ctx context.Context) error {
	if err := m.plyZero(ctx); err != nil {
		return err
	}
	if err := m.plyOne(ctx); err != nil {
		return err
	}
	if err := m.overlay(ctx, m.notWon, rules.Gote, m.newlyWon); err != nil {
		return err
	}
	if err := m.removeDecided(ctx); err != nil {
		return err
	}
	return m.overlay(ctx, m.notWon, rules.Gote, nil)
}

// morePlies finds the positions won and lost by mate in more than done plies. Losses are of even,
// wins of odd plies.
func (m *mates) morePlies(ctx context.Context, done int) error {
	for ply := done + 1; ; ply++ {
		var found uint64
		var err error
		if ply%2 == 0 {
			found, err = m.recordLosses(ctx, ply)
		} else {
			m.newlyWon.clear()
			k := kernel{mover: rules.Sente, source: m.lost}
			found, err = m.recordWins(ctx, k, m.notWon, m.newlyWon, rules.MakeValue(rules.MateWin, ply))
			if err == nil {
				found, err = m.swapWins(ctx, found, m.notWon, m.newlyWon)
			}
			if err == nil {
				err = m.overlay(ctx, m.notWon, rules.Gote, m.newlyWon)
			}
		}
		if err != nil || found == 0 {
			return err
		}
		if err := m.finished(Progress{Phase: MatePhase, Ply: ply, Found: found}); err != nil {
			return err
		}
	}
}

// plyZero fills notWon and notLost with the legal positions and finds the positions without a legal
// move. Those that have no move but, perhaps, pawn drops are found first. In check, they are the
// positions that no pawn drop may lead to.
func (m *mates) plyZero(ctx context.Context) error {
	pawns := m.layout.material[rules.Pawn] > 0
	drops := allDrops
	if pawns {
		drops = noPawnDrops
	}
	if err := m.fillLegal(ctx, m.notWon, rules.Sente); err != nil {
		return err
	}
	if err := m.overlay(ctx, m.notWon, rules.Gote, nil); err != nil {
		return err
	}
	// notLost: no move, pawn drops aside
	k := kernel{mover: rules.Gote, source: m.notWon, drops: drops}
	err := m.visit(ctx, m.allRows(rules.Gote), func(w *worker) {
		r := legalRow(&w.place, rules.Gote)
		k.removePre(w, &r)
		m.notLost.write(w.place.address, &r)
	})
	if err != nil {
		return err
	}
	if pawns {
		if err := m.forbidPawnDropMates(ctx); err != nil {
			return err
		}
	}
	var mated atomic.Uint64
	k = kernel{mover: rules.Gote, source: m.notWon, drops: onlyPawnDrops}
	err = m.visit(ctx, m.allRows(rules.Gote), func(w *worker) {
		p := &w.place
		r := *m.notLost.read(p.address)
		if pawns {
			k.removePre(w, &r)
		}
		m.lost.write(p.address, &r)
		if r.empty() {
			return
		}
		checked := attackRow(p, rules.Sente)
		r.and(&checked)
		mated.Add(r.positions(p))
	})
	if err != nil {
		return err
	}
	m.mated = mated.Load() / quarters
	if pawns {
		for _, i := range m.copied[rules.Gote] { // forbidPawnDropMates has filled them
			m.lost.clear(m.layout.units[i])
		}
		if err := m.fillLegal(ctx, m.notWon, rules.Sente); err != nil {
			return err
		}
		if err := m.overlay(ctx, m.notWon, rules.Gote, nil); err != nil {
			return err
		}
	}
	if err := m.fillLegal(ctx, m.notLost, rules.Gote); err != nil {
		return err
	}
	found, err := m.record(ctx, m.ownRows(rules.Gote, m.lost.flags), losses, rules.MakeValue(rules.MateLoss, 0), eachRow(func(w *worker) {
		a := w.place.address
		r := *m.notLost.read(a)
		r.andNot(m.lost.read(a))
		m.notLost.write(a, &r)
		w.record(m.lost.read(a))
	}))
	if err != nil {
		return err
	}
	sums, err := m.swap(ctx, Sums{found, m.legal, m.mated}, m.addCopiedLosses)
	if err != nil {
		return err
	}
	m.legal, m.mated = sums.Legal, sums.Mated
	m.report(Progress{Phase: MatePhase, Ply: 0, Found: sums.Found})
	if err := m.visit(ctx, m.copiedRows(rules.Sente, m.notWon.flags), m.removeLostCopy); err != nil {
		return err
	}
	return m.overlay(ctx, m.lost, rules.Sente, nil)
}

// addCopiedLosses adds to lost what another part has found.
func (m *mates) addCopiedLosses(_ DeltaKind, a address, r *chunkReader) { m.lost.add(a, r) }

// forbidPawnDropMates removes from notWon the positions that no pawn drop of Gote's may lead to:
// Sente is in check and has no legal move but, perhaps, a pawn drop. (A pawn drop never answers the
// check of a dropped pawn, which is next to the king; other checks cannot come from a pawn drop.)
func (m *mates) forbidPawnDropMates(ctx context.Context) error {
	goteToMove := m.lost // not needed yet
	if err := m.fillLegal(ctx, goteToMove, rules.Gote); err != nil {
		return err
	}
	if err := m.overlay(ctx, goteToMove, rules.Sente, nil); err != nil {
		return err
	}
	k := kernel{mover: rules.Sente, source: goteToMove, drops: noPawnDrops}
	_, err := m.change(ctx, m.allRows(rules.Sente), SenteRows, func(w *worker) {
		p := &w.place
		r := legalRow(p, rules.Sente)
		mated := r
		checked := attackRow(p, rules.Gote)
		mated.and(&checked)
		if !mated.empty() {
			k.removePre(w, &mated)
			r.andNot(&mated)
			w.tell(&mated)
		}
		m.notWon.write(p.address, &r)
	})
	if err != nil {
		return err
	}
	_, err = m.swap(ctx, Sums{}, func(_ DeltaKind, a address, r *chunkReader) { m.notWon.remove(a, r) })
	return err
}

// plyOne finds the positions with a move into a position of ply 0. Pawn drops into checkmates do
// not count.
func (m *mates) plyOne(ctx context.Context) error {
	k := kernel{mover: rules.Sente, source: m.lost}
	if m.layout.material[rules.Pawn] > 0 {
		k.drops = noPawnDrops
	}
	won, err := m.recordWins(ctx, k, m.notWon, m.newlyWon, rules.MakeValue(rules.MateWin, 1))
	if err != nil {
		return err
	}
	if m.layout.material[rules.Pawn] > 0 {
		err = m.visit(ctx, m.flaggedRows(m.lost.flags), func(w *worker) {
			checked := attackRow(&w.place, rules.Sente)
			m.lost.read(w.place.address).andNot(&checked)
		})
		if err != nil {
			return err
		}
		k.drops = onlyPawnDrops
		more, err := m.recordWins(ctx, k, m.notWon, m.newlyWon, rules.MakeValue(rules.MateWin, 1))
		if err != nil {
			return err
		}
		won += more
	}
	if won, err = m.swapWins(ctx, won, m.notWon, m.newlyWon); err != nil {
		return err
	}
	m.report(Progress{Phase: MatePhase, Ply: 1, Found: won})
	return nil
}

// fillLegal makes t the set of all legal positions with side c to move, those of other parts' rows
// included. It counts its own.
func (s *solver) fillLegal(ctx context.Context, t *set, c rules.Color) error {
	var legal atomic.Uint64
	err := s.visit(ctx, choice{units: s.held[c]}, func(w *worker) {
		r := legalRow(&w.place, c)
		if s.layout.own[c][w.place.pair] {
			legal.Add(r.positions(&w.place))
		}
		t.write(w.place.address, &r)
	})
	s.legal = legal.Load() / quarters
	return err
}

// recordWins finds the positions of t with a move into the source of k, takes them from t, flags
// their rows in changed and records them with the value v.
func (s *solver) recordWins(ctx context.Context, k kernel, t *set, changed flags, v rules.Value) (uint64, error) {
	return s.record(ctx, s.rowsReaching(k.source.flags, &k, t.flags), wins, v, func(w *worker, rows uint32) {
		p := &w.place
		rows &= p.distinctRows() // the others have nothing but overlays
		k.preOfBoard(w, rows, t)
		for ; rows != 0; rows &= rows - 1 {
			w.setRow(bits.TrailingZeros32(rows))
			any, left := w.takeWins(t.readFlagged(p.address))
			if !left {
				t.flags.flag(p.address, false)
			}
			if any {
				changed.flag(p.address, true)
			}
		}
	})
}

// swapWins ends a step in which positions of t were won: the wins that other parts have found leave
// t, and their rows are flagged in changed. It returns how many all have found.
func (s *solver) swapWins(ctx context.Context, won uint64, t *set, changed flags) (uint64, error) {
	sums, err := s.swap(ctx, Sums{Found: won}, func(kind DeltaKind, a address, r *chunkReader) {
		if kind == Wins && t.remove(a, r) {
			changed.flag(a, true)
		}
	})
	return sums.Found, err
}

// recordLosses finds the losses of an even ply, takes them from notLost, records them and makes
// them the set lost, with its overlay.
func (m *mates) recordLosses(ctx context.Context, ply int) (uint64, error) {
	if err := m.clear(ctx, m.lost); err != nil {
		return 0, err
	}
	k := kernel{mover: rules.Gote, source: m.notWon, untilCovered: true}
	rows := m.rowsReaching(m.newlyWon, &k, m.notLost.flags)
	found, err := m.record(ctx, rows, losses, rules.MakeValue(rules.MateLoss, ply), func(w *worker, rows uint32) {
		k.preOfBoard(w, rows, m.notLost)
		for ; rows != 0; rows &= rows - 1 {
			w.setRow(bits.TrailingZeros32(rows))
			a := w.place.address
			any, left := w.takeLosses(m.notLost.readFlagged(a), w.sum)
			if !left {
				m.notLost.flags.flag(a, false)
			}
			if any {
				*m.lost.create(a) = *w.sum
				m.lost.flags.flag(a, true)
			}
		}
	})
	if err != nil {
		return 0, err
	}
	sums, err := m.swap(ctx, Sums{Found: found}, m.addCopiedLosses)
	if err != nil {
		return 0, err
	}
	return sums.Found, m.overlay(ctx, m.lost, rules.Sente, nil)
}

// removeDecided takes the lost positions from notWon and the won ones from notLost, but not from
// copies. It leaves notWon without its overlay.
func (m *mates) removeDecided(ctx context.Context) error {
	err := m.visit(ctx, m.ownRows(rules.Sente, m.notWon.flags), func(w *worker) {
		p := &w.place
		r := m.notLost.readRotated(p)
		r.and(m.notWon.read(p.address))
		m.notWon.write(p.address, &r)
	})
	if err != nil {
		return err
	}
	err = m.visit(ctx, m.ownRows(rules.Gote, m.notLost.flags), func(w *worker) {
		r := m.notWon.readRotated(&w.place)
		m.notLost.write(w.place.address, &r)
	})
	if err != nil {
		return err
	}
	return m.visit(ctx, m.copiedRows(rules.Sente, m.notWon.flags), func(w *worker) {
		r := *m.notWon.read(w.place.address)
		r.keepDistinct(&w.place)
		m.notWon.write(w.place.address, &r)
	})
}

// undecided are the positions that are neither won nor lost, by side to move.
type undecided struct{ sente, gote *set }

// shareUndecided leaves in notWon and notLost what is undecided, in copies of notWon, too.
func (m *mates) shareUndecided(ctx context.Context) error {
	if err := m.removeDecided(ctx); err != nil || m.part == nil {
		return err
	}
	for _, i := range m.copied[rules.Sente] {
		m.notWon.clear(m.layout.units[i])
	}
	_, err := m.change(ctx, m.ownRows(rules.Sente, m.notWon.flags), SenteRows, func(w *worker) {
		w.tell(m.notWon.read(w.place.address))
	})
	if err != nil {
		return err
	}
	_, err = m.swap(ctx, Sums{}, func(_ DeltaKind, a address, r *chunkReader) { m.notWon.add(a, r) })
	return err
}

// end returns what the phase leaves undecided, and lets go of everything else.
func (m *mates) end() undecided {
	m.lost.releaseAll()
	return undecided{m.notWon, m.notLost}
}

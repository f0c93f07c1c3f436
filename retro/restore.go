package retro

import (
	"context"
	"sync"
	"time"

	"gogotb/rules"
)

// finished ends a ply or a rank: it reports it, and saves the results now and then.
func (s *solver) finished(p Progress) error {
	s.report(p)
	s.markReached(mark{Phase: uint64(p.Phase), Number: uint64(p.Ply)})
	return s.saveNowAndThen()
}

// saveNowAndThen saves the results if the last time was long ago, or they take much memory.
func (s *solver) saveNowAndThen() error {
	every := s.opt.CheckpointEvery
	if every == 0 {
		every = checkpointInterval
	}
	if s.checkpoint != nil && (time.Since(s.checkpoint.written) >= every || s.logBytes.Load() >= s.keepBytes) {
		return s.save()
	}
	return nil
}

// save moves the results of finished plies and ranks to the checkpoint.
func (s *solver) save() error {
	c := s.checkpoint
	if s.reached == c.mark {
		return nil
	}
	if s.scratch != nil {
		s.scratch.mapped.forget() // nothing looks at the memory while results are packed
	}
	before := c.size
	var added [2][][]extent
	var mu sync.Mutex
	var failed error
	for log := range added {
		added[log] = make([][]extent, len(s.layout.slices))
		s.parallel(len(s.layout.slices), func(i int) {
			body := c.packChunks(s.sliceLogs(DeltaKind(log), i), s.epoch)
			mu.Lock()
			defer mu.Unlock()
			if body == nil || failed != nil {
				return
			}
			if failed = c.append(resultsRecord, byte(log), i, body); failed == nil {
				added[log][i] = []extent{{c.size - int64(len(body)), len(body)}}
			}
		})
	}
	if failed == nil {
		failed = c.commit(s.reached, added)
	}
	if failed != nil {
		c.cutOff(before) // an incomplete end does no harm if this fails, too
		return failed
	}
	if s.opt.Saved != nil {
		s.opt.Saved(c.size)
	}
	s.logBytes.Store(0)
	for log := range s.logs {
		for i, chunks := range s.logs[log] {
			var left []chunk
			for _, ch := range chunks {
				if ch.epoch >= s.epoch {
					left = append(left, ch)
					s.logBytes.Add(int64(len(ch.bytes)))
				}
			}
			s.logs[log][i] = left
		}
	}
	return nil
}

// sliceLogs returns the logs of the units of slice i that are in memory.
func (s *solver) sliceLogs(log DeltaKind, i int) [][]chunk {
	first := s.layout.firstUnit[i]
	return s.logs[log][first : first+len(s.layout.unitsOf(&s.layout.slices[i]))]
}

// chunks returns all results of slice i, by unit within the slice: those of the checkpoint, then
// those in memory.
func (s *solver) chunks(log DeltaKind, i int) ([][]chunk, error) {
	inMemory := s.sliceLogs(log, i)
	if s.checkpoint == nil {
		return inMemory, nil
	}
	all, err := s.checkpoint.chunks(int(log), i, len(inMemory))
	if err != nil {
		return nil, err
	}
	sl, first := &s.layout.slices[i], s.layout.firstUnit[i]
	for n, chunks := range all {
		u := s.layout.units[first+n]
		for _, ch := range chunks {
			if !ch.hasValueOf(log) || !ch.fits((u.ends-u.pair)*sl.rows, sl.n) {
				return nil, s.checkpoint.fail(ErrBadCheckpoint)
			}
		}
	}
	for unit, chunks := range inMemory {
		all[unit] = append(all[unit], chunks...)
	}
	return all, nil
}

// eachResult calls f for every row of a log, which stands at an address. Different king pairs are taken by different
// goroutines.
func (s *solver) eachResult(ctx context.Context, log DeltaKind, f func(a address, r *chunkReader, v rules.Value)) error {
	if s.part != nil {
		return s.replay(ctx, log, f)
	}
	for i := range s.layout.slices {
		sl := &s.layout.slices[i]
		all, err := s.chunks(log, i)
		if err != nil {
			return err
		}
		err = s.eachUnit(ctx, s.layout.unitsOf(sl), func(w *worker, unit int) {
			first, r := s.layout.units[unit].pair, &w.results
			for _, c := range all[unit-s.layout.firstUnit[i]] {
				for *r = c.reader(); r.read(); {
					f(sl.address(first+r.row/sl.rows, r.row%sl.rows), r, c.value)
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// addResults adds those results of a log to a set whose values are wanted.
func (s *solver) addResults(ctx context.Context, log DeltaKind, t *set, wanted func(rules.Value) bool) error {
	return s.eachResult(ctx, log, func(a address, r *chunkReader, v rules.Value) {
		if wanted(v) {
			t.add(a, r)
		}
	})
}

// removeResults takes the results of a log from a set.
func (s *solver) removeResults(ctx context.Context, log DeltaKind, t *set) error {
	return s.eachResult(ctx, log, func(a address, r *chunkReader, _ rules.Value) { t.remove(a, r) })
}

// restore brings the sets of the phase to where a checkpoint was made, or to its end if that was
// later.
func (m *mates) restore(ctx context.Context, done mark) error {
	m.reached, m.decided, m.mated = done, done.Decided, done.Mated
	for _, side := range []struct {
		t   *set
		c   rules.Color
		log DeltaKind
	}{{m.notWon, rules.Sente, wins}, {m.notLost, rules.Gote, losses}} {
		if err := m.fillLegal(ctx, side.t, side.c); err != nil {
			return err
		}
		if err := m.removeResults(ctx, side.log, side.t); err != nil {
			return err
		}
	}
	if m.part != nil {
		m.legal = m.part.mark.Legal
	}
	if err := m.removeDecided(ctx); err != nil {
		return err
	}
	// The losses of the last even ply still wait for the wins of the next one, and stay in notWon.
	var waiting rules.Value
	if Phase(done.Phase) == MatePhase && done.Number%2 == 0 {
		waiting = rules.MakeValue(rules.MateLoss, int(done.Number))
	}
	if err := m.removeLossesOfCopies(ctx, waiting); err != nil {
		return err
	}
	switch {
	case Phase(done.Phase) != MatePhase:
		return nil
	case waiting == 0:
		m.newlyWon.fill(m.layout)
		return m.overlay(ctx, m.notWon, rules.Gote, nil)
	}
	if err := m.addResults(ctx, losses, m.lost, func(v rules.Value) bool { return v == waiting }); err != nil {
		return err
	}
	err := m.visit(ctx, choice{units: m.own[rules.Sente]}, func(w *worker) {
		p := &w.place
		if r := m.lost.readRotated(p); !r.empty() {
			r.or(m.notWon.read(p.address))
			m.notWon.write(p.address, &r)
		}
	})
	if err != nil {
		return err
	}
	if err := m.overlay(ctx, m.notWon, rules.Gote, nil); err != nil {
		return err
	}
	return m.overlay(ctx, m.lost, rules.Sente, nil)
}

// removeLossesOfCopies takes the lost positions, but for those of a value, from the copies in notWon.
func (m *mates) removeLossesOfCopies(ctx context.Context, but rules.Value) error {
	copies := m.copiedRows(rules.Sente, m.notWon.flags)
	if len(copies.units) == 0 {
		return nil
	}
	if err := m.addResults(ctx, losses, m.lost, func(v rules.Value) bool { return v != but }); err != nil {
		return err
	}
	if err := m.visit(ctx, copies, m.removeLostCopy); err != nil {
		return err
	}
	return m.clear(ctx, m.lost)
}

// removeLostCopy takes the positions that are in lost from the row of notWon.
func (m *mates) removeLostCopy(w *worker) {
	r, lost := *m.notWon.read(w.place.address), m.lost.readRotated(&w.place)
	r.andNot(&lost)
	m.notWon.write(w.place.address, &r)
}

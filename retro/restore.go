package retro

import (
	"context"
	"sync"
	"time"

	"gogotb/rules"
)

// finished ends a ply or a rank: it reports it, and saves the results if the last time was long
// ago, or they take much memory.
func (s *solver) finished(p Progress) error {
	s.report(p)
	s.markReached(mark{Phase: uint64(p.Phase), Number: uint64(p.Ply)})
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
			body := c.packChunks(s.sliceLogs(log, i), s.epoch)
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
func (s *solver) sliceLogs(log, i int) [][]chunk {
	first := s.layout.firstUnit[i]
	return s.logs[log][first : first+len(s.layout.unitsOf(&s.layout.slices[i]))]
}

// chunks returns all results of slice i, by unit within the slice: those of the checkpoint, then
// those in memory.
func (s *solver) chunks(log, i int) ([][]chunk, error) {
	inMemory := s.sliceLogs(log, i)
	if s.checkpoint == nil {
		return inMemory, nil
	}
	all, err := s.checkpoint.chunks(log, i, len(inMemory))
	if err != nil {
		return nil, err
	}
	sl, first := &s.layout.slices[i], s.layout.firstUnit[i]
	for n, chunks := range all {
		u := s.layout.units[first+n]
		for _, ch := range chunks {
			if !ch.fits(log, (u.ends-u.pair)*sl.rows, sl.n) {
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
func (s *solver) eachResult(ctx context.Context, log int, f func(a address, r *chunkReader, v rules.Value)) error {
	for i := range s.layout.slices {
		sl := &s.layout.slices[i]
		all, err := s.chunks(log, i)
		if err != nil {
			return err
		}
		err = s.eachUnit(ctx, s.layout.unitsOf(sl), func(_ *worker, unit int) {
			first := s.layout.units[unit].pair
			for _, c := range all[unit-s.layout.firstUnit[i]] {
				for r := c.reader(); r.read(); {
					f(sl.address(first+r.row/sl.rows, r.row%sl.rows), &r, c.value)
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// addResults adds the results of a log to a set, those of all values or, if only is not 0, of that
// one.
func (s *solver) addResults(ctx context.Context, log int, t *set, only rules.Value) error {
	return s.eachResult(ctx, log, func(a address, r *chunkReader, v rules.Value) {
		if only == 0 || v == only {
			addWords(t.create(a), r.at, r.words)
			t.flags.flag(a, true)
		}
	})
}

// removeResults takes the results of a log from a set.
func (s *solver) removeResults(ctx context.Context, log int, t *set) error {
	return s.eachResult(ctx, log, func(a address, r *chunkReader, _ rules.Value) {
		left := t.create(a)
		var found row
		addWords(&found, r.at, r.words)
		t.flags.flag(a, left.remove(&found))
	})
}

// restore brings the sets of the phase to where a checkpoint was made, or to its end if that was
// later.
func (m *mates) restore(ctx context.Context, done mark) error {
	m.reached, m.decided, m.mated = done, done.Decided, done.Mated
	for _, side := range []struct {
		t   *set
		c   rules.Color
		log int
	}{{m.notWon, rules.Sente, wins}, {m.notLost, rules.Gote, losses}} {
		if err := m.fillLegal(ctx, side.t, side.c); err != nil {
			return err
		}
		if err := m.removeResults(ctx, side.log, side.t); err != nil {
			return err
		}
	}
	if Phase(done.Phase) != MatePhase {
		return nil
	}
	if err := m.removeDecided(ctx); err != nil {
		return err
	}
	if done.Number%2 == 1 {
		m.newlyWon.fill(m.layout)
		return m.overlay(ctx, m.notWon, rules.Gote, nil)
	}
	// The losses of the last even ply still wait for the wins of the next one, and stay in notWon.
	if err := m.addResults(ctx, losses, m.lost, rules.MakeValue(rules.MateLoss, int(done.Number))); err != nil {
		return err
	}
	err := m.visit(ctx, choice{units: m.all}, func(w *worker) {
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

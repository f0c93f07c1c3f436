package retro

import (
	"context"
	"sync"
	"time"

	"gogotb/rules"
)

// finished ends a ply or a rank: it reports it, and saves the results if the last time was
// long ago, or they take much memory.
func (s *solver) finished(p Progress) error {
	s.report(p)
	s.epoch++
	s.reached = mark{uint64(p.Phase), uint64(p.Ply), s.decided, s.mated}
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

// sliceLogs are the logs of the units of slice i that are in memory.
func (s *solver) sliceLogs(log, i int) [][]chunk {
	first := s.layout.firstUnit[i]
	return s.logs[log][first : first+len(s.layout.unitsOf(&s.layout.slices[i]))]
}

// chunks are all results of slice i, by unit within the slice: those of the checkpoint,
// then those in memory.
func (s *solver) chunks(log, i int) ([][]chunk, error) {
	inMemory := s.sliceLogs(log, i)
	if s.checkpoint == nil {
		return inMemory, nil
	}
	all, err := s.checkpoint.chunks(log, i, len(inMemory))
	if err != nil {
		return nil, err
	}
	for unit, chunks := range inMemory {
		all[unit] = append(all[unit], chunks...)
	}
	return all, nil
}

// eachResult calls f for every non-empty word of a log. Different king pairs are taken by
// different goroutines.
func (s *solver) eachResult(ctx context.Context, log int, f func(sl *slice, pair, r, x int, word uint32, v rules.Value)) error {
	for i := range s.layout.slices {
		sl := &s.layout.slices[i]
		all, err := s.chunks(log, i)
		if err != nil {
			return err
		}
		err = s.each(ctx, s.layout.unitsOf(sl), func(_ *worker, unit int) {
			first := s.layout.units[unit].pair
			for _, c := range all[unit-s.layout.firstUnit[i]] {
				c.each(func(n, x int, word uint32) {
					f(sl, first+n/sl.rows, n%sl.rows, x, word, c.value)
				})
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// restore brings the sets to where a checkpoint was made.
func (s *solver) restore(ctx context.Context, done mark) error {
	s.reached, s.decided, s.mated = done, done.Decided, done.Mated
	if err := s.fillLegal(ctx, s.notWon, rules.Sente); err != nil {
		return err
	}
	if err := s.fillLegal(ctx, s.notLost, rules.Gote); err != nil {
		return err
	}
	err := s.eachResult(ctx, wins, func(sl *slice, pair, r, x int, word uint32, _ rules.Value) {
		row := s.notWon.made(sl, pair, r)
		row.words()[x] &^= word
		s.notWon.flags.put(sl, pair, r, !row.empty())
	})
	if err != nil {
		return err
	}
	// The losses of the last even ply still wait for the wins of the next ply.
	var waiting rules.Value
	if Phase(done.Phase) == MatePhase && done.Number%2 == 0 {
		waiting = rules.MakeValue(rules.MateLoss, int(done.Number))
	}
	err = s.eachResult(ctx, losses, func(sl *slice, pair, r, x int, word uint32, v rules.Value) {
		row := s.notLost.made(sl, pair, r)
		row.words()[x] &^= word
		s.notLost.flags.put(sl, pair, r, !row.empty())
		if v == waiting {
			s.last.made(sl, pair, r).words()[x] |= word
			s.last.flags.put(sl, pair, r, true)
		}
	})
	if err != nil {
		return err
	}
	if err := s.sync(ctx); err != nil {
		return err
	}
	if Phase(done.Phase) != MatePhase {
		return nil
	}
	if done.Number%2 == 1 {
		s.changed.fill(s.layout)
		return s.overlay(ctx, s.notWon, rules.Gote, nil)
	}
	err = s.eachRow(ctx, s.all, func(w *worker) {
		p := &w.place
		if r := s.layout.turned(p, s.last); !r.empty() {
			r.or(s.notWon.rowAt(p))
			s.notWon.put(p, &r)
		}
	})
	if err != nil {
		return err
	}
	if err := s.overlay(ctx, s.notWon, rules.Gote, nil); err != nil {
		return err
	}
	return s.overlay(ctx, s.last, rules.Sente, nil)
}

package cluster

import (
	"context"
	"errors"
	"time"

	"gogotb/index"
	"gogotb/retro"
	"gogotb/retro/cluster/bucket"
	"gogotb/storage"
)

// assemble makes the tables of a set of what its parts have found, and puts them into the bucket.
func (j *job) assemble(ctx context.Context) error {
	begun := time.Now()
	p := j.task.parts
	dir, err := j.worker.scratch.folder(j.task)
	if err != nil {
		return err
	}
	r, err := j.write(ctx, dir)
	if err != nil {
		return err
	}
	r.Seconds = time.Since(begun).Seconds()
	if err := j.putSet(ctx, dir, &r); err != nil {
		return err
	}
	return j.store.removeParts(ctx, p)
}

// write writes the tables to a folder, slice by slice.
func (j *job) write(ctx context.Context, dir string) (Result, error) {
	p := j.task.parts
	x, err := index.New(j.task.set)
	if err != nil {
		return Result{}, err
	}
	totals, err := j.store.totals(ctx, p)
	if err != nil {
		return Result{}, err
	}
	slices, err := retro.NewSlices(j.task.set, j.room.Jobs)
	if err != nil {
		return Result{}, err
	}
	w, err := storage.Create(dir, x, storage.WriterOptions{Workers: j.room.Jobs})
	if err != nil {
		return Result{}, err
	}
	defer w.Abort()
	all := new(retro.Tally)
	for i := range slices.Count() {
		j.say("writing", readyPart+(1-readyPart)*float64(i)/float64(slices.Count()))
		found, err := j.store.resultsOf(ctx, p, slices, i)
		if err != nil {
			return Result{}, err
		}
		values, tally, err := slices.Values(ctx, i, found)
		if err != nil {
			return Result{}, err
		}
		if i == 0 {
			all = tally
		} else {
			all.Merge(tally)
		}
		if err := w.Append(values); err != nil {
			return Result{}, err
		}
	}
	stats, placements := all.Stats(totals)
	return newResult(j, stats, placements), w.Commit(stats)
}

// resultsOf reads what values of a slice are made of: its wins, and the losses of the rotated one.
func (s *store) resultsOf(ctx context.Context, p *retro.Plan, slices *retro.Slices, slice int) (found []retro.Delta, err error) {
	for _, from := range []struct {
		slice int
		kind  string
	}{{slice, winsSection}, {slices.Rotated(slice), lossesSection}} {
		for part := range p.Parts() {
			key := resultsKey(p, from.slice, part)
			o, err := s.openDeltas(ctx, key)
			if errors.Is(err, bucket.ErrNotFound) {
				err = &DamagedError{key, "it is missing"}
			}
			if err == nil && (o.Set != p.Material().String() || o.Plan != p.Name() || o.Part != part || o.Slice != from.slice) {
				err = &DamagedError{key, "it is about something else"}
			}
			if err == nil {
				err = o.eachDelta(ctx, s, func(c *section) bool { return c.Kind == from.kind }, func(d retro.Delta) error {
					found = append(found, d)
					return nil
				})
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

package cluster

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"gogotb/retro"
	"gogotb/rules"
	"gogotb/storage"
)

// Shares of the work on a set.
const (
	mateShare = 0.6 // finding the mates
	readyPart = 0.7 // that, and perpetual check; the rest is writing
)

// standing says how far an analysis has come, in words and as a share of all the work on a set.
func standing(p retro.Progress) (string, float64) {
	switch p.Phase {
	case retro.MatePhase:
		return fmt.Sprintf("ply %d", p.Ply), mateShare * float64(p.Decided) / float64(max(p.Legal, 1))
	case retro.PerpetualPhase:
		return fmt.Sprintf("perpetual check, rank %d", p.Ply), mateShare
	}
	return "solved", readyPart
}

// makeSet makes a set and puts its tables into the bucket, from the checkpoint there on. When ctx is done, what was
// found is in the bucket if that takes it until until is done.
func (j *job) makeSet(ctx, until context.Context) error {
	begun := time.Now()
	m := j.task.set
	dir, err := j.worker.scratch.folder(j.task)
	if err != nil {
		return err
	}
	opt, err := j.room.solveOptions(m, dir)
	if err != nil {
		return err
	}
	opt.Checkpoint = filepath.Join(dir, m.String()+".checkpoint")
	opt.CheckpointEvery = j.worker.opt.CheckpointEvery
	j.say("reading the checkpoint", 0)
	saver, err := j.store.restore(ctx, m, opt.Checkpoint, j.run, j.worker.name, j.log)
	if err != nil {
		return err
	}
	resumed := saver.saved > 0
	saver.start(until)
	var last retro.Progress
	opt.Progress = func(p retro.Progress) {
		if resumed {
			resumed = false
			words, _ := standing(p)
			j.log.Info("goes on from the checkpoint in the bucket", "from", words)
		}
		last = p
		j.say(standing(p))
		j.worker.metrics.plies.Inc()
	}
	opt.Saved = func(bytes int64) { saver.tell(grown{bytes, int(last.Phase), last.Ply}) }
	opt.Warn = func(err error) { j.log.Warn("the checkpoint", "error", err) }
	r, err := j.solve(ctx, dir, opt)
	if failed := saver.end(); failed != nil && ctx.Err() == nil {
		return failed
	}
	if err != nil {
		return err
	}
	r.Seconds = time.Since(begun).Seconds()
	if err := j.putSet(ctx, dir, &r); err != nil {
		return err
	}
	return j.store.removeCheckpoints(ctx, m)
}

// putSet puts the tables of the set into the bucket, and says there that it is done.
func (j *job) putSet(ctx context.Context, dir string, r *Result) error {
	j.say("putting the tables into the bucket", 1)
	if err := j.store.putTables(ctx, dir, j.task.set, r); err != nil {
		return err
	}
	if err := j.store.finish(ctx, j.task.set, r); err != nil {
		return err
	}
	return j.store.putSums(ctx)
}

// solve solves a set and writes its tables to a folder.
func (j *job) solve(ctx context.Context, dir string, opt retro.Options) (Result, error) {
	solution, err := retro.Solve(ctx, j.task.set, opt)
	if err != nil {
		return Result{}, err
	}
	defer solution.Close()
	w, err := storage.Create(dir, solution.Index(), storage.WriterOptions{Workers: opt.Workers})
	if err != nil {
		return Result{}, err
	}
	defer w.Abort()
	written, size := uint64(0), float64(solution.Index().Size())
	stats, err := solution.Values(ctx, func(values []rules.Value) error {
		written += uint64(len(values))
		j.say("writing", readyPart+(1-readyPart)*float64(written)/size)
		return w.Append(values)
	})
	if err == nil {
		err = w.Commit(stats)
	}
	return newResult(j, stats, solution.PlacementCount()), err
}

func newResult(j *job, stats rules.Stats, placements uint64) Result {
	return Result{
		Set:        j.task.set.String(),
		Worker:     j.worker.name,
		Positions:  stats.Legal,
		Placements: placements,
		Longest:    max(int(stats.MaxWin), int(stats.MaxLoss), 0),
	}
}

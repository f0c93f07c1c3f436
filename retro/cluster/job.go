package cluster

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"
)

// job is a task that a worker has claimed.
type job struct {
	worker *Worker
	task   task
	store  *store
	lease  *lease
	room   Room // what it may take
	run    string
	log    *slog.Logger
	since  time.Time

	mu    sync.Mutex
	state string
	share float64
}

// Why tasks end early, beside errTaken and errDrained.
var (
	errCancelled  = errors.New("the plan was cancelled")
	errPartFailed = errors.New("another part of the set has failed")
)

// saveTime is how long a worker that is asked to go may take to bring what it has found into the bucket.
const saveTime = 5 * time.Minute

// say notes how far the task is.
func (j *job) say(state string, share float64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.state, j.share = state, share
}

// holding returns what the lease says.
func (j *job) holding() Holding {
	trouble := j.worker.entry().Trouble
	j.mu.Lock()
	defer j.mu.Unlock()
	return Holding{Worker: j.worker.name, Task: j.task.key(), Since: j.since, State: j.state, Share: j.share, Trouble: trouble}
}

// do does a task to its end, or until ctx is done, the lease is lost or the plan cancelled.
func (w *Worker) do(ctx context.Context, j *job) {
	debug.FreeOSMemory() // what is left of the set before
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	// What was found may still be saved for a while when the worker is asked to go, but not when another has the task.
	until, give := context.WithCancel(context.WithoutCancel(ctx))
	defer give()
	context.AfterFunc(ctx, func() {
		if errors.Is(context.Cause(ctx), errTaken) {
			give()
			return
		}
		wait(until, saveTime)
		give()
	})
	w.change(func(m *Member) { m.Task = j.task.key() })
	defer w.change(func(m *Member) { m.Task = "" })
	held, release := context.WithCancel(context.Background())
	var keeping sync.WaitGroup
	keeping.Go(func() { j.lease.keep(held, func() any { return j.holding() }, func(err error) { stop(err) }) })
	keeping.Go(func() { j.watch(held, stop) })
	j.log.Info("begins")
	var err error
	switch {
	case j.task.kind == partTask:
		err = j.solvePart(ctx)
	case j.task.kind == auditTask:
		err = j.auditSet(ctx)
	case j.task.parts != nil:
		err = j.assemble(ctx)
	default:
		err = j.makeSet(ctx, until)
	}
	os.RemoveAll(filepath.Join(w.scratch.path, j.task.key()))
	j.end(ctx, err)
	release()
	keeping.Wait()
}

// end says what came of the task.
func (j *job) end(ctx context.Context, err error) {
	w := j.worker
	took := time.Since(j.since)
	switch cause := context.Cause(ctx); {
	case err == nil:
		w.metrics.done.WithLabelValues(j.task.kind).Inc()
		w.metrics.seconds.WithLabelValues(j.task.kind).Add(took.Seconds())
		j.log.Info("done", "seconds", took.Seconds())
	case errors.Is(cause, errTaken):
		w.metrics.lost.Inc()
		j.log.Warn("the lease is lost, and what was found with it", "error", cause)
	case ctx.Err() != nil:
		j.log.Info("put back", "why", cause)
	default:
		w.metrics.failed.WithLabelValues(j.task.kind).Inc()
		j.log.Error("failed", "error", err)
		if err := w.control.fail(context.WithoutCancel(ctx), j.store.id, j.task, Failure{j.task.key(), w.name, err.Error()}); err != nil {
			j.log.Error("nobody could be told", "error", err)
		}
	}
}

// watch ends the task when its plan is cancelled, and a part when another one of the set has failed.
func (j *job) watch(ctx context.Context, stop context.CancelCauseFunc) {
	tick := time.NewTicker(j.worker.control.lease / renewals)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-j.worker.wake:
		}
		plans, _, err := j.worker.control.known(ctx)
		if err != nil {
			continue
		}
		for _, a := range plans {
			if a.Cancelled && a.Plan.ID() == j.task.plan.ID() {
				stop(errCancelled)
				return
			}
		}
		if j.task.kind == partTask {
			if failed, err := j.worker.control.failures(ctx, j.store.id); err == nil && partFailed(failed, j.task) {
				stop(errPartFailed)
				return
			}
		}
	}
}

// partFailed tells whether a part of the set of a task has failed.
func partFailed(failed map[string]Failure, t task) bool {
	if t.parts == nil {
		return false
	}
	for part := range t.parts.Parts() {
		if _, is := failed[partTask+"."+partName(t.parts, part)]; is {
			return true
		}
	}
	return false
}

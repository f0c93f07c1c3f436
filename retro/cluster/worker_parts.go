package cluster

import (
	"context"
	"sync"
)

// doParts does a part of a set, and, beside it, others of the same set for which there is room and that nobody else has
// taken meanwhile: all parts have to be at work for any of them to go on.
func (w *Worker) doParts(ctx context.Context, first *job) {
	var running sync.WaitGroup
	defer running.Wait()
	over := make(chan uint64, first.task.parts.Parts()) // their memory
	left := w.opt.Room
	start := func(j *job) {
		j.room = left.partRoom(j.task)
		left.Memory -= j.room.Memory
		running.Go(func() {
			w.do(ctx, j)
			over <- j.room.Memory
		})
	}
	start(first)
	fits := func(t task) bool {
		return t.kind == partTask && t.set == first.task.set && t.parts == first.task.parts && left.takes(t)
	}
	for n := 1; n > 0; {
		select {
		case memory := <-over:
			left.Memory += memory
			n--
			continue
		default:
		}
		w.pause(ctx) // others may want some
		if ctx.Err() != nil {
			return
		}
		if j, err := w.next(ctx, fits); err != nil {
			w.warn("looking for another part", err)
		} else if j != nil {
			n++
			start(j)
		}
	}
}

// partRoom returns the share of a room that a part gets: what it needs, or all there is.
func (r Room) partRoom(t task) Room {
	if r.Memory > 0 {
		if _, e, err := (Room{Jobs: r.Jobs}).partOptions(t.parts, t.part, ""); err == nil {
			r.Memory = min(r.Memory, e.Memory)
		}
	}
	return r
}

// takes tells whether a part fits into what is left of a room.
func (r Room) takes(t task) bool {
	if r.Memory == 0 {
		return true
	}
	_, _, err := Room{Memory: r.Memory, Jobs: r.Jobs}.partOptions(t.parts, t.part, "")
	return err == nil
}

package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"sync"

	"gogotb/index"
	"gogotb/retro"
	"gogotb/retro/cluster/bucket"
)

// A set that is made in parts has a task for each part, and, when all of them have ended, the usual one, which makes the
// tables of their results.

// partsOf returns the division of a set into parts.
func partsOf(m index.Material, parts int) (*retro.Plan, error) {
	key := fmt.Sprintf("%s %d", m, parts)
	if p, ok := divisions.Load(key); ok {
		return p.(*retro.Plan), nil
	}
	p, err := retro.NewPlan(m, parts)
	if err == nil {
		divisions.Store(key, p)
	}
	return p, err
}

var divisions sync.Map // by set and number of parts

// Where the objects of parts are.
func stepsPrefix(p *retro.Plan) string { return fmt.Sprintf("steps/%s/%s/", p.Material(), p.Name()) }
func resultsPrefix(p *retro.Plan) string {
	return fmt.Sprintf("results/%s/%s/", p.Material(), p.Name())
}
func stepKey(p *retro.Plan, step, part int) string {
	return fmt.Sprintf("%s%06d/p%03d", stepsPrefix(p), step, part)
}
func resultsKey(p *retro.Plan, slice, part int) string {
	return fmt.Sprintf("%s%04d/p%03d", resultsPrefix(p), slice, part)
}

const endedPrefix = "ended/"

func partName(p *retro.Plan, part int) string {
	return fmt.Sprintf("%s.%s.%d", p.Material(), p.Name(), part)
}
func endedKey(p *retro.Plan, part int) string { return endedPrefix + partName(p, part) + ".json" }

// ended says that a part has put its results into the bucket.
type ended struct {
	Set    string       `json:"set"`
	Plan   string       `json:"plan"`
	Part   int          `json:"part"`
	Worker string       `json:"worker"`
	Totals retro.Totals `json:"totals"`
}

// putSame puts an object that can have one content only. If it is there, there tells who has put it, and whether that is
// the same.
func (s *store) putSame(ctx context.Context, key string, object []byte, there func() (worker string, same bool, err error), worker string) error {
	err := s.Put(ctx, key, bytes.NewReader(object))
	if !errors.Is(err, bucket.ErrExists) {
		return err
	}
	other, same, err := there()
	if err == nil && !same {
		return &ConflictError{key, worker, other}
	}
	return err
}

// partOptions says how a part is solved in a worker's room; a *retro.MemoryError if it does not fit.
func (r Room) partOptions(p *retro.Plan, part int, folder string) (retro.Options, retro.Estimate, error) {
	opt := retro.Options{Workers: r.Jobs, Memory: r.Memory}
	if r.Scratch {
		opt.Scratch = folder
	}
	e, err := p.EstimatePart(part, opt)
	return opt, e, err
}

// solvePart solves a part and puts its results into the bucket. A worker that was stopped may go on when others have
// done the set, so that what it reads is gone: it ends, and leaves nothing.
func (j *job) solvePart(ctx context.Context) error {
	err := j.solveInStep(ctx)
	if err == nil || ctx.Err() != nil {
		return err
	}
	if over, failed := j.store.isDone(ctx, j.task.set); failed != nil || !over {
		return err
	}
	j.log.Info("the set is done without this part")
	return j.store.removeParts(ctx, j.task.parts)
}

// solveInStep solves a part, in step with the others, and puts its results into the bucket.
func (j *job) solveInStep(ctx context.Context) error {
	dir, err := j.worker.scratch.folder(j.task)
	if err != nil {
		return err
	}
	p, part := j.task.parts, j.task.part
	opt, _, err := j.room.partOptions(p, part, dir)
	if err != nil {
		return err
	}
	last := ""
	share := 0.0
	opt.Progress = func(s retro.Progress) {
		last, share = standing(s)
		j.say(last, share)
		j.worker.metrics.plies.Inc()
	}
	e := newExchange(j.store, p, part, j.worker.name, j.worker.conn)
	e.waiting = func(step int, missing []int) {
		if missing != nil {
			j.say(fmt.Sprintf("%s; waits in step %d for part %s", last, step, numbers(missing)), share)
		} else {
			j.say(last, share)
		}
	}
	e.resumed = func(m retro.Mark) { j.log.Info("goes on from the steps in the bucket", "step", m.Step) }
	stop, err := e.listen()
	if err != nil {
		return err
	}
	defer stop()
	totals, err := retro.SolvePart(ctx, p, part, e, opt)
	if err != nil {
		return err
	}
	j.say("putting the results into the bucket", readyPart)
	if err := e.putResults(ctx); err != nil {
		return err
	}
	return j.store.putEnded(ctx, p, part, j.worker.name, totals)
}

// numbers lists a few of some numbers.
func numbers(all []int) string {
	const most = 4
	text := ""
	for i, n := range all {
		if i == most {
			return fmt.Sprintf("%s and %d more", text, len(all)-most)
		}
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprint(n)
	}
	return text
}

func (s *store) putEnded(ctx context.Context, p *retro.Plan, part int, worker string, totals retro.Totals) error {
	mine := ended{p.Material().String(), p.Name(), part, worker, totals}
	err := putJSON(ctx, s, endedKey(p, part), mine)
	if !errors.Is(err, bucket.ErrExists) {
		return err
	}
	var there ended
	if err := getJSON(ctx, s, endedKey(p, part), &there); err != nil {
		return err
	}
	if there.Totals != totals {
		return &ConflictError{endedKey(p, part), worker, there.Worker}
	}
	return nil
}

// totals returns what all parts have counted, who agree on it.
func (s *store) totals(ctx context.Context, p *retro.Plan) (retro.Totals, error) {
	var first ended
	for part := range p.Parts() {
		var e ended
		if err := getJSON(ctx, s, endedKey(p, part), &e); err != nil {
			return retro.Totals{}, err
		}
		if part == 0 {
			first = e
		}
		if e.Totals != first.Totals {
			return retro.Totals{}, &ConflictError{endedKey(p, part), e.Worker, first.Worker}
		}
	}
	return first.Totals, nil
}

// removeParts removes what parts have left of a set that is done.
func (s *store) removeParts(ctx context.Context, p *retro.Plan) error {
	for _, prefix := range []string{stepsPrefix(p), resultsPrefix(p), fmt.Sprintf("%s%s.%s.", endedPrefix, p.Material(), p.Name())} {
		if err := s.remove(ctx, prefix, func(string) bool { return true }); err != nil {
			return err
		}
	}
	return nil
}

// goBack removes what parts have found in a step and later ones: they find it again.
func (s *store) goBack(ctx context.Context, p *retro.Plan, step int) error {
	for _, prefix := range []string{fmt.Sprintf("%s%s.%s.", endedPrefix, p.Material(), p.Name()), resultsPrefix(p)} {
		if err := s.remove(ctx, prefix, func(string) bool { return true }); err != nil {
			return err
		}
	}
	return s.remove(ctx, stepsPrefix(p), func(key string) bool {
		of, ok := stepOf(key)
		return ok && of >= step
	})
}

// stepOf returns the step of the key of a step's object.
func stepOf(key string) (step int, ok bool) {
	n, err := fmt.Sscanf(path.Base(path.Dir(key)), "%06d", &step)
	return step, n == 1 && err == nil
}

// remove removes the objects of a prefix that f chooses.
func (s *store) remove(ctx context.Context, prefix string, f func(key string) bool) error {
	var keys []string
	for key, err := range s.List(ctx, prefix) {
		if err != nil {
			return err
		}
		if f(key) {
			keys = append(keys, key)
		}
	}
	for _, key := range keys {
		if err := s.Delete(ctx, key); err != nil {
			return err
		}
	}
	return nil
}

package cluster

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"golang.org/x/sync/errgroup"

	"gogotb/retro"
	"gogotb/retro/cluster/bucket"
)

// exchange connects a part with the others of its set, by objects in the bucket. A part that has put the object of a
// step says so by NATS, which is a hint and nothing else: who hears nothing for a while looks into the bucket.
type exchange struct {
	store   *store
	plan    *retro.Plan
	part    int
	worker  string
	conn    *nats.Conn
	waiting func(step int, missing []int) // told which parts are waited for; nil: none any more
	resumed func(retro.Mark)              // told where the part goes on, if it does not begin
	last    int                           // the last step that was ended

	mu   sync.Mutex
	next int                  // the step that is not ended yet
	told map[int]map[int]bool // by step, from next on, and part: it is in the bucket
	news chan struct{}        // something was told
}

// Looking into the bucket: soon at first, because what was told before this part listened is missing, then less and less
// often.
const (
	firstLook = 50 * time.Millisecond
	lastLook  = 5 * time.Second
	readers   = 8 // how many objects are read at once
)

func newExchange(s *store, p *retro.Plan, part int, worker string, conn *nats.Conn) *exchange {
	return &exchange{store: s, plan: p, part: part, worker: worker, conn: conn, waiting: func(int, []int) {}, resumed: func(retro.Mark) {},
		told: map[int]map[int]bool{}, news: make(chan struct{}, 1)}
}

// subject is where parts say what they have put.
func (e *exchange) subject() string {
	return fmt.Sprintf("gogotb.step.%s.%s.%s", e.store.id, e.plan.Material(), e.plan.Name())
}

// listen begins to hear what the others say.
func (e *exchange) listen() (stop func(), err error) {
	s, err := e.conn.Subscribe(e.subject(), func(m *nats.Msg) {
		var step, part int
		if n, err := fmt.Sscanf(string(m.Data), "%d %d", &step, &part); err == nil && n == 2 {
			e.tell(step, part)
		}
	})
	if err != nil {
		return nil, err
	}
	return func() { s.Unsubscribe() }, nil
}

// tell notes that a part's object of a step is in the bucket.
func (e *exchange) tell(step, part int) {
	if part < 0 || part >= e.plan.Parts() {
		return
	}
	e.mu.Lock()
	if step >= e.next {
		if e.told[step] == nil {
			e.told[step] = map[int]bool{}
		}
		e.told[step][part] = true
	}
	e.mu.Unlock()
	select {
	case e.news <- struct{}{}:
	default:
	}
}

// toldOf returns the parts that are known to have ended a step, of those that are asked for.
func (e *exchange) toldOf(step int, parts []int) (there []int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, p := range parts {
		if e.told[step][p] {
			there = append(there, p)
		}
	}
	return there
}

// errSetDone says that the set is done, and nobody will put what a part waits for.
var errSetDone = errors.New("the set is done")

// look looks into the bucket for who has ended a step.
func (e *exchange) look(ctx context.Context, step int) error {
	for key, err := range e.store.List(ctx, fmt.Sprintf("%s%06d/", stepsPrefix(e.plan), step)) {
		if err != nil {
			return err
		}
		var part int
		if n, err := fmt.Sscanf(path.Base(key), "p%03d", &part); err == nil && n == 1 {
			e.tell(step, part)
		}
	}
	return nil
}

// head is that of an object of this part.
func (e *exchange) head() deltaHead {
	return deltaHead{Set: e.plan.Material().String(), Plan: e.plan.Name(), Part: e.part, Worker: e.worker}
}

// Swap puts what this part has found into the bucket, and reads what the others have put there.
func (e *exchange) Swap(ctx context.Context, step retro.Step, out []retro.Delta, in func(retro.Delta) error) (retro.Sums, error) {
	h := e.head()
	h.Step, h.Mark, h.Sums = step.Number, step.Mark, step.Sums
	if err := e.store.putDeltas(ctx, stepKey(e.plan, step.Number, e.part), h, e.plan.Readers, out); err != nil {
		return retro.Sums{}, err
	}
	e.conn.Publish(e.subject(), fmt.Appendf(nil, "%d %d", step.Number, e.part)) // those who do not hear it look
	e.last = step.Number
	var mu sync.Mutex
	sums := step.Sums
	group, all := errgroup.WithContext(ctx)
	group.SetLimit(readers)
	err := e.await(all, step.Number, func(part int) {
		group.Go(func() error {
			o, err := e.read(all, step.Number, part, in)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			sums.Add(o.Sums)
			return nil
		})
	})
	if failed := group.Wait(); failed != nil {
		err = failed // why all is done
	}
	e.mu.Lock()
	e.next = step.Number + 1
	delete(e.told, step.Number)
	e.mu.Unlock()
	return sums, err
}

// await calls f with each other part, once its object of a step is in the bucket.
func (e *exchange) await(ctx context.Context, step int, f func(part int)) error {
	var missing []int
	for part := range e.plan.Parts() {
		if part != e.part {
			missing = append(missing, part)
		}
	}
	silence := firstLook
	said := false
	for {
		for _, part := range e.toldOf(step, missing) {
			f(part)
			missing = slices.DeleteFunc(missing, func(p int) bool { return p == part })
			silence = firstLook
		}
		if len(missing) == 0 {
			if said {
				e.waiting(step, nil)
			}
			return nil
		}
		timer := time.NewTimer(silence)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-e.news:
		case <-timer.C:
			if silence = min(2*silence, lastLook); silence > time.Second {
				said = true
				e.waiting(step, missing)
			}
			if err := e.look(ctx, step); err != nil {
				return err
			}
			if silence > time.Second {
				if over, err := e.store.isDone(ctx, e.plan.Material()); over || err != nil {
					return cmp.Or(err, errSetDone)
				}
			}
		}
		timer.Stop()
	}
}

// read calls in with what a part has found in a step and this one reads.
func (e *exchange) read(ctx context.Context, step, part int, in func(retro.Delta) error) (*deltaObject, error) {
	o, err := e.open(ctx, step, part)
	if err != nil {
		return nil, err
	}
	return o, o.eachDelta(ctx, e.store, e.reads, in)
}

func (e *exchange) reads(c *section) bool { return slices.Contains(c.Readers, e.part) }

// open reads the head of the object of a step and part.
func (e *exchange) open(ctx context.Context, step, part int) (*deltaObject, error) {
	key := stepKey(e.plan, step, part)
	o, err := e.store.openDeltas(ctx, key)
	if errors.Is(err, bucket.ErrNotFound) {
		return nil, &DamagedError{key, "it is missing"}
	}
	if err != nil {
		return nil, err
	}
	if h := e.head(); o.Set != h.Set || o.Plan != h.Plan || o.Part != part || o.Step != step {
		return nil, &DamagedError{key, "it is about something else"}
	}
	return o, nil
}

// Restore returns the newest mark in the bucket.
func (e *exchange) Restore(ctx context.Context) (retro.Mark, error) {
	newest, key := -1, ""
	for k, err := range e.store.List(ctx, stepsPrefix(e.plan)) {
		if err != nil {
			return retro.Mark{}, err
		}
		if step, ok := stepOf(k); ok && step > newest {
			newest, key = step, k
		}
	}
	if newest < 0 {
		return retro.Mark{}, nil
	}
	o, err := e.store.openDeltas(ctx, key)
	if err != nil {
		return retro.Mark{}, err
	}
	e.resumed(o.Mark)
	return o.Mark, nil
}

// Replay reads the results of all steps before one: this part's own, and those that it reads.
func (e *exchange) Replay(ctx context.Context, before int, in func(retro.Delta) error) error {
	group, all := errgroup.WithContext(ctx)
	group.SetLimit(readers)
	for step := range before {
		for part := range e.plan.Parts() {
			group.Go(func() error {
				o, err := e.open(all, step, part)
				if err != nil {
					return err
				}
				return o.eachDelta(all, e.store, func(c *section) bool {
					return c.Kind != rowsSection && (part == e.part || e.reads(c))
				}, in)
			})
		}
	}
	return group.Wait()
}

// resultsMemory is about how many bytes of results are held at a time while they are put together by slices.
const resultsMemory = 256 << 20

// putResults puts all results of this part into the bucket once more, slice by slice, for those who make values of them.
func (e *exchange) putResults(ctx context.Context) error {
	s, err := retro.NewSlices(e.plan.Material(), 1)
	if err != nil {
		return err
	}
	for first := 0; first < s.Count(); {
		found := make([][]retro.Delta, s.Count())
		sizes := make([]int, s.Count())
		held, end := 0, s.Count() // slices from end on have no room this time
		for step := range e.last + 1 {
			o, err := e.open(ctx, step, e.part)
			if err != nil {
				return err
			}
			err = o.eachDelta(ctx, e.store, func(c *section) bool { return c.Kind != rowsSection }, func(d retro.Delta) error {
				if d.Slice >= s.Count() {
					return &DamagedError{o.key, "it is about a slice that is not there"}
				}
				if d.Slice < first || d.Slice >= end {
					return nil
				}
				d.Rows = bytes.Clone(d.Rows)
				found[d.Slice] = append(found[d.Slice], d)
				sizes[d.Slice] += len(d.Rows)
				for held += len(d.Rows); held > resultsMemory && end > first+1; {
					end--
					held -= sizes[end]
					found[end] = nil
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		for ; first < end; first++ {
			h := e.head()
			h.Slice = first
			nobody := func(*retro.Delta) []int { return nil }
			if err := e.store.putDeltas(ctx, resultsKey(e.plan, first, e.part), h, nobody, found[first]); err != nil {
				return err
			}
		}
	}
	return nil
}

package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"gogotb/index"
	"gogotb/retro/cluster/bucket"
)

// Client submits plans, follows them, and looks at a fleet.
type Client struct {
	control  *control
	versions Versions
}

// NewClient returns a client of a NATS server.
func NewClient(ctx context.Context, conn *nats.Conn, v Versions) (*Client, error) {
	c, err := openControl(ctx, conn, DefaultLease)
	if err != nil {
		return nil, err
	}
	return &Client{c, v}, nil
}

// Following is a plan that a client waits for.
type Following struct {
	client *Client
	plan   Plan
	store  *store
}

// Submit submits a plan: what has failed of it is tried again, and what is done stays so. While the bucket fails later,
// tell is told so, and that it works again (nil).
func (c *Client) Submit(ctx context.Context, p Plan, tell func(error)) (*Following, error) {
	if err := c.control.admit(ctx, "this program", c.versions); err != nil {
		return nil, err
	}
	b, err := bucket.Open(ctx, p.Bucket, c.control.bucketNATS())
	if err != nil {
		return nil, err
	}
	s, err := openStore(ctx, bucket.Patient(b, tell), p.Bucket, c.versions)
	if err != nil {
		return nil, err
	}
	for _, t := range p.tasks() {
		if err := c.control.plans.Purge(ctx, failureKey(s.id, t)); err != nil {
			return nil, err
		}
	}
	if err := c.control.announce(ctx, &p, true); err != nil {
		return nil, err
	}
	return &Following{c, p, s}, nil
}

// GoBack removes what the parts of a plan's sets have found in a step and later ones, where an object of these was lost or
// is damaged: they find it again. None of the parts may be at work.
func (c *Client) GoBack(ctx context.Context, p Plan, step int) error {
	b, err := bucket.Open(ctx, p.Bucket, c.control.bucketNATS())
	if err != nil {
		return err
	}
	defer b.Close()
	s, err := openStore(ctx, b, p.Bucket, c.versions)
	if err != nil {
		return err
	}
	held, err := entries(ctx, c.control.leases, taskPrefix+s.id+".")
	if err != nil {
		return err
	}
	for _, t := range p.tasks() {
		if t.parts != nil && held[t.key()] != nil { // it would never put again what it has put
			return fmt.Errorf("%s: still at work; cancel the plan, and wait until it has ended", t)
		}
	}
	for _, t := range p.tasks() {
		if t.kind == makeTask && t.parts != nil {
			if err := s.goBack(ctx, t.parts, step); err != nil {
				return err
			}
		}
	}
	return nil
}

// ErrCancelled says that somebody has cancelled a plan.
var ErrCancelled = errors.New("the plan was cancelled")

// States of a task.
const (
	Waiting = "waiting"
	Running = "running"
	Done    = "done"
	Failed  = "failed"
)

// TaskStanding says how far a task is.
type TaskStanding struct {
	Task    string   `json:"task"`
	Kind    string   `json:"kind"`
	Set     string   `json:"set"`
	State   string   `json:"state"`
	Part    int      `json:"part,omitempty"`  // of a set in parts: which one
	Parts   int      `json:"parts,omitempty"` // and of how many; 0: it is no part
	Size    uint64   `json:"size"`            // placements
	Holding *Holding `json:"holding,omitempty"`
	Failure *Failure `json:"failure,omitempty"`
	// TooLarge says what the set needs, if none of the workers that are there has the room.
	TooLarge string `json:"too_large,omitempty"`
}

// Standing says how far a plan is.
type Standing struct {
	Plan      string         `json:"plan"`
	Bucket    string         `json:"bucket"`
	Cancelled bool           `json:"cancelled"`
	Workers   int            `json:"workers"`
	Tasks     []TaskStanding `json:"tasks"`
}

// Count returns how many tasks are in a state.
func (s *Standing) Count(state string) (n int) {
	for _, t := range s.Tasks {
		if t.State == state {
			n++
		}
	}
	return n
}

// Over tells whether nothing more will happen: every task is done, has failed, or waits for one that has failed.
func (s *Standing) Over() bool {
	failed := map[string]bool{}
	for _, t := range s.Tasks {
		failed[t.Set] = failed[t.Set] || t.State == Failed
	}
	for _, t := range s.Tasks {
		if t.State == Running || t.State == Waiting && !failed[t.Set] {
			return false
		}
	}
	return true
}

// Standing says how far the plan is. If NATS has lost it, it is announced again.
func (f *Following) Standing(ctx context.Context) (Standing, error) {
	c := f.client.control
	plans, _, err := c.known(ctx)
	if lost(err) {
		if err := c.open(ctx); err != nil {
			return Standing{}, err
		}
	} else if err != nil {
		return Standing{}, err
	}
	i := slices.IndexFunc(plans, func(a announced) bool { return a.Plan.ID() == f.plan.ID() })
	if i < 0 {
		if err := c.announce(ctx, &f.plan, false); err != nil {
			return Standing{}, err
		}
	}
	s, err := f.client.standing(ctx, f.plan, f.store)
	s.Cancelled = i >= 0 && plans[i].Cancelled
	return s, err
}

// standing says how far a plan is.
func (c *Client) standing(ctx context.Context, p Plan, s *store) (Standing, error) {
	members, err := c.control.members(ctx)
	if err != nil {
		return Standing{}, err
	}
	held, err := decoded[Holding](ctx, c.control.leases, taskPrefix+s.id+".")
	if err != nil {
		return Standing{}, err
	}
	failed, err := c.control.failures(ctx, s.id)
	if err != nil {
		return Standing{}, err
	}
	finished, err := s.finished(ctx, &p)
	if err != nil {
		return Standing{}, err
	}
	all := Standing{Plan: p.ID(), Bucket: p.Bucket}
	var rooms []Room
	for _, m := range members {
		if m.Kind == "worker" {
			all.Workers++
			if !m.Draining {
				rooms = append(rooms, m.Room)
			}
		}
	}
	for _, t := range p.tasks() {
		one := TaskStanding{Task: t.key(), Kind: t.kind, Set: t.set.String(), State: Waiting}
		if x, err := index.New(t.set); err == nil {
			one.Size = x.Size()
		}
		if t.kind == partTask {
			one.Part, one.Parts = t.part, t.parts.Parts()
			one.Size /= uint64(one.Parts)
		}
		h, running := held[t.key()]
		failure, hasFailed := failed[t.key()]
		switch {
		case finished[t.key()]:
			one.State = Done
		case running:
			one.State, one.Holding = Running, &h
		case hasFailed:
			one.State, one.Failure = Failed, &failure
		default:
			one.TooLarge = tooLarge(t, rooms)
		}
		all.Tasks = append(all.Tasks, one)
	}
	return all, nil
}

// tooLarge says what a task needs, if there are workers and none of them can do it.
func tooLarge(t task, rooms []Room) string {
	slices.SortFunc(rooms, func(a, b Room) int { return cmp.Compare(b.Memory-1, a.Memory-1) }) // no limit is the most
	rooms = slices.Compact(rooms)
	var why error
	for _, r := range rooms {
		err := r.fits(t)
		if err == nil {
			return ""
		}
		why = cmp.Or(why, err)
	}
	if why == nil {
		return ""
	}
	return why.Error()
}

// Results returns what came of the sets that are done, in the order of the plan, and the reports of their audits.
func (f *Following) Results(ctx context.Context) (results []Result, reports []Report, err error) {
	finished, err := f.store.finished(ctx, &f.plan)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range f.plan.tasks() {
		if !finished[t.key()] {
			continue
		}
		if t.kind == partTask {
			continue
		}
		if t.kind == makeTask {
			r, err := f.store.result(ctx, t.set)
			if err != nil {
				return nil, nil, err
			}
			results = append(results, r)
			if t.parts != nil { // its worker may have died before it had done so
				if err := f.store.removeParts(ctx, t.parts); err != nil {
					return nil, nil, err
				}
			}
			continue
		}
		var r Report
		if err := getJSON(ctx, f.store, t.auditKey(), &r); err != nil {
			return nil, nil, err
		}
		reports = append(reports, r)
	}
	slices.SortFunc(reports, func(a, b Report) int { return cmp.Compare(a.Set, b.Set) })
	return results, reports, f.store.putSums(ctx)
}

// Fetch copies the tables of a set that is done to a folder.
func (f *Following) Fetch(ctx context.Context, dir string, r *Result) error {
	return f.store.fetchTables(ctx, dir, r)
}

// Fleet is who is there and what there is to do.
type Fleet struct {
	Members []Member
	Plans   []Standing
}

// Fleet looks at the fleet. The tasks of a plan whose bucket cannot be read are missing; tell is told why.
func (c *Client) Fleet(ctx context.Context, tell func(error)) (Fleet, error) {
	members, err := c.control.members(ctx)
	if err != nil {
		return Fleet{}, err
	}
	fleet := Fleet{Members: slices.SortedFunc(maps.Values(members), func(a, b Member) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})}
	plans, wrong, err := c.control.known(ctx)
	if err != nil {
		return Fleet{}, err
	}
	for _, err := range wrong {
		tell(err)
	}
	for _, a := range plans {
		s, err := c.look(ctx, a.Plan)
		if err != nil {
			tell(fmt.Errorf("plan %s: %w", a.Plan.ID(), err))
			s = Standing{Plan: a.Plan.ID(), Bucket: a.Plan.Bucket}
		}
		s.Cancelled = a.Cancelled
		fleet.Plans = append(fleet.Plans, s)
	}
	return fleet, nil
}

// look says how far a plan is that others follow.
func (c *Client) look(ctx context.Context, p Plan) (Standing, error) {
	b, err := bucket.Open(ctx, p.Bucket, c.control.bucketNATS())
	if err != nil {
		return Standing{}, err
	}
	defer b.Close()
	s, err := openStore(ctx, b, p.Bucket, c.versions)
	if err != nil {
		return Standing{}, err
	}
	return c.standing(ctx, p, s)
}

// Cancel makes everybody stop working on a plan. What is done stays, and what was found of the rest, too: who submits
// the plan again goes on from there.
func (c *Client) Cancel(ctx context.Context, plan string) error { return c.control.cancel(ctx, plan) }

// Workers returns the names of the workers that are there.
func (c *Client) Workers(ctx context.Context) (names []string, err error) {
	members, err := c.control.members(ctx)
	for name, m := range members {
		if m.Kind == "worker" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, err
}

// Drain asks a worker to bring what it has found into the bucket and to go. It returns when the worker has heard it.
func (c *Client) Drain(ctx context.Context, worker string) error {
	ctx, stop := context.WithTimeout(ctx, requestTime)
	defer stop()
	_, err := c.control.leases.Get(ctx, memberPrefix+worker)
	if errors.Is(err, jetstream.ErrKeyNotFound) || errors.Is(err, jetstream.ErrInvalidKey) {
		return fmt.Errorf("there is no worker %s", worker)
	}
	if err == nil {
		_, err = c.control.conn.RequestWithContext(ctx, drainSubject+worker, nil)
	}
	return err
}

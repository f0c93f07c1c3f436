package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"gogotb/retro/cluster/bucket"
)

// Names in NATS.
const (
	plansName  = "gogotb-plans"  // key-value store: plan.ID, failed.BUCKET.TASK
	leasesName = "gogotb-leases" // key-value store whose entries vanish: member.ID, task.BUCKET.TASK

	planPrefix   = "plan."
	failedPrefix = "failed."
	memberPrefix = "member."
	taskPrefix   = "task."

	wakeSubject  = "gogotb.wake"   // something has changed: look again
	drainSubject = "gogotb.drain." // and the worker's name: end what you do, and go
)

// DefaultLease is how long a lease lasts that nobody renews.
const DefaultLease = 15 * time.Second

// renewals is how often in that time it is renewed.
const renewals = 3

// control is what is in NATS.
type control struct {
	conn     *nats.Conn
	js       jetstream.JetStream
	plans    jetstream.KeyValue
	leases   jetstream.KeyValue
	replicas int
	lease    time.Duration
}

// openControl opens what is in NATS, or makes it, with leases of a length, if it is not there.
func openControl(ctx context.Context, conn *nats.Conn, lease time.Duration) (*control, error) {
	c, err := newControl(conn, lease)
	if err != nil {
		return nil, err
	}
	if err := c.open(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// newControl is what is in NATS, before it is opened.
func newControl(conn *nats.Conn, lease time.Duration) (*control, error) {
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	c := &control{conn: conn, js: js, replicas: 1, lease: lease}
	if conn.ConnectedClusterName() != "" {
		c.replicas = 3
	}
	return c, nil
}

// open opens the key-value stores, or makes them: for the first time, or because all servers have lost theirs. A cluster
// that is coming up has no room for them yet.
func (c *control) open(ctx context.Context) error {
	for tries := 0; ; tries++ {
		err := c.openOnce(ctx)
		if err == nil || tries == 30 || ctx.Err() != nil {
			return err
		}
		wait(ctx, time.Second)
	}
}

// openOnce is open without patience. What was opened before stays open, whatever comes of it: leases are renewed by it
// meanwhile.
func (c *control) openOnce(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, requestTime)
	defer stop()
	plans, err := c.openStore(ctx, jetstream.KeyValueConfig{Bucket: plansName, Replicas: c.replicas})
	if err != nil {
		return err
	}
	leases, err := c.openStore(ctx, jetstream.KeyValueConfig{Bucket: leasesName, Replicas: c.replicas, TTL: c.lease})
	if err != nil {
		return err
	}
	status, err := leases.Status(ctx)
	if err != nil || c.leases != nil { // the stores that were lost have the same names
		return err
	}
	c.plans, c.leases, c.lease = plans, leases, cmp.Or(status.TTL(), c.lease)
	return nil
}

func (c *control) openStore(ctx context.Context, config jetstream.KeyValueConfig) (jetstream.KeyValue, error) {
	kv, err := c.js.KeyValue(ctx, config.Bucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		kv, err = c.js.CreateKeyValue(ctx, config)
		if errors.Is(err, jetstream.ErrBucketExists) {
			kv, err = c.js.KeyValue(ctx, config.Bucket)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("JetStream: %w", err)
	}
	return kv, nil
}

// requestTime is how long a request to NATS may take.
const requestTime = 5 * time.Second

// wait waits, or until ctx is done.
func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

// lost tells whether an error says that the servers have lost what was there.
func lost(err error) bool {
	return errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, nats.ErrStreamNotFound) || errors.Is(err, nats.ErrNoResponders) ||
		errors.Is(err, jetstream.ErrNoStreamResponse)
}

// bucketNATS says where the buckets of nats: are.
func (c *control) bucketNATS() *bucket.NATS {
	return &bucket.NATS{JetStream: c.js, Replicas: c.replicas}
}

// entries returns what a key-value store has under keys of a prefix, without it.
func entries(ctx context.Context, kv jetstream.KeyValue, prefix string) (map[string]jetstream.KeyValueEntry, error) {
	ctx, stop := context.WithTimeout(ctx, requestTime)
	defer stop()
	w, err := kv.Watch(ctx, prefix+">", jetstream.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	defer w.Stop()
	found := map[string]jetstream.KeyValueEntry{}
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case e := <-w.Updates():
			if e == nil { // that was all
				return found, nil
			}
			found[strings.TrimPrefix(e.Key(), prefix)] = e
		}
	}
}

// announce puts a plan into NATS, unless it is there. fresh takes back that it was cancelled, and what failed of it.
func (c *control) announce(ctx context.Context, p *Plan, fresh bool) error {
	text, err := json.Marshal(announced{Plan: *p})
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, requestTime)
	defer stop()
	key := planPrefix + p.ID()
	if fresh {
		_, err = c.plans.Put(ctx, key, text)
	} else if _, err = c.plans.Create(ctx, key, text); conflicts(err) {
		err = nil
	}
	if err == nil {
		c.conn.Publish(wakeSubject, nil)
	}
	return err
}

// cancel marks a plan, which has to be there, as one that nobody works on.
func (c *control) cancel(ctx context.Context, id string) error {
	ctx, stop := context.WithTimeout(ctx, requestTime)
	defer stop()
	e, err := c.plans.Get(ctx, planPrefix+id)
	if errors.Is(err, jetstream.ErrKeyNotFound) || errors.Is(err, jetstream.ErrInvalidKey) {
		return fmt.Errorf("there is no plan %s", id)
	}
	if err != nil {
		return err
	}
	a, err := readPlan(id, e.Value())
	if err != nil {
		return err
	}
	a.Cancelled = true
	text, err := json.Marshal(a)
	if err == nil {
		_, err = c.plans.Update(ctx, planPrefix+id, text, e.Revision())
	}
	if err == nil {
		err = c.conn.Publish(wakeSubject, nil)
	}
	return err
}

// known returns the plans in NATS, by their names, the oldest first, and what is wrong with those that are none.
func (c *control) known(ctx context.Context) (plans []announced, wrong []error, err error) {
	found, err := entries(ctx, c.plans, planPrefix)
	if err != nil {
		return nil, nil, err
	}
	var all []jetstream.KeyValueEntry
	for _, e := range found {
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b jetstream.KeyValueEntry) int { return cmp.Compare(a.Revision(), b.Revision()) })
	for _, e := range all {
		a, err := readPlan(strings.TrimPrefix(e.Key(), planPrefix), e.Value())
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		plans = append(plans, a)
	}
	return plans, wrong, nil
}

// Failure says why a task cannot be done. It is not tried again before somebody submits the plan again.
type Failure struct {
	Task   string `json:"task"`
	Worker string `json:"worker"`
	Error  string `json:"error"`
}

func failureKey(bucketID string, t task) string { return failedPrefix + bucketID + "." + t.key() }

func (c *control) fail(ctx context.Context, bucketID string, t task, f Failure) error {
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, requestTime)
	defer stop()
	_, err = c.plans.Put(ctx, failureKey(bucketID, t), text)
	return err
}

// failures returns what has failed, by the keys of tasks.
func (c *control) failures(ctx context.Context, bucketID string) (map[string]Failure, error) {
	return decoded[Failure](ctx, c.plans, failedPrefix+bucketID+".")
}

// decoded returns what a key-value store has under keys of a prefix. What cannot be read is left out.
func decoded[T any](ctx context.Context, kv jetstream.KeyValue, prefix string) (map[string]T, error) {
	found, err := entries(ctx, kv, prefix)
	if err != nil {
		return nil, err
	}
	all := map[string]T{}
	for key, e := range found {
		var v T
		if json.Unmarshal(e.Value(), &v) == nil {
			all[key] = v
		}
	}
	return all, nil
}

// Member is who is there: a worker or a server.
type Member struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"`
	Versions Versions `json:"versions"`
	Room     Room     `json:"room"`
	Task     string   `json:"task"`     // what it does
	Trouble  string   `json:"trouble"`  // what keeps it from it
	Draining bool     `json:"draining"` // it is about to go
}

// members returns who is there.
func (c *control) members(ctx context.Context) (map[string]Member, error) {
	return decoded[Member](ctx, c.leases, memberPrefix)
}

// admit refuses who has other versions than a worker that is there.
func (c *control) admit(ctx context.Context, who string, v Versions) error {
	members, err := c.members(ctx)
	if err != nil {
		return err
	}
	for _, m := range members {
		if err := v.check(who, m.Versions, "the "+m.Kind+" "+m.Name); err != nil {
			return err
		}
	}
	return nil
}

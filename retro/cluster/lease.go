package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Holding is what a lease says.
type Holding struct {
	Worker  string    `json:"worker"`
	Task    string    `json:"task"`
	Since   time.Time `json:"since"`
	State   string    `json:"state"`   // how far it is, in words
	Share   float64   `json:"share"`   // how much of it is done
	Trouble string    `json:"trouble"` // what it waits for
}

// errTaken says that another worker has a task.
var errTaken = errors.New("another worker has it")

// lease is a claim to a task, or a worker's entry. It is for one goroutine.
type lease struct {
	control *control
	key     string
	rev     uint64
}

// claim claims a key; errTaken if somebody has it.
func (c *control) claim(ctx context.Context, key string, v any) (*lease, error) {
	l := &lease{control: c, key: key}
	return l, l.create(ctx, v)
}

func (l *lease) create(ctx context.Context, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, requestTime)
	defer stop()
	l.rev, err = l.control.leases.Create(ctx, l.key, text)
	if conflicts(err) {
		return errTaken
	}
	return err
}

// conflicts tells whether a key was not written because it is there, or has been written by another.
func conflicts(err error) bool {
	return errors.Is(err, jetstream.ErrKeyExists) || errors.Is(err, jetstream.ErrKeyRevisionMismatch)
}

// renew renews a lease. errTaken says that it has ended, and another worker has the task. Other errors are NATS's, and
// say nothing about the lease.
func (l *lease) renew(ctx context.Context, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	bounded, stop := context.WithTimeout(ctx, requestTime)
	defer stop()
	rev, err := l.control.leases.Update(bounded, l.key, text, l.rev)
	switch {
	case err == nil:
		l.rev = rev
		return nil
	case lost(err):
		if err := l.control.openOnce(ctx); err != nil {
			return err
		}
		return l.create(ctx, v)
	case !conflicts(err):
		return err
	}
	e, err := l.control.leases.Get(bounded, l.key)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return l.create(ctx, v) // it ended, and nobody has it
	case err != nil:
		return err
	case string(e.Value()) == string(text):
		l.rev = e.Revision() // the answer to the last renewal was lost
		return nil
	}
	var there, mine struct{ Worker, Name string }
	if json.Unmarshal(e.Value(), &there) == nil && json.Unmarshal(text, &mine) == nil && there == mine {
		l.rev = e.Revision() // likewise, and something has changed since
		return nil
	}
	return fmt.Errorf("%w: %s", errTaken, there.Worker+there.Name)
}

// release ends a lease at once. Whatever comes of it, it ends.
func (l *lease) release() {
	ctx, stop := context.WithTimeout(context.Background(), requestTime)
	defer stop()
	if l.control.leases.Delete(ctx, l.key, jetstream.LastRevision(l.rev)) == nil {
		l.control.conn.Publish(wakeSubject, nil)
	}
}

// keep renews a lease until ctx is done, then releases it. When another worker has it, it calls taken with the reason and
// ends.
func (l *lease) keep(ctx context.Context, value func() any, taken func(error)) {
	tick := time.NewTicker(l.control.lease / renewals)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			l.release()
			return
		case <-tick.C:
			if err := l.renew(ctx, value()); errors.Is(err, errTaken) {
				taken(err)
				return
			}
		}
	}
}

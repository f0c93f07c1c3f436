package cluster

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"gogotb/index"
	"gogotb/retro"
	"gogotb/retro/cluster/bucket"
)

// WorkerOptions say what a worker is, and what it may take.
type WorkerOptions struct {
	Versions        Versions
	Room            Room
	Folder          string        // where it makes a folder of its own
	CheckpointEvery time.Duration // how much work may be lost with it; 0: a minute
	Lease           time.Duration // of leases, where it is the first to make any; 0: DefaultLease
	Log             *slog.Logger
	Metrics         *Metrics // nil: none are kept
}

// Worker does tasks, one after the other.
type Worker struct {
	opt     WorkerOptions
	name    string
	conn    *nats.Conn
	control *control
	scratch *scratchFolder
	metrics *Metrics
	log     *slog.Logger
	stores  map[string]*store // by address
	seen    map[string]Plan   // that it has worked on, by name
	warned  map[string]bool   // what has been said
	fits    map[fits]error    // nil: it does
	wake    chan struct{}

	mu      sync.Mutex
	member  Member
	trouble map[string]string // what a bucket says that fails, by address
}

// NewWorker returns a worker that has not begun.
func NewWorker(conn *nats.Conn, opt WorkerOptions) *Worker {
	w := &Worker{
		opt: opt, name: newName(), conn: conn, metrics: opt.Metrics,
		stores: map[string]*store{}, seen: map[string]Plan{}, warned: map[string]bool{}, fits: map[fits]error{},
		wake: make(chan struct{}, 1), trouble: map[string]string{},
	}
	if w.metrics == nil {
		w.metrics = NewMetrics()
	}
	w.log = opt.Log.With("worker", w.name)
	w.member = Member{Name: w.name, Kind: "worker", Versions: opt.Versions, Room: opt.Room}
	return w
}

// Name returns the worker's name: that of the machine, and something that nobody else has.
func (w *Worker) Name() string { return w.name }

func newName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	host, _, _ = strings.Cut(host, ".")
	host = regexp.MustCompile(`[^A-Za-z0-9-]`).ReplaceAllString(host, "-")
	return host + "-" + strings.ToLower(rand.Text()[:6])
}

// errDrained ends what a worker does that has been asked to go.
var errDrained = errors.New("the worker has been asked to go")

// Run does tasks until ctx is done or somebody asks the worker to go; what it was at is then in the bucket. While the
// servers cannot let it in, because they are about to start, it waits. A *VersionError says that it cannot work with those
// who are there, a *ConnectError that the servers do not want it any more.
func (w *Worker) Run(ctx context.Context) error {
	err := w.run(ctx)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func (w *Worker) run(ctx context.Context) error {
	var err error
	if w.control, err = newControl(w.conn, cmp.Or(w.opt.Lease, DefaultLease)); err != nil {
		return err
	}
	var entry *lease
	err = insist(ctx, func(err error) { w.warn("the servers are not ready; trying again", err) }, func() error {
		entry, err = w.enter(ctx)
		return err
	})
	if err != nil {
		return w.whyClosed(err)
	}
	if w.scratch, err = newScratch(w.opt.Folder); err != nil {
		entry.release()
		return err
	}
	defer w.scratch.remove()
	var members sync.WaitGroup
	defer members.Wait()
	present, leave := context.WithCancel(context.Background())
	defer leave()
	members.Go(func() {
		entry.keep(present, func() any { return w.entry() }, func(err error) { w.log.Error("somebody has this worker's name", "error", err) })
	})
	ctx, drain := context.WithCancelCause(ctx)
	defer drain(nil)
	for subject, f := range map[string]nats.MsgHandler{
		wakeSubject: func(*nats.Msg) { w.look() },
		drainSubject + w.name: func(m *nats.Msg) {
			w.change(func(m *Member) { m.Draining = true })
			m.Respond(nil)
			drain(errDrained)
		},
	} {
		s, err := w.conn.Subscribe(subject, f)
		if err != nil {
			return err
		}
		defer s.Unsubscribe()
	}
	w.log.Info("ready", "memory", w.opt.Room.Memory, "jobs", w.opt.Room.Jobs)
	for ctx.Err() == nil {
		j, err := w.next(ctx, w.can)
		switch {
		case w.conn.IsClosed() && ctx.Err() == nil:
			return w.whyClosed(err)
		case err != nil && ctx.Err() == nil:
			w.warn("looking for work", err)
			fallthrough
		case j == nil:
			w.pause(ctx)
		case j.task.kind == partTask:
			w.doParts(ctx, j)
		default:
			w.do(ctx, j)
		}
	}
	w.log.Info("goes", "why", context.Cause(ctx))
	return nil
}

// whyClosed returns err, or why the connection is closed: the servers have refused it again and again.
func (w *Worker) whyClosed(err error) error {
	if w.conn.IsClosed() {
		return &ConnectError{w.conn.Opts.Url, cmp.Or(w.conn.LastError(), nats.ErrConnectionClosed)}
	}
	return err
}

// enter makes the worker one of the fleet, if it is let in.
func (w *Worker) enter(ctx context.Context) (*lease, error) {
	if err := w.control.openOnce(ctx); err != nil {
		return nil, err
	}
	if err := w.admitted(ctx); err != nil {
		return nil, err
	}
	return w.control.claim(ctx, memberPrefix+w.name, w.entry())
}

// admitted refuses to work with those who have other versions.
func (w *Worker) admitted(ctx context.Context) error {
	if err := w.control.admit(ctx, "this worker", w.opt.Versions); err != nil {
		return err
	}
	plans, _, err := w.control.known(ctx)
	if err != nil {
		return err
	}
	for _, a := range plans {
		if a.Cancelled {
			continue
		}
		if err := w.opt.Versions.check("this worker", a.Plan.Versions, "the plan "+a.Plan.ID()); err != nil {
			return err
		}
	}
	return nil
}

// look makes a worker that has nothing to do look again.
func (w *Worker) look() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// pause waits until there may be something to do.
func (w *Worker) pause(ctx context.Context) {
	ctx, stop := context.WithTimeout(ctx, w.control.lease/6)
	defer stop()
	select {
	case <-ctx.Done():
	case <-w.wake:
	}
}

// warn says something once.
func (w *Worker) warn(what string, err error) {
	if text := what + err.Error(); !w.warned[text] {
		w.warned[text] = true
		w.log.Warn(what, "error", err)
	}
}

// entry returns what the worker says of itself.
func (w *Worker) entry() Member {
	w.mu.Lock()
	defer w.mu.Unlock()
	m := w.member
	for _, text := range w.trouble {
		m.Trouble = text
	}
	return m
}

func (w *Worker) change(f func(*Member)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f(&w.member)
}

// open opens the bucket of a plan.
func (w *Worker) open(ctx context.Context, address string) (*store, error) {
	if s := w.stores[address]; s != nil {
		return s, nil
	}
	tell := func(err error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if err == nil {
			delete(w.trouble, address)
			w.log.Info("the bucket works again", "bucket", address)
			return
		}
		if w.trouble[address] != err.Error() {
			w.log.Warn("the bucket fails; trying again", "bucket", address, "error", err)
		}
		w.trouble[address] = err.Error()
		w.metrics.bucketErrors.Inc()
	}
	b, err := bucket.Open(ctx, address, w.control.bucketNATS())
	if err != nil {
		tell(err)
		return nil, err
	}
	s, err := openStore(ctx, b, address, w.opt.Versions)
	if err != nil {
		tell(err)
		return nil, err
	}
	w.mu.Lock()
	delete(w.trouble, address)
	w.mu.Unlock()
	s.Bucket = &metered{bucket.Patient(b, tell), w.metrics}
	w.stores[address] = s
	return s, nil
}

// next claims a task that the worker can do; nil if there is none to be had.
func (w *Worker) next(ctx context.Context, can func(task) bool) (*job, error) {
	plans, wrong, err := w.control.known(ctx)
	if err != nil {
		if !lost(err) {
			return nil, err
		}
		clear(w.stores)
		if err := w.control.open(ctx); err != nil {
			return nil, err
		}
	}
	for _, err := range wrong {
		w.warn("a plan", err)
	}
	known := map[string]bool{}
	for _, a := range plans {
		known[a.Plan.ID()] = true
	}
	for id, p := range w.seen {
		if !known[id] {
			if err := w.control.announce(ctx, &p, false); err != nil {
				return nil, err
			}
			plans = append(plans, announced{Plan: p})
		}
	}
	for _, a := range plans {
		if a.Cancelled {
			delete(w.seen, a.Plan.ID())
			continue
		}
		if err := w.opt.Versions.check("this worker", a.Plan.Versions, "the plan "+a.Plan.ID()); err != nil {
			w.warn("a plan", err)
			continue
		}
		if j, err := w.nextOf(ctx, a.Plan, can); err != nil || j != nil {
			return j, err
		}
	}
	return nil, nil
}

// nextOf claims a task of a plan.
func (w *Worker) nextOf(ctx context.Context, p Plan, can func(task) bool) (*job, error) {
	s, err := w.open(ctx, p.Bucket)
	if err != nil {
		return nil, nil // tell has been told
	}
	taken, err := entries(ctx, w.control.leases, taskPrefix+s.id+".")
	if err != nil {
		return nil, err
	}
	failed, err := w.control.failures(ctx, s.id)
	if err != nil {
		return nil, err
	}
	finished, err := s.finished(ctx, &p)
	if err != nil {
		return nil, err
	}
	w.seen[p.ID()] = p
	left := false
	for _, t := range p.tasks() {
		if finished[t.key()] {
			continue
		}
		left = true
		if _, is := failed[t.key()]; is || taken[t.key()] != nil || partFailed(failed, t) || !t.ready(finished) || !can(t) {
			continue
		}
		j := &job{worker: w, task: t, store: s, room: w.opt.Room, run: newName(), log: w.log.With("task", t.String()), since: time.Now()}
		if j.lease, err = w.control.claim(ctx, taskPrefix+s.id+"."+t.key(), j.holding()); errors.Is(err, errTaken) {
			continue
		}
		if err != nil {
			return nil, err
		}
		// It may have been finished between the two looks.
		if finished, err = s.finished(ctx, &p); err != nil || finished[t.key()] {
			j.lease.release()
			if err != nil {
				return nil, err
			}
			continue
		}
		return j, nil
	}
	if !left {
		delete(w.seen, p.ID())
	}
	return nil, nil
}

// fits is what decides whether a task fits.
type fits struct {
	kind  string
	set   index.Material
	parts *retro.Plan
	part  int
}

// can tells whether the worker has the room for a task.
func (w *Worker) can(t task) bool {
	which := fits{t.kind, t.set, t.parts, t.part}
	err, known := w.fits[which]
	if !known {
		err = w.opt.Room.fits(t)
		w.fits[which] = err
	}
	return err == nil
}

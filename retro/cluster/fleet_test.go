package cluster

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gogotb/storage"
)

var small = []string{"none", "B", "G", "P", "R", "S"}

// TestLocal: a fleet in one process makes the tables that one machine makes, audits them, and leaves nothing of its
// work.
func TestLocal(t *testing.T) {
	address, folder := newFolder(t)
	dir := t.TempDir()
	opt := LocalOptions{2, WorkerOptions{Versions: testVersions, Room: Room{Jobs: 2}, Folder: t.TempDir(), Log: slog.New(slog.DiscardHandler)}}
	err := Local(t.Context(), opt, func(ctx context.Context, c *Client) error {
		f, err := c.Submit(ctx, NewPlan(testVersions, address, parse(t, small...), 500, 1), func(error) {})
		if err != nil {
			return err
		}
		checkDone(t, f, folder, small...)
		results, reports, err := f.Results(ctx)
		if err != nil || len(results) != len(small) || len(reports) != len(small) {
			t.Errorf("%d results, %d reports: %v", len(results), len(reports), err)
		}
		for _, r := range reports {
			if !r.Sound || r.Checked != 500 {
				t.Errorf("audit: %+v", r)
			}
		}
		for _, r := range results {
			if err := f.Fetch(ctx, dir, &r); err != nil {
				t.Error(err)
			}
			// The figures are those of other programs, see index/testdata/stats.jsonl.
			if r.Set == "R" && (r.Positions != 34852 || r.Longest != 12) {
				t.Errorf("R: %+v", r)
			}
		}
		return storage.Tidy(dir)
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := readFile(t, filepath.Join(dir, storage.SumsFile)), sumsAlone(t, small...); got != want {
		t.Errorf("the copies have\n%s, want\n%s", got, want)
	}
	if left := keysOf(t, folder, "checkpoints/"); left != nil {
		t.Errorf("left in the bucket: %q", left)
	}
	if left := keysOf(t, opt.Worker.Folder, ""); left != nil {
		t.Errorf("left in the folder of workers: %q", left)
	}
}

// TestNoPort: the server of one process listens to nobody.
func TestNoPort(t *testing.T) {
	if a := testServer(t).nats.Addr(); a != nil {
		t.Errorf("it listens at %v", a)
	}
}

// TestKills: workers die at random points, before an object is put or after, and others go on. Each time the tables are
// the same.
func TestKills(t *testing.T) {
	f := newFleet(t)
	address, folder := newFolder(t)
	sets := []string{"GP", "P", "SP"}
	following := f.submit(t, NewPlan(testVersions, address, parse(t, sets...), 0, 0))
	// Each dies long before all is done: SP alone has forty commits.
	random := rand.New(rand.NewPCG(1, 2))
	for range 4 {
		w, dead := f.mortal(t, address, 2+random.IntN(12), random.IntN(2) == 0)
		f.run(t, dead, w)
		<-dead.Done()
	}
	f.run(t, t.Context(), f.worker(t))
	checkDone(t, following, folder, sets...)
	if !strings.Contains(f.journal.String(), "goes on from the checkpoint") {
		t.Error("nobody has gone on from a checkpoint")
	}
	if left := keysOf(t, folder, "checkpoints/"); left != nil {
		t.Errorf("left in the bucket: %q", left)
	}
}

// claimed waits until a worker has claimed a task.
func claimed(t testing.TB, w *Worker) *job {
	t.Helper()
	for {
		j, err := w.next(t.Context(), w.can)
		if err != nil {
			t.Fatal(err)
		}
		if j != nil {
			return j
		}
	}
}

// prepared is a worker that does nothing by itself.
func (f *fleet) prepared(t testing.TB) *Worker {
	t.Helper()
	w := f.worker(t)
	var err error
	if w.control, err = openControl(t.Context(), w.conn, testLease); err != nil {
		t.Fatal(err)
	}
	if w.scratch, err = newScratch(f.scratch); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.scratch.remove)
	return w
}

// TestServerAway: while no server answers, what needs one fails, and later it works again.
func TestServerAway(t *testing.T) {
	f := newFleet(t)
	w := f.prepared(t)
	entry, err := w.control.claim(t.Context(), memberPrefix+w.name, w.entry())
	if err != nil {
		t.Fatal(err)
	}
	away, stop := context.WithTimeout(t.Context(), time.Nanosecond)
	defer stop()
	for what, f := range map[string]func() error{
		"opening":  func() error { return w.control.openOnce(away) },
		"renewing": func() error { return entry.renew(away, w.entry()) },
		"looking":  func() error { _, err := w.next(away, w.can); return err },
	} {
		if err := f(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := entry.renew(t.Context(), w.entry()); err != nil {
		t.Errorf("later: %v", err)
	}
}

// TestZombie: a worker that has slept through its lease does no harm, whether it learns it or finishes what it was at.
func TestZombie(t *testing.T) {
	f := newFleet(t)
	address, folder := newFolder(t)
	following := f.submit(t, NewPlan(testVersions, address, parse(t, "SP"), 0, 0))
	zombie := f.prepared(t)
	j := claimed(t, zombie)
	time.Sleep(testLease + testLease/2) // nobody renews the lease
	other := f.prepared(t)
	k := claimed(t, other)
	err := j.lease.renew(t.Context(), j.holding())
	if !errors.Is(err, errTaken) || !strings.Contains(err.Error(), other.name) {
		t.Errorf("the zombie renews: %v", err)
	}
	if err := j.makeSet(t.Context(), t.Context()); err != nil {
		t.Errorf("the zombie makes the set: %v", err)
	}
	if err := k.makeSet(t.Context(), t.Context()); err != nil {
		t.Errorf("the other makes it, too: %v", err)
	}
	k.lease.release()
	checkDone(t, following, folder, "SP")
	// One that learns it drops what it has.
	following = f.submit(t, NewPlan(testVersions, address, parse(t, "GP"), 0, 0))
	j = claimed(t, zombie)
	if err := zombie.control.leases.Purge(t.Context(), j.lease.key); err != nil {
		t.Fatal(err)
	}
	k = claimed(t, other)
	ctx, stop := context.WithCancelCause(t.Context())
	j.lease.keep(t.Context(), func() any { return j.holding() }, func(err error) { stop(err) })
	if err := context.Cause(ctx); !errors.Is(err, errTaken) {
		t.Errorf("it keeps its lease: %v", err)
	}
	k.lease.release()
	f.run(t, t.Context(), f.worker(t))
	checkDone(t, following, folder, "GP", "SP")
}

// TestLeaseComesBack: a lease that has ended while NATS was away, and that nobody has taken, goes on.
func TestLeaseComesBack(t *testing.T) {
	f := newFleet(t)
	address, _ := newFolder(t)
	f.submit(t, NewPlan(testVersions, address, parse(t, "SP"), 0, 0))
	j := claimed(t, f.prepared(t))
	if err := j.lease.control.js.DeleteKeyValue(t.Context(), leasesName); err != nil {
		t.Fatal(err)
	}
	if err := j.lease.renew(t.Context(), j.holding()); err != nil {
		t.Errorf("after everything was lost: %v", err)
	}
	if j, err := f.prepared(t).next(t.Context(), func(task) bool { return true }); j != nil || err != nil {
		t.Errorf("another gets it: %v, %v", j, err)
	}
}

// TestNATSLosesAll: what NATS had is announced again, by who follows the plan or works on it.
func TestNATSLosesAll(t *testing.T) {
	f := newFleet(t)
	address, folder := newFolder(t)
	sets := []string{"GP", "SP"}
	following := f.submit(t, NewPlan(testVersions, address, parse(t, sets...), 0, 0))
	w := f.prepared(t)
	j := claimed(t, w)
	for _, name := range []string{plansName, leasesName} {
		if err := w.control.js.DeleteKeyValue(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.makeSet(t.Context(), t.Context()); err != nil {
		t.Errorf("while NATS has nothing: %v", err)
	}
	j.lease.release()
	if j = claimed(t, w); j == nil {
		t.Fatal("the worker does not go on")
	}
	j.lease.release()
	plans, _, err := f.client.control.known(t.Context())
	if err != nil || len(plans) != 1 {
		t.Errorf("plans %v, %v", plans, err)
	}
	f.run(t, t.Context(), f.worker(t))
	checkDone(t, following, folder, sets...)
}

// TestDrainAndCancel: a worker that is asked to go leaves a checkpoint, and a cancelled plan is worked on by nobody until
// it is submitted again.
func TestDrainAndCancel(t *testing.T) {
	f := newFleet(t)
	address, folder := newFolder(t)
	p := NewPlan(testVersions, address, parse(t, "GSP"), 0, 0)
	following := f.submit(t, p)
	w := f.worker(t)
	w.opt.CheckpointEvery = time.Hour // it is only saved because it goes
	f.run(t, t.Context(), w)
	running := func() bool {
		s, err := following.Standing(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		// The first two plies are saved together.
		return s.Tasks[0].State == Running && strings.HasPrefix(s.Tasks[0].Holding.State, "ply ") && !slices.Contains([]string{"ply 0", "ply 1"}, s.Tasks[0].Holding.State)
	}
	until(t, running)
	if err := f.client.Drain(t.Context(), w.name); err != nil {
		t.Fatal(err)
	}
	f.all.Wait()
	if pieces := keysOf(t, folder, "checkpoints/GSP/"); len(pieces) != 2 {
		t.Errorf("checkpoints: %q", pieces)
	}
	if err := f.client.Drain(t.Context(), w.name); err == nil || !strings.Contains(err.Error(), w.name) {
		t.Errorf("drained twice: %v", err)
	}
	f.run(t, t.Context(), f.worker(t))
	until(t, running)
	if err := f.client.Cancel(t.Context(), p.ID()); err != nil {
		t.Fatal(err)
	}
	until(t, func() bool {
		s, err := following.Standing(t.Context())
		return err == nil && s.Cancelled && s.Count(Running) == 0
	})
	if err := f.client.Cancel(t.Context(), "nothing"); err == nil || !strings.Contains(err.Error(), "no plan nothing") {
		t.Errorf("cancelled nothing: %v", err)
	}
	if plans, _, err := f.client.control.known(t.Context()); err != nil || len(plans) != 1 || !plans[0].Cancelled {
		t.Errorf("plans %v, %v", plans, err)
	}
}

func until(t testing.TB, f func() bool) {
	t.Helper()
	for !f() {
		if t.Context().Err() != nil {
			t.Fatal("it does not come to that")
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// TestScratchOfTheDead: what a killed worker leaves in the folder goes when the next one begins.
func TestScratchOfTheDead(t *testing.T) {
	above := t.TempDir()
	dead := filepath.Join(above, scratchPrefix+"dead")
	if err := os.Mkdir(dead, 0o755); err != nil {
		t.Fatal(err)
	}
	living, err := newScratch(above)
	if err != nil {
		t.Fatal(err)
	}
	second, err := newScratch(above)
	if err != nil {
		t.Fatal(err)
	}
	left, _ := filepath.Glob(filepath.Join(above, "*"))
	if want := []string{living.path, second.path}; len(left) != 2 || !slices.Contains(left, want[0]) || !slices.Contains(left, want[1]) {
		t.Errorf("left %q, want %q", left, want)
	}
	living.remove()
	second.remove()
}

//go:build cluster

package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// These tests run fleets of real processes and do them harm: make cluster. Each time the tables have to be those that one
// machine makes.

// fleetSets are made each time: GSP takes seconds, and the others are soon made.
var fleetSets = []string{"GSP", "GP", "SP", "RB", "SS", "P", "R", "none"}

var fleetSums struct {
	once sync.Once
	text string
}

// sumsOfFleet returns SHA256SUMS of fleetSets, made by one process.
func sumsOfFleet(t *testing.T) string {
	t.Helper()
	fleetSums.once.Do(func() {
		dir := t.TempDir()
		if r := gogotb(t, append([]string{"generate", "--dir", dir}, fleetSets...)...); r.status != exitDone {
			t.Fatal(r.stderr)
		}
		text, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
		if err != nil {
			t.Fatal(err)
		}
		fleetSums.text = string(text)
	})
	return fleetSums.text
}

// realFleet is three servers and some workers.
type realFleet struct {
	t       *testing.T
	dir     string
	env     []string
	creds   string
	listen  [3]string
	routes  [3]string
	metrics [3]string
	servers [3]*exec.Cmd
	mu      sync.Mutex
	workers []*exec.Cmd
	logs    atomic.Int64
	bucket  string // the folder that is the bucket, if it is one
}

func newRealFleet(t *testing.T, workers int, env ...string) *realFleet {
	t.Helper()
	f := &realFleet{t: t, dir: t.TempDir(), env: append(os.Environ(), env...)}
	f.creds = filepath.Join(f.dir, "fleet.creds")
	for i := range f.servers {
		f.listen[i], f.routes[i], f.metrics[i] = freePort(t), freePort(t), freePort(t)
	}
	t.Cleanup(func() {
		for _, cmd := range append(f.servers[:], f.workers...) {
			if cmd != nil {
				cmd.Process.Signal(syscall.SIGCONT)
				cmd.Process.Kill()
				cmd.Wait()
			}
		}
		if t.Failed() {
			logs, _ := filepath.Glob(filepath.Join(f.dir, "*.log"))
			for _, name := range logs {
				text, _ := os.ReadFile(name)
				lines := strings.Split(string(text), "\n")
				t.Logf("%s\n%s", filepath.Base(name), strings.Join(lines[max(0, len(lines)-15):], "\n"))
			}
		}
	})
	f.server(0) // which makes the credentials
	for {
		if _, err := os.Stat(f.creds); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	for range workers {
		f.worker() // who wait until most of the servers are there
	}
	f.server(1)
	f.server(2)
	f.leader() // or who generates would find nobody
	return f
}

func (f *realFleet) join() []string {
	return []string{"--join", "nats://" + strings.Join(f.listen[:], ",nats://"), "--creds", f.creds}
}

// start starts the program with a log of its own.
func (f *realFleet) start(name string, args ...string) *exec.Cmd {
	f.t.Helper()
	return f.startAs(name, exec.Command(program, args...))
}

// startAs starts a process with a log of its own.
func (f *realFleet) startAs(name string, cmd *exec.Cmd) *exec.Cmd {
	f.t.Helper()
	cmd.Dir, cmd.Env = f.dir, f.env
	log, err := os.Create(filepath.Join(f.dir, fmt.Sprintf("%s-%d.log", name, f.logs.Add(1))))
	if err != nil {
		f.t.Fatal(err)
	}
	defer log.Close()
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		f.t.Fatal(err)
	}
	return cmd
}

func (f *realFleet) store(i int) string { return filepath.Join(f.dir, fmt.Sprint("store", i)) }

// server starts server i.
func (f *realFleet) server(i int) {
	f.servers[i] = f.start(fmt.Sprint("server", i), f.serverArgs(i)...)
}

func (f *realFleet) serverArgs(i int) []string {
	return []string{"cluster", "serve", "--name", fmt.Sprint("s", i), "--store", f.store(i), "--listen", f.listen[i],
		"--cluster-listen", f.routes[i], "--routes", f.routes[(i+1)%3] + "," + f.routes[(i+2)%3], "--creds", f.creds, "--metrics-addr", f.metrics[i]}
}

// worker starts a worker.
func (f *realFleet) worker() { f.workerAs(f.start("worker", f.workerArgs()...)) }

func (f *realFleet) workerArgs() []string {
	return append(f.join(), "cluster", "worker", "--checkpoint-every", "200ms", "--jobs", "1")
}

// workerAs takes a process that is a worker for one of the fleet's.
func (f *realFleet) workerAs(cmd *exec.Cmd) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.workers = append(f.workers, cmd)
}

// killAny kills a worker.
func (f *realFleet) killAny() {
	f.mu.Lock()
	i := rand.IntN(len(f.workers))
	victim := f.workers[i]
	f.workers = slices.Delete(f.workers, i, i+1)
	f.mu.Unlock()
	kill(victim)
}

// killAll kills all workers.
func (f *realFleet) killAll() {
	f.mu.Lock()
	all := f.workers
	f.workers = nil
	f.mu.Unlock()
	for _, w := range all {
		kill(w)
	}
}

// kill kills a process as kill -9 does.
func kill(cmd *exec.Cmd) {
	cmd.Process.Kill()
	cmd.Wait()
}

// leader returns the server that leads.
func (f *realFleet) leader() int {
	for {
		for i, address := range f.metrics {
			r, err := http.Get("http://" + address + "/metrics")
			if err != nil {
				continue
			}
			text, _ := io.ReadAll(r.Body)
			r.Body.Close()
			if strings.Contains(string(text), "\ngogotb_cluster_leader 1\n") {
				return i
			}
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// generation is the command that has the fleet make fleetSets.
func (f *realFleet) generation(bucket string, args ...string) *exec.Cmd {
	args = append(append(f.join(), "cluster", "generate", "--bucket", bucket, "--sample", "200"), args...)
	cmd := exec.CommandContext(f.t.Context(), program, append(args, fleetSets...)...)
	cmd.Dir, cmd.Env = f.dir, f.env
	return cmd
}

// generate has the fleet make fleetSets in a bucket, does harm meanwhile, and compares what is there in the end.
func (f *realFleet) generate(bucket string, harm func(stop <-chan struct{})) {
	f.t.Helper()
	begun := time.Now()
	dir := filepath.Join(f.dir, "copy"+filepath.Base(bucket))
	f.bucket = strings.TrimPrefix(bucket, "file://")
	cmd := f.generation(bucket, "--dir", dir)
	stop := make(chan struct{})
	var harming sync.WaitGroup
	r := finishMeanwhile(f.t, cmd, func() {
		harming.Go(func() { harm(stop) })
		go func() {
			time.Sleep(8 * time.Minute)
			cmd.Process.Kill()
		}()
	})
	close(stop)
	harming.Wait()
	f.t.Logf("%s: %v, status %d, %s", bucket, time.Since(begun).Round(time.Second), r.status, strings.TrimSpace(r.stderr))
	if r.status != exitDone || strings.Count(r.stdout, " sound ") != len(fleetSets) {
		f.t.Errorf("status %d\n%s%s", r.status, r.stdout, r.stderr)
		return
	}
	got, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if want := sumsOfFleet(f.t); err != nil || string(got) != want {
		f.t.Errorf("SHA256SUMS is\n%s, %v, one machine has\n%s", got, err, want)
	}
	f.checkDoneOnce(begun)
}

// checkDoneOnce: nobody has begun a task after it was done.
func (f *realFleet) checkDoneOnce(since time.Time) {
	f.t.Helper()
	begins, done := map[string]time.Time{}, map[string]time.Time{} // the last and the first time
	logs, _ := filepath.Glob(filepath.Join(f.dir, "*.log"))
	for _, name := range logs {
		text, err := os.ReadFile(name)
		if err != nil {
			f.t.Fatal(err)
		}
		for _, line := range logLine.FindAllStringSubmatch(string(text), -1) {
			at, err := time.Parse(time.RFC3339Nano, line[1])
			if err != nil {
				f.t.Fatal(err)
			}
			task := line[3]
			switch {
			case at.Before(since):
			case line[2] == "begins" && at.After(begins[task]):
				begins[task] = at
			case line[2] == "done" && (done[task].IsZero() || at.Before(done[task])):
				done[task] = at
			}
		}
	}
	for task, at := range begins {
		if first, is := done[task]; is && at.After(first) {
			f.t.Errorf("%s was begun at %v, and had been done at %v", task, at, first)
		}
	}
	if len(begins) < 2*len(fleetSets) {
		f.t.Errorf("the logs tell of %d tasks, want %d", len(begins), 2*len(fleetSets))
	}
}

// logLine is what a worker says of a task.
var logLine = regexp.MustCompile(`(?m)^time=(\S+) level=INFO msg=(begins|done) .*task="([^"]+)"`)

// underway waits until something that was found of GSP is in the bucket, and some more.
func (f *realFleet) underway(stop <-chan struct{}) {
	for {
		if pieces, _ := filepath.Glob(filepath.Join(f.bucket, "checkpoints", "GSP", "*", "0*")); len(pieces) > 5 {
			return
		}
		if !after(stop, 100*time.Millisecond) {
			f.t.Error("all was done before any harm was")
			return
		}
	}
}

// after waits for a while, or until stop; false then.
func after(stop <-chan struct{}, d time.Duration) bool {
	select {
	case <-stop:
		return false
	case <-time.After(d):
		return true
	}
}

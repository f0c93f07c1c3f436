//go:build cluster

package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
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
	f.server(1)
	f.server(2)
	for range workers {
		f.worker()
	}
	return f
}

func (f *realFleet) join() []string {
	return []string{"--join", "nats://" + strings.Join(f.listen[:], ",nats://"), "--creds", f.creds}
}

// start starts a process with a log of its own.
func (f *realFleet) start(name string, args ...string) *exec.Cmd {
	f.t.Helper()
	cmd := exec.Command(program, args...)
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
	f.servers[i] = f.start(fmt.Sprint("server", i), "cluster", "serve", "--name", fmt.Sprint("s", i), "--store", f.store(i), "--listen", f.listen[i],
		"--cluster-listen", f.routes[i], "--routes", f.routes[(i+1)%3]+","+f.routes[(i+2)%3], "--creds", f.creds, "--metrics-addr", f.metrics[i])
}

// worker starts a worker.
func (f *realFleet) worker() {
	cmd := f.start("worker", append(f.join(), "cluster", "worker", "--checkpoint-every", "200ms", "--jobs", "1")...)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.workers = append(f.workers, cmd)
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

// generate has the fleet make fleetSets in a bucket, does harm meanwhile, and compares what is there in the end.
func (f *realFleet) generate(bucket string, harm func(stop <-chan struct{})) {
	f.t.Helper()
	begun := time.Now()
	dir := filepath.Join(f.dir, "copy"+filepath.Base(bucket))
	args := append(f.join(), "cluster", "generate", "--bucket", bucket, "--dir", dir, "--sample", "200")
	cmd := exec.CommandContext(f.t.Context(), program, append(args, fleetSets...)...)
	cmd.Dir, cmd.Env = f.dir, f.env
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

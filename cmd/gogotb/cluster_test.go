//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"gogotb/retro/cluster"
	"gogotb/storage"
)

// TestClusterAlone: a fleet in one process makes the tables that generate makes, and leaves nothing else.
func TestClusterAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tables")
	r := gogotb(t, "cluster", "generate", "--dir", dir, "--workers", "2", "--sample", "100", "GP", "P")
	if r.status != exitDone || r.stderr != "" {
		t.Fatalf("status %d: %s", r.status, r.stderr)
	}
	if lines := strings.Split(r.stdout, "\n"); len(lines) != 4 || !regexp.MustCompile(`^GP +1,522,074 +90 .* sound `).MatchString(lines[1]) {
		t.Errorf("it prints\n%s", r.stdout)
	}
	checkLikeAlone(t, dir, "GP", "P")
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 5 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
	r = gogotb(t, "cluster", "generate", "--dir", dir, "GP", "P")
	if r.status != exitDone || r.stdout != "" || r.stderr != "already there: 2 of 2 sets\n" {
		t.Errorf("again: status %d, %q, %q", r.status, r.stdout, r.stderr)
	}
}

// checkLikeAlone compares SHA256SUMS of a folder with those of the sets that generate has made.
func checkLikeAlone(t *testing.T, dir string, sets ...string) {
	t.Helper()
	all, err := os.ReadFile(filepath.Join(smallTables(t), storage.SumsFile))
	if err != nil {
		t.Fatal(err)
	}
	want := ""
	for line := range strings.Lines(string(all)) {
		for _, set := range sets {
			if strings.Contains(line, "  "+set+".") {
				want += line
			}
		}
	}
	got, err := os.ReadFile(filepath.Join(dir, storage.SumsFile))
	if err != nil || string(got) != want || want == "" {
		t.Errorf("SHA256SUMS is\n%s, %v, generate has\n%s", got, err, want)
	}
}

// process is a process that serves until the test ends.
type process struct {
	cmd *exec.Cmd
	log *bufio.Reader
}

// startProcess starts one and waits for a line of its log.
func startProcess(t *testing.T, until string, args ...string) (d *process, line string) {
	t.Helper()
	d = &process{cmd: command(t, args...)}
	out, err := d.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.cmd.Process.Kill(); d.cmd.Wait() })
	d.log = bufio.NewReader(out)
	said := ""
	for !strings.Contains(line, until) {
		if line, err = d.log.ReadString('\n'); err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, said)
		}
		said += line
	}
	go io.Copy(io.Discard, d.log)
	return d, line
}

// TestCluster: a server and a worker, each a process of its own, with credentials; a client that follows them, looks at
// them and sends them home.
func TestCluster(t *testing.T) {
	folder := t.TempDir()
	bucket, creds := filepath.Join(folder, "bucket"), filepath.Join(folder, "fleet.creds")
	_, line := startProcess(t, "can join", "cluster", "serve", "--store", filepath.Join(folder, "store"), "--listen", "127.0.0.1:0", "--creds", creds)
	join := regexp.MustCompile(`nats://127\.0\.0\.1:\d+`).FindString(line)
	if join == "" {
		t.Fatalf("the server says %s", line)
	}
	refuse(t, exitFailed, []string{"cluster status: no connection to " + join, "uthorization"}, "cluster", "status", "--join", join)
	refuse(t, exitFailed, []string{"cluster worker: no connection to " + join, "uthorization"}, "cluster", "worker", "--join", join)
	fleet := []string{"--join", join, "--creds", creds}
	metrics := "unix:" + filepath.Join(folder, "metrics")
	worker, _ := startProcess(t, "ready", append(fleet, "cluster", "worker", "--log-format", "json", "--metrics-addr", metrics)...)
	r := gogotb(t, append(fleet, "cluster", "generate", "--bucket", "file://"+filepath.ToSlash(bucket), "--sample", "100", "RB", "SP")...)
	if r.status != exitDone || strings.Count(r.stdout, " sound ") != 2 {
		t.Fatalf("status %d, %s%s", r.status, r.stdout, r.stderr)
	}
	checkLikeAlone(t, filepath.Join(bucket, "tables"), "RB", "SP")
	// The bucket's tables are tables.
	if got := succeed(t, "stats", "--dir", filepath.Join(bucket, "tables"), "RB"); !strings.Contains(got, "51 plies") {
		t.Errorf("stats of the bucket: %s", got)
	}
	var name string
	plans := 0
	for line := range strings.Lines(succeed(t, append(fleet, "cluster", "status", "--json")...)) {
		var one struct {
			Member struct{ Name, Kind string }
			Plan   struct {
				Tasks []struct{ Task, State string }
			}
		}
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatal(err)
		}
		if one.Member.Kind == "worker" {
			name = one.Member.Name
		}
		for _, task := range one.Plan.Tasks {
			plans++
			if task.State != "done" {
				t.Errorf("%s is %s", task.Task, task.State)
			}
		}
	}
	if name == "" || plans != 4 {
		t.Errorf("worker %q, %d tasks", name, plans)
	}
	if got := succeed(t, append(fleet, "cluster", "status")...); !strings.Contains(got, name) || !strings.Contains(got, "4 of 4 tasks done") {
		t.Errorf("status: %s", got)
	}
	if status, text := getAt(t, "unix", strings.TrimPrefix(metrics, "unix:"), "/metrics"); status != http.StatusOK || !strings.Contains(text, "\ngogotb_cluster_tasks_done_total{kind=\"make\"} 2\n") {
		t.Errorf("metrics: %d\n%s", status, text)
	}
	// Without a bucket the servers have the tables.
	copied := filepath.Join(folder, "copy")
	if r := gogotb(t, append(fleet, "cluster", "generate", "--dir", copied, "GP")...); r.status != exitDone {
		t.Errorf("without a bucket: status %d, %s", r.status, r.stderr)
	}
	checkLikeAlone(t, copied, "GP")
	refuse(t, exitFailed, []string{"there is no worker nobody"}, append(fleet, "cluster", "drain", "nobody")...)
	refuse(t, exitFailed, []string{"there is no plan 0123"}, append(fleet, "cluster", "cancel", "0123")...)
	if got := succeed(t, append(fleet, "cluster", "drain", "--all")...); got != name+" goes\n" {
		t.Errorf("drain: %s", got)
	}
	if err := worker.cmd.Wait(); err != nil {
		t.Errorf("the worker: %v", err)
	}
}

// TestWorkerBeforeServer: a worker that is there before its server says so and waits for it, until it is told to go.
func TestWorkerBeforeServer(t *testing.T) {
	address := freePort(t)
	join := []string{"cluster", "--join", "nats://" + address}
	worker, line := startProcess(t, "there is no server; trying again", append(join, "worker")...)
	if !strings.Contains(line, "no connection to nats://"+address) {
		t.Errorf("it says %s", line)
	}
	if err := worker.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := worker.cmd.Wait(); err != nil {
		t.Errorf("told to go, it ends with %v", err)
	}
	startProcess(t, "there is no server", append(join, "worker")...)
	startProcess(t, "can join", "cluster", "serve", "--store", filepath.Join(t.TempDir(), "store"), "--listen", address)
	for !strings.Contains(succeed(t, append(join, "status")...), " worker ") {
		time.Sleep(100 * time.Millisecond)
	}
}

// TestClusterRefusals: what cannot be done is said in a line.
func TestClusterRefusals(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("nothing\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		status int
		args   []string
		want   []string
	}{
		{exitUsage, nil, []string{"no command"}},
		{exitUsage, []string{"generate"}, []string{"nothing to generate"}},
		{exitUsage, []string{"generate", "--pieces", "6"}, []string{"--pieces 6"}},
		{exitUsage, []string{"generate", "--sample", "0", "P"}, []string{"--sample 0"}},
		{exitUsage, []string{"generate", "--workers", "0", "P"}, []string{"--workers 0"}},
		{exitUsage, []string{"generate", "--join", "nats://127.0.0.1:1", "--jobs", "1", "P"}, []string{"--jobs", "workers have it"}},
		{exitUsage, []string{"generate", "--checkpoint-every", "0s", "P"}, []string{"--checkpoint-every"}},
		{exitUsage, []string{"serve", "--routes", "127.0.0.1:1"}, []string{"--name"}},
		{exitUsage, []string{"drain"}, []string{"--all"}},
		{exitUsage, []string{"drain", "--all", "x"}, []string{"--all"}},
		{exitUsage, []string{"cancel"}, []string{"arg"}},
		{exitFailed, []string{"serve", "--listen", "0.0.0.0:0"}, []string{"0.0.0.0:0", "credentials"}},
		{exitFailed, []string{"serve", "--listen", "127.0.0.1:0", "--creds", file}, []string{file, "no credentials"}},
		{exitFailed, []string{"serve", "--listen", "127.0.0.1:0", "--tls-cert", file, "--tls-key", file}, []string{file}},
		{exitFailed, []string{"worker", "--join", "nats://127.0.0.1:1", "--tls-ca", file}, []string{file, "no certificates"}},
		{exitFailed, []string{"generate", "--bucket", "ftp://host/x", "P"}, []string{"ftp://host/x", "s3://host/bucket/prefix"}},
		{exitFailed, []string{"generate", "--memory", "1GiB", "RBSP"}, []string{"RBSP needs about", "1.0 GiB"}},
	} {
		refuse(t, c.status, c.want, append([]string{"cluster"}, c.args...)...)
	}
}

// TestFleetTable: on a terminal each standing takes the place of the one before, and a line is said once.
func TestFleetTable(t *testing.T) {
	var shown bytes.Buffer
	f := &fleetTable{w: &shown, terminal: true, said: map[string]bool{}}
	text := fmt.Sprintf(`{"plan":"0123456789ab","workers":2,"tasks":[
		{"task":"make.RB","kind":"make","set":"RB","state":"running","size":100,"holding":{"worker":"a-1","task":"make.RB","since":%q,"state":"ply 3","share":0.5}},
		{"task":"make.P","kind":"make","set":"P","state":"done","size":100},
		{"task":"make.R","kind":"make","set":"R","state":"failed","size":200,"failure":{"worker":"a-1","error":"no"}}]}`, time.Now().Add(-90*time.Second).Format(time.RFC3339Nano))
	var standing cluster.Standing
	if err := json.Unmarshal([]byte(text), &standing); err != nil {
		t.Fatal(err)
	}
	f.show(standing)
	want := "plan 0123456789ab: 1 of 3 tasks done, 37.5% of the placements, workers: 2, 1 failed\n" +
		"task     worker  done   time  state\n" +
		"make RB     a-1   50%  1m30s  ply 3\n"
	if got := shown.String(); got != want {
		t.Errorf("it shows\n%s, want\n%s", got, want)
	}
	shown.Reset()
	f.sayOnce("one\nline")
	f.sayOnce("one\nline")
	if got := shown.String(); got != "\x1b[3A\x1b[Jone line\n" {
		t.Errorf("it says %q", got)
	}
	if standing.Over() {
		t.Error("it is over while a task is running")
	}
}

// freePort returns an address of this machine at which nobody listens.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

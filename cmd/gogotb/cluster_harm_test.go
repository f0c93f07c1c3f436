//go:build cluster

package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// harms are what is done to a fleet while it works.
var harms = []struct {
	name string
	do   func(*realFleet, <-chan struct{})
}{
	{"nothing", func(*realFleet, <-chan struct{}) {}},
	{"workers are killed", func(f *realFleet, stop <-chan struct{}) {
		for n := 0; n < 6 && after(stop, 2*time.Second); n++ {
			f.killAny()
			f.worker()
		}
	}},
	{"the leader is killed", func(f *realFleet, stop <-chan struct{}) {
		f.underway(stop)
		i := f.leader()
		kill(f.servers[i])
		after(stop, 10*time.Second)
		f.server(i)
	}},
	{"all servers lose all they have", func(f *realFleet, stop <-chan struct{}) {
		f.underway(stop)
		for i := range f.servers {
			kill(f.servers[i])
			os.RemoveAll(f.store(i))
		}
		after(stop, time.Second)
		for i := range f.servers {
			f.server(i)
		}
	}},
	{"a server loses what it has, and the leader is killed", func(f *realFleet, stop <-chan struct{}) {
		f.underway(stop)
		leader := f.leader()
		i := (leader + 1) % 3
		kill(f.servers[i])
		os.RemoveAll(f.store(i))
		after(stop, time.Second)
		f.server(i)
		after(stop, time.Second)
		kill(f.servers[leader]) // one of three still has it all
		after(stop, 10*time.Second)
		f.server(leader)
	}},
	{"workers sleep through their leases", func(f *realFleet, stop <-chan struct{}) {
		f.underway(stop)
		asleep := slices.Clone(f.workers)
		f.worker()
		for _, w := range asleep {
			w.Process.Signal(syscall.SIGSTOP)
		}
		time.Sleep(20 * time.Second) // also if all is done without them
		for _, w := range asleep {
			w.Process.Signal(syscall.SIGCONT)
		}
	}},
	{"the leader sleeps", func(f *realFleet, stop <-chan struct{}) {
		f.underway(stop)
		i := f.leader()
		f.servers[i].Process.Signal(syscall.SIGSTOP)
		time.Sleep(12 * time.Second)
		f.servers[i].Process.Signal(syscall.SIGCONT)
	}},
	{"all workers are killed, and others come", func(f *realFleet, stop <-chan struct{}) {
		f.underway(stop)
		f.killAll()
		after(stop, 5*time.Second)
		for range 4 {
			f.worker()
		}
	}},
	{"a checkpoint has a flipped byte", func(f *realFleet, stop <-chan struct{}) {
		f.underway(stop)
		f.killAll()
		pieces, err := filepath.Glob(filepath.Join(f.bucket, "checkpoints", "GSP", "*", "000003.*"))
		if err != nil || len(pieces) == 0 {
			f.t.Errorf("there is no checkpoint, %v", err)
			return
		}
		flipByte(f.t, pieces[0])
		for range 4 {
			f.worker()
		}
	}},
}

// flipByte changes a file in its middle.
func flipByte(t *testing.T, name string) {
	t.Helper()
	body, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	body[len(body)/2] ^= 1
	if err := os.WriteFile(name, body, 0o600); err != nil {
		t.Fatal(err)
	}
}

var harmPattern = flag.String("harms", ".", "which harms are done to a fleet, a pattern")

// TestFleetHarm: three servers and four workers with a bucket in a folder, which are killed and stopped.
func TestFleetHarm(t *testing.T) {
	wanted, err := regexp.Compile(*harmPattern)
	if err != nil {
		t.Fatal(err)
	}
	done := 0
	f := newRealFleet(t, 4)
	for i, h := range harms {
		if !wanted.MatchString(h.name) {
			continue
		}
		done++
		t.Log(h.name)
		bucket := filepath.Join(f.dir, fmt.Sprint("bucket", i))
		f.generate("file://"+filepath.ToSlash(bucket), func(stop <-chan struct{}) { h.do(f, stop) })
		if made, _ := filepath.Glob(filepath.Join(bucket, "made", "*", "*")); h.name == "nothing" && len(made) != len(fleetSets) {
			t.Errorf("without harm sets were made twice: %q", made)
		}
	}
	if done == 0 {
		t.Errorf("-harms %s: there are no such harms", *harmPattern)
	}
}

// keysS3 are those of the S3 servers of these tests.
var keysS3 = []string{"AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=secretsecret", "AWS_REGION=us-east-1"}

// versityGW starts an S3 server with a bucket "tables" and returns its address.
func versityGW(t *testing.T) string {
	t.Helper()
	gateway := os.Getenv("VERSITYGW")
	if gateway == "" {
		t.Fatal("VERSITYGW names no program: run make cluster")
	}
	root, address := t.TempDir(), freePort(t)
	if err := os.Mkdir(filepath.Join(root, "tables"), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(gateway, "--quiet", "--port", address, "--access", "test", "--secret", "secretsecret", "posix", root)
	cmd.Dir = t.TempDir()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(cmd) })
	for {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return address
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// badProxy stands before a server, and answers some requests with 500, some after a while, and cuts some answers short.
func badProxy(t *testing.T, address string) (proxy string, harmed *atomic.Int64) {
	t.Helper()
	harmed = new(atomic.Int64)
	target := &url.URL{Scheme: "http", Host: address}
	forward := &httputil.ReverseProxy{
		Rewrite:  func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Host = r.In.Host }, // which is signed
		ErrorLog: nil,
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch n := rand.IntN(100); {
		case n < 8:
			harmed.Add(1)
			http.Error(w, "not now", http.StatusInternalServerError)
			return
		case n < 12:
			harmed.Add(1)
			time.Sleep(2 * time.Second)
		case n < 16:
			harmed.Add(1)
			forward.ServeHTTP(&shortWriter{w}, r)
			panic(http.ErrAbortHandler)
		}
		forward.ServeHTTP(w, r)
	})}
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	return l.Addr().String(), harmed
}

// shortWriter writes half of what it is given.
type shortWriter struct{ http.ResponseWriter }

func (s *shortWriter) Write(b []byte) (int, error) {
	s.ResponseWriter.Write(b[:len(b)/2])
	panic(http.ErrAbortHandler)
}

// TestFleetBadS3: an S3 server that often fails, once it has let everybody in, costs time only.
func TestFleetBadS3(t *testing.T) {
	proxy, harmed := badProxy(t, versityGW(t))
	f := newRealFleet(t, 4, keysS3...)
	f.generate("s3://"+proxy+"/tables/fleet", func(<-chan struct{}) {})
	if harmed.Load() < 10 {
		t.Errorf("only %d requests were harmed", harmed.Load())
	}
}

// TestFleetFullDisk: where the bucket has no room left, workers say so and wait for it.
func TestFleetFullDisk(t *testing.T) {
	f := newRealFleet(t, 2)
	bucket := filepath.Join(f.dir, "disk")
	if err := os.Mkdir(bucket, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", bucket, "tmpfs", 0, "size=600k"); err != nil {
		t.Fatalf("this wants root: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(bucket, syscall.MNT_DETACH) })
	said := false
	f.generate("file://"+filepath.ToSlash(bucket), func(stop <-chan struct{}) {
		for !said && after(stop, time.Second) {
			r := gogotb(t, append(f.join(), "cluster", "status")...)
			said = strings.Contains(r.stdout, "no space left on device")
		}
		if err := syscall.Mount("tmpfs", bucket, "tmpfs", syscall.MS_REMOUNT, "size=300m"); err != nil {
			t.Error(err)
		}
	})
	if !said {
		t.Error("status has not told that the disk is full")
	}
}

// TestFleetFlippedByte: a table that has changed in the bucket is never copied, and the line that says so names it.
func TestFleetFlippedByte(t *testing.T) {
	f := newRealFleet(t, 1)
	bucket := filepath.Join(f.dir, "bucket")
	args := append(f.join(), "cluster", "generate", "--bucket", "file://"+filepath.ToSlash(bucket), "RB")
	succeedLoudly(t, args...)
	flipByte(t, filepath.Join(bucket, "tables", "RB.gbd"))
	refuse(t, exitFailed, []string{"tables/RB.gbd", "damaged"}, append(args, "--dir", filepath.Join(f.dir, "copy"))...)
	r := gogotb(t, append(args, "--sample", "10")...)
	if r.status != exitFailed || !strings.Contains(r.stderr, "audit RB") || !strings.Contains(r.stderr, "tables/RB.gbd") {
		t.Errorf("the audit: status %d, %s", r.status, r.stderr)
	}
}

// succeedLoudly runs the program, which may say something on standard error.
func succeedLoudly(t *testing.T, args ...string) {
	t.Helper()
	if r := gogotb(t, args...); r.status != exitDone {
		t.Fatalf("%q: status %d, %s", args, r.status, r.stderr)
	}
}

// TestFleetClientKilled: a fleet whose client is killed goes on to the end, and who asks again gets what it has made.
func TestFleetClientKilled(t *testing.T) {
	f := newRealFleet(t, 4)
	bucket := filepath.Join(f.dir, "bucket")
	address := "file://" + filepath.ToSlash(bucket)
	client := f.generation(address)
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	f.bucket = bucket
	f.underway(nil)
	kill(client)
	begun := time.Now()
	for {
		done, _ := filepath.Glob(filepath.Join(bucket, "audits", "*"))
		if len(done) == len(fleetSets) {
			break
		}
		if time.Since(begun) > 5*time.Minute {
			t.Fatalf("the audits of %q are there", done)
		}
		time.Sleep(100 * time.Millisecond)
	}
	dir := filepath.Join(f.dir, "copy")
	if r := finish(t, f.generation(address, "--dir", dir)); r.status != exitDone || strings.Count(r.stdout, " sound ") != len(fleetSets) {
		t.Errorf("status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS")); err != nil || string(got) != sumsOfFleet(t) {
		t.Errorf("SHA256SUMS is\n%s, %v, one machine has\n%s", got, err, sumsOfFleet(t))
	}
}

// TestFleetParted: a network that parts for longer than a lease, with a server and a worker, which has GSP, on its far
// side, and then is whole again.
func TestFleetParted(t *testing.T) {
	f := newRealFleet(t, 0)
	ip := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
			t.Fatalf("ip %s: %v, %s; this wants root and iproute2", strings.Join(args, " "), err, out)
		}
	}
	far := func(name string, args []string) *exec.Cmd {
		return f.startAs(name, exec.Command("ip", append([]string{"netns", "exec", "gogotb-far", program}, args...)...))
	}
	exec.Command("ip", "netns", "delete", "gogotb-far").Run()
	ip("netns", "add", "gogotb-far")
	t.Cleanup(func() { exec.Command("ip", "netns", "delete", "gogotb-far").Run() })
	ip("link", "add", "gogotb0", "type", "veth", "peer", "name", "gogotb1", "netns", "gogotb-far")
	ip("address", "add", "10.213.0.1/30", "dev", "gogotb0")
	ip("link", "set", "gogotb0", "up")
	ip("-n", "gogotb-far", "address", "add", "10.213.0.2/30", "dev", "gogotb1")
	ip("-n", "gogotb-far", "link", "set", "lo", "up")
	ip("-n", "gogotb-far", "link", "set", "gogotb1", "up")
	for i := range f.servers {
		kill(f.servers[i])
		if err := os.RemoveAll(f.store(i)); err != nil {
			t.Fatal(err)
		}
		host := "10.213.0.1"
		if i == 2 {
			host = "10.213.0.2"
		}
		for _, address := range []*string{&f.listen[i], &f.routes[i]} {
			_, port, err := net.SplitHostPort(*address)
			if err != nil {
				t.Fatal(err)
			}
			*address = net.JoinHostPort(host, port)
		}
	}
	f.server(0)
	f.server(1)
	f.servers[2] = far("server2", f.serverArgs(2))
	f.workerAs(far("worker", f.workerArgs()))
	f.generate("file://"+filepath.ToSlash(filepath.Join(f.dir, "bucket")), func(stop <-chan struct{}) {
		f.underway(stop)
		ip("-n", "gogotb-far", "link", "set", "gogotb1", "down")
		f.worker() // on the near side
		time.Sleep(30 * time.Second)
		ip("-n", "gogotb-far", "link", "set", "gogotb1", "up")
	})
}

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
			f.mu.Lock()
			i := rand.IntN(len(f.workers))
			victim := f.workers[i]
			f.workers = append(f.workers[:i], f.workers[i+1:]...)
			f.mu.Unlock()
			kill(victim)
			f.worker()
		}
	}},
	{"the leader is killed", func(f *realFleet, stop <-chan struct{}) {
		after(stop, time.Second)
		i := f.leader()
		kill(f.servers[i])
		after(stop, 10*time.Second)
		f.server(i)
	}},
	{"all servers lose all they have", func(f *realFleet, stop <-chan struct{}) {
		after(stop, 2*time.Second)
		for i := range f.servers {
			kill(f.servers[i])
			os.RemoveAll(f.store(i))
		}
		after(stop, time.Second)
		for i := range f.servers {
			f.server(i)
		}
	}},
	{"workers sleep through their leases", func(f *realFleet, stop <-chan struct{}) {
		after(stop, time.Second)
		asleep := append([]*exec.Cmd(nil), f.workers[:2]...)
		for _, w := range asleep {
			w.Process.Signal(syscall.SIGSTOP)
		}
		time.Sleep(20 * time.Second) // also if all is done without them
		for _, w := range asleep {
			w.Process.Signal(syscall.SIGCONT)
		}
	}},
	{"the leader sleeps", func(f *realFleet, stop <-chan struct{}) {
		after(stop, time.Second)
		i := f.leader()
		f.servers[i].Process.Signal(syscall.SIGSTOP)
		time.Sleep(12 * time.Second)
		f.servers[i].Process.Signal(syscall.SIGCONT)
	}},
	{"all workers are killed, and others come", func(f *realFleet, stop <-chan struct{}) {
		after(stop, 2*time.Second)
		for _, w := range f.workers {
			kill(w)
		}
		f.workers = nil
		after(stop, 5*time.Second)
		for range 4 {
			f.worker()
		}
	}},
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
	name := filepath.Join(bucket, "tables", "RB.gbd")
	body, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	body[len(body)/2] ^= 1
	if err := os.WriteFile(name, body, 0o600); err != nil {
		t.Fatal(err)
	}
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

// TestFleetParted: a network that parts for longer than a lease, with a worker on its far side, which then comes back.
func TestFleetParted(t *testing.T) {
	f := newRealFleet(t, 0)
	ip := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
			t.Fatalf("ip %s: %v, %s; this wants root and iproute2", strings.Join(args, " "), err, out)
		}
	}
	exec.Command("ip", "netns", "delete", "gogotb-far").Run()
	ip("netns", "add", "gogotb-far")
	t.Cleanup(func() { exec.Command("ip", "netns", "delete", "gogotb-far").Run() })
	ip("link", "add", "gogotb0", "type", "veth", "peer", "name", "gogotb1", "netns", "gogotb-far")
	ip("address", "add", "10.213.0.1/30", "dev", "gogotb0")
	ip("link", "set", "gogotb0", "up")
	ip("-n", "gogotb-far", "address", "add", "10.213.0.2/30", "dev", "gogotb1")
	ip("-n", "gogotb-far", "link", "set", "gogotb1", "up")
	kill(f.servers[0])
	_, port, err := net.SplitHostPort(f.listen[0])
	if err != nil {
		t.Fatal(err)
	}
	f.listen[0] = "10.213.0.1:" + port
	f.server(0)
	f.listen[1], f.listen[2] = f.listen[0], f.listen[0]
	for gogotb(t, append(f.join(), "cluster", "status")...).status != exitDone {
		time.Sleep(200 * time.Millisecond)
	}
	far := exec.Command("ip", append([]string{"netns", "exec", "gogotb-far", program, "cluster", "worker", "--checkpoint-every", "200ms", "--jobs", "1"}, f.join()...)...)
	far.Dir = f.dir
	log, err := os.Create(filepath.Join(f.dir, "far.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	far.Stderr = log
	if err := far.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(far) })
	f.generate("file://"+filepath.ToSlash(filepath.Join(f.dir, "bucket")), func(stop <-chan struct{}) {
		held := regexp.MustCompile(`(?m)^make GSP`)
		for !held.MatchString(gogotb(t, append(f.join(), "cluster", "status")...).stdout) {
			if !after(stop, 200*time.Millisecond) {
				return
			}
		}
		ip("link", "set", "gogotb0", "down")
		f.worker() // on the near side
		time.Sleep(25 * time.Second)
		ip("link", "set", "gogotb0", "up")
	})
}

//go:build conformance

package remote

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"gogotb/storage"
)

// run starts a server that ends with the test, and returns what it says on standard output and standard error.
func run(t *testing.T, name string, args ...string) *bufio.Scanner {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.WaitDelay = time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatalf("%s: %v (Debian has nginx and python3; make conformance builds versitygw)", name, err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	return bufio.NewScanner(out)
}

// freePort is an address that nobody listens at.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// reach waits until a server listens.
func reach(t *testing.T, at string) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if c, err := net.Dial("tcp", at); err == nil {
			c.Close()
			return
		}
	}
	t.Fatalf("nobody listens at %s", at)
}

// sameTables compares sets at an address with the truth.
func sameTables(t *testing.T, address string, sets ...string) {
	t.Helper()
	tables := openAt(t, newClient(t, Options{}), address)
	for _, name := range sets {
		sameBlocks(t, tables, name)
		samePositions(t, tables, name, 20)
	}
	if list, err := tables.List(); err != nil || len(list) != 2*len(sets) {
		t.Errorf("%s: %v, %v", address, list, err)
	}
	if _, err := tables.Outcome(position(t, "4k/5/5/5/K4 b RG 1")); !errors.Is(err, storage.ErrNotCovered) {
		t.Errorf("%s: a set that is not there: %v", address, err)
	}
}

// TestNginx reads from nginx, which packs what it can unless it is asked not to.
func TestNginx(t *testing.T) {
	dir, tmp, at := written(t, "RB", "P"), t.TempDir(), freePort(t)
	config := filepath.Join(tmp, "nginx.conf")
	text := fmt.Sprintf(`daemon off; master_process off; pid %[1]s/pid; error_log stderr;
events {}
http {
	access_log off; client_body_temp_path %[1]s/a; proxy_temp_path %[1]s/b; fastcgi_temp_path %[1]s/c; uwsgi_temp_path %[1]s/d; scgi_temp_path %[1]s/e;
	gzip on; gzip_types *; gzip_min_length 1;
	server { listen %[2]s; location /t/ { alias %[3]s/; } }
}
`, tmp, at, dir)
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, "nginx", "-p", tmp, "-c", config)
	reach(t, at)
	sameTables(t, "http://"+at+"/t/", "RB", "P")
}

// TestPython: http.server of Python ignores Range. What is smaller than what is asked for first can be had there.
func TestPython(t *testing.T) {
	said := run(t, "python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", written(t, "RB", "G"))
	var port []string
	for port == nil && said.Scan() {
		port = regexp.MustCompile(`port (\d+)`).FindStringSubmatch(said.Text())
	}
	if port == nil {
		t.Fatal("it says no port")
	}
	address := "http://127.0.0.1:" + port[1] + "/"
	tables := openAt(t, newClient(t, Options{}), address)
	_, err := tables.Outcome(legal(t, "RB", 0.5))
	unavailable(t, "http.server", err, address+"RB.gbo: the server sends whole files where parts were asked for: it ignores Range")
	samePositions(t, openAt(t, newClient(t, Options{}), address), "G", 20)
}

// TestVersityGW reads from a bucket of a server of S3, with keys, with wrong ones, and without.
func TestVersityGW(t *testing.T) {
	program := os.Getenv("VERSITYGW")
	if program == "" {
		t.Fatal("VERSITYGW does not say where the program is; make conformance builds it")
	}
	root, at := t.TempDir(), freePort(t)
	if err := os.MkdirAll(filepath.Join(root, "tables", "mini"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(root, "tables", "mini"), os.DirFS(written(t, "RB", "P"))); err != nil {
		t.Fatal(err)
	}
	run(t, program, "--port", at, "--access", "someone", "--secret", secret, "posix", root)
	reach(t, at)
	environmentOfS3(t, "http://"+at, "someone", secret)
	sameTables(t, "s3://tables/mini", "RB", "P")
	p := legal(t, "RB", 0.5)
	_, err := openAt(t, newClient(t, Options{}), "s3://nowhere/").Outcome(p)
	unavailable(t, "no bucket", err, "s3://nowhere/RB.gbo: there is no such bucket")
	for _, keys := range [][2]string{{"someone", "wrong"}, {"nobody", secret}, {"", ""}} {
		environmentOfS3(t, "http://"+at, keys[0], keys[1])
		_, err := openAt(t, newClient(t, Options{}), "s3://tables/mini").Outcome(p)
		unavailable(t, fmt.Sprint("keys ", keys), err, "s3://tables/mini/RB.gbo: 40")
	}
	if err := os.Remove(filepath.Join(root, "tables", "mini", storage.SumsFile)); err != nil {
		t.Fatal(err)
	}
	environmentOfS3(t, "http://"+at, "someone", secret)
	sameTables(t, "s3://tables/mini", "RB", "P") // by the list of the bucket
}

package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// farTables serves the small tables by HTTP, and counts requests.
func farTables(t testing.TB) (address string, requests *atomic.Int64, end func()) {
	t.Helper()
	requests = new(atomic.Int64)
	files := http.FileServer(http.Dir(smallTables(t)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/", requests, server.Close
}

// TestAddresses: every command that reads tables says of those at an address what it says of those in a folder.
func TestAddresses(t *testing.T) {
	address, _, end := farTables(t)
	here := smallTables(t)
	for _, args := range [][]string{
		{"probe", "4k/5/5/5/K4 b RB 1"},
		{"probe", "--json", "--line", "2k2/5/2K2/5/4R w -"},
		{"find", "--json", "--category", "win", "--by", "perpetual", "--limit", "3", "RB"},
		{"find", "--dtm", "5", "--limit", "2", "P"},
		{"stats", "--json", "R", "RB"},
		{"solve", "--max-plies", "9", "4k/5/5/5/K4 b RB 1"},
		{"verify", "--checksums", "R", "RB"},
		{"verify", "--json", "R"},
		{"verify", "--sample", "500", "RB"},
	} {
		near, far := succeed(t, append([]string{"--dir", here}, args...)...), succeed(t, append([]string{"--dir", address}, args...)...)
		if far != near || far == "" {
			t.Errorf("%v: from an address %q, from a folder %q", args, far, near)
		}
	}
	near, far := succeed(t, "--dir", here, "list", "--json"), succeed(t, "--dir", address, "list", "--json")
	if strings.ReplaceAll(far, address, here) != near {
		t.Errorf("list: from an address %q, from a folder %q", far, near)
	}
	t.Setenv(dirVariable, t.TempDir()+string(filepath.ListSeparator)+address)
	if got := succeed(t, "stats", "R"); !strings.HasPrefix(got, "R: 34,852") {
		t.Errorf("an address in the environment: %q", got)
	}
	os.Unsetenv(dirVariable)
	refuse(t, exitFailed, []string{address, "GSP", "no table"}, "--dir", address, "probe", "4k/5/5/5/K4 b GSP 1")
	refuse(t, exitUsage, []string{"address"}, "--dir", address, "generate", "R")
	for _, wrong := range []string{"https://me:secret@host/?x", "http://me:secret@example.org/", "ftp://me:secret@host/"} {
		r := gogotb(t, "--dir", wrong, "stats", "R")
		checkRefusal(t, r, exitUsage, nil, []string{"stats"})
		if strings.Contains(r.stderr, "secret") {
			t.Errorf("%s", r.stderr)
		}
	}
	end()
	refuse(t, exitFailed, []string{address + "RB.gbo: no answer"}, "--dir", address, "probe", "4k/5/5/5/K4 b RB 1")
	refuse(t, exitFailed, []string{address + ": no answer"}, "--dir", address, "list")
}

// TestDiskCache: what one run has read the next one does not ask for, whether the option says where it is kept or the
// environment.
func TestDiskCache(t *testing.T) {
	address, requests, _ := farTables(t)
	run := func(args ...string) int64 {
		t.Helper()
		before := requests.Load()
		succeed(t, append([]string{"--dir", address, "verify", "RB"}, args...)...)
		return requests.Load() - before
	}
	dir := filepath.Join(t.TempDir(), "a", "b")
	first, second := run("--disk-cache", dir, "--disk-cache-size", "10MB"), run("--disk-cache", dir)
	if first <= second || second != 2 {
		t.Errorf("%d requests, and then %d, want one a file", first, second)
	}
	t.Setenv("GOGOTB_CACHE_DIR", dir)
	if n := run(); n != 2 {
		t.Errorf("%d requests with the folder in the environment", n)
	}
	t.Setenv("GOGOTB_CACHE_SIZE", "much")
	refuse(t, exitUsage, []string{"GOGOTB_CACHE_SIZE=much"}, "--dir", address, "stats", "R")
	succeed(t, "--dir", smallTables(t), "stats", "R") // which needs no cache
	os.Unsetenv("GOGOTB_CACHE_SIZE")
	refuse(t, exitUsage, []string{os.DevNull}, "--dir", address, "--disk-cache", filepath.Join(os.DevNull, "x"), "stats", "R")
}

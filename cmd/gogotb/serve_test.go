package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// started is a server that runs until the test ends.
type started struct {
	t         testing.TB
	cmd       *exec.Cmd
	addresses []string // that it says it serves, the metrics' last
}

// start runs a server, however it is run, until it has said of so many addresses that it serves them.
func start(t testing.TB, cmd *exec.Cmd, addresses int) *started {
	t.Helper()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	s := &started{t: t, cmd: cmd}
	for log := bufio.NewScanner(stderr); len(s.addresses) < addresses; {
		if !log.Scan() {
			t.Fatalf("the server has not said where it is: %v", log.Err())
		}
		var line struct{ Msg, Address string }
		if err := json.Unmarshal(log.Bytes(), &line); err != nil {
			t.Fatalf("%s: %v", log.Text(), err)
		}
		if strings.HasPrefix(line.Msg, "serving") {
			s.addresses = append(s.addresses, line.Address)
		}
	}
	go io.Copy(io.Discard, stderr)
	return s
}

// serving is the command serve with the small tables.
func serving(t testing.TB, args ...string) *exec.Cmd {
	return command(t, append([]string{"--dir", smallTables(t), "serve", "--log-format", "json"}, args...)...)
}

// startServe runs the command serve on a free port until the test ends, and returns its
// address and a function that interrupts it and gives its exit status.
func startServe(t testing.TB, args ...string) (address string, stop func() int) {
	t.Helper()
	server := start(t, serving(t, append([]string{"--addr", "127.0.0.1:0"}, args...)...), 1)
	return "http://" + server.addresses[0], func() int {
		server.cmd.Process.Signal(syscall.SIGINT)
		server.cmd.Wait()
		return server.cmd.ProcessState.ExitCode()
	}
}

// TestServeDamaged: damage that shows at the beginning is known to /healthz before anybody probes.
func TestServeDamaged(t *testing.T) {
	bad := copyTables(t, "R")
	if err := os.Truncate(filepath.Join(bad, "R.gbo"), 500); err != nil {
		t.Fatal(err)
	}
	address, stop := startServe(t, "--dir", bad)
	defer stop()
	r, err := http.Get(address + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || !strings.Contains(string(body), `"damaged":[{"material":"R","table":"outcomes"}]`) {
		t.Errorf("%v, %s", err, body)
	}
}

// TestServe: the API gives the JSON of probe, stats and game to the byte.
func TestServe(t *testing.T) {
	address, stop := startServe(t)
	get := func(path string) string {
		t.Helper()
		r, err := http.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s, %v: %s", path, r.Status, err, body)
		}
		return string(body)
	}
	for _, sfen := range []string{"4k/5/5/5/K4 b RG 1", "4k/5/5/5/K4 w - 7", "+R3k/5/5/5/K4 w b 1", "4k/4G/4K/5/5 w - 1"} {
		for _, rule := range [][2]string{{"draw", "b"}, {"first-player-loses", "w"}} {
			want := succeed(t, "--dir", smallTables(t), "probe", "--json", "--repetition", rule[0], "--first-player", rule[1], sfen)
			if got := get("/api/v1/probe?sfen=" + url.QueryEscape(sfen) + "&repetition=" + rule[0] + "&first_player=" + rule[1]); got != want {
				t.Errorf("%s: the API says\n%sprobe says\n%s", sfen, got, want)
			}
		}
	}
	if got, want := get("/api/v1/stats/GP"), succeed(t, "--dir", smallTables(t), "stats", "--json", "GP"); got != want {
		t.Errorf("the API says\n%sstats says\n%s", got, want)
	}
	if got, want := get("/api/v1/game?sfen=4k/5/5/5/K4_b_RG&moves=G*2c,1a2a,R*4a"), succeed(t, "game", "--json", "4k/5/5/5/K4 b RG", "G*2c", "1a2a", "R*4a"); got != want {
		t.Errorf("the API says\n%sgame says\n%s", got, want)
	}
	if got := get("/"); !strings.Contains(got, "<title>gogotb") {
		t.Errorf("the page is %.200s", got)
	}
	if status := stop(); status != exitDone {
		t.Errorf("interrupted: status %d, want %d", status, exitDone)
	}
}

func TestServePuzzles(t *testing.T) {
	puzzles := func(address string) string {
		t.Helper()
		r, err := http.Get(address + "/api/v1/puzzles")
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	file := filepath.Join(t.TempDir(), "mates.sfen")
	if err := os.WriteFile(file, []byte("4k/5/5/5/K4 b RG 1 ; plies 3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	address, stop := startServe(t, "--puzzles", file)
	defer stop()
	if got := puzzles(address); !strings.HasPrefix(got, `{"name":"mates.sfen","puzzles":[{"sfen":"4k/5/5/5/K4 b RG 1","plies":3,`) {
		t.Error(got)
	}
	// Without a file: those that the program brings along.
	address, stop = startServe(t)
	defer stop()
	got := puzzles(address)
	if n := strings.Count(got, `"sfen"`); n < 200 || !strings.Contains(got, `"errors":[],"notes":[],"collections":[{"name":"tables","count":200,`) {
		t.Errorf("%d puzzles: %.300s", n, got)
	}
}

func TestServeRefuses(t *testing.T) {
	address, stop := startServe(t)
	defer stop()
	taken := strings.TrimPrefix(address, "http://")
	refuse(t, exitFailed, []string{taken, "in use"}, "--dir", smallTables(t), "serve", "--addr", taken)
	refuse(t, exitUsage, []string{"--addr 8055"}, "serve", "--addr", "8055")
	refuse(t, exitUsage, []string{`"70000" is no port`}, "serve", "--addr", "127.0.0.1:70000")
	refuse(t, exitUsage, []string{"log-level", "info"}, "serve", "--log-level", "loud")
	refuse(t, exitUsage, []string{`unknown command "GSP"`}, "serve", "GSP")
	refuse(t, exitFailed, []string{"none.sfen"}, "serve", "--puzzles", "none.sfen")
	refuse(t, exitFailed, []string{"there is no folder ./nowhere"}, "--dir", smallTables(t), "--dir", "nowhere", "serve")
}

// TestServeFound: the log begins with which tables there are.
func TestServeFound(t *testing.T) {
	cmd := command(t, "--dir", smallTables(t), "serve", "--addr", "127.0.0.1:0")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		cmd.Process.Signal(syscall.SIGINT)
		cmd.Wait()
	}()
	line, err := bufio.NewReader(stderr).ReadString('\n')
	if found := regexp.MustCompile(`msg="\d+ sets of up to \d pieces in ` + regexp.QuoteMeta(smallTables(t)) + `"`); err != nil || !found.MatchString(line) {
		t.Errorf("%q, %v, want %v", line, err, found)
	}
}

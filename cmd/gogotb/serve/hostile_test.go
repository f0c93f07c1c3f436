package serve

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gogotb/cmd/internal/tabletest"
	"gogotb/index"
	"gogotb/storage"
)

// realServer runs a Server as the program does, limits and shutdown included. stop ends it
// and waits.
func realServer(t testing.TB, opt Options) (address string, stop func() error) {
	t.Helper()
	if opt.Tables == nil {
		opt.Tables = testTables(t)
	}
	return runReal(t, New(opt))
}

func runReal(t testing.TB, s *Server) (address string, stop func() error) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, listener) }()
	stop = sync.OnceValue(func() error {
		cancel()
		return <-done
	})
	t.Cleanup(func() { stop() })
	return listener.Addr().String(), stop
}

// send writes raw bytes and returns the first line of what comes back, "" if the server
// hangs up.
func send(t testing.TB, address string, request string) string {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(30 * time.Second))
	io.WriteString(c, request) // the server may hang up before it has all
	line, err := bufio.NewReader(c).ReadString('\n')
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		t.Fatalf("no answer to %.60q", request)
	}
	return strings.TrimSpace(line)
}

func healthy(t testing.TB, address string) {
	t.Helper()
	client := http.Client{Timeout: 10 * time.Second}
	for _, path := range []string{"/healthz", "/api/v1/probe?sfen=4k/5/5/5/K4_b_RG", "/"} {
		r, err := client.Get("http://" + address + path)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, r.Body)
		r.Body.Close()
		if r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s", path, r.Status)
		}
	}
}

// TestHostileRequests: whatever is sent, the answer is a client's error, and the server
// goes on.
func TestHostileRequests(t *testing.T) {
	address, _ := realServer(t, Options{})
	get := func(target string) string { return "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n" }
	for _, c := range []struct{ request, status string }{
		{"\x00\x01\x02\xff\r\n\r\n", "400"},
		{"GET\r\n\r\n", "400"},
		{"GET / HTTP/1.1\r\n\r\n", "400"},
		{get("/" + strings.Repeat("a", 64<<10)), "431"},
		{"GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("a", 64<<10) + "\r\n\r\n", "431"},
		{get("/../../../../etc/passwd"), "307"},
		{get("/js/../../serve.go"), "307"},
		{get("/js/"), "404"},
		{get("/web/index.html"), "404"},
		{get("/js%2fmain.js%00"), "404"},
		{get("/%2e%2e/%2e%2e/etc/passwd"), "404"},
		{get("//etc/passwd"), "307"},
		{get("/..%5c..%5cwindows"), "404"},
		{get("/api/v1/stats/..%2f..%2fGSP.gbo"), "400"},
		{get("/api/v1/stats/" + strings.Repeat("R", 20000)), "400"},
		{get("/api/v1/probe?sfen=" + strings.Repeat("%ff", 5000)), "400"},
		{get("/api/v1/probe?sfen=" + strings.Repeat("K", 10000)), "400"},
		{get("/api/v1/probe?" + strings.Repeat("sfen=4k/5/5/5/K4_b_-&", 500)), "400"},
		{get("/api/v1/game?sfen=4k/5/5/5/K4_b_-&moves=" + strings.Repeat("5e5d,", 5000)), "400"},
		{get("/api/v1/random?material=GP&dtm=99999999999999999999"), "400"},
		{"POST /api/v1/probe HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n{", "413"},
		{"POST /api/v1/probe HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n" + `{"positions":["` + strings.Repeat("x", 299985), "413"},
		{"POST /api/v1/probe HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n{}", "400"},
		{"POST /api/v1/probe HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400"},
		{"POST /api/v1/probe HTTP/1.1\r\nHost: x\r\nContent-Length: 40000\r\n\r\n" + strings.Repeat("[", 40000), "400"},
		{"POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", "405"},
		{"CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n", "404"},
		{"TRACE / HTTP/1.1\r\nHost: x\r\n\r\n", "405"},
		{"GET / HTTP/9.9\r\nHost: x\r\n\r\n", "505"},
		{"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "400"},
		{"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", "400"},
		{"GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n", "400"},
		{"GET / HTTP/1.1\r\nHost: x\r\nA\x00: b\r\n\r\n", "400"},
		{"GET http://example.org/etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n", "404"},
		{"POST /api/v1/puzzles HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\n\x00\xff\x00\xff\x00\xff\x00\xff", "400"},
		{"POST /api/v1/probe HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n", "400"},
		{"GET /api/v1/probe HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello", "413"},
		{get("/api/v1/probe?sfen=4k/5/5/5/K4_b_99999999999999999999R"), "400"},
		{get("/api/v1/probe?sfen=4k/5/5/5/K4_b_-_99999999999999999999"), "400"},
		{get("/api/v1/probe?sfen=%00%0d%0aX-Evil:%201"), "400"},
		{get("/api/v1/game?sfen=4k/5/5/5/K4_b_-&moves=" + strings.Repeat("x", 20000)), "400"},
		{get("/api/v1/solve?sfen=4k/5/5/5/K4_b_-&timeout=-9223372036854775808ns"), "400"},
		{"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "200"},
	} {
		got := send(t, address, c.request)
		if !strings.Contains(got, " "+c.status) {
			t.Errorf("%.70q: %q, want %s", c.request, got, c.status)
		}
	}
	healthy(t, address)

	// Random requests, close to good ones.
	random := rand.New(rand.NewPCG(1, 2))
	good := get("/api/v1/probe?sfen=4k/5/5/5/K4_b_RG&repetition=draw")
	for range 300 {
		b := []byte(good)
		for range 1 + random.IntN(4) {
			b[random.IntN(len(b)-4)] = byte(random.IntN(256))
		}
		got := send(t, address, string(b))
		if strings.Contains(got, " 5") && !strings.Contains(got, " 50") {
			t.Errorf("%q: %q", b, got)
		}
	}
	healthy(t, address)
}

// TestSlowClients: connections that say nothing, or say it slowly, or do not listen, do not keep
// others from being served, and are closed.
func TestSlowClients(t *testing.T) {
	s := New(Options{Tables: testTables(t)})
	s.limits = limits{header: 2 * time.Second, read: 4 * time.Second, write: 8 * time.Second, idle: time.Second, shutdown: time.Second}
	address, _ := runReal(t, s)
	body := `{"positions":[` + strings.Repeat(`"4k/5/5/5/K4 b RG 1",`, 999) + `"4k/5/5/5/K4 b RG 1"]}`
	kinds := []struct {
		name string
		sent string
		ends string // how what comes back begins
	}{
		{"silent", "", ""},
		{"slow with the header", "GET /api/v1/tables HTTP/1.1\r\nHost: x\r\nX: ", ""},
		{"slow with the body", "POST /api/v1/probe HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{", "HTTP/1.1 400"},
		{"deaf", strings.Repeat(fmt.Sprintf("POST /api/v1/probe HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(body), body), 10), ""},
		{"idle", "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 200"},
	}
	var first []net.Conn // of each kind
	for i := range 200 {
		if i > 10 && i%len(kinds) == 3 {
			continue // these make work before they do not listen
		}
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.SetWriteDeadline(time.Now().Add(10 * time.Second)) // the server may not listen either
		io.WriteString(c, kinds[i%len(kinds)].sent)
		if i < len(kinds) {
			first = append(first, c)
		}
	}
	healthy(t, address)
	for i, c := range first {
		if kinds[i].name == "deaf" {
			time.Sleep(s.limits.read + s.limits.write)
		}
		c.SetReadDeadline(time.Now().Add(time.Minute))
		got, err := io.ReadAll(c)
		var timeout net.Error
		if errors.As(err, &timeout) && timeout.Timeout() {
			t.Errorf("%s: still connected", kinds[i].name)
		}
		if !strings.HasPrefix(string(got), kinds[i].ends) {
			t.Errorf("%s: %.100q", kinds[i].name, got)
		}
		if answers := bytes.Count(got, []byte("HTTP/1.1 200")); kinds[i].name == "deaf" && answers == 10 {
			t.Errorf("%s: got all answers, %d bytes", kinds[i].name, len(got))
		}
	}
	healthy(t, address)
}

// TestShutdown: requests under way are answered, then the server is gone; a connection that
// sends nothing does not hold it.
func TestShutdown(t *testing.T) {
	var logged bytes.Buffer
	address, stop := realServer(t, Options{Log: slog.New(slog.NewJSONHandler(&logged, nil))})
	idle, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	body := `{"positions":[` + strings.Repeat(`"4k/5/5/5/K4 b RG 1",`, 999) + `"4k/5/5/5/K4 b RG 1"]}`
	answered := make(chan error, 1)
	go func() {
		r, err := http.Post("http://"+address+"/api/v1/probe", "application/json", strings.NewReader(body))
		if err == nil {
			var n int64
			n, err = io.Copy(io.Discard, r.Body)
			r.Body.Close()
			if err == nil && (r.StatusCode != http.StatusOK || n < 1e6) {
				err = fmt.Errorf("%s, %d bytes", r.Status, n)
			}
		}
		answered <- err
	}()
	time.Sleep(30 * time.Millisecond) // so that it is under way; if it is done, that is well, too
	start := time.Now()
	if err := stop(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	if took := time.Since(start); took > usualLimits.shutdown+time.Second {
		t.Errorf("shutting down took %v", took)
	}
	if err := <-answered; err != nil {
		t.Errorf("the request under way: %v", err)
	}
	if _, err := net.DialTimeout("tcp", address, time.Second); err == nil {
		t.Error("the address still answers")
	}
	for _, want := range []string{`"msg":"serving"`, `"address":"` + address + `"`, `"msg":"shutting down"`} {
		if !strings.Contains(logged.String(), want) {
			t.Errorf("the log lacks %s: %s", want, logged.String())
		}
	}
}

// TestShutdownEndsSearches: searches, which may take half a minute, are told to come again, and nothing waits for them.
func TestShutdownEndsSearches(t *testing.T) {
	var logged bytes.Buffer
	s := New(Options{Tables: testTables(t), Log: slog.New(slog.NewTextHandler(&logged, nil))})
	address, stop := runReal(t, s)
	answers := make(chan string, 2)
	for range 2 {
		go func() {
			answers <- send(t, address, "GET /api/v1/solve?sfen=rbsgk/4p/5/P4/KGSBR_b_-&timeout=30s HTTP/1.1\r\nHost: x\r\n\r\n")
		}()
	}
	for running, waiting := 0, 0; running+waiting < 2; running, waiting = s.searches.queue.load() {
		time.Sleep(time.Millisecond)
	}
	if err := stop(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	for range 2 {
		if got := <-answers; got != "HTTP/1.1 503 Service Unavailable" {
			t.Errorf("a search: %q", got)
		}
	}
	if strings.Contains(logged.String(), "did not end") {
		t.Errorf("it waited for the searches: %s", &logged)
	}
}

// TestDamagedTable: a table with a flipped bit is the server's fault: 503, and the file is
// named in the log, not in the answer.
func TestDamagedTable(t *testing.T) {
	dir := t.TempDir()
	if err := tabletest.Write(dir, "R"); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, storage.FileName(index.Material{1}, storage.Outcomes))
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)/2] ^= 1
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
	var logged bytes.Buffer
	server := startServer(t, Options{Tables: openTables(t, dir), Log: slog.New(slog.NewTextHandler(&logged, nil))})
	bad, damaged := 0, ""
	for _, f := range fixtures(t, "R") {
		var e errorReply
		r := ask(t, server.URL, "probe?sfen="+strings.ReplaceAll(strings.ReplaceAll(f.sfen, " ", "_"), "+", "%2B"), &e)
		if r.StatusCode == http.StatusOK {
			continue
		}
		bad++
		damaged = f.sfen
		if r.StatusCode != http.StatusServiceUnavailable || e.Error.Code != "table-unusable" || strings.Contains(e.Error.Message, dir) {
			t.Fatalf("%s: %+v", r.Status, e.Error)
		}
	}
	if bad == 0 || !strings.Contains(logged.String(), name) {
		t.Errorf("%d errors, and the log says %q", bad, logged.String())
	}
	// From now on it is known, at once.
	var tables tablesReply
	ask(t, server.URL, "tables", &tables)
	if want := []damagedReply{{"R", "outcomes"}}; !slices.Equal(tables.Damaged, want) {
		t.Errorf("tables: damaged are %v, want %v", tables.Damaged, want)
	}
	if r, body := askPlain(t, http.MethodGet, server.URL+"/healthz"); r.StatusCode != http.StatusOK || body != `{"status":"damaged","damaged":[{"material":"R","table":"outcomes"}]}`+"\n" {
		t.Errorf("/healthz: %s %s", r.Status, body)
	}
	// A search does without the table, and the log says why it takes longer.
	r := ask(t, server.URL, "solve?sfen="+strings.ReplaceAll(strings.ReplaceAll(damaged, " ", "_"), "+", "%2B"), nil)
	if said := regexp.MustCompile(`(?m)^.*path=/api/v1/solve.*$`).FindString(logged.String()); r.StatusCode != http.StatusOK || !strings.Contains(said, name) {
		t.Errorf("%s, and the log says %q", r.Status, said)
	}
}

// TestNewTablesAreFound: a set that is made while the server runs is there soon.
func TestNewTablesAreFound(t *testing.T) {
	dir := t.TempDir()
	server := startServer(t, Options{Tables: openTables(t, dir)})
	if r := ask(t, server.URL, "probe?sfen=4k/5/5/5/K4_b_R", nil); r.StatusCode != http.StatusNotFound {
		t.Fatal(r.Status)
	}
	if err := tabletest.Write(dir, "R"); err != nil {
		t.Fatal(err)
	}
	for ask(t, server.URL, "probe?sfen=4k/5/5/5/K4_b_R", nil).StatusCode != http.StatusOK {
		time.Sleep(50 * time.Millisecond) // the folder is looked at once a second; the test's own limit ends this
	}
	var tables tablesReply
	ask(t, server.URL, "tables", &tables)
	if len(tables.Tables) != 1 {
		t.Errorf("%+v", tables)
	}
}

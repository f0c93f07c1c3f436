package serve

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"gogotb/cmd/internal/answer"
)

// TestCaching: ETags stay, and a client that has the answer gets none.
func TestCaching(t *testing.T) {
	server := startServer(t, Options{})
	const path = "/api/v1/probe?sfen=4k/5/5/5/K4_b_RG"
	first := ask(t, server.URL, path[len("/api/v1/"):], nil)
	tag := first.Header.Get("ETag")
	if tag == "" || first.Header.Get("Cache-Control") != cacheDay {
		t.Fatalf("headers %v", first.Header)
	}
	for _, sent := range []string{tag, "*", `"x", ` + tag, strings.TrimPrefix(tag, "W/")} {
		r := mustRequest(t, http.MethodGet, server.URL+path)
		r.Header.Set("If-None-Match", sent)
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		read(t, got, nil)
		if got.StatusCode != http.StatusNotModified || got.Header.Get("ETag") != tag {
			t.Errorf("If-None-Match %s: %s", sent, got.Status)
		}
	}
	r := mustRequest(t, http.MethodGet, server.URL+path)
	r.Header.Set("If-None-Match", `"0"`)
	r.Header.Set("Accept-Encoding", "gzip")
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	if got.Header.Get("Content-Encoding") != "gzip" || got.Header.Get("ETag") != tag {
		t.Fatalf("headers %v", got.Header)
	}
	z, err := gzip.NewReader(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	var probe answer.Probe
	if err := json.NewDecoder(z).Decode(&probe); err != nil || *probe.DTM != 3 {
		t.Errorf("%+v, %v", probe, err)
	}
	head, err := http.Head(server.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	if body, _ := io.ReadAll(head.Body); len(body) > 0 || head.StatusCode != http.StatusOK || head.Header.Get("ETag") != tag {
		t.Errorf("HEAD: %s, %d bytes", head.Status, len(body))
	}
	head.Body.Close()
}

// TestEverythingCanBeAskedAgain: whatever may be kept has an ETag, for which there is 304.
func TestEverythingCanBeAskedAgain(t *testing.T) {
	server := startServer(t, Options{})
	for path, cache := range map[string]string{
		"/": "no-cache", "/js/main.js": "no-cache", "/style.css": "no-cache", "/about.html": "no-cache", "/api/v1/openapi.json": "no-cache",
		"/api/v1/tables": cacheBrief, "/api/v1/stats/PG": cacheDay, "/api/v1/line?sfen=4k/5/5/5/K4_b_RG": cacheDay, "/api/v1/puzzles": cacheBrief,
	} {
		request := mustRequest(t, http.MethodGet, server.URL+path)
		first, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		read(t, first, nil)
		tag := first.Header.Get("ETag")
		if first.StatusCode != http.StatusOK || tag == "" || first.Header.Get("Cache-Control") != cache || first.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: %s, headers %v", path, first.Status, first.Header)
		}
		request.Header.Set("If-None-Match", tag)
		again, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		read(t, again, nil)
		if again.StatusCode != http.StatusNotModified || again.Header.Get("Cache-Control") != cache {
			t.Errorf("%s again: %s, headers %v", path, again.Status, again.Header)
		}
	}
}

// TestLogOfRequests: each request is a line that programs can read.
func TestLogOfRequests(t *testing.T) {
	log, lines := logTo(t)
	server := startServer(t, Options{Log: log})
	ask(t, server.URL, "probe?sfen=x", nil)
	ask(t, server.URL, "stats/GP", nil)
	want := []struct {
		path, query string
		status      int
	}{{"/api/v1/probe", "sfen=x", 400}, {"/api/v1/stats/GP", "", 200}}
	server.Close() // waits for the lines
	for text := range strings.Lines(lines()) {
		var line struct {
			Level, Msg, Method, Path, Query, From string
			Status                                int
			Took                                  int64
		}
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatal(err)
		}
		if line.Msg != "request" {
			continue
		}
		if len(want) == 0 || line.Path != want[0].path || line.Query != want[0].query || line.Status != want[0].status ||
			line.Method != "GET" || line.Took <= 0 || !strings.HasPrefix(line.From, "127.0.0.1:") {
			t.Fatalf("%s, want %+v", text, want)
		}
		want = want[1:]
	}
	if len(want) > 0 {
		t.Errorf("not in the log: %+v", want)
	}
}

// TestAccessLog: requests are in the log at level info if that is wanted, with the client that a proxy names.
func TestAccessLog(t *testing.T) {
	for _, wanted := range []bool{true, false} {
		var text lockedText
		s := New(Options{
			Tables: testTables(t), Log: slog.New(slog.NewJSONHandler(&text, nil)), AccessLog: wanted, Proxies: trust(t, "192.0.2.1"),
		})
		r := asks("192.0.2.1:80", "X-Forwarded-For: 203.0.113.9")
		r.URL.Path = "/healthz"
		s.Handler().ServeHTTP(httptest.NewRecorder(), r)
		var line struct{ Level, Msg, Path, From, Client string }
		err := json.Unmarshal([]byte(text.String()), &line)
		if wanted && (err != nil || line.Level != "INFO" || line.Msg != "request" || line.Path != "/healthz" || line.From != "192.0.2.1:80" || line.Client != "203.0.113.9") {
			t.Errorf("%v: %s", err, text.String())
		}
		if !wanted && text.String() != "" {
			t.Errorf("not wanted, and there: %s", text.String())
		}
	}
}

// TestMetricsApart: with an address of their own the metrics are there, and nowhere else, and end with the server.
func TestMetricsApart(t *testing.T) {
	own, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address, stop := realServer(t, Options{Metrics: own})
	r, _ := askPlain(t, http.MethodGet, "http://"+address+"/healthz")
	if r.StatusCode != http.StatusOK {
		t.Error(r.Status)
	}
	if r, _ := askPlain(t, http.MethodGet, "http://"+address+"/metrics"); r.StatusCode != http.StatusNotFound {
		t.Errorf("metrics are at the main address: %s", r.Status)
	}
	r, body := askPlain(t, http.MethodGet, "http://"+own.Addr().String()+"/metrics")
	if r.StatusCode != http.StatusOK || !strings.Contains(body, `gogotb_http_requests_total{route="/healthz",status="200"} 1`) {
		t.Errorf("%s: %s", r.Status, body)
	}
	for _, path := range []string{"/", "/api/v1/tables", "/healthz"} {
		if r, _ := askPlain(t, http.MethodGet, "http://"+own.Addr().String()+path); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s is at the metrics' address: %s", path, r.Status)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if c, err := net.Dial("tcp", own.Addr().String()); err == nil {
		c.Close()
		t.Error("the metrics outlive the server")
	}
}

// TestQueueMetrics: how long questions waited, and what became of them, is counted.
func TestQueueMetrics(t *testing.T) {
	s := New(Options{Tables: testTables(t)})
	s.searches.queue.slots, s.searches.queue.places = 1, 0
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	ask(t, server.URL, "solve?sfen=4k/5/4K/5/5_b_GS", nil)
	untilLoad(s, 0, 0)
	_, leave, err := s.searches.queue.enter(t.Context(), client(1))
	if err != nil {
		t.Fatal(err)
	}
	ask(t, server.URL, "solve?sfen=4k/5/4K/5/5_b_GS", nil)
	_, body := askPlain(t, http.MethodGet, server.URL+"/metrics")
	leave()
	for _, want := range []string{
		`gogotb_queue_wait_seconds_count{queue="searches"} 2`, `gogotb_queue_refused_total{queue="searches"} 1`,
		`gogotb_queue_running{queue="searches"} 1`, `gogotb_queue_waiting{queue="searches"} 0`,
		`gogotb_queue_wait_seconds_count{queue="questions"} 0`, `gogotb_queue_ended_total{queue="questions"} 0`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
}

// TestPreflight: a browser asks before it lets another origin's page send JSON.
func TestPreflight(t *testing.T) {
	server := startServer(t, Options{Origins: []string{"https://example.org"}})
	for origin, allowed := range map[string]bool{"https://example.org": true, "https://example.com": false} {
		r := mustRequest(t, http.MethodOptions, server.URL+"/api/v1/probe")
		r.Header.Set("Origin", origin)
		r.Header.Set("Access-Control-Request-Method", "POST")
		r.Header.Set("Access-Control-Request-Headers", "content-type")
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		got.Body.Close()
		h := got.Header
		if yes := h.Get("Access-Control-Allow-Origin") == origin && h.Get("Access-Control-Allow-Methods") == "POST" && h.Get("Access-Control-Allow-Headers") == "content-type"; yes != allowed {
			t.Errorf("%s: headers %v", origin, h)
		}
	}
}

func TestSharing(t *testing.T) {
	closed := startServer(t, Options{})
	shared := startServer(t, Options{Origins: []string{"https://example.org"}})
	for server, want := range map[string]string{closed.URL: "", shared.URL: "https://example.org"} {
		r := mustRequest(t, http.MethodGet, server+"/api/v1/tables")
		r.Header.Set("Origin", "https://example.org")
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		got.Body.Close()
		if allowed := got.Header.Get("Access-Control-Allow-Origin"); allowed != want {
			t.Errorf("allowed %q, want %q", allowed, want)
		}
	}
	r := mustRequest(t, http.MethodGet, shared.URL+"/api/v1/tables")
	r.Header.Set("Origin", "https://example.com")
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	got.Body.Close()
	if allowed := got.Header.Get("Access-Control-Allow-Origin"); allowed != "" {
		t.Errorf("another origin is allowed: %q", allowed)
	}
}

func TestHealthAndMetrics(t *testing.T) {
	server := startServer(t, Options{})
	ask(t, server.URL, "probe?sfen=4k/5/5/5/K4_b_RG", nil)
	ask(t, server.URL, "probe?sfen=x", nil)
	for path, wants := range map[string][]string{
		"/healthz": {`"ok"`},
		"/metrics": {
			`gogotb_http_requests_total{route="/api/v1/probe",status="200"} 1`, `gogotb_http_requests_total{route="/api/v1/probe",status="400"} 1`,
			"gogotb_positions_probed_total 1", "gogotb_cache_misses_total", "go_goroutines", "gogotb_http_request_seconds_bucket",
		},
	} {
		r, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s, %v", path, r.Status, err)
		}
		for _, want := range wants {
			if !strings.Contains(string(body), want) {
				t.Errorf("%s: no %q", path, want)
			}
		}
	}
}

package serve

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
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

package serve

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gogotb/storage"
	"gogotb/storage/remote"
)

// remoteTables are those that a server offers.
func remoteTables(t testing.TB, address string) *storage.Tables {
	t.Helper()
	c, err := remote.New(remote.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tables, err := storage.Open([]string{address}, &storage.Options{Source: c.Source})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tables.Close() })
	return tables
}

// TestTablesForOthers: what is read from this server is what its tables say, all of it.
func TestTablesForOthers(t *testing.T) {
	server := startServer(t, Options{})
	far := remoteTables(t, server.URL+tablesRoot)
	list, err := far.List()
	if err != nil || len(list) != 2*len(testSets) {
		t.Fatal(list, err)
	}
	here, err := testTables(t).List()
	if err != nil || len(here) != len(list) {
		t.Fatal(here, err)
	}
	for i, f := range list {
		if f.Err != nil || f.Bytes != here[i].Bytes || f.Making != here[i].Making || f.Path != server.URL+tablesRoot+filepath.Base(here[i].Path) {
			t.Errorf("%+v, want %+v", f, here[i])
		}
	}
	for _, name := range []string{"RB", "PP"} {
		set := mustSet(t, name)
		other, err := far.Set(set.Index().Material())
		if err != nil {
			t.Fatal(err)
		}
		for n := range set.BlockCount() {
			a, err := set.Block(n, nil)
			if err != nil {
				t.Fatal(err)
			}
			b, err := other.Block(n, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i := range a.Values {
				if a.Values[i] != b.Values[i] {
					t.Fatalf("%s, block %d: %v from afar, want %v", name, n, b.Values[i], a.Values[i])
				}
			}
		}
	}
}

// get asks for a file of the tables.
func get(t testing.TB, method, url string, headers ...string) (*http.Response, []byte) {
	t.Helper()
	r := mustRequest(t, method, url)
	r.Header.Set("Accept-Encoding", "gzip")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, body
}

// TestFiles: files are sent as HTTP has it, whole or in parts, unpacked, with tags that stand for their content.
func TestFiles(t *testing.T) {
	server := startServer(t, Options{Origins: []string{"https://example.org"}})
	root := server.URL + tablesRoot
	sums := storageSums(t, root)
	if len(sums) != 2*len(testSets) {
		t.Errorf("%d files are listed", len(sums))
	}
	for name, sum := range sums {
		answer, body := get(t, "GET", root+name)
		want, err := os.ReadFile(filepath.Join(tablesDir, name))
		if err != nil {
			t.Fatal(err)
		}
		hash := sha256.Sum256(body)
		if answer.StatusCode != 200 || !bytes.Equal(body, want) || hex.EncodeToString(hash[:]) != sum || answer.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s: %s, %d bytes, want %d; headers %v", name, answer.Status, len(body), len(want), answer.Header)
		}
	}
	whole, err := os.ReadFile(filepath.Join(tablesDir, "RB.gbo"))
	if err != nil {
		t.Fatal(err)
	}
	first, _ := get(t, "HEAD", root+"RB.gbo")
	tag := first.Header.Get("ETag")
	if first.StatusCode != 200 || !strings.HasPrefix(tag, `"`) || first.Header.Get("Accept-Ranges") != "bytes" || first.ContentLength != int64(len(whole)) ||
		first.Header.Get("Cache-Control") != cacheFile || first.Header.Get("Last-Modified") == "" || first.Header.Get("Content-Type") != "application/octet-stream" {
		t.Errorf("HEAD: %s, %v", first.Status, first.Header)
	}
	for _, c := range []struct {
		header string
		status int
		body   []byte
	}{
		{"Range: bytes=100-199", 206, whole[100:200]},
		{"Range: bytes=-64", 206, whole[len(whole)-64:]},
		{"Range: bytes=999999999-", 416, nil},
		{"If-None-Match: " + tag, 304, []byte{}},
		{"If-None-Match: \"x\"", 200, whole},
		{"If-Match: \"x\"", 412, nil},
	} {
		answer, body := get(t, "GET", root+"RB.gbo", c.header)
		if answer.StatusCode != c.status || c.body != nil && !bytes.Equal(body, c.body) || c.status < 400 && answer.Header.Get("ETag") != tag {
			t.Errorf("%s: %s, %d bytes, %v", c.header, answer.Status, len(body), answer.Header)
		}
	}
	for _, c := range []struct {
		tag    string
		status int
	}{{tag, 206}, {`"another"`, 200}} {
		if answer, _ := get(t, "GET", root+"RB.gbo", "Range: bytes=0-9", "If-Range: "+c.tag); answer.StatusCode != c.status {
			t.Errorf("If-Range %s: %s", c.tag, answer.Status)
		}
	}
	answer, _ := get(t, "OPTIONS", root+"RB.gbo", "Origin: https://example.org", "Access-Control-Request-Method: GET", "Access-Control-Request-Headers: range")
	if answer.Header.Get("Access-Control-Allow-Headers") == "" {
		t.Errorf("pages elsewhere may not ask for ranges: %v", answer.Header)
	}
	for _, name := range []string{"GS.gbo", "x", "GP.gbx", "PG.gbo", "RB.gbo.part", "..%2FRB.gbo", "%2e%2e%2fmain.go", "RRBBGG.gbo"} {
		answer, body := get(t, "GET", root+name)
		var e errorReply
		if err := json.Unmarshal(body, &e); err != nil || answer.StatusCode != 404 || e.Error.Code != "no-file" || answer.Header.Get("Cache-Control") != cacheNever {
			t.Errorf("%s: %s, %s", name, answer.Status, body)
		}
	}
	if answer, _ := get(t, "POST", root+"RB.gbo"); answer.StatusCode != 405 {
		t.Errorf("POST: %s", answer.Status)
	}
}

// storageSums is what SHA256SUMS there says.
func storageSums(t testing.TB, root string) map[string]string {
	t.Helper()
	answer, body := get(t, "GET", root+storage.SumsFile)
	if answer.StatusCode != 200 || answer.Header.Get("Cache-Control") != cacheBrief || answer.Header.Get("ETag") == "" || answer.Header.Get("Content-Encoding") != "" {
		t.Errorf("%s: %s, %v", storage.SumsFile, answer.Status, answer.Header)
	}
	return storage.ParseSums(body)
}

// TestOnOthers: a server stands on the tables of another one, does not pass its files on, and says when it is away.
func TestOnOthers(t *testing.T) {
	first := startServer(t, Options{})
	second := startServer(t, Options{Tables: remoteTables(t, first.URL+tablesRoot)})
	const path = "/api/v1/probe?sfen=4k/5/5/5/K4_b_RG"
	_, want := get(t, "GET", first.URL+path, "Accept-Encoding: identity")
	answer, got := get(t, "GET", second.URL+path, "Accept-Encoding: identity")
	if answer.StatusCode != 200 || !bytes.Equal(got, want) {
		t.Errorf("%s: %s, want %s", answer.Status, got, want)
	}
	var tables tablesReply
	ask(t, second.URL, "tables", &tables)
	if len(tables.Tables) != len(testSets) || tables.Tables[0].DistanceBytes == 0 {
		t.Errorf("%+v", tables)
	}
	if sums := storageSums(t, second.URL+tablesRoot); len(sums) != 0 {
		t.Errorf("files of another server are offered: %v", sums)
	}
	if answer, body := get(t, "GET", second.URL+tablesRoot+"RG.gbo"); answer.StatusCode != 404 || !strings.Contains(string(body), "no-file") {
		t.Errorf("a file of another server: %s, %s", answer.Status, body)
	}
	third := startServer(t, Options{Tables: remoteTables(t, first.URL+tablesRoot)})
	first.Close()
	for _, path := range []string{path, "/api/v1/line?sfen=4k/5/5/5/K4_b_RG", "/api/v1/stats/RG", "/api/v1/random?material=RG"} {
		answer, body := get(t, "GET", third.URL+path, "Accept-Encoding: identity")
		var e errorReply
		if err := json.Unmarshal(body, &e); err != nil || answer.StatusCode != 503 || e.Error.Code != "tables-away" || answer.Header.Get("Retry-After") == "" || strings.Contains(string(body), "127.0.0.1") {
			t.Errorf("%s, when the tables are away: %s, %s", path, answer.Status, body)
		}
	}
}

// TestFilesInTurn: a client that asks for too many files at once is told so.
func TestFilesInTurn(t *testing.T) {
	s := New(Options{Tables: testTables(t)})
	for range s.downloads.perClient {
		_, leave, err := s.downloads.enter(t.Context(), netip.MustParsePrefix("192.0.2.1/32"))
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
	}
	for address, status := range map[string]int{"192.0.2.1:80": 429, "192.0.2.2:80": 200} {
		r := httptest.NewRequest("GET", tablesRoot+"RB.gbo", nil)
		r.RemoteAddr = address
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		if w.Code != status {
			t.Errorf("%s: status %d, want %d", address, w.Code, status)
		}
	}
}

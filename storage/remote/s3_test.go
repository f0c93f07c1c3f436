package remote

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"gogotb/retro/retrotest"
	"gogotb/storage"
)

// secret is a key that nobody may see.
const secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"

// fakeS3 is a server of S3 with a bucket "tables", in which the files of a folder are, under a prefix. The environment names
// it, and keys.
func fakeS3(t *testing.T, dir, prefix string) (requests *atomic.Int64, put func(name string, b []byte), spoil *atomic.Pointer[http.HandlerFunc]) {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("tables"); err != nil {
		t.Fatal(err)
	}
	put = func(name string, b []byte) {
		t.Helper()
		if _, err := backend.PutObject("tables", prefix+name, map[string]string{"Last-Modified": time.Now().UTC().Format(http.TimeFormat)}, strings.NewReader(string(b)), int64(len(b)), nil); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		put(e.Name(), b)
	}
	handler := gofakes3.New(backend, gofakes3.WithLogger(gofakes3.DiscardLog())).Server()
	requests, spoil = new(atomic.Int64), new(atomic.Pointer[http.HandlerFunc])
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if s := spoil.Load(); s != nil {
			(*s)(w, r)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	environmentOfS3(t, server.URL, "AKIAIOSFODNN7EXAMPLE", secret)
	return requests, put, spoil
}

// environmentOfS3 names a server and keys, and no others that the environment of the test may have.
func environmentOfS3(t *testing.T, url, id, key string) {
	for _, name := range []string{"AWS_ENDPOINT_URL_S3", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_ACCESS_KEY", "AWS_SECRET_KEY"} {
		t.Setenv(name, "")
	}
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(t.TempDir(), "none"))
	t.Setenv("AWS_ENDPOINT_URL", url)
	t.Setenv("AWS_ACCESS_KEY_ID", id)
	t.Setenv("AWS_SECRET_ACCESS_KEY", key)
}

// TestS3 reads whole sets from a bucket, counts, and lists.
func TestS3(t *testing.T) {
	dir := written(t, "RB", "P")
	for _, prefix := range []string{"", "mini/shogi/"} {
		requests, _, _ := fakeS3(t, dir, prefix)
		address := "s3://tables/" + strings.TrimSuffix(prefix, "/")
		tables := openAt(t, newClient(t, Options{}), address)
		p := legal(t, "RB", 0.6)
		want, _ := retrotest.Solve(t, "RB").Value(p)
		for i, most := range []int64{2, 0} {
			before := requests.Load()
			if o, err := tables.Outcome(p); err != nil || o != want.Outcome() {
				t.Fatal(o, err)
			}
			if n := requests.Load() - before; n > most || i == 0 && n == 0 {
				t.Errorf("%s: %d requests for an outcome, want %d at most", address, n, most)
			}
		}
		sameBlocks(t, tables, "RB")
		samePositions(t, tables, "P", 20)
		if _, err := tables.Outcome(position(t, "4k/5/5/5/K4 b R 1")); !errors.Is(err, storage.ErrNotCovered) {
			t.Errorf("a set that is not there: %v", err)
		}
		if list, err := tables.List(); err != nil || len(list) != 4 || list[0].Path != "s3://tables/"+prefix+"P.gbo" || list[0].Err != nil {
			t.Errorf("%v, %v", list, err)
		}
	}
}

// TestS3List: without SHA256SUMS the bucket's own list says what there is.
func TestS3List(t *testing.T) {
	dir := written(t, "P")
	if err := os.Remove(filepath.Join(dir, storage.SumsFile)); err != nil {
		t.Fatal(err)
	}
	fakeS3(t, dir, "x/")
	list, err := openAt(t, newClient(t, Options{}), "s3://tables/x").List()
	if err != nil || len(list) != 2 || list[0].Path != "s3://tables/x/P.gbo" {
		t.Errorf("%v, %v", list, err)
	}
}

// TestS3Evil: what S3 says instead of giving an object is told, and no key is.
func TestS3Evil(t *testing.T) {
	dir := written(t, "RB")
	_, put, spoil := fakeS3(t, dir, "")
	p, other := legal(t, "RB", 0.99), legal(t, "RB", 0.6)
	says := func(status int, code string) *http.HandlerFunc {
		f := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/xml")
			w.WriteHeader(status)
			w.Write([]byte(`<?xml version="1.0"?><Error><Code>` + code + `</Code><Message>` + r.Header.Get("Authorization") + `</Message></Error>`))
		})
		return &f
	}
	for _, c := range []struct {
		status      int
		code, words string
	}{
		{503, "SlowDown", "503 Service Unavailable, SlowDown (asked 3 times)"}, {500, "InternalError", "500"}, {403, "AccessDenied", "403 Forbidden, AccessDenied"},
		{404, "NoSuchBucket", "there is no such bucket"}, {404, "InvalidAccessKeyId", "404 Not Found, InvalidAccessKeyId"}, {400, "x", "400 Bad Request"},
	} {
		tables := openAt(t, newClient(t, Options{}), "s3://tables/")
		spoil.Store(says(c.status, c.code))
		_, err := tables.Outcome(p)
		unavailable(t, c.code, err, "s3://tables/RB.gbo: "+c.words)
		if err != nil && (strings.Contains(err.Error(), "EXAMPLE") || strings.Contains(err.Error(), "127.0.0.1")) {
			t.Errorf("%v", err)
		}
		spoil.Store(nil)
	}
	ignores := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, &http.Request{Method: "GET", URL: r.URL, Header: http.Header{}}, filepath.Join(dir, "RB.gbo"))
	})
	tables := openAt(t, newClient(t, Options{}), "s3://tables/")
	spoil.Store(&ignores)
	_, err := tables.Outcome(p)
	unavailable(t, "ignores Range", err, "it ignores Range")
	spoil.Store(nil)

	tables = openAt(t, newClient(t, Options{}), "s3://tables/")
	if _, err := tables.Outcome(p); err != nil {
		t.Fatal(err)
	}
	put("RB.gbo", []byte("no table any more"))
	if o, err := tables.Outcome(other); !errors.Is(err, storage.ErrUnavailable) && !errors.Is(err, storage.ErrCorrupt) {
		t.Errorf("an object that has changed: %v, %v", o, err)
	}

	t.Setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
	_, err = openAt(t, newClient(t, Options{}), "s3://tables/").Outcome(p)
	unavailable(t, "away", err, "s3://tables/RB.gbo: no answer")
	for _, endpoint := range []string{"127.0.0.1", "ftp://x", "http://", "http://h/path", "http://key:" + secret + "@h"} {
		t.Setenv("AWS_ENDPOINT_URL", endpoint)
		var e *storage.OptionError
		if _, err := storage.Open([]string{"s3://tables/"}, &storage.Options{Source: newClient(t, Options{}).Source}); !errors.As(err, &e) || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", endpoint, err)
		}
	}
}

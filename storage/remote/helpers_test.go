package remote

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gogotb/index"
	"gogotb/retro/retrotest"
	"gogotb/rules"
	"gogotb/storage"
)

// quick are limits for tests: nothing is waited for long, but nothing fails for being slow on a busy machine.
var quick = limits{
	requests: 8, attempts: 3, patience: time.Minute, attempt: time.Minute, speed: 1 << 20, backOff: time.Millisecond,
	rest: time.Minute, fresh: time.Minute, missing: time.Minute,
}

// newClient makes a Client with quick limits.
func newClient(t testing.TB, o Options) *Client {
	t.Helper()
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	c.limits = quick
	return c
}

// openAt opens tables at addresses or in folders.
func openAt(t testing.TB, c *Client, dirs ...string) *storage.Tables {
	t.Helper()
	tables, err := storage.Open(dirs, &storage.Options{Source: c.Source})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tables.Close() })
	return tables
}

// written is a folder with the tables of the sets.
func written(t testing.TB, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		write(t, dir, retrotest.Solve(t, name))
	}
	return dir
}

func write(t testing.TB, dir string, s *retrotest.Set) {
	t.Helper()
	w, err := storage.Create(dir, s.Index, storage.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Append(s.Values); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(s.Stats); err != nil {
		t.Fatal(err)
	}
}

// host is a server of tests, which counts and spoils.
type host struct {
	*httptest.Server
	files    http.Handler
	requests atomic.Int64
	mu       sync.Mutex
	log      []string // requests: file and Range
	spoil    func(w http.ResponseWriter, r *http.Request, files http.Handler)
}

// serve serves a folder under /t/, by the file server of net/http, with strong ETags.
func serve(t testing.TB, dir string) *host {
	t.Helper()
	h := new(host)
	files := http.FileServer(http.Dir(dir))
	h.files = http.StripPrefix("/t/", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if info, err := os.Stat(filepath.Join(dir, r.URL.Path)); err == nil {
			w.Header().Set("ETag", `"`+info.ModTime().Format("150405.000000000")+`"`)
		}
		files.ServeHTTP(w, r)
	}))
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.requests.Add(1)
		h.mu.Lock()
		h.log = append(h.log, strings.TrimPrefix(r.URL.Path, "/t/")+" "+r.Header.Get("Range"))
		spoil := h.spoil
		h.mu.Unlock()
		if spoil != nil {
			spoil(w, r, h.files)
			return
		}
		h.files.ServeHTTP(w, r)
	}))
	t.Cleanup(h.Close)
	return h
}

// address is where the tables are.
func (h *host) address() string { return h.URL + "/t/" }

// spoiled has all requests from now on answered by f; nil: as they should be.
func (h *host) spoiled(f func(w http.ResponseWriter, r *http.Request, files http.Handler)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.spoil = f
}

// counted returns how many requests f takes.
func (h *host) counted(f func()) int64 {
	before := h.requests.Load()
	f()
	return h.requests.Load() - before
}

func material(t testing.TB, name string) index.Material {
	t.Helper()
	m, err := index.ParseMaterial(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func position(t testing.TB, sfen string) *rules.Position {
	t.Helper()
	p, err := rules.ParseSFEN(sfen)
	if err != nil {
		t.Fatal(err)
	}
	return &p
}

// samePositions probes some positions of a set, and compares with the truth.
func samePositions(t testing.TB, tables *storage.Tables, name string, n int) {
	t.Helper()
	truth := retrotest.Solve(t, name)
	r := rand.New(rand.NewPCG(1, 2))
	for n > 0 {
		i := r.Uint64N(truth.Index.Size())
		if truth.Values[i].Outcome() == rules.Illegal {
			continue
		}
		p, err := truth.Index.Decode(i)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Validate(); err != nil {
			continue
		}
		n--
		got, err := tables.Probe(&p)
		if err != nil || got.Value != truth.Values[i] || !got.Exact {
			t.Fatalf("%s: got %v, %v, want %v", p.SFEN(), got, err, truth.Values[i])
		}
	}
}

// unavailable complains of an error that is not one of a server that is away, names no file there, or has several lines.
func unavailable(t testing.TB, what string, err error, words ...string) {
	t.Helper()
	var read *storage.ReadError
	var own *Error
	if !errors.Is(err, storage.ErrUnavailable) || !errors.As(err, &read) || !errors.As(err, &own) ||
		errors.Is(err, storage.ErrNotCovered) || errors.Is(err, storage.ErrCorrupt) {
		t.Errorf("%s: %v (%T)", what, err, err)
		return
	}
	for _, w := range append(words, read.File) {
		if !strings.Contains(err.Error(), w) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %q does not say %q, or not in a line", what, err, w)
		}
	}
}

func contextFor(t testing.TB, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(t.Context(), d)
}

// legal is a legal position of a set, so far into its index.
func legal(t testing.TB, name string, part float64) *rules.Position {
	t.Helper()
	x := retrotest.Solve(t, name).Index
	for i := uint64(part * float64(x.Size())); ; i++ {
		p, err := x.Decode(i)
		if err != nil {
			t.Fatal(err)
		}
		if p.Validate() == nil {
			return &p
		}
	}
}

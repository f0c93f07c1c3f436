package remote

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gogotb/retro/retrotest"
	"gogotb/storage"
)

// answered answers with a status and headers ("Name: value"), and garbage.
func answered(status int, headers ...string) func(http.ResponseWriter, *http.Request, http.Handler) {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		for _, h := range headers {
			name, value, _ := strings.Cut(h, ": ")
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		fmt.Fprintln(w, "<html>garbage</html>")
	}
}

// changing passes on what the server answers after changing its header, and its body.
func changing(header func(http.Header), body func([]byte) []byte) func(http.ResponseWriter, *http.Request, http.Handler) {
	return func(w http.ResponseWriter, r *http.Request, files http.Handler) {
		rec := httptest.NewRecorder()
		files.ServeHTTP(rec, r)
		for name, values := range rec.Header() {
			w.Header()[name] = values
		}
		b := rec.Body.Bytes()
		if body != nil {
			b = body(b)
		}
		if header != nil {
			header(w.Header())
		}
		w.WriteHeader(rec.Code)
		w.Write(b)
	}
}

// evils are servers that do not do what they should: what is said of each, and how often it is asked.
var evils = []struct {
	name  string
	words string
	asked int64
	spoil func(http.ResponseWriter, *http.Request, http.Handler)
}{
	{"500", "500 Internal Server Error (asked 3 times)", 3, answered(500)},
	{"503", "503 Service Unavailable (asked 3 times)", 3, answered(503, "Retry-After: 0")},
	{"429 for long", "429 Too Many Requests", 1, answered(429, "Retry-After: 3600")},
	{"403", "403 Forbidden", 2, answered(403)}, // the list, too
	{"418", "418 I'm a teapot", 1, answered(418)},
	{"301 to nowhere", "301 Moved Permanently", 1, answered(301)},
	{"redirect loop", "redirects without end", 6, func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		http.Redirect(w, r, r.URL.Path, http.StatusFound)
	}},
	{"redirect elsewhere", "a redirect to where https is not spoken", 1, answered(302, "Location: file:///etc/passwd")},
	{"redirect to garbage", "a redirect to nowhere", 1, answered(302, "Location: http://[secret")},
	{"ignores Range", "it ignores Range", 1, func(w http.ResponseWriter, r *http.Request, files http.Handler) {
		r.Header.Del("Range")
		files.ServeHTTP(w, r)
	}},
	{"garbage", "it ignores Range", 1, func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		w.(http.Flusher).Flush()
		io.WriteString(w, "<html>you have to log in</html>")
	}},
	{"no Content-Range", "a part without a Content-Range", 1, changing(func(h http.Header) { h.Del("Content-Range") }, nil)},
	{"unknown size", "a part without a Content-Range", 1, changing(func(h http.Header) {
		h.Set("Content-Range", strings.Split(h.Get("Content-Range"), "/")[0]+"/*")
	}, nil)},
	{"wrong Content-Range", "another part of the file", 1, changing(func(h http.Header) {
		var a, b, n int64
		fmt.Sscanf(h.Get("Content-Range"), "bytes %d-%d/%d", &a, &b, &n)
		h.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", a-5, b-5, n))
	}, nil)},
	{"impossible Content-Range", "a part without a Content-Range", 1, changing(func(h http.Header) { h.Set("Content-Range", "bytes 9-3/2") }, nil)},
	{"many parts", "a part without a Content-Range", 1, answered(206, "Content-Type: multipart/byteranges; boundary=x")},
	{"416", "", 2, answered(416, "Content-Range: bytes */3")},
	{"gzip", "Content-Encoding", 1, func(w http.ResponseWriter, r *http.Request, files http.Handler) {
		rec := httptest.NewRecorder()
		files.ServeHTTP(rec, r)
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Range", rec.Header().Get("Content-Range"))
		w.WriteHeader(rec.Code)
		z := gzip.NewWriter(w)
		z.Write(rec.Body.Bytes())
		z.Close()
	}},
	{"truncated", "cut short", 3, func(w http.ResponseWriter, r *http.Request, files http.Handler) {
		rec := httptest.NewRecorder()
		files.ServeHTTP(rec, r)
		for name, values := range rec.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(rec.Code)
		w.Write(rec.Body.Bytes()[:rec.Body.Len()/2])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}},
	{"too short", "contradicts", 1, changing(func(h http.Header) {
		n, _ := strconv.Atoi(h.Get("Content-Length"))
		h.Set("Content-Length", strconv.Itoa(n-1))
	}, func(b []byte) []byte { return b[:len(b)-1] })},
	{"too long", "more than it says", 1, changing(func(h http.Header) { h.Del("Content-Length") }, func(b []byte) []byte { return append(b, 0) })},
	{"hangs up", "no answer", 3, func(http.ResponseWriter, *http.Request, http.Handler) { panic(http.ErrAbortHandler) }},
}

// TestEvil: whatever a server does instead of answering, before a table is opened or when it has been, the error says that it is
// not to be had, why, and where; then the server is left alone. No value is ever wrong, and when it behaves again, all is well.
func TestEvil(t *testing.T) {
	dir := written(t, "RB")
	for _, evil := range evils {
		t.Run(evil.name, func(t *testing.T) {
			h := serve(t, dir)
			h.Config.ErrorLog = nil
			for _, opened := range []bool{false, true} {
				c := newClient(t, Options{})
				tables := openAt(t, c, h.address())
				p := legal(t, "RB", 0.6)
				h.spoiled(nil)
				if opened {
					if _, err := tables.Outcome(legal(t, "RB", 0.99)); err != nil {
						t.Fatal(err)
					}
				}
				h.spoiled(evil.spoil)
				asked := h.counted(func() {
					_, err := tables.Probe(p)
					unavailable(t, fmt.Sprint("opened: ", opened), err, h.address()+"RB.gb", evil.words)
				})
				if !opened && asked != evil.asked {
					t.Errorf("asked %d times, want %d", asked, evil.asked)
				}
				again := h.counted(func() {
					if _, err := tables.Probe(p); !errors.Is(err, storage.ErrUnavailable) {
						t.Errorf("again: %v", err)
					}
				})
				if again > 1 {
					t.Errorf("asked %d times at once again", again)
				}
			}
			h.spoiled(nil)
			samePositions(t, openAt(t, newClient(t, Options{}), h.address()), "RB", 5)
		})
	}
}

// TestRecovers: what is wrong for a moment is not noticed, and a server that was away is asked again after its rest.
func TestRecovers(t *testing.T) {
	h := serve(t, written(t, "RB"))
	c := newClient(t, Options{})
	var n atomic.Int64
	h.spoiled(func(w http.ResponseWriter, r *http.Request, files http.Handler) {
		if n.Add(1)%3 > 0 {
			answered(503, "Retry-After: 0")(w, r, files)
			return
		}
		files.ServeHTTP(w, r)
	})
	p := position(t, "4k/5/5/5/K4 b RB 1")
	want, _ := retrotest.Solve(t, "RB").Value(p)
	if o, err := openAt(t, c, h.address()).Outcome(p); err != nil || o != want.Outcome() {
		t.Errorf("%v, %v, want %v", o, err, want)
	}
	h.spoiled(answered(500))
	c = newClient(t, Options{})
	c.limits.rest = time.Microsecond
	tables := openAt(t, c, h.address())
	if _, err := tables.Outcome(p); !errors.Is(err, storage.ErrUnavailable) {
		t.Fatal(err)
	}
	h.spoiled(nil)
	for { // the set is tried again after a second
		o, err := tables.Outcome(p)
		if err == nil && o == want.Outcome() {
			break
		}
		if !errors.Is(err, storage.ErrUnavailable) {
			t.Fatal(o, err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestSlow: an answer that does not come, or comes drop by drop, is waited for as long as it may take, and no reader waits for
// longer than its context lasts.
func TestSlow(t *testing.T) {
	h := serve(t, written(t, "R"))
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	silent := func(_ http.ResponseWriter, r *http.Request, _ http.Handler) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}
	drops := func(w http.ResponseWriter, r *http.Request, files http.Handler) {
		rec := httptest.NewRecorder()
		files.ServeHTTP(rec, r)
		for name, values := range rec.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(rec.Code)
		for _, b := range rec.Body.Bytes() {
			if _, err := w.Write([]byte{b}); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			select {
			case <-release:
				return
			case <-r.Context().Done():
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	p := position(t, "4k/5/5/5/K4 b R 1")
	for name, spoil := range map[string]func(http.ResponseWriter, *http.Request, http.Handler){"silent": silent, "drops": drops} {
		h.spoiled(spoil)
		c := newClient(t, Options{})
		c.limits.attempt, c.limits.speed = 50*time.Millisecond, 1<<30
		_, err := openAt(t, c, h.address()).Outcome(p)
		unavailable(t, name, err, h.address()+"R.gbo", "no answer in time (asked 3 times)")

		// a reader that has no time gets the error of its context, and whoever has waits on
		c = newClient(t, Options{})
		tables := openAt(t, c, h.address())
		ctx, cancel := contextFor(t, 20*time.Millisecond)
		defer cancel()
		if _, err := tables.Within(ctx).Outcome(p); !errors.Is(err, ctx.Err()) || ctx.Err() == nil {
			t.Errorf("%s, with a context: %v", name, err)
		}
	}
}

// TestChanged replaces files while they are read: whatever is answered is true of the old table or the new one.
func TestChanged(t *testing.T) {
	for _, validators := range []string{"ETag", "Last-Modified", "size"} {
		dir := written(t, "RB", "P")
		h := serve(t, dir)
		h.spoiled(changing(func(h http.Header) {
			if validators != "ETag" {
				h.Del("ETag")
			}
			if validators == "size" {
				h.Del("Last-Modified")
			}
		}, nil))
		tables := openAt(t, newClient(t, Options{}), h.address())
		truth := retrotest.Solve(t, "RB")
		p := legal(t, "RB", 0.99)
		if _, err := tables.Outcome(p); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "RB.gbo")
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		later := time.Now().Add(time.Hour)
		replace := func(b []byte) {
			later = later.Add(time.Hour)
			if err := os.WriteFile(path, b, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, later, later); err != nil {
				t.Fatal(err)
			}
		}
		other := legal(t, "RB", 0.6)
		want, _ := truth.Value(other)
		replace(append([]byte("x"), whole...)) // no table any more
		if _, err := tables.Outcome(other); !errors.Is(err, storage.ErrUnavailable) && !errors.Is(err, storage.ErrCorrupt) {
			t.Errorf("%s, when the file has become another: %v", validators, err)
		}
		replace(whole)
		fresh := openAt(t, newClient(t, Options{}), h.address())
		if _, err := fresh.Outcome(p); err != nil {
			t.Fatal(err)
		}
		if validators != "size" { // the same table as another file: it is opened again, unnoticed
			replace(whole)
		}
		if o, err := fresh.Outcome(other); err != nil || o != want.Outcome() {
			t.Errorf("%s: after a change of the file %v, %v, want %v", validators, o, err, want)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		fresh = openAt(t, newClient(t, Options{}), h.address())
		if _, err := fresh.Outcome(p); !errors.Is(err, storage.ErrNotCovered) {
			t.Errorf("%s: after the file has gone: %v", validators, err)
		}
	}
}

// TestDamagedAfar: a block that is damaged on its way is asked for again; one that is damaged there is corrupt, and not away.
func TestDamagedAfar(t *testing.T) {
	dir := written(t, "RB")
	for _, disk := range []string{"", t.TempDir()} {
		h := serve(t, dir)
		p := position(t, "4k/5/5/5/K4 b RB 1")
		want, _ := retrotest.Solve(t, "RB").Value(p)
		var flips atomic.Int64
		flips.Store(1)
		flip := changing(nil, func(b []byte) []byte {
			if flips.Add(-1) >= 0 {
				for i := range b {
					b[i] ^= 0x55
				}
			}
			return b
		})
		h.spoiled(flip)
		tables := openAt(t, newClient(t, Options{Disk: disk}), h.address())
		if o, err := tables.Outcome(p); err != nil || o != want.Outcome() {
			t.Errorf("damaged once, at its end: %v, %v, want %v", o, err, want)
		}
		tables = openAt(t, newClient(t, Options{}), h.address())
		if _, err := tables.Set(material(t, "RB")); err != nil {
			t.Fatal(err)
		}
		flips.Store(1)
		if o, err := tables.Outcome(p); err != nil || o != want.Outcome() {
			t.Errorf("a block that was damaged once: %v, %v, want %v", o, err, want)
		}
		tables = openAt(t, newClient(t, Options{}), h.address())
		if _, err := tables.Set(material(t, "RB")); err != nil {
			t.Fatal(err)
		}
		flips.Store(1 << 40)
		_, err := tables.Outcome(p)
		if !errors.Is(err, storage.ErrCorrupt) || errors.Is(err, storage.ErrUnavailable) || !strings.Contains(err.Error(), h.address()+"RB.gbo: corrupt at byte ") {
			t.Errorf("damaged for good: %v", err)
		}
		if d := tables.Damaged(); len(d) != 1 || d[0].Path != h.address()+"RB.gbo" {
			t.Errorf("damaged are %v", d)
		}
	}
}

// TestTakesOver: a folder takes over from a server that goes away, and a server from one that is away from the beginning.
func TestTakesOver(t *testing.T) {
	dir := written(t, "RB")
	a, b := serve(t, dir), serve(t, dir)
	c := newClient(t, Options{})
	c.memory.limit = 1
	var warnings []storage.Warning
	tables, err := storage.Open([]string{a.address(), b.address(), dir}, &storage.Options{CacheBytes: 1, Source: c.Source, Warn: func(w storage.Warning) { warnings = append(warnings, w) }})
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	a.spoiled(answered(500))
	samePositions(t, tables, "RB", 5)
	if len(warnings) == 0 || warnings[0].File != a.address()+"RB.gbo" || warnings[0].Instead != b.address()+"RB.gbo" || !errors.Is(warnings[0].Err, storage.ErrUnavailable) {
		t.Errorf("warned of %v", warnings)
	}
	b.Close()
	samePositions(t, tables, "RB", 5)
	if n := len(warnings); n < 2 || warnings[n-1].Instead == b.address()+"RB.gbo" {
		t.Errorf("warned of %v", warnings)
	}
}

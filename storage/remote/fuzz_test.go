package remote

import (
	"bufio"
	"bytes"
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gogotb/storage"
)

// FuzzReply reads answers of any kind: what is taken for a part of a file is exactly what was asked for.
func FuzzReply(f *testing.F) {
	for _, seed := range []string{
		"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 10-19/100\r\nContent-Length: 10\r\nETag: \"x\"\r\n\r\n0123456789",
		"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 90-99/100\r\n\r\n0123456789",
		"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 18446744073709551606-9/9\r\nContent-Length: -1\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc",
		"HTTP/1.1 416 x\r\nContent-Range: bytes */0\r\n\r\n",
		"HTTP/1.1 429 x\r\nRetry-After: 99999999999999999999\r\n\r\n",
		"HTTP/1.1 503 x\r\nRetry-After: Mon, 02 Jan 2006 15:04:05 GMT\r\nContent-Encoding: gzip\r\n\r\n",
		"HTTP/1.1 301 x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
	} {
		f.Add([]byte(seed), int64(10), int64(10), true)
		f.Add([]byte(seed), int64(-1), int64(10), false)
		f.Add([]byte(seed), int64(0), int64(0), false)
	}
	f.Fuzz(func(t *testing.T, text []byte, from, length int64, opened bool) {
		answer, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(text)), nil)
		if err != nil {
			return
		}
		defer answer.Body.Close()
		s := span{max(from%1000, -1), 1 + (length%1000+1000)%1000}
		var known *version
		switch {
		case from == 0 && length == 0:
			s = whole
		case opened && s.from >= 0:
			known = &version{tag: `"x"`, size: s.from + s.length + 7}
		}
		p, err := believe(answer.StatusCode, answer.Header, s, known)
		if err == nil {
			var r *reply
			if r, err = receive(t.Context(), answer.Body, p); err == nil {
				from, to := s.from, min(s.from+s.length, r.size)
				if s.from < 0 {
					from, to = max(0, r.size-s.length), r.size
				}
				if s != whole && (r.from != from || int64(len(r.bytes)) != to-from) || known != nil && r.size != known.size {
					t.Errorf("%+v of %+v was taken for %+v", p, known, s)
				}
			}
		}
		var e *Error
		if err != nil && !errors.As(err, &e) && !errors.Is(err, fs.ErrNotExist) && err != errUnsatisfiable {
			t.Errorf("%v (%T)", err, err)
		}
		if d := retryAfter(answer.Header.Get("Retry-After"), time.Now()); d < 0 || d > 24*time.Hour {
			t.Errorf("Retry-After: %v", d)
		}
	})
}

// FuzzAddress reads addresses of any kind: no error and no name has the password, and names lie within the address.
func FuzzAddress(f *testing.F) {
	for _, seed := range []string{"https://h/p", "s3://b/p", "http://u:%zz@h", "https://h:1/?q", "https://[::1]/a%2fb", "s3://b/../..", "https://u:pass@h/a/../b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := parseAddress(text)
		if err != nil {
			if u, bad := url.Parse(text); bad == nil && u.User != nil {
				if p, _ := u.User.Password(); len(p) > 8 && !strings.Contains(u.Host+u.Path+u.Scheme, p) && strings.Contains(err.Error(), p) {
					t.Errorf("%q: %v", text, err)
				}
			}
			return
		}
		if !strings.HasSuffix(a.name, "/") || !storage.IsAddress(a.name) || a.base != nil && a.base.User != nil {
			t.Errorf("%q is called %q", text, a.name)
		}
		if again, err := parseAddress(a.name); err != nil || again.name != a.name {
			t.Errorf("%q is called %q, which is %q, %v", text, a.name, again.name, err)
		}
	})
}

// FuzzPage reads files of any kind from the cache: only the page that was written there is one.
func FuzzPage(f *testing.F) {
	k := diskKey{file: "x", page: 7}
	d, err := openDisk(f.TempDir(), 1<<20)
	if err != nil {
		f.Fatal(err)
	}
	page := []byte("some page")
	d.put(k, page)
	path := d.path(k.bytes())
	good, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(good[:12])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		dir := t.TempDir()
		d := &disk{dir: dir, limit: 1 << 20}
		path := d.path(k.bytes())
		if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		got := d.get(k)
		if got != nil && (!bytes.Equal(got, page) || !bytes.Equal(b, good)) || got == nil && bytes.Equal(b, good) {
			t.Errorf("%q is taken for %q", b, got)
		}
	})
}

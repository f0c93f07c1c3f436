package bucket_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"gogotb/retro/cluster/bucket"
)

// openers open an empty bucket of each kind.
var openers = map[string]func(t *testing.T) bucket.Bucket{
	"folder": func(t *testing.T) bucket.Bucket {
		return open(t, "file://"+filepath.ToSlash(t.TempDir())+"/deep/down", nil)
	},
	"S3": func(t *testing.T) bucket.Bucket { return open(t, fakeS3(t)+"/some/prefix", nil) },
	"NATS": func(t *testing.T) bucket.Bucket {
		return open(t, "nats:", &bucket.NATS{JetStream: jetStream(t), Replicas: 1})
	},
}

func open(t *testing.T, address string, n *bucket.NATS) bucket.Bucket {
	t.Helper()
	b, err := bucket.Open(t.Context(), address, n)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// fakeS3 begins an S3 server with an empty bucket and returns its address.
func fakeS3(t *testing.T) string {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("tables"); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(s.Close)
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	return "s3://" + strings.TrimPrefix(s.URL, "http://") + "/tables"
}

// jetStream begins a NATS server that listens to nobody.
func jetStream(t *testing.T) jetstream.JetStream {
	t.Helper()
	s, err := server.NewServer(&server.Options{DontListen: true, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	conn, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

func put(t *testing.T, b bucket.Bucket, key, body string) {
	t.Helper()
	if err := b.Put(t.Context(), key, bytes.NewReader([]byte(body))); err != nil {
		t.Fatal(err)
	}
}

func list(t *testing.T, b bucket.Bucket, prefix string) (keys []string) {
	t.Helper()
	for key, err := range b.List(t.Context(), prefix) {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// TestConformance: every kind of bucket does what the interface says.
func TestConformance(t *testing.T) {
	for kind, opener := range openers {
		t.Run(kind, func(t *testing.T) {
			b := opener(t)
			if keys := list(t, b, ""); len(keys) != 0 {
				t.Errorf("an empty bucket has %q", keys)
			}
			put(t, b, "a/b/one.json", "0123456789")
			put(t, b, "a/two", "2")
			put(t, b, "ab", "x")
			for _, c := range []struct {
				key       string
				offset, n int64
				want      string
			}{
				{"a/b/one.json", 0, -1, "0123456789"},
				{"a/b/one.json", 0, 3, "012"},
				{"a/b/one.json", 7, 3, "789"},
				{"a/b/one.json", 7, 100, "789"},
				{"a/b/one.json", 4, -1, "456789"},
				{"a/b/one.json", 10, 5, ""},
				{"a/b/one.json", 5, 0, ""},
				{"a/two", 0, -1, "2"},
			} {
				if body, err := b.Get(t.Context(), c.key, c.offset, c.n); err != nil || string(body) != c.want {
					t.Errorf("%d bytes of %s from %d: %q, %v, want %q", c.n, c.key, c.offset, body, err, c.want)
				}
			}
			for prefix, want := range map[string][]string{
				"": {"a/b/one.json", "a/two", "ab"}, "a/": {"a/b/one.json", "a/two"}, "a/b/o": {"a/b/one.json"}, "a/t": {"a/two"}, "c/": nil, "a/two/": nil,
			} {
				if keys := list(t, b, prefix); !slices.Equal(keys, want) {
					t.Errorf("keys that begin with %q: %q, want %q", prefix, keys, want)
				}
			}
			err := b.Put(t.Context(), "ab", bytes.NewReader([]byte("y")))
			if !errors.Is(err, bucket.ErrExists) || !strings.Contains(err.Error(), "put ab: ") {
				t.Errorf("the second object of a name: %v", err)
			}
			if body, err := b.Get(t.Context(), "ab", 0, -1); err != nil || string(body) != "x" {
				t.Errorf("the first of two: %q, %v", body, err)
			}
			for range 2 {
				if err := b.Delete(t.Context(), "ab"); err != nil {
					t.Errorf("deleted: %v", err)
				}
			}
			if _, err := b.Get(t.Context(), "ab", 0, -1); !errors.Is(err, bucket.ErrNotFound) {
				t.Errorf("an object that was deleted: %v", err)
			}
			put(t, b, "ab", "z")
			for _, key := range []string{"", "/a", "a/", "a//b", "../a", "a/.b", "a b", "é", "a.", strings.Repeat("a", 513)} {
				if err := b.Put(t.Context(), key, bytes.NewReader(nil)); !errors.Is(err, bucket.ErrBadKey) {
					t.Errorf("the key %q: %v", key, err)
				}
			}
			ctx, stop := context.WithCancel(t.Context())
			stop()
			if err := b.Put(ctx, "late", bytes.NewReader([]byte("x"))); !errors.Is(err, context.Canceled) {
				t.Errorf("put after the end: %v", err)
			}
		})
	}
}

// TestLarge: objects of several pieces come back as they were, also in part.
func TestLarge(t *testing.T) {
	body := make([]byte, 9<<20+17)
	for i := range body {
		body[i] = byte(i * i >> 8)
	}
	for kind, opener := range openers {
		t.Run(kind, func(t *testing.T) {
			b := opener(t)
			if err := b.Put(t.Context(), "large", bytes.NewReader(body)); err != nil {
				t.Fatal(err)
			}
			for _, part := range [][2]int{{0, len(body)}, {4<<20 - 5, 4<<20 + 5}, {8<<20 + 1, len(body)}, {4 << 20, 8 << 20}} {
				got, err := b.Get(t.Context(), "large", int64(part[0]), int64(part[1]-part[0]))
				if err != nil || !bytes.Equal(got, body[part[0]:part[1]]) {
					t.Errorf("bytes %d to %d: %d bytes, %v", part[0], part[1], len(got), err)
				}
			}
		})
	}
}

// TestOneWins: of many who put an object of one name, one does, and it is that one's.
func TestOneWins(t *testing.T) {
	for kind, opener := range openers {
		t.Run(kind, func(t *testing.T) {
			b := opener(t)
			var won atomic.Int64
			var all sync.WaitGroup
			for i := range 8 {
				all.Go(func() {
					err := b.Put(t.Context(), "a/same", strings.NewReader(fmt.Sprint("writer ", i)))
					if err == nil {
						won.Add(int64(1 + 100*i))
					} else if !errors.Is(err, bucket.ErrExists) {
						t.Error(err)
					}
				})
			}
			all.Wait()
			body, err := b.Get(t.Context(), "a/same", 0, -1)
			if n := won.Load(); n%100 != 1 || string(body) != fmt.Sprint("writer ", n/100) {
				t.Errorf("%q, %v; writers that won, and their numbers: %d", body, err, n)
			}
		})
	}
}

// TestFolderHidesUnfinished: what a killed process has left is no object, and goes when it is old.
func TestFolderHidesUnfinished(t *testing.T) {
	root := t.TempDir()
	b := open(t, "file://"+filepath.ToSlash(root), nil)
	put(t, b, "a/b", "x")
	left := filepath.Join(root, "a", ".new-123")
	if err := os.WriteFile(left, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if keys := list(t, b, ""); !slices.Equal(keys, []string{"a/b"}) {
		t.Errorf("keys %q", keys)
	}
	if _, err := os.Stat(left); err != nil {
		t.Errorf("what may still be written is gone: %v", err)
	}
	old := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(left, old, old); err != nil {
		t.Fatal(err)
	}
	list(t, b, "")
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what nobody writes any more is there: %v", err)
	}
}

func TestBadAddresses(t *testing.T) {
	s3 := fakeS3(t)
	t.Setenv("AWS_ENDPOINT_URL", "")
	for address, want := range map[string]string{
		"":                        "file:///path",
		"/shared/gogotb":          "file:///path",
		"http://host/bucket":      "file:///path",
		"file://shared/gogotb":    "three slashes",
		"file:shared":             "three slashes",
		"s3://host":               "missing",
		"s3://127.0.0.1:9/b/../c": "cannot have such a name",
		"s3://key:secret@host/b":  "AWS_ACCESS_KEY_ID",
		"s3://host/b?region=x":    "no ?",
		"nats:":                   "no NATS",
		"nats://127.0.0.1:4222":   "file:///path",
		strings.Replace(s3, "/tables", "/others", 1): "no bucket others",
	} {
		var bad *bucket.AddressError
		_, err := bucket.Open(t.Context(), address, nil)
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret@") {
			t.Errorf("%q: %v, want %q in it", address, err, want)
		}
	}
}

// TestEndpoint: AWS_ENDPOINT_URL names the host, and the address then begins with the bucket.
func TestEndpoint(t *testing.T) {
	host := strings.TrimSuffix(strings.TrimPrefix(fakeS3(t), "s3://"), "/tables")
	t.Setenv("AWS_ENDPOINT_URL", "http://"+host)
	put(t, open(t, "s3://tables/x", nil), "key", "body")
	if keys := list(t, open(t, "s3://"+host+"/tables", nil), ""); !slices.Equal(keys, []string{"x/key"}) {
		t.Errorf("keys %q", keys)
	}
}

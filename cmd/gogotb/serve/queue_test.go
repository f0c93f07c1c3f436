package serve

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"
	"time"
)

func status(err error) int {
	var e *apiError
	if errors.As(err, &e) {
		return e.Status
	}
	return 0
}

// TestQueue: one search runs, two may wait, a client has two places.
func TestQueue(t *testing.T) {
	q := newQueue(1, 2, 2, time.Minute)
	client := func(n byte) netip.Prefix { return netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, 0, n}), 32) }
	leave, err := q.enter(t.Context(), client(1))
	if err != nil {
		t.Fatal(err)
	}
	wait := func(n byte) (entered chan error) {
		entered = make(chan error, 1)
		_, before := q.load()
		go func() {
			leave, err := q.enter(t.Context(), client(n))
			if err == nil {
				leave()
			}
			entered <- err
		}()
		for {
			if _, now := q.load(); now > before {
				return entered
			}
			time.Sleep(time.Millisecond)
		}
	}
	second := wait(1)
	if _, err := q.enter(t.Context(), client(1)); status(err) != http.StatusTooManyRequests {
		t.Errorf("a third place for one client: %v", err)
	}
	third := wait(2)
	if _, err := q.enter(t.Context(), client(3)); status(err) != http.StatusServiceUnavailable {
		t.Errorf("a third one that waits: %v", err)
	}
	leave()
	for _, entered := range []chan error{second, third} {
		if err := <-entered; err != nil {
			t.Error(err)
		}
	}
	if running, waiting := q.load(); running != 0 || waiting != 0 || len(q.clients) != 0 {
		t.Errorf("%d running, %d waiting, clients %v", running, waiting, q.clients)
	}
}

// TestQueueGivesUp: who waits too long is sent away, who leaves is forgotten.
func TestQueueGivesUp(t *testing.T) {
	q := newQueue(1, 5, 5, 20*time.Millisecond)
	leave, err := q.enter(t.Context(), netip.Prefix{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := q.enter(t.Context(), netip.Prefix{}); status(err) != http.StatusServiceUnavailable {
		t.Errorf("waited too long: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := q.enter(ctx, netip.Prefix{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a client that has gone: %v", err)
	}
	leave()
	if running, waiting := q.load(); running != 0 || waiting != 0 || len(q.clients) != 0 {
		t.Errorf("%d running, %d waiting, clients %v", running, waiting, q.clients)
	}
}

// TestQueueTogether runs many at once, for the race detector, and never more than there may be.
func TestQueueTogether(t *testing.T) {
	q := newQueue(3, 100, 100, time.Minute)
	var (
		wg      sync.WaitGroup
		mu      sync.Mutex
		running int
	)
	for range 60 {
		wg.Go(func() {
			leave, err := q.enter(t.Context(), netip.Prefix{})
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			running++
			if running > 3 {
				t.Errorf("%d at a time", running)
			}
			mu.Unlock()
			time.Sleep(time.Millisecond)
			mu.Lock()
			running--
			mu.Unlock()
			leave()
		})
	}
	wg.Wait()
}

func TestClientOf(t *testing.T) {
	for remote, want := range map[string]string{
		"192.0.2.7:1234":             "192.0.2.7/32",
		"[::ffff:192.0.2.7]:1":       "192.0.2.7/32",
		"[2001:db8:1:2:3:4:5:6]:443": "2001:db8:1:2::/64",
		"pipe":                       "invalid Prefix",
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = remote
		if got := clientOf(r).String(); got != want {
			t.Errorf("%s: %s, want %s", remote, got, want)
		}
	}
}

package serve

import (
	"context"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// queue lets a few searches run at a time and some wait. It cannot be flooded: a client has
// a small number of places, and so has everybody together.
type queue struct {
	running   chan struct{}
	places    int // that may wait
	perClient int // running and waiting
	patience  time.Duration

	mu      sync.Mutex
	waiting int
	clients map[netip.Prefix]int
}

func newQueue(running, places, perClient int, patience time.Duration) *queue {
	return &queue{
		running: make(chan struct{}, running), places: places, perClient: perClient, patience: patience,
		clients: map[netip.Prefix]int{},
	}
}

// enter waits for a client's turn; the caller gives it back with leave.
func (q *queue) enter(ctx context.Context, client netip.Prefix) (leave func(), err error) {
	q.mu.Lock()
	switch {
	case q.clients[client] >= q.perClient:
		q.mu.Unlock()
		return nil, &apiError{Status: http.StatusTooManyRequests, Code: "too-many-searches",
			Message: "you have searches running already; wait until one has ended", RetryAfter: 5}
	case len(q.running) == cap(q.running) && q.waiting >= q.places:
		q.mu.Unlock()
		return nil, busy("too many searches are waiting; ask again in a moment")
	}
	q.clients[client]++
	q.waiting++
	q.mu.Unlock()

	timer := time.NewTimer(q.patience)
	defer timer.Stop()
	select {
	case q.running <- struct{}{}:
		q.stopWaiting()
		return func() {
			<-q.running
			q.forget(client)
		}, nil
	case <-timer.C:
		err = busy("the searches before this one took too long; ask again in a moment")
	case <-ctx.Done():
		err = ctx.Err()
	}
	q.stopWaiting()
	q.forget(client)
	return nil, err
}

func (q *queue) stopWaiting() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting--
}

func (q *queue) forget(client netip.Prefix) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.clients[client]--; q.clients[client] == 0 {
		delete(q.clients, client)
	}
}

// load is how many searches run and how many wait.
func (q *queue) load() (running, waiting int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.running), q.waiting
}

// clientOf is who a request comes from: an address, or a network of IPv6, of which anybody
// has many addresses.
func clientOf(r *http.Request) netip.Prefix {
	address, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Prefix{} // all of these are one client
	}
	bits := 32
	ip := address.Addr().Unmap()
	if ip.Is6() {
		bits = 64
	}
	prefix, err := ip.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return prefix
}

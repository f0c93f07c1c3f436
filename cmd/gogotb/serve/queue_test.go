package serve

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"slices"
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

func client(n byte) netip.Prefix {
	return netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, 0, n}), 32)
}

// waits enters a queue in which there is no turn yet, and returns when it waits. What comes of it is told to a function.
func waits(t *testing.T, q *queue, n byte, then func(leave func(), err error)) {
	t.Helper()
	_, before := q.load()
	go func() {
		_, leave, err := q.enter(t.Context(), client(n))
		then(leave, err)
	}()
	for {
		if _, now := q.load(); now > before {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// isEmpty holds a queue against one in which nobody is.
func isEmpty(t *testing.T, q *queue) {
	t.Helper()
	if running, waiting := q.load(); running != 0 || waiting != 0 || len(q.clients) != 0 {
		t.Errorf("%d running, %d waiting, clients %v", running, waiting, q.clients)
	}
}

// TestQueue: one search runs, two may wait, a client has two places.
func TestQueue(t *testing.T) {
	q := newQueue(queueLimits{slots: 1, places: 2, perClient: 2, patience: time.Minute})
	_, leave, err := q.enter(t.Context(), client(1))
	if err != nil {
		t.Fatal(err)
	}
	entered := make(chan error, 2)
	then := func(leave func(), err error) {
		if err == nil {
			leave()
		}
		entered <- err
	}
	waits(t, q, 1, then)
	if _, _, err := q.enter(t.Context(), client(1)); status(err) != http.StatusTooManyRequests {
		t.Errorf("a third place for one client: %v", err)
	}
	waits(t, q, 2, then)
	if _, _, err := q.enter(t.Context(), client(3)); status(err) != http.StatusServiceUnavailable {
		t.Errorf("a third one that waits: %v", err)
	}
	leave()
	for range 2 {
		if err := <-entered; err != nil {
			t.Error(err)
		}
	}
	isEmpty(t, q)
}

// TestTurns: clients take turns, whoever came first, and the one that has just had a turn is the last.
func TestTurns(t *testing.T) {
	for _, c := range []struct {
		slots int
		come  []byte // clients, in the order in which they come
		turns []byte // and in that of their turns, where the oldest turn always ends first
	}{
		{1, []byte{1, 1, 2, 2, 3}, []byte{1, 2, 3, 1, 2}},
		{1, []byte{1, 2, 1, 2, 3}, []byte{1, 2, 3, 1, 2}},
		{1, []byte{1, 1, 1, 1, 2}, []byte{1, 2, 1, 1, 1}},
		{1, []byte{1, 2, 3}, []byte{1, 2, 3}},
		{2, []byte{1, 1, 1, 1, 2, 3}, []byte{1, 1, 2, 3, 1, 1}},
		{2, []byte{1, 2, 1, 1, 2, 3}, []byte{1, 2, 3, 1, 2, 1}},
	} {
		q := newQueue(queueLimits{slots: c.slots, places: 10, perClient: 10, longest: time.Hour})
		for _, n := range c.come {
			turn := &turn{ready: make(chan struct{}), end: func(error) {}}
			if err := q.add(turn, client(n)); err != nil {
				t.Fatal(err)
			}
		}
		var turns []byte
		for len(q.begun) > 0 {
			turns = append(turns, q.begun[0].visitor.client.Addr().As4()[3])
			q.remove(q.begun[0])
		}
		if !slices.Equal(turns, c.turns) {
			t.Errorf("%d at a time, clients %v: turns of %v, want %v", c.slots, c.come, turns, c.turns)
		}
		isEmpty(t, q)
	}
}

// TestUnasked: what nobody has asked for waits until all that was is answered, has fewer places, and ends for it.
func TestUnasked(t *testing.T) {
	q := newQueue(queueLimits{slots: 1, places: 2, perClient: 2, longest: time.Hour, patience: time.Minute})
	enter := func(n byte, unasked bool) (*turn, error) {
		turn := &turn{unasked: unasked, ready: make(chan struct{}), end: func(error) {}}
		return turn, q.add(turn, client(n))
	}
	must := func(turn *turn, err error) *turn {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return turn
	}
	idle := must(enter(1, true))
	if _, err := enter(1, true); status(err) != http.StatusTooManyRequests {
		t.Errorf("a second one of a client: %v", err)
	}
	later := must(enter(2, true))
	if idle.ended {
		t.Error("it has ended for one that was not asked for either")
	}
	if _, err := enter(3, true); status(err) != http.StatusServiceUnavailable {
		t.Errorf("a second one that waits: %v", err)
	}
	asked := must(enter(1, false)) // the client has a place for it, and so has the queue
	if !idle.ended {
		t.Error("it has not ended for one that was asked for")
	}
	q.remove(idle)
	if len(q.begun) != 1 || q.begun[0] != asked {
		t.Error("the one that was asked for is not the next")
	}
	q.remove(asked)
	if len(q.begun) != 1 || q.begun[0] != later || later.ended {
		t.Error("the other one has not begun, or has ended for nobody")
	}
	q.remove(later)
	isEmpty(t, q)
	// Of one client, too, what was asked for is before what was not.
	q = newQueue(queueLimits{slots: 1, places: 9, perClient: 9, longest: time.Hour})
	first, unasked, second := must(enter(1, false)), must(enter(1, true)), must(enter(1, false))
	for _, want := range []*turn{first, second, unasked} {
		if q.begun[0] != want || want.ended {
			t.Fatal("the turns are not in order")
		}
		q.remove(want)
	}
	isEmpty(t, q)
}

// TestShares: while others wait, the longest time of a search is shared, so that whoever comes has a turn within it.
func TestShares(t *testing.T) {
	for _, c := range []struct {
		slots, clients int
		share          time.Duration
	}{
		{1, 1, 30 * time.Second}, {1, 2, 15 * time.Second}, {1, 3, 10 * time.Second}, {1, 10, 3 * time.Second},
		{2, 2, 15 * time.Second}, {2, 3, 15 * time.Second}, {2, 4, 10 * time.Second}, {4, 5, 15 * time.Second}, {4, 6, 10 * time.Second},
	} {
		q := newQueue(queueLimits{slots: c.slots, longest: 30 * time.Second})
		for n := range c.clients {
			q.clients = append(q.clients, &visitor{client: client(byte(n))})
		}
		if got := q.share(); got != c.share {
			t.Errorf("%d clients, %d at a time: %v each, want %v", c.clients, c.slots, got, c.share)
		}
	}
}

// TestTurnsEnd: a turn ends early when another client waits, and only then.
func TestTurnsEnd(t *testing.T) {
	q := newQueue(queueLimits{slots: 1, places: 9, perClient: 9, patience: time.Minute, longest: 200 * time.Millisecond})
	turn, leave, err := q.enter(t.Context(), client(1))
	if err != nil {
		t.Fatal(err)
	}
	began := make(chan func(), 1)
	waits(t, q, 2, func(leave func(), err error) { began <- leave })
	<-turn.Done() // or else this test does not end
	if cause := context.Cause(turn); !errors.Is(cause, errOthersWait) {
		t.Errorf("the turn ended: %v", cause)
	}
	leave()
	(<-began)()
	isEmpty(t, q)

	// Who waits and gives up gives the time back.
	q.longest = time.Hour
	turn, leave, err = q.enter(t.Context(), client(1))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() {
		_, _, err := q.enter(ctx, client(2))
		gone <- err
	}()
	for waiting := 0; waiting == 0; _, waiting = q.load() {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if turn.Err() != nil {
		t.Errorf("ended though nobody waits: %v", context.Cause(turn))
	}
	leave()
	if turn.Err() == nil {
		t.Error("the context of a turn outlives it")
	}
	isEmpty(t, q)
}

// TestQueueGivesUp: who waits too long is sent away, who leaves is forgotten.
func TestQueueGivesUp(t *testing.T) {
	q := newQueue(queueLimits{slots: 1, places: 5, perClient: 5, patience: 20 * time.Millisecond})
	_, leave, err := q.enter(t.Context(), netip.Prefix{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := q.enter(t.Context(), netip.Prefix{}); status(err) != http.StatusServiceUnavailable {
		t.Errorf("waited too long: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := q.enter(ctx, netip.Prefix{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a client that has gone: %v", err)
	}
	leave()
	isEmpty(t, q)
}

// TestQueueTogether runs many at once, for the race detector, and never more than there may be.
func TestQueueTogether(t *testing.T) {
	q := newQueue(queueLimits{slots: 3, places: 100, perClient: 100, patience: time.Minute, longest: 5 * time.Millisecond})
	var (
		wg      sync.WaitGroup
		mu      sync.Mutex
		running int
	)
	for i := range 60 {
		wg.Go(func() {
			_, leave, err := q.enter(t.Context(), client(byte(i%7)))
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
	isEmpty(t, q)
}

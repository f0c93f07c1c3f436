package serve

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// queue lets a few questions be answered at a time and some wait. It cannot be flooded: a client
// has a small number of places, and so has everybody together. And nobody is kept from it by others
// who ask without end: clients take turns, and while others wait a turn is the shorter the more they are. Questions
// that nobody has asked for, which a page asks by itself, come after all others and end for them.
type queue struct {
	queueLimits
	seen queueMetrics

	mu      sync.Mutex
	waiting int
	begun   []*turn
	clients []*visitor // the one whose turn ended last is the last
}

// queueLimits are the limits of a queue.
type queueLimits struct {
	questions string        // what they are, for clients that are refused
	code      string        // of the answer to who has too many
	slots     int           // questions being answered
	places    int           // questions that wait, of all clients
	perClient int           // questions of a client, being answered and waiting
	patience  time.Duration // nobody waits longer
	longest   time.Duration // how long an answer may take, to be shared while others wait; 0: all are quick
}

// queueMetrics is told what happens; any of them may be nil.
type queueMetrics struct {
	waited  func(time.Duration) // somebody began after so long
	refused func()              // somebody was sent away
	ended   func()              // a turn was ended for others
}

// visitor is a client that has questions in a queue.
type visitor struct {
	client  netip.Prefix
	begun   int
	waiting []*turn // oldest first
}

// turn is a question in a queue.
type turn struct {
	visitor *visitor
	unasked bool          // it gives way to those that were asked for
	ended   bool          // it was told to give way
	ready   chan struct{} // closed when it may begin
	since   time.Time     // when it began
	timer   *time.Timer   // that ends it for others
	end     context.CancelCauseFunc
}

// errOthersWait is the cause of the end of a turn that others waited for.
var errOthersWait = errors.New("others wait")

func newQueue(limits queueLimits) *queue { return &queue{queueLimits: limits} }

// enter waits for a client's turn; the caller gives it back with leave. The context of the turn ends with
// errOthersWait when it has lasted as long as it may while others wait.
func (q *queue) enter(parent context.Context, client netip.Prefix) (ctx context.Context, leave func(), err error) {
	return q.enterAs(parent, client, false)
}

// enterAs is enter; an unasked turn has one place fewer of its client's and half of those to wait, and ends when one that was
// asked for waits.
func (q *queue) enterAs(parent context.Context, client netip.Prefix, unasked bool) (ctx context.Context, leave func(), err error) {
	ctx, end := context.WithCancelCause(parent)
	t := &turn{unasked: unasked, ready: make(chan struct{}), end: end}
	leave = func() {
		q.remove(t)
		end(nil)
	}
	arrived := time.Now()
	if err := q.add(t, client); err != nil {
		end(nil)
		call(q.seen.refused)
		return nil, nil, err
	}
	timer := time.NewTimer(q.patience)
	defer timer.Stop()
	select {
	case <-t.ready:
		if q.seen.waited != nil {
			q.seen.waited(time.Since(arrived))
		}
		return ctx, leave, nil
	case <-timer.C:
		call(q.seen.refused)
		err = busy("the %s before this one took too long; ask again in a moment", q.questions)
	case <-parent.Done():
		err = parent.Err()
	}
	leave()
	return nil, nil, err
}

func call(f func()) {
	if f != nil {
		f()
	}
}

// add gives a turn its place.
func (q *queue) add(t *turn, client netip.Prefix) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.IndexFunc(q.clients, func(v *visitor) bool { return v.client == client })
	perClient, places := q.perClient, q.places
	if t.unasked {
		perClient, places = perClient-1, places/2
	}
	switch {
	case i >= 0 && q.clients[i].begun+len(q.clients[i].waiting) >= perClient:
		return &apiError{Status: http.StatusTooManyRequests, Code: q.code, RetryAfter: 5,
			Message: "you have " + q.questions + " running already; wait until one has ended"}
	case len(q.begun) >= q.slots && q.waiting >= places:
		return busy("too many %s are waiting; ask again in a moment", q.questions)
	case i < 0:
		i = len(q.clients)
		q.clients = append(q.clients, &visitor{client: client})
	}
	t.visitor = q.clients[i]
	t.visitor.wait(t)
	q.waiting++
	q.settle()
	return nil
}

// wait adds a turn to those that wait: behind those that were asked for, and if it was, too, before the others.
func (v *visitor) wait(t *turn) {
	i := len(v.waiting)
	for !t.unasked && i > 0 && v.waiting[i-1].unasked {
		i--
	}
	v.waiting = slices.Insert(v.waiting, i, t)
}

// remove takes a turn out, begun or not.
func (q *queue) remove(t *turn) {
	q.mu.Lock()
	defer q.mu.Unlock()
	v := t.visitor
	if i := slices.Index(q.begun, t); i >= 0 {
		q.begun = slices.Delete(q.begun, i, i+1)
		v.begun--
		if t.timer != nil {
			t.timer.Stop()
		}
		q.clients = append(without(q.clients, v), v)
	} else {
		v.waiting = without(v.waiting, t)
		q.waiting--
	}
	if v.begun == 0 && len(v.waiting) == 0 {
		q.clients = without(q.clients, v)
	}
	q.settle()
}

func without[T comparable](list []T, x T) []T {
	return slices.DeleteFunc(list, func(y T) bool { return y == x })
}

// settle begins turns that can begin, and measures those that have begun.
func (q *queue) settle() {
	for len(q.begun) < q.slots && q.waiting > 0 {
		q.begin(q.next())
	}
	asked := 0 // that wait
	for _, v := range q.clients {
		for _, t := range v.waiting {
			if !t.unasked {
				asked++
			}
		}
	}
	for _, t := range q.begun {
		if t.unasked && asked > 0 {
			asked--
			q.giveWay(t)
		}
		switch {
		case t.timer == nil: // an answer that is quick
		case q.waiting == 0:
			t.timer.Stop()
		default:
			t.timer.Reset(q.share() - time.Since(t.since))
		}
	}
}

// next returns the client whose turn it is: of those that have asked for something, or else of all, that have the fewest
// questions being answered, the one whose last turn is the longest ago.
func (q *queue) next() *visitor {
	var next *visitor
	for _, v := range q.clients {
		switch {
		case len(v.waiting) == 0:
		case next == nil, v.waiting[0].unasked != next.waiting[0].unasked && !v.waiting[0].unasked,
			v.waiting[0].unasked == next.waiting[0].unasked && v.begun < next.begun:
			next = v
		}
	}
	return next
}

// giveWay ends a turn for others.
func (q *queue) giveWay(t *turn) {
	if t.ended {
		return
	}
	t.ended = true
	call(q.seen.ended)
	t.end(errOthersWait)
}

func (q *queue) begin(v *visitor) {
	t := v.waiting[0]
	v.waiting = v.waiting[1:]
	v.begun++
	q.waiting--
	q.begun = append(q.begun, t)
	t.since = time.Now()
	if q.longest > 0 {
		t.timer = time.AfterFunc(q.longest, func() {
			q.mu.Lock()
			defer q.mu.Unlock()
			q.giveWay(t)
		})
	}
	close(t.ready)
}

// share returns how long a turn may take while others wait. A client that comes has all others before it at
// most once; they and it together have the time that the longest answer takes.
func (q *queue) share() time.Duration {
	rounds := (len(q.clients) - 1 + q.slots - 1) / q.slots
	return q.longest / time.Duration(1+rounds)
}

// load returns how many questions are being answered and how many wait.
func (q *queue) load() (running, waiting int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.begun), q.waiting
}

// untilClosing returns a context that ends with another one, and when the server shuts down.
func (s *Server) untilClosing(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	forget := context.AfterFunc(s.closing, cancel)
	return ctx, func() {
		forget()
		cancel()
	}
}

// closingError returns what a client is told whose work ended with such a context.
func (s *Server) closingError(err error) error {
	if s.closing.Err() != nil && errors.Is(err, context.Canceled) {
		return busy("the server is shutting down")
	}
	return err
}

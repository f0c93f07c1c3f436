package serve

import (
	"context"
	"errors"
	"time"
)

// gate lets only so many in at a time; the others wait a little, and are then sent away.
type gate struct {
	slots chan struct{}
	wait  time.Duration
}

func newGate(slots int, wait time.Duration) gate {
	return gate{make(chan struct{}, slots), wait}
}

// enter waits for a slot; the caller gives it back with leave.
func (g gate) enter(ctx context.Context) (leave func(), err error) {
	timer := time.NewTimer(g.wait)
	defer timer.Stop()
	select {
	case g.slots <- struct{}{}:
		return func() { <-g.slots }, nil
	case <-timer.C:
		return nil, busy("too many large questions at once; ask again in a moment")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// untilClosing is a context that ends with another one, and when the server shuts down.
func (s *Server) untilClosing(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	forget := context.AfterFunc(s.closing, cancel)
	return ctx, func() {
		forget()
		cancel()
	}
}

// closingError is what a client is told whose work ended with such a context.
func (s *Server) closingError(err error) error {
	if s.closing.Err() != nil && errors.Is(err, context.Canceled) {
		return busy("the server is shutting down")
	}
	return err
}

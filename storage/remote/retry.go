package remote

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"time"
)

// longestRest bounds how long a server is left alone because it has said so.
const longestRest = time.Minute

// get gets a span of a file, in several attempts if need be. A server that fails all the same is left alone for a while: until
// then whatever is asked of it has the same error at once.
func (s *source) get(name string, span span, known *version) (*reply, error) {
	ctx, cancel := context.WithTimeout(s.ctx, s.limits.patience+s.time(span))
	defer cancel()
	for asked := 1; ; asked++ {
		if err := s.resting(); err != nil {
			return nil, err
		}
		r, err := s.attempt(ctx, name, span, known)
		if err == nil {
			s.answered()
			return r, nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			s.answered()
			if known != nil {
				err = changed("it was there when it was opened, and is no longer")
			}
			return nil, err
		}
		e := new(Error)
		if !errors.As(err, &e) {
			return nil, err
		}
		e.Asked = asked
		if e.alone {
			return nil, e
		}
		wait := max(s.limits.backOff<<(asked-1)*time.Duration(50+rand.IntN(100))/100, e.retryAfter)
		if end, _ := ctx.Deadline(); !e.temporary || asked >= s.limits.attempts || wait > time.Until(end) {
			s.leave(e)
			return nil, e
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, s.ended(e)
		}
	}
}

// time returns how much time a span takes on a slow line.
func (s *source) time(span span) time.Duration {
	return time.Duration(span.length) * time.Second / time.Duration(s.limits.speed)
}

// attempt makes one request, when there is room for it.
func (s *source) attempt(ctx context.Context, name string, span span, known *version) (*reply, error) {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return nil, s.ended(&Error{What: "no answer in time: too many requests are under way"})
	}
	limited, cancel := context.WithTimeout(ctx, s.limits.attempt+s.time(span))
	defer cancel()
	r, err := s.server.get(limited, name, span, known)
	if s.ctx.Err() != nil {
		return nil, errClosed
	}
	return r, err
}

// ended returns the error of a request whose time is over: that of closing, if that was it.
func (s *source) ended(e *Error) error {
	if s.ctx.Err() != nil {
		return errClosed
	}
	return e
}

// leave leaves the server alone for a while.
func (s *source) leave(e *Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.away, s.until = e, time.Now().Add(min(max(s.limits.rest, e.retryAfter), longestRest))
}

// answered notes that the server is there.
func (s *source) answered() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.away = nil
}

// resting returns why the server is left alone at the moment.
func (s *source) resting() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.away != nil && time.Now().Before(s.until) {
		return s.away
	}
	return nil
}

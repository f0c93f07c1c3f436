package remote

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"gogotb/storage"
)

// server answers a request, once: a site, or a bucket.
type server interface {
	// get gets a span of a file. Its version has to be known, if there is one.
	get(ctx context.Context, name string, s span, known *version) (*reply, error)
	// list lists what is there, if the server can.
	list(ctx context.Context) ([]string, error)
	close()
}

// span is a part of a file.
type span struct {
	from, length int64 // from < 0: so many bytes at the end
}

// whole is the span of a file that is read at once.
var whole = span{0, 0}

// version tells whether a file is still the one that it was.
type version struct {
	tag      string // ETag
	modified string // Last-Modified
	size     int64
}

// reply is what a server gave.
type reply struct {
	version
	from  int64
	bytes []byte
}

// source is a server's tables.
type source struct {
	client *Client
	name   string
	server server
	limits limits
	slots  chan struct{} // for requests
	ctx    context.Context
	end    context.CancelFunc
	opens  *singleflight.Group
	work   sync.WaitGroup // goroutines that read

	mu     sync.Mutex
	closed bool
	files  map[string]opening // by name
	listed listing
	away   error // why the server is left alone
	until  time.Time
}

// opening is what came of opening a file.
type opening struct {
	file  *file
	err   error
	until time.Time // it is believed so long
}

// listing is what came of asking for a list.
type listing struct {
	names []string
	err   error
	until time.Time
}

func (s *source) Name() string { return s.name }

var errClosed = errors.New("the tables have been closed")

// Open opens a file: a request for its end, unless somebody else has just done so.
func (s *source) Open(ctx context.Context, name string, tail int64) (storage.SourceFile, error) {
	if err := s.resting(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	o := s.files[name]
	s.mu.Unlock()
	if time.Now().Before(o.until) {
		return o.answer()
	}
	v, err := s.share(ctx, "open "+name, func() any {
		o := s.open(name, tail)
		s.mu.Lock()
		s.files[name] = o
		s.mu.Unlock()
		return o
	})
	if err != nil {
		return nil, err
	}
	return v.(opening).answer()
}

func (o opening) answer() (storage.SourceFile, error) {
	if o.err != nil {
		return nil, o.err
	}
	return o.file, nil
}

// share does something for all who want it at the moment. It goes on when those who wait for it have left.
func (s *source) share(ctx context.Context, key string, do func() any) (any, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	done := s.opens.DoChan(key, func() (any, error) {
		if !s.begin() {
			return nil, errClosed
		}
		defer s.work.Done()
		return do(), nil
	})
	select {
	case r := <-done:
		return r.Val, r.Err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// begin notes that a goroutine reads; it calls s.work.Done at its end. After Close none does.
func (s *source) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.work.Add(1)
	}
	return !s.closed
}

// open asks for the end of a file. So much is asked for that all of its tail is in whole pages.
func (s *source) open(name string, tail int64) opening {
	r, err := s.get(name, span{-1, tail + pageSize}, nil)
	if errors.Is(err, errUnsatisfiable) {
		r, err = s.get(name, span{0, tail + pageSize}, nil)
	}
	if errors.Is(err, errUnsatisfiable) {
		r, err = new(reply), nil
	}
	now := time.Now()
	var refused *Error
	if errors.As(err, &refused) && (refused.Status == http.StatusForbidden || refused.Status == http.StatusUnauthorized) {
		// Some servers say so of whatever is not there, lest anybody learn what is.
		if l := s.list(); l.err == nil && !slices.Contains(l.names, name) {
			err = errNotThere
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return opening{err: err, until: now.Add(s.limits.missing)}
	case err != nil:
		return opening{err: err, until: now.Add(s.limits.rest)}
	}
	f := newFile(s, name, r.version)
	f.keep(r)
	return opening{file: f, until: now.Add(s.limits.fresh)}
}

// forget has a file asked for anew.
func (s *source) forget(f *file) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files[f.name].file == f {
		delete(s.files, f.name)
	}
}

// List returns the names that SHA256SUMS has, or those in the bucket.
func (s *source) List(ctx context.Context) ([]string, error) {
	if err := s.resting(); err != nil {
		return nil, err
	}
	v, err := s.share(ctx, "list", func() any { return s.list() })
	if err != nil {
		return nil, err
	}
	l := v.(listing)
	return slices.Clone(l.names), l.err
}

// list asks what there is, and remembers it for as long as a file that is missing is.
func (s *source) list() listing {
	s.mu.Lock()
	l := s.listed
	s.mu.Unlock()
	if time.Now().Before(l.until) {
		return l
	}
	l = listing{until: time.Now().Add(s.limits.missing)}
	r, err := s.get(storage.SumsFile, whole, nil)
	switch {
	case err == nil:
		l.names = slices.Sorted(maps.Keys(storage.ParseSums(r.bytes)))
	case errors.Is(err, fs.ErrNotExist):
		l.names, l.err = s.server.list(s.ctx)
	default:
		l.err = err
	}
	if l.err != nil {
		l.until = time.Now().Add(s.limits.rest)
	}
	s.mu.Lock()
	s.listed = l
	s.mu.Unlock()
	return l
}

// Close ends all requests.
func (s *source) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.end()
	s.work.Wait()
	s.server.close()
	return nil
}

package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"time"

	"gogotb/storage"
)

// Options of a Server. Tables has to be there; the rest has useful zero values.
type Options struct {
	Tables *storage.Tables
	Log    *slog.Logger // nil: nothing is logged
	// Origins of other sites' pages that may read the API; "*" for all.
	Origins []string
	// Puzzles is a file of puzzles for the page, named PuzzlesName; none if it is nil.
	Puzzles     []byte
	PuzzlesName string
}

// Server is the API and the page.
type Server struct {
	tables   *storage.Tables
	log      *slog.Logger
	metrics  *metrics
	heavy    gate // for questions about many positions
	searches *searches
	listing  listing
	puzzles  puzzlesReply
	handler  http.Handler
	limits   limits
	// closing ends when the server shuts down: nobody waits for long work then.
	closing context.Context
	close   context.CancelFunc
}

// New makes a Server.
func New(opt Options) *Server {
	searches := newSearches()
	s := &Server{
		tables:   opt.Tables,
		log:      opt.Log,
		metrics:  newMetrics(opt.Tables, searches.queue),
		searches: searches,
		heavy:    newGate(2*runtime.GOMAXPROCS(0), 5*time.Second),
		limits:   usualLimits,
	}
	s.closing, s.close = context.WithCancel(context.Background())
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.puzzles = s.listPuzzles(opt.PuzzlesName, opt.Puzzles)
	for _, text := range s.puzzles.Errors {
		s.log.Warn("a puzzle is left out", "file", opt.PuzzlesName, "error", text)
	}
	s.handler = secured(shared(opt.Origins, compressed(s.mux())))
	return s
}

// Handler answers all requests.
func (s *Server) Handler() http.Handler { return s.handler }

// limits on clients, so that neither slow nor large requests can hold the server up.
type limits struct {
	header   time.Duration // to send the header of a request
	read     time.Duration // to send all of it
	write    time.Duration // from then until all of the answer is taken
	idle     time.Duration // between requests
	shutdown time.Duration // for requests under way when the server ends
}

var usualLimits = limits{
	header:   5 * time.Second,
	read:     20 * time.Second,
	write:    90 * time.Second, // longer than any search
	idle:     2 * time.Minute,
	shutdown: 10 * time.Second,
}

const maxHeaderBytes = 32 << 10

// Serve answers requests that arrive at a listener until the context is done; then those
// under way are finished, but for searches and draws, which are refused.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: s.limits.header,
		ReadTimeout:       s.limits.read,
		WriteTimeout:      s.limits.write,
		IdleTimeout:       s.limits.idle,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	stopped := make(chan error, 1)
	go func() { stopped <- server.Serve(l) }()
	s.log.Info("serving", "address", l.Addr().String())
	select {
	case err := <-stopped:
		return fmt.Errorf("%s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	s.close()
	s.log.Info("shutting down")
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.limits.shutdown)
	defer cancel()
	if err := server.Shutdown(limit); err != nil {
		s.log.Warn("some requests did not end in time", "error", err)
		server.Close()
	}
	if err := <-stopped; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

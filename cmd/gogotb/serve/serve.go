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
	"gogotb/verify"
)

// Options of a Server. Tables has to be there; the rest has useful zero values.
type Options struct {
	Tables *storage.Tables
	Log    *slog.Logger // nil: nothing is logged
	// Origins of other sites' pages that may read the API; "*" for all.
	Origins []string
	// Collections are puzzles for the page, or Puzzles instead, a file of someone's own; PuzzlesName says where
	// they are from.
	Collections []verify.Collection
	Puzzles     []byte
	PuzzlesName string
	// Proxies that are believed when they say whom they ask for.
	Proxies Proxies
	// AccessLog has every request in the log at level info, otherwise at debug.
	AccessLog bool
	// Metrics is where /metrics is served; nil: where everything is.
	Metrics net.Listener
}

// Server is the API and the page.
type Server struct {
	tables    *storage.Tables
	log       *slog.Logger
	metrics   *metrics
	heavy     *queue // for questions about many positions
	searches  *searches
	reviews   *queue // for games that are reviewed, whose searches have their turns like all others
	downloads *queue // for files of tables
	listing   listing
	sums      sums
	puzzles   []puzzlesReply // of each collection
	handler   http.Handler
	limits    limits

	proxies     Proxies
	accessLevel slog.Level
	metricsAt   net.Listener

	// closing ends when the server shuts down: nobody waits for long work then.
	closing context.Context
	close   context.CancelFunc
}

// New makes a Server.
func New(opt Options) *Server {
	searches := newSearches()
	heavy := newQueue(queueLimits{
		questions: "large questions", code: "too-many-questions", slots: 2 * runtime.GOMAXPROCS(0),
		places: 256, perClient: 64, patience: 5 * time.Second,
	})
	reviews := newReviewQueue()
	downloads := newDownloads()
	s := &Server{
		tables:    opt.Tables,
		log:       opt.Log,
		metrics:   newMetrics(opt.Tables, map[string]*queue{"searches": searches.queue, "questions": heavy, "reviews": reviews, "files": downloads}),
		searches:  searches,
		reviews:   reviews,
		heavy:     heavy,
		downloads: downloads,
		limits:    usualLimits,

		proxies:     opt.Proxies,
		accessLevel: slog.LevelDebug,
		metricsAt:   opt.Metrics,
	}
	if opt.AccessLog {
		s.accessLevel = slog.LevelInfo
	}
	s.closing, s.close = context.WithCancel(context.Background())
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.loadPuzzles(&opt)
	s.handler = secured(shared(opt.Origins, compressed(s.mux(), tablesRoot)))
	return s
}

// Handler answers all requests.
func (s *Server) Handler() http.Handler { return s.handler }

// limits on clients, so that neither slow nor large requests can hold the server up.
type limits struct {
	header   time.Duration // to send the header of a request
	read     time.Duration // to send all of it
	answer   time.Duration // for the server to answer, waiting included
	write    time.Duration // from then until all of the answer is taken
	idle     time.Duration // between requests
	shutdown time.Duration // for requests under way when the server ends
}

var usualLimits = limits{
	header:   5 * time.Second,
	read:     20 * time.Second,
	answer:   36 * time.Second, // the page gives up after 40
	write:    90 * time.Second, // longer than any answer, by the time that slow lines need
	idle:     2 * time.Minute,
	shutdown: 10 * time.Second,
}

const maxHeaderBytes = 32 << 10

// Serve answers requests that arrive at listeners until the context is done; then those
// under way are finished, but for searches and draws, which are refused.
func (s *Server) Serve(ctx context.Context, listeners ...net.Listener) error {
	pages := s.server(s.handler)
	servers := []*http.Server{pages}
	stopped := make(chan error, len(listeners)+1)
	for _, l := range listeners {
		s.log.Info("serving", "address", l.Addr().String())
		go func() { stopped <- serveAt(pages, l) }()
	}
	running := len(listeners)
	if s.metricsAt != nil {
		mux := http.NewServeMux()
		mux.Handle("GET /metrics", s.metrics.handler())
		metrics := s.server(mux)
		servers = append(servers, metrics)
		running++
		s.log.Info("serving metrics", "address", s.metricsAt.Addr().String())
		go func() { stopped <- serveAt(metrics, s.metricsAt) }()
	}
	var err error
	select {
	case err = <-stopped:
		running--
	case <-ctx.Done():
	}
	s.close()
	s.log.Info("shutting down")
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.limits.shutdown)
	defer cancel()
	for _, server := range servers {
		if err := server.Shutdown(limit); err != nil {
			s.log.Warn("some requests did not end in time", "error", err)
			server.Close()
		}
	}
	for range running {
		err = errors.Join(err, <-stopped)
	}
	return err
}

// server answers with a handler, with the limits on clients.
func (s *Server) server(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: s.limits.header,
		ReadTimeout:       s.limits.read,
		WriteTimeout:      s.limits.write,
		IdleTimeout:       s.limits.idle,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
}

// serveAt serves until the server is shut down, which is no error.
func serveAt(server *http.Server, l net.Listener) error {
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("%s: %w", l.Addr(), err)
	}
	return nil
}

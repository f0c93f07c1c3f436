package serve

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"github.com/rs/cors"
)

// answering turns a route's handler into one of net/http.
func (s *Server) answering(route route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > route.body {
			s.fail(w, r, asAPIError(&http.MaxBytesError{Limit: route.body})) // without waiting for it
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, route.body)
		v, err := route.answer(r)
		if err != nil {
			s.noteTrouble(r, err)
			s.fail(w, r, asAPIError(err))
			return
		}
		if err := writeJSON(w, r, http.StatusOK, route.cache, v); err != nil {
			s.log.Debug("an answer was not sent", "path", r.URL.Path, "error", err)
		}
	})
}

// fail answers with an error.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, e *apiError) {
	if err := writeError(w, r, e); err != nil {
		s.log.Debug("an answer was not sent", "path", r.URL.Path, "error", err)
	}
}

// noteTrouble writes to the log what is the server's fault, in full.
func (s *Server) noteTrouble(r *http.Request, err error) {
	if asAPIError(err).Code == "table-unusable" {
		s.log.Error("a table cannot be used", "path", r.URL.Path, "query", r.URL.RawQuery, "error", err)
	}
}

// observed counts and times the requests of a route, and keeps a bug in one of them from
// ending the server.
func (s *Server) observed(name string, next http.Handler) http.Handler {
	seconds := s.metrics.seconds.WithLabelValues(name)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		seen := &statusWriter{ResponseWriter: w}
		s.metrics.inFlight.Inc()
		defer func() {
			if bug := recover(); bug != nil {
				s.log.Error("panic", "path", r.URL.Path, "query", r.URL.RawQuery, "panic", bug, "stack", string(debug.Stack()))
				if seen.status == 0 {
					s.fail(seen, r, &apiError{Status: http.StatusInternalServerError, Code: "bug", Message: "this should not have happened; the server's log says more"})
				}
			}
			took := time.Since(start)
			status := seen.status
			if status == 0 {
				status = statusClientGone
			}
			s.metrics.inFlight.Dec()
			s.metrics.requests.WithLabelValues(name, strconv.Itoa(status)).Inc()
			seconds.Observe(took.Seconds())
			s.log.LogAttrs(r.Context(), slog.LevelDebug, "request", slog.String("method", r.Method), slog.String("path", r.URL.Path),
				slog.String("query", r.URL.RawQuery), slog.Int("status", status), slog.Duration("took", took), slog.String("from", r.RemoteAddr))
		}()
		next.ServeHTTP(seen, r)
	})
}

// statusWriter remembers the status of an answer, 0 until there is one.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController see what is underneath.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// secured tells browsers to take answers for what they are called.
func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		next.ServeHTTP(w, r)
	})
}

// compressed packs answers for clients that can unpack them.
func compressed(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(1024))
	if err != nil {
		panic(err) // the options are constant
	}
	return wrap(next)
}

// shared lets pages from the origins given read the API.
func shared(origins []string, next http.Handler) http.Handler {
	if len(origins) == 0 {
		return next
	}
	return cors.New(cors.Options{
		AllowedOrigins: origins,
		AllowedMethods: []string{http.MethodGet, http.MethodPost, http.MethodHead},
		AllowedHeaders: []string{"Content-Type", "If-None-Match"},
		ExposedHeaders: []string{"ETag", "Retry-After"},
		MaxAge:         3600,
	}).Handler(next)
}

package serve

import (
	"context"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
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
		ctx, cancel := context.WithTimeout(r.Context(), s.limits.answer)
		defer cancel()
		limited := r.WithContext(ctx)
		limited.Body = http.MaxBytesReader(w, r.Body, route.body)
		v, err := route.answer(limited)
		if stream, ok := v.(stream); ok && err == nil {
			s.stream(w, r, stream)
			return
		}
		r = limited
		if err != nil {
			s.noteTrouble(r, err)
			s.fail(w, r, asAPIError(err))
			return
		}
		s.reply(w, r, route.cache, v)
	})
}

// reply answers with a value.
func (s *Server) reply(w http.ResponseWriter, r *http.Request, cache string, v any) {
	body, err := encode(v)
	if err != nil {
		s.noteTrouble(r, err)
		s.fail(w, r, asAPIError(err))
		return
	}
	s.sent(r, writeBody(w, r, http.StatusOK, cache, body))
}

// fail answers with an error.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, e *apiError) {
	s.sent(r, writeError(w, r, e))
}

// sent notes that an answer did not reach its client, who has gone most of the time.
func (s *Server) sent(r *http.Request, err error) {
	if err != nil {
		s.log.Debug("an answer was not sent", "path", r.URL.Path, "error", err)
	}
}

// noteTrouble writes to the log what is the server's fault, in full.
func (s *Server) noteTrouble(r *http.Request, err error) {
	what := map[string]string{"table-unusable": "a table cannot be used", "tables-away": "tables are away", "internal": "internal error"}[asAPIError(err).Code]
	if what != "" {
		s.log.Error(what, "path", r.URL.Path, "query", r.URL.RawQuery, "error", err)
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
					s.fail(seen, r, internal())
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
			if !s.log.Enabled(r.Context(), s.accessLevel) {
				return
			}
			client := "unknown"
			if address := s.proxies.address(r); address.IsValid() {
				client = address.String()
			}
			s.log.LogAttrs(r.Context(), s.accessLevel, "request", slog.String("method", r.Method), slog.String("path", r.URL.Path),
				slog.String("query", r.URL.RawQuery), slog.Int("status", status), slog.Duration("took", took),
				slog.String("from", r.RemoteAddr), slog.String("client", client))
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

// compressed packs answers for clients that can unpack them, but for those under a path.
func compressed(next http.Handler, but string) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(1024))
	if err != nil {
		panic(err) // the options are constant
	}
	packed := wrap(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, but) {
			next.ServeHTTP(w, r)
			return
		}
		packed.ServeHTTP(w, r)
	})
}

// shared lets pages from the origins given read the API.
func shared(origins []string, next http.Handler) http.Handler {
	if len(origins) == 0 {
		return next
	}
	return cors.New(cors.Options{
		AllowedOrigins: origins,
		AllowedMethods: []string{http.MethodGet, http.MethodPost, http.MethodHead},
		AllowedHeaders: []string{"Content-Type", "If-None-Match", "If-Range", "Range"},
		ExposedHeaders: []string{"Content-Range", "ETag", "Retry-After"},
		MaxAge:         3600,
	}).Handler(next)
}

package serve

import (
	"net/http"
	"slices"
	"strings"

	_ "embed"
)

const apiRoot = "/api/v1/"

//go:embed openapi.json
var openAPI []byte

// route is an address of the API. Its handler returns an answer or an error.
type route struct {
	method string
	path   string // under apiRoot
	cache  string
	body   int64 // bytes that a body may have
	answer func(*http.Request) (any, error)
}

// routes are all addresses of the API that answer with JSON values.
func (s *Server) routes() []route {
	return []route{
		{"GET", "probe", cacheDay, 0, s.probe},
		{"POST", "probe", cacheNever, maxProbeBody, s.probeMany},
		{"GET", "line", cacheDay, 0, s.line},
		{"GET", "tables", cacheBrief, 0, s.listTables},
		{"GET", "stats/{material}", cacheDay, 0, s.stats},
		{"GET", "random", cacheNever, 0, s.random},
		{"GET", "position", cacheBrief, 0, s.position},
		{"GET", "move", cacheDay, 0, s.move},
		{"GET", "game", cacheDay, 0, s.game},
		{"GET", "puzzles", cacheBrief, 0, s.ownPuzzles},
		{"POST", "puzzles", cacheNever, maxPuzzleBody, s.readPuzzles},
	}
}

// mux is everything that the server answers.
func (s *Server) mux() http.Handler {
	mux := http.NewServeMux()
	methods := map[string][]string{} // by path, for 405
	for _, route := range s.routes() {
		pattern := apiRoot + route.path
		methods[pattern] = append(methods[pattern], route.method)
		mux.Handle(route.method+" "+pattern, s.observed(pattern, s.answering(route)))
	}
	description := &file{openAPI, "application/json", etag(openAPI)}
	methods[apiRoot+"openapi.json"] = []string{"GET"}
	mux.Handle("GET "+apiRoot+"openapi.json", s.observed(apiRoot+"openapi.json", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		serveFile(w, r, description)
	})))
	for pattern, allowed := range methods {
		if slices.Contains(allowed, "GET") {
			allowed = append(allowed, "HEAD")
		}
		allow := strings.Join(allowed, ", ")
		mux.Handle(pattern, s.observed("other", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Allow", allow)
			s.fail(w, r, &apiError{Status: http.StatusMethodNotAllowed, Code: "bad-method", Message: "this address answers " + allow})
		})))
	}
	mux.Handle("GET /healthz", http.HandlerFunc(s.health))
	mux.Handle("GET /metrics", s.metrics.handler())
	files := pageFiles()
	mux.Handle("/", s.observed("page", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f := files[r.URL.Path]
		switch {
		case f == nil:
			s.fail(w, r, notFound("not-found", "there is nothing at this address"))
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			s.fail(w, r, &apiError{Status: http.StatusMethodNotAllowed, Code: "bad-method", Message: "this address answers GET, HEAD"})
		default:
			serveFile(w, r, f)
		}
	})))
	return mux
}

// health answers GET /healthz.
func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	if s.closing.Load() {
		s.fail(w, r, busy("the server is shutting down"))
		return
	}
	writeJSON(w, r, http.StatusOK, cacheNever, map[string]string{"status": "ok"})
}

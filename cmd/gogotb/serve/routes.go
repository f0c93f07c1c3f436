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

// route is an address of the API. Its handler returns an answer, which may be a stream, or an error.
type route struct {
	method string
	path   string // under apiRoot
	cache  string
	body   int64 // bytes that a body may have
	answer func(*http.Request) (any, error)
}

// routes returns all addresses of the API that answer with JSON values.
func (s *Server) routes() []route {
	return []route{
		{"GET", "probe", cacheDay, 0, s.probe},
		{"POST", "probe", cacheNever, maxProbeBody, s.probeMany},
		{"GET", "line", cacheDay, 0, s.line},
		{"GET", "tables", cacheBrief, 0, s.listTables},
		{"GET", "stats/{material}", cacheDay, 0, s.stats},
		{"GET", "atlas", cacheDay, 0, s.listAtlas},
		{"GET", "atlas/{material}", cacheDay, 0, s.atlasOf},
		{"GET", "random", cacheNever, 0, s.random},
		{"GET", "position", cacheBrief, 0, s.position},
		{"GET", "move", cacheDay, 0, s.move},
		{"GET", "game", cacheDay, 0, s.game},
		{"POST", "games", cacheNever, maxGameBody, s.readGames},
		{"POST", "kif", cacheNever, maxGameBody, s.writeKIF},
		{"GET", "solve", cacheNever, 0, s.solve},
		{"POST", "review", cacheNever, maxReviewBody, s.review},
		{"GET", "puzzles", cacheBrief, 0, s.ownPuzzles},
		{"POST", "puzzles", cacheNever, maxPuzzleBody, s.readPuzzles},
	}
}

// mux is everything that the server answers.
func (s *Server) mux() http.Handler {
	mux := http.NewServeMux()
	methods := map[string][]string{} // by path
	handle := func(method, path string, h http.Handler) {
		methods[path] = append(methods[path], method)
		mux.Handle(method+" "+path, s.observed(path, h))
	}
	for _, route := range s.routes() {
		handle(route.method, apiRoot+route.path, s.answering(route))
	}
	description := &file{openAPI, "application/json", etag(openAPI)}
	handle("GET", apiRoot+"openapi.json", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		serveFile(w, r, description)
	}))
	handle("GET", tablesRoot+"{file}", http.HandlerFunc(s.tableFile))
	handle("GET", "/healthz", http.HandlerFunc(s.health))
	if s.metricsAt == nil {
		handle("GET", "/metrics", s.metrics.handler())
	}
	for path, allowed := range methods {
		mux.Handle(path, s.observed("other", s.refusing(allowed...)))
	}
	mux.Handle("/", s.observed("page", s.page()))
	return mux
}

// refusing answers requests with a method that an address does not have, and OPTIONS, which asks which there are.
func (s *Server) refusing(allowed ...string) http.Handler {
	if slices.Contains(allowed, "GET") {
		allowed = append(allowed, "HEAD")
	}
	allow := strings.Join(append(allowed, "OPTIONS"), ", ")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Allow", allow)
		if r.Method == http.MethodOptions {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		s.fail(w, r, &apiError{Status: http.StatusMethodNotAllowed, Code: "bad-method", Message: "this address answers " + allow})
	})
}

// page answers with the files of the page.
func (s *Server) page() http.Handler {
	files := pageFiles()
	refuse := s.refusing("GET")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f := files[r.URL.Path]
		switch {
		case f == nil:
			s.fail(w, r, notFound("not-found", "there is nothing at this address; %sopenapi.json describes what there is", apiRoot))
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			refuse.ServeHTTP(w, r)
		default:
			serveFile(w, r, f)
		}
	})
}

// healthReply says whether all is well. With damaged tables the server answers what the others tell.
type healthReply struct {
	Status  string         `json:"status"` // ok, or damaged
	Damaged []damagedReply `json:"damaged,omitempty"`
}

// health answers GET /healthz.
func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	reply := healthReply{"ok", s.damaged()}
	if len(reply.Damaged) > 0 {
		reply.Status = "damaged"
	}
	s.reply(w, r, cacheNever, reply)
}

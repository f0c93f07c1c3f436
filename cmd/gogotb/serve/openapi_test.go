package serve

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// description is the description of the API, as a client reads it.
func description(t testing.TB, root string) (*openapi3.T, routers.Router) {
	t.Helper()
	r, err := http.Get(root + "/api/v1/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(body)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	doc.Servers = openapi3.Servers{{URL: root + "/api/v1"}}
	for _, item := range doc.Paths.Map() { // the router forgets those of the document after a path that has its own
		at := root + "/api/v1"
		if len(item.Servers) > 0 {
			at = root
		}
		item.Servers = openapi3.Servers{{URL: at}}
	}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	return doc, router
}

// TestDescriptionIsComplete finds every address of the API in the description, and the
// reverse.
func TestDescriptionIsComplete(t *testing.T) {
	server := startServer(t, Options{})
	doc, _ := description(t, server.URL)
	var described []string
	there := []string{"GET /tables/{file}"} // which is not below the others
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			described = append(described, method+" "+path)
		}
	}
	for _, route := range New(Options{Tables: testTables(t)}).routes() {
		there = append(there, route.method+" /"+route.path)
	}
	slices.Sort(described)
	slices.Sort(there)
	if !slices.Equal(described, there) {
		t.Errorf("described: %v\nthere:     %v", described, there)
	}
}

// TestAnswersAreAsDescribed sends requests to every address, good ones and bad ones, and holds the
// answers, headers and bodies, against the description.
func TestAnswersAreAsDescribed(t *testing.T) {
	server := startServer(t, Options{Puzzles: []byte("4k/5/5/5/K4 b RG 1 moves G*2c 1a2a R*4a ; plies 3; grade easy; last 5/4k/5/5/K4 w RG moves 1b1a\n"), PuzzlesName: "one.sfen"})
	doc, router := description(t, server.URL)
	seen := map[string]bool{}
	for _, c := range []question{
		{"GET", "probe?sfen=" + url.QueryEscape("4k/5/5/5/K4 b RG 1"), "", 200},
		{"GET", "probe?sfen=4k/5/5/5/K4_b_-&repetition=first-player-loses&first_player=w", "", 200},
		{"GET", "probe?sfen=4k/4G/4K/5/5_w_-", "", 200},
		{"GET", "probe?sfen=" + url.QueryEscape("4k/5/5/5/K5 b - 1"), "", 400},
		{"GET", "probe?sfen=4k/5/5/5/K4_b_GS", "", 404},
		{"GET", "probe?sfen=4k/5/5/5/5_b_G", "", 404},
		{"POST", "probe", `{"positions":["4k/5/5/5/K4 b RG 1","nonsense","4k/5/5/5/K4 b GS 1"],"repetition":"draw"}`, 200},
		{"POST", "probe", `{"positions":[]}`, 400},
		{"POST", "probe", `{"positions":["` + strings.Repeat(" ", 300<<10) + `"]}`, 413},
		{"GET", "line?sfen=4k/5/5/5/K4_b_RG", "", 200},
		{"GET", "line?sfen=4k/5/5/5/K4_b_-", "", 200},
		{"GET", "line?sfen=4k/5/5/5/K4_b_GS", "", 404},
		{"GET", "line", "", 400},
		{"GET", "tables", "", 200},
		{"GET", "tables?x=1", "", 400},
		{"GET", "stats/GP", "", 200},
		{"GET", "stats/none", "", 200},
		{"GET", "stats/RB", "", 200},
		{"GET", "stats/GS", "", 404},
		{"GET", "stats/RRBBGGSSPP", "", 404},
		{"GET", "stats/QQ", "", 400},
		{"GET", "atlas", "", 200},
		{"GET", "atlas?x=1", "", 400},
		{"GET", "atlas/GSP", "", 200},
		{"GET", "atlas/RRBBGGSSPP", "", 404},
		{"GET", "atlas/QQ", "", 400},
		{"GET", "random?material=RG", "", 200},
		{"GET", "random?material=RB&category=loss", "", 200},
		{"GET", "random?material=RB&category=win&by=perpetual", "", 200},
		{"GET", "random?material=GP&by=perpetual&dtm=5", "", 400},
		{"GET", "random?material=none&category=win", "", 404},
		{"GET", "random?material=GP&category=win&dtm=4", "", 400},
		{"GET", "position?sfen=4k/5/5/5/K4_b_RG", "", 200},
		{"GET", "position?sfen=4k/4K/5/5/5_b_-", "", 200},
		{"GET", "position", "", 400},
		{"GET", "move?sfen=4k/5/5/5/K4_b_P&usi=P*3a", "", 200},
		{"GET", "move?sfen=4k/5/5/5/K4_b_P&usi=P*3b", "", 200},
		{"GET", "move?sfen=4k/5/5/5/K4_b_P&usi=P*9z", "", 400},
		{"GET", "game?sfen=4k/5/5/5/K4_b_RG&moves=G*2c,1a2a,R*4a", "", 200},
		{"GET", "game?sfen=4k/5/5/5/K4_b_-", "", 200},
		{"GET", "game?sfen=4k/5/5/5/K4_b_RG&moves=R*3b,1a5a", "", 400},
		{"GET", "solve?sfen=4k/5/5/5/K4_b_RG", "", 200},
		{"GET", "solve?sfen=rbsgk/4p/5/P4/KGSBR_b_-&max_plies=3", "", 200},
		{"GET", "solve?sfen=rbsgk/4p/5/P4/KGSBR_b_-&timeout=1ms", "", 200},
		{"GET", "solve?sfen=4k/5/5/5/K4_b_RG&timeout=1h", "", 400},
		{"GET", "solve?sfen=rbsgk/4p/5/P4/KGSBR_b_-&timeout=300ms&progress=true&unasked=true", "", 200},
		{"POST", "games", "1. G-44 S-22 {x} 2. S-34 resign", 200},
		{"POST", "games", "position startpos moves 5e4d\nnonsense\nstartpos moves 5e4d 5d5e resign\n", 200},
		{"POST", "games", aGame + "なに\n", 200},
		{"POST", "games", "nonsense", 400},
		{"POST", "games", "", 400},
		{"POST", "games", "[Event \"x\"]\n[Site \"y\"]\n", 400},
		{"POST", "games", strings.Repeat("#", 2<<20), 413},
		{"POST", "kif", `{"players":{"sente":"x","gote":""},"headers":[{"key":"a","value":"b"}],"positions":[{"before":null,"sfen":"4k/5/5/5/K4 b G"},{"before":0,"sfen":"","usi":"G*2c","comments":["c"],"end":{"code":"resigns","text":""}}]}`, 200},
		{"POST", "kif", `{"positions":[]}`, 400},
		{"POST", "kif", `{"positions":[{"before":null,"sfen":"4k/5/5/5/K4 b G"},{"before":0,"sfen":"","usi":"5e5a"}]}`, 400},
		{"POST", "kif", `{"positions":[` + strings.Repeat(`{"before":null,"sfen":""},`, maxWritten) + `{"before":null,"sfen":""}]}`, 413},
		{"POST", "review?nodes=1000&plies=5", reviewed, 200},
		{"POST", "review", `{"game":""}`, 400},
		{"POST", "review?nodes=0", reviewed, 400},
		{"POST", "review", `{"game":"` + strings.Repeat("x", maxReviewBody) + `"}`, 413},
		{"GET", "puzzles", "", 200},
		{"GET", "puzzles?collection=all&grade=easy&min_plies=3&max_plies=5", "", 200},
		{"GET", "puzzles?collection=games", "", 400},
		{"GET", "puzzles?grade=harder", "", 400},
		{"GET", "puzzles?min_plies=5&max_plies=3", "", 400},
		{"POST", "puzzles", "4k/5/5/5/K4 b RG 1\nnonsense\n", 200},
		{"POST", "puzzles", "nonsense", 400},
		{"POST", "puzzles", strings.Repeat("#", 2<<20), 413},
		{"GET", "tables", "hello", 413},
	} {
		seen[c.ask(t, server.URL, router)] = true
	}
	seen["tableFile"] = true // see TestFiles
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			if !seen[operation.OperationID] {
				t.Errorf("%s %s was not asked", method, path)
			}
		}
	}
}

// reviewed is a body with games of all kinds: a mate by a table, one that was missed, an illegal move, no game.
const reviewed = `{"game":"sfen 4k/5/5/5/K4 b RG 1 moves G*2c 1a2a R*4a\n` +
	`sfen 4k/5/4K/5/5 b GS 1 moves S*2c 1a2a resign\nstartpos moves 5e4d 1a1c\nsfen K5/5 moves\nstartpos moves 5e5e"}`

// TestTroubleIsAsDescribed: errors that are the server's fault, or that of too many clients, are in the description, too.
func TestTroubleIsAsDescribed(t *testing.T) {
	busy := New(Options{Tables: testTables(t)})
	busy.heavy = newQueue(queueLimits{}) // without any places
	full := New(Options{Tables: testTables(t)})
	full.heavy = newQueue(queueLimits{questions: "large questions", code: "too-many-questions", places: 9, perClient: 1, patience: time.Minute})
	for q, n := range map[*queue]int{full.heavy: 1, busy.searches.queue: clientPlaces} {
		for range n { // this client has all places that it may have, as if it had asked
			go q.enter(t.Context(), netip.MustParsePrefix("127.0.0.1/32"))
		}
		for running, waiting := 0, 0; running+waiting < n; running, waiting = q.load() {
			time.Sleep(time.Millisecond)
		}
	}
	broken := New(Options{}) // without any tables, which is a bug of whoever starts it
	closing := New(Options{Tables: testTables(t)})
	closing.close()
	for s, questions := range map[*Server][]question{
		busy: {
			{"POST", "probe", `{"positions":["4k/5/5/5/K4 b RG 1"]}`, 503}, {"GET", "random?material=GP", "", 503}, {"POST", "puzzles", "x", 503}, {"POST", "games", "x", 503}, {"POST", "kif", "{}", 503},
			{"GET", "solve?sfen=4k/5/5/5/K4_b_RG", "", 429}, {"POST", "review", `{"game":"startpos moves 5e4d"}`, 429},
		},
		full: {
			{"POST", "probe", `{"positions":["4k/5/5/5/K4 b RG 1"]}`, 429}, {"GET", "random?material=GP", "", 429}, {"POST", "puzzles", "x", 429}, {"POST", "games", "x", 429}, {"POST", "kif", "{}", 429},
		},
		broken:  {{"GET", "probe?sfen=4k/5/5/5/K4_b_RG", "", 500}, {"GET", "tables", "", 500}},
		closing: {{"GET", "solve?sfen=rbsgk/4p/5/P4/KGSBR_b_-", "", 503}, {"POST", "review", `{"game":"startpos moves 5e4d"}`, 503}},
	} {
		server := httptest.NewServer(s.Handler())
		defer server.Close()
		_, router := description(t, server.URL)
		for _, c := range questions {
			c.ask(t, server.URL, router)
		}
	}
}

// Each line of a stream is held against the description by itself.
func init() {
	openapi3filter.RegisterBodyDecoder("application/x-ndjson", func(body io.Reader, _ http.Header, schema *openapi3.SchemaRef, _ openapi3filter.EncodingFn) (any, error) {
		var last any
		for d := json.NewDecoder(body); ; {
			switch err := d.Decode(&last); {
			case err == io.EOF:
				return last, nil
			case err != nil:
				return nil, err
			}
			if err := schema.Value.VisitJSON(last); err != nil {
				return nil, err
			}
		}
	})
}

// question is a request to the API, and the status of its answer.
type question struct {
	method, path, body string
	status             int
}

// ask holds the answer against the description, and returns what the operation is called there.
func (c question) ask(t testing.TB, root string, router routers.Router) (operation string) {
	t.Helper()
	name := c.method + " " + c.path
	request, err := http.NewRequestWithContext(t.Context(), c.method, root+"/api/v1/"+c.path, strings.NewReader(c.body))
	if err != nil {
		t.Fatal(err)
	}
	if c.method == http.MethodPost {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	defer response.Body.Close()
	if response.StatusCode != c.status {
		t.Errorf("%s: status %d, want %d", name, response.StatusCode, c.status)
	}
	route, parameters, err := router.FindRoute(request)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	in := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: request, PathParams: parameters, Route: route},
		Status:                 response.StatusCode, Header: response.Header, Body: response.Body,
		Options: &openapi3filter.Options{IncludeResponseStatus: true},
	}
	if err := openapi3filter.ValidateResponse(t.Context(), in); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	return route.Operation.OperationID
}

package serve

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// queries make a good question of each address that wants parameters.
var queries = map[string]string{
	"/api/v1/probe":    "?sfen=4k/5/5/5/K4_b_RG",
	"/api/v1/line":     "?sfen=4k/5/5/5/K4_b_RG",
	"/api/v1/random":   "?material=RG",
	"/api/v1/position": "?sfen=4k/5/5/5/K4_b_RG",
	"/api/v1/move":     "?sfen=4k/5/5/5/K4_b_RG&usi=R*4a",
	"/api/v1/game":     "?sfen=4k/5/5/5/K4_b_RG",
	"/api/v1/solve":    "?sfen=4k/5/5/5/K4_b_RG",
}

// plain is a client that lets answers be as they are.
var plain = http.Client{Transport: &http.Transport{DisableCompression: true}}

func askPlain(t *testing.T, method, address string) (*http.Response, string) {
	t.Helper()
	r, err := plain.Do(mustRequest(t, method, address))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r, string(body)
}

// TestMethods asks every address of the description, and those beside it, with every method: HEAD is GET without a body,
// OPTIONS says what there is, and what there is not is refused.
func TestMethods(t *testing.T) {
	server := startServer(t, Options{})
	doc, _ := description(t, server.URL)
	allowed := map[string][]string{
		"/": {"GET"}, "/style.css": {"GET"}, "/healthz": {"GET"}, "/metrics": {"GET"}, "/api/v1/openapi.json": {"GET"},
	}
	for path, item := range doc.Paths.Map() {
		var methods []string
		for method := range item.Operations() {
			methods = append(methods, method)
		}
		slices.Sort(methods)
		root := "/api/v1"
		if len(item.Servers) > 0 {
			root = strings.TrimSuffix(strings.TrimPrefix(item.Servers[0].URL, server.URL), "/")
		}
		allowed[root+strings.NewReplacer("{material}", "GP", "{file}", "GP.gbo").Replace(path)] = methods
	}
	for path, methods := range allowed {
		address := server.URL + path + queries[path]
		if !slices.Contains(methods, http.MethodGet) {
			refusesOthers(t, path, address, methods, append(methods, "OPTIONS"))
			continue
		}
		get, body := askPlain(t, http.MethodGet, address)
		head, none := askPlain(t, http.MethodHead, address)
		if get.StatusCode != http.StatusOK || head.StatusCode != http.StatusOK || body == "" || none != "" {
			t.Errorf("%s: GET %s, %d bytes, HEAD %s, %d bytes", path, get.Status, len(body), head.Status, len(none))
		}
		names := []string{"Content-Type", "Cache-Control", "ETag"}
		if get.Header.Get("Cache-Control") != cacheNever && path != "/metrics" { // the next answer may be another one
			names = append(names, "Content-Length")
		}
		for _, name := range names {
			if g, h := get.Header.Get(name), head.Header.Get(name); g != h {
				t.Errorf("%s: %s is %q for GET and %q for HEAD", path, name, g, h)
			}
		}
		refusesOthers(t, path, address, methods, append(methods, "HEAD", "OPTIONS"))
	}
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodOptions} {
		if r, _ := askPlain(t, method, server.URL+"/api/v1/nothing"); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s of what is not there: %s", method, r.Status)
		}
	}
}

// refusesOthers asks an address for its methods, and with all others but GET and HEAD.
func refusesOthers(t *testing.T, path, address string, methods, allowed []string) {
	allow := strings.Join(allowed, ", ")
	options, body := askPlain(t, http.MethodOptions, address)
	if options.StatusCode != http.StatusNoContent || options.Header.Get("Allow") != allow || body != "" {
		t.Errorf("%s: OPTIONS %s, Allow %q, want %q; %s", path, options.Status, options.Header.Get("Allow"), allow, body)
	}
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"} {
		if slices.Contains(methods, method) {
			continue
		}
		r, body := askPlain(t, method, address)
		if r.StatusCode != http.StatusMethodNotAllowed || r.Header.Get("Allow") != allow || !strings.Contains(body, `"bad-method"`) {
			t.Errorf("%s: %s %s, Allow %q, want %q; %s", path, method, r.Status, r.Header.Get("Allow"), allow, body)
		}
	}
}

// TestHeadDoesNotSearch: HEAD of a search or a draw looks at the parameters, and does no work.
func TestHeadDoesNotSearch(t *testing.T) {
	s := New(Options{Tables: testTables(t)})
	s.searches.queue, s.heavy = newQueue(queueLimits{}), newQueue(queueLimits{}) // in which nobody has a place
	address, _ := runReal(t, s)
	for question, status := range map[string]int{
		"solve?sfen=rbsgk/4p/5/P4/KGSBR_b_-": 200, "random?material=GP&dtm=7": 200, "probe?sfen=4k/5/5/5/K4_b_RG": 200,
		"solve?sfen=x": 400, "random?material=Q": 400, "random?material=GS": 404, "random?material=R&dtm=13": 404,
	} {
		r, body := askPlain(t, http.MethodHead, "http://"+address+"/api/v1/"+question)
		if r.StatusCode != status || body != "" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %s, headers %v, body %q", question, r.Status, r.Header, body)
		}
		if strings.HasPrefix(question, "solve") && status == 200 && (r.ContentLength != -1 || r.Header.Get("Cache-Control") != cacheNever) {
			t.Errorf("%s: headers %v", question, r.Header)
		}
		if r, _ := askPlain(t, http.MethodGet, "http://"+address+"/api/v1/"+question); status == 200 && !strings.HasPrefix(question, "probe") && r.StatusCode != 503 {
			t.Errorf("%s: a GET is %s, and should have found no place", question, r.Status)
		}
	}
}

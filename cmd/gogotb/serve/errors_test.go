package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"gogotb/cmd/internal/tabletest"
	"gogotb/index"
	"gogotb/storage"
)

func TestErrors(t *testing.T) {
	server := startServer(t, Options{})
	for path, want := range map[string]struct {
		status    int
		code, say string
	}{
		"probe":                                          {400, "missing-parameter", "sfen"},
		"probe?sfen=":                                    {400, "missing-parameter", "sfen"},
		"probe?sfen=4k/5/5/5/K5_b_-":                     {400, "bad-sfen", "board"},
		"probe?sfen=4k/5/5/5/K4_b_Q":                     {400, "bad-sfen", "hands"},
		"probe?sfen=4k/4K/5/5/5_b_-":                     {400, "bad-sfen", "adjacent"},
		"probe?sfen=4k/5/5/5/K4_b_-&sfen=x":              {400, "bad-parameter", "2 times"},
		"probe?sfen=4k/5/5/5/K4_b_-&sfn=x":               {400, "unknown-parameter", "sfn"},
		"probe?sfen=4k/5/5/5/K4_b_-;x":                   {400, "bad-query", "semicolon"},
		"probe?sfen=%zz":                                 {400, "bad-query", "%zz"},
		"probe?sfen=4k/5/5/5/K4_b_-&repetition=win":      {400, "bad-parameter", "win"},
		"probe?sfen=4k/5/5/5/K4_b_-&repetition=inventor": {400, "bad-parameter", "inventor"},
		"probe?sfen=4k/5/5/5/K4_b_-&first_player=x":      {400, "bad-parameter", "first_player"},
		"probe?sfen=4k/5/5/5/K4_b_GS":                    {404, "no-table", "gogotb generate GS"},
		"probe?sfen=rbsgk/4p/5/P4/KGSBR_b_-":             {404, "no-table", "at most 5"},
		"probe?sfen=4k/5/5/5/5_b_G":                      {404, "no-table", "no king"},
		"stats/GSGSGS":                                   {400, "bad-material", "more than two"},
		"stats/":                                         {404, "not-found", ""},
		"stats/gp":                                       {400, "bad-material", "'g'"},
		"random":                                         {400, "missing-parameter", "material"},
		"random?material=R&dtm=-1":                       {400, "bad-parameter", "dtm"},
		"random?material=R&dtm=13":                       {404, "no-position", "longest win takes 11"},
		"random?material=R&category=sideways":            {400, "bad-parameter", "sideways"},
		"random?material=R&category=draw":                {404, "no-position", "draw"},
		"random?material=R&category=win&by=perpetual":    {404, "no-position", "win by perpetual"},
		"random?material=R&by=check":                     {400, "bad-parameter", "check"},
		"move?sfen=4k/5/5/5/K4_b_-&usi=5e5e":             {400, "bad-move", "ends where it starts"},
		"game?sfen=4k/5/5/5/K4_b_-&moves=5e4d,5e4d":      {400, "illegal-move", "ply 2"},
		"game?sfen=4k/5/5/5/K4_b_-&moves=":               {200, "", ""},
		"probe?sfen=4k/5/2G2/2+p2/K4_b_-":                {400, "bad-sfen", "%2B"},
		"probe?sfen=+S4/5/4k/5/K4_b_-":                   {400, "bad-sfen", "%2B"},
		"probe?sfen=4k/5/5/5/K5+b+-":                     {400, "bad-sfen", "board"},
		"probe?sfen=4k/5/5/5/K4+b+-+x":                   {400, "bad-sfen", "is no digit"},
		"move?sfen=4k/2R2/5/5/K4_b_-&usi=3b3a+":          {400, "bad-move", "%2B"},
		"game?sfen=4k/2R2/5/5/K4_b_-&moves=3b3a+":        {400, "bad-move", "%2B"},
		"game?sfen=4k/2R2/5/5/K4_b_-&moves=3b3a%2B,1a1b": {200, "", ""},
		"tables?sfen=x":                                  {400, "unknown-parameter", "it has none"},
		"nothing":                                        {404, "not-found", "/api/v1/openapi.json"},
		"../../etc/passwd":                               {404, "not-found", ""},
		"%2e%2e/%2e%2e/go.mod":                           {404, "not-found", ""},
	} {
		var got errorReply
		r := ask(t, server.URL, path, &got)
		if got.Error == nil {
			got.Error = &apiError{}
		}
		if r.StatusCode != want.status || got.Error.Code != want.code || !strings.Contains(got.Error.Message, want.say) {
			t.Errorf("%s: %d %+v, want %+v", path, r.StatusCode, got.Error, want)
		}
		if wantRule := map[string]string{"illegal-move": "no-piece"}[want.code]; got.Error.Rule != wantRule {
			t.Errorf("%s: rule %q, want %q", path, got.Error.Rule, wantRule)
		}
		if want.status >= 400 {
			if r.Header.Get("Cache-Control") != cacheNever {
				t.Errorf("%s: an error may be cached: %s", path, r.Header.Get("Cache-Control"))
			}
			if r.Header.Get("Content-Type") != "application/json" {
				t.Errorf("%s: an error is %s", path, r.Header.Get("Content-Type"))
			}
		}
	}
	r, err := http.DefaultClient.Do(mustRequest(t, http.MethodDelete, server.URL+"/api/v1/probe"))
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != http.StatusMethodNotAllowed || r.Header.Get("Allow") != "GET, POST, HEAD, OPTIONS" {
		t.Errorf("DELETE: %s, Allow %q", r.Status, r.Header.Get("Allow"))
	}
}

// TestErrorsByType: what is known of a table is said to be the table's fault, and what nobody foresaw is no such thing.
func TestErrorsByType(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		code   string
	}{
		{&storage.CorruptError{File: "secret"}, 503, "table-unusable"},
		{&storage.VersionError{File: "secret"}, 503, "table-unusable"},
		{&storage.NotATableError{File: "secret"}, 503, "table-unusable"},
		{&storage.ReadError{}, 503, "table-unusable"},
		{&storage.ReadError{File: "secret", Err: storage.ErrUnavailable}, 503, "tables-away"},
		{&fs.PathError{Op: "open", Path: "secret", Err: fs.ErrPermission}, 503, "table-unusable"},
		{&storage.MissingTableError{Material: index.Material{1}, Dirs: []string{"secret"}}, 404, "no-table"},
		{context.DeadlineExceeded, 503, "busy"},
		{context.Canceled, statusClientGone, "gone"},
		{errors.New("secret"), 500, "internal"},
		{&index.RangeError{}, 500, "internal"},
		{&index.MaterialError{}, 500, "internal"},
		{&storage.ValueError{What: "secret"}, 500, "internal"},
	} {
		for _, err := range []error{c.err, fmt.Errorf("somewhere: %w", c.err)} {
			got := asAPIError(err)
			if got.Status != c.status || got.Code != c.code || strings.Contains(got.Message, "secret") {
				t.Errorf("%T: %d %+v, want %d %s", c.err, got.Status, got, c.status, c.code)
			}
		}
	}
}

// TestInternalErrors: an error that nobody foresaw is 500 wherever it comes from, and the log has all of it.
func TestInternalErrors(t *testing.T) {
	log, lines := logTo(t)
	s := New(Options{Tables: testTables(t), Log: log})
	for name, route := range map[string]route{
		"unknown error":    {cache: cacheDay, answer: func(*http.Request) (any, error) { return nil, errors.New("nobody foresaw this") }},
		"no JSON":          {cache: cacheDay, answer: func(*http.Request) (any, error) { return math.NaN(), nil }},
		"error in a panic": {cache: cacheDay, answer: func(*http.Request) (any, error) { panic("nobody foresaw this") }},
	} {
		w := httptest.NewRecorder()
		s.observed("test", s.answering(route)).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		if body := w.Body.String(); w.Code != http.StatusInternalServerError || !strings.Contains(body, `"code":"internal"`) || strings.Contains(body, "foresaw") {
			t.Errorf("%s: %d %s", name, w.Code, body)
		}
		if w.Header().Get("Cache-Control") != cacheNever {
			t.Errorf("%s: headers %v", name, w.Header())
		}
	}
	for _, want := range []string{"nobody foresaw this", "NaN", `"level":"ERROR","msg":"internal error"`, `"level":"ERROR","msg":"panic"`} {
		if !strings.Contains(lines(), want) {
			t.Errorf("the log lacks %s: %s", want, lines())
		}
	}
}

// TestWrongStatistics: a table whose statistics promise positions that it does not hold is damaged; no other position is
// given instead.
func TestWrongStatistics(t *testing.T) {
	dir := t.TempDir()
	if err := tabletest.Write(dir, "R"); err != nil {
		t.Fatal(err)
	}
	m, err := index.ParseMaterial("R")
	if err != nil {
		t.Fatal(err)
	}
	set, err := openTables(t, dir).Set(m)
	if err != nil {
		t.Fatal(err)
	}
	_, err = newDrawer(set, rand.New(rand.NewPCG(1, 2))).search(t.Context(), kind{"draw", "", -1}, 1) // R has none
	var damaged *storage.CorruptError
	if !errors.As(err, &damaged) {
		t.Errorf("a position is drawn: %v", err)
	}
}

package serve

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"gogotb/cmd/internal/answer"
	"gogotb/rules"
)

// ask sends a request to the API and reads the answer's JSON into v, which may be nil.
func ask(t testing.TB, root, path string, v any) *http.Response {
	t.Helper()
	r, err := http.Get(root + "/api/v1/" + path)
	if err != nil {
		t.Fatal(err)
	}
	read(t, r, v)
	return r
}

func read(t testing.TB, r *http.Response, v any) {
	t.Helper()
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	if v == nil {
		return
	}
	if err := json.Unmarshal(body, v); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
}

func post(t testing.TB, address string, body any, v any) *http.Response {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.Post(address, "application/json", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	read(t, r, v)
	return r
}

// fixture is a line of index/testdata/values_M.tsv.
type fixture struct {
	sfen, category, by string
	n                  *int
}

func fixtures(t testing.TB, set string) []fixture {
	t.Helper()
	f, err := os.Open("../../../index/testdata/values_" + set + ".tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []fixture
	for in := bufio.NewScanner(f); in.Scan(); {
		fields := strings.Split(in.Text(), "\t")
		if fields[0] == "sfen" {
			continue
		}
		x := fixture{sfen: fields[0], category: fields[1], by: fields[2]}
		var n int
		if _, err := fmt.Sscan(fields[3], &n); err == nil {
			x.n = &n
		}
		list = append(list, x)
	}
	if len(list) < 100 {
		t.Fatalf("%d fixtures of %s", len(list), set)
	}
	return list
}

// TestValues asks for the fixtures' positions, a thousand at a time.
func TestValues(t *testing.T) {
	server := startServer(t, Options{})
	for _, set := range []string{"none", "R", "G", "P", "RB", "GP"} {
		var sfens []string
		list := fixtures(t, set)
		for _, f := range list {
			sfens = append(sfens, f.sfen)
		}
		var answers struct{ Answers []answer.Probe }
		for part := range slices.Chunk(sfens, maxPositions) {
			var some struct{ Answers []answer.Probe }
			if r := post(t, server.URL+"/api/v1/probe", manyRequest{Positions: part}, &some); r.StatusCode != http.StatusOK {
				t.Fatalf("%s: %s", set, r.Status)
			}
			answers.Answers = append(answers.Answers, some.Answers...)
		}
		for i, f := range list {
			got := answers.Answers[i]
			number := got.DTM
			if f.by == answer.ByPerpetual {
				number = got.Rank
			}
			if got.Category != f.category || got.By != f.by || (f.n == nil) != (number == nil) || f.n != nil && *f.n != *number {
				t.Errorf("%s: %+v, want %s by %s", f.sfen, got.Value, f.category, f.by)
			}
		}
	}
}

func TestRepetitionRule(t *testing.T) {
	server := startServer(t, Options{})
	for parameters, want := range map[string]string{
		"": "draw", "&repetition=draw": "draw", "&repetition=first-player-loses": "loss", "&repetition=first-player-loses&first_player=w": "win",
	} {
		var got answer.Probe
		ask(t, server.URL, "probe?sfen=4k/5/5/5/K4_b_-"+parameters, &got)
		if got.Category != want || got.By != answer.ByRepetition {
			t.Errorf("%s: %+v, want %s", parameters, got.Value, want)
		}
	}
}

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
		"move?sfen=4k/5/5/5/K4_b_-&usi=5e5e":             {400, "bad-move", "ends where it starts"},
		"game?sfen=4k/5/5/5/K4_b_-&moves=5e4d,5e4d":      {400, "illegal-move", "ply 2"},
		"game?sfen=4k/5/5/5/K4_b_-&moves=":               {200, "", ""},
		"nothing":                                        {404, "not-found", ""},
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
	if r.StatusCode != http.StatusMethodNotAllowed || r.Header.Get("Allow") != "GET, POST, HEAD" {
		t.Errorf("DELETE: %s, Allow %q", r.Status, r.Header.Get("Allow"))
	}
}

func mustRequest(t testing.TB, method, address string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestManyPositions: answers in order, and what is wrong is said in its place.
func TestManyPositions(t *testing.T) {
	server := startServer(t, Options{})
	var got struct{ Answers []json.RawMessage }
	post(t, server.URL+"/api/v1/probe", manyRequest{Positions: []string{"4k/5/5/5/K4 b RG 1", "x", "4k/5/5/5/K4 b GS 1", "4k/5/5/5/K4 w R 1"}}, &got)
	if len(got.Answers) != 4 {
		t.Fatalf("%d answers", len(got.Answers))
	}
	for i, want := range []string{`"dtm":3`, `{"sfen":"x","error":"SFEN: `, `"error":"no table of outcomes for GS here`, `"sfen":"4k/5/5/5/K4 w R 1"`} {
		if !strings.Contains(string(got.Answers[i]), want) {
			t.Errorf("answer %d: %.200s, want %s", i, got.Answers[i], want)
		}
	}
	for body, status := range map[string]int{
		``: 400, `[]`: 400, `{`: 400, `{"positions":["x"]} {}`: 400, `{"position":["x"]}`: 400, `{"positions":"x"}`: 400,
		`{"positions":["x"],"repetition":"inventor"}`:           400,
		`{"positions":[` + strings.Repeat(`"",`, 1000) + `""]}`: 413,
		strings.Repeat(" ", maxProbeBody+1):                     413,
	} {
		r, err := http.Post(server.URL+"/api/v1/probe", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		var e errorReply
		read(t, r, &e)
		if r.StatusCode != status || e.Error == nil || e.Error.Message == "" {
			t.Errorf("%.40q: %s, want %d", body, r.Status, status)
		}
	}
}

// TestLine plays the line: it ends the game after as many plies as the value says.
func TestLine(t *testing.T) {
	server := startServer(t, Options{})
	var got lineReply
	ask(t, server.URL, "line?sfen=4k/5/2G2/4p/K4_b_-", &got)
	p, err := rules.ParseSFEN("4k/5/2G2/4p/K4 b - 1")
	if err != nil {
		t.Fatal(err)
	}
	if got.DTM == nil || len(got.Line) != *got.DTM || len(got.Western) != *got.DTM {
		t.Fatalf("%+v", got)
	}
	for i, text := range got.Line {
		m, err := p.ParseWestern(got.Western[i])
		if err != nil || m.USI() != text {
			t.Fatalf("move %d: %s is %v, %v", i, got.Western[i], m, err)
		}
		p.Make(m)
	}
	if p.HasMove() {
		t.Errorf("the line ends in %v", p)
	}
}

// TestMovesAndGames: what the rules say of positions, moves and games.
func TestMovesAndGames(t *testing.T) {
	server := startServer(t, Options{})
	var position positionReply
	ask(t, server.URL, "position?sfen="+url.QueryEscape(rules.StartSFEN), &position)
	if !position.Legal || position.Table || position.Material != "RRBBGGSSPP" || len(position.Moves) != 14 {
		t.Errorf("the start: %+v", position)
	}
	position = positionReply{}
	ask(t, server.URL, "position?sfen=4k/4K/5/5/5_b_-", &position)
	if position.Legal || position.Error == nil || position.Error.Code != "bad-sfen" || len(position.Moves) > 0 {
		t.Errorf("kings that touch: %+v", position)
	}
	for move, want := range map[string]string{
		"P*3a": "dead-pawn", "P*1d": "nifu", "P*1a": "occupied", "G*3c": "not-in-hand", "5e5c": "cannot-reach", "1a1b": "not-yours", "3c3b": "no-piece", "5e5d": "",
	} {
		var got moveReply
		ask(t, server.URL, "move?sfen=4k/5/4P/5/K4_b_P&usi="+move, &got)
		if got.Rule != want || got.Legal != (want == "") || (got.After == "") != (want != "") || (got.Message == "") != (want == "") {
			t.Errorf("%s: %+v, want %q", move, got, want)
		}
	}
	var mate moveReply
	ask(t, server.URL, "move?sfen=4k/5/4K/5/3R1_b_P&usi=P*1b", &mate)
	if mate.Rule != "uchifuzume" {
		t.Errorf("a pawn drop that mates: %+v", mate)
	}
	for moves, want := range map[string]string{
		"":               "ongoing   0",
		"R*3b,1a2a":      "ongoing   2",
		"R*3b,1a1b":      "",
		"G*2c,1a2a,R*4a": "win sente checkmate 3",
		strings.Repeat("5e5d,1a1b,5d5e,1b1a,", 3): "draw  repetition 12",
	} {
		var got answer.Game
		r := ask(t, server.URL, "game?sfen=4k/5/5/5/K4_b_RG&moves="+url.QueryEscape(moves), &got)
		text := ""
		if r.StatusCode == http.StatusOK {
			text = fmt.Sprintln(got.Result, pointed(got.Winner), pointed(got.Reason), got.Plies)
		}
		if strings.TrimSpace(text) != want {
			t.Errorf("%s: %q, want %q", moves, text, want)
		}
	}
	var lost answer.Game
	ask(t, server.URL, "game?repetition=first-player-loses&sfen=4k/5/5/5/K4_b_RG&moves="+strings.Repeat("5e5d,1a1b,5d5e,1b1a,", 3), &lost)
	if pointed(lost.Winner) != "gote" {
		t.Errorf("first player loses: %+v", lost)
	}
}

func pointed(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// TestTablesAndStats compares with the statistics of the fixtures.
func TestTablesAndStats(t *testing.T) {
	server := startServer(t, Options{})
	var tables tablesReply
	ask(t, server.URL, "tables", &tables)
	if len(tables.Tables) != len(testSets) {
		t.Fatalf("%+v", tables)
	}
	want := map[string]answer.Stats{}
	f, err := os.ReadFile("../../../index/testdata/stats.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(f) {
		var s answer.Stats
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		want[s.Material] = s
	}
	compared := 0
	for _, table := range tables.Tables {
		w, ok := want[table.Material]
		if !ok {
			continue
		}
		compared++
		var got answer.Stats
		ask(t, server.URL, "stats/"+table.Material, &got)
		if got.Legal != w.Legal || got.MateWins != w.MateWins || got.PerpetualLosses != w.PerpetualLosses || !slices.Equal(got.Histogram, w.Histogram) {
			t.Errorf("%s: %+v, want %+v", table.Material, got, w)
		}
		if table.Legal != w.Legal || table.MaxWin != w.MaxWin || table.MaxLoss != w.MaxLoss || table.OutcomeBytes == 0 || table.DistanceBytes == 0 {
			t.Errorf("%+v, want %+v", table, w)
		}
	}
	if compared < 4 {
		t.Errorf("%d sets compared", compared)
	}
}

// TestRandom asks for positions of every kind, and for frequent and for rare distances.
func TestRandom(t *testing.T) {
	server := startServer(t, Options{})
	for _, category := range []string{"", "win", "loss", "draw"} {
		for range 20 {
			var got answer.Probe
			ask(t, server.URL, "random?material=PP&category="+category, &got)
			if got.Material != "PP" || category != "" && got.Category != category || !strings.HasSuffix(got.SFEN, " 1") || !strings.Contains(got.SFEN, " b ") {
				t.Fatalf("%s: %+v", category, got)
			}
		}
	}
	var stats answer.Stats
	ask(t, server.URL, "stats/GP", &stats)
	for dtm := 0; dtm < len(stats.Histogram); dtm += 5 {
		var got answer.Probe
		r := ask(t, server.URL, fmt.Sprintf("random?material=GP&dtm=%d", dtm), &got)
		if r.StatusCode != http.StatusOK || got.DTM == nil || *got.DTM != dtm || got.Category != []string{"loss", "win"}[dtm%2] {
			t.Errorf("%d plies: %s, %+v", dtm, r.Status, got.Value)
		}
	}
	// Chance is at work.
	seen := map[string]bool{}
	for range 20 {
		var got answer.Probe
		r := ask(t, server.URL, "random?material=GP&dtm=7", &got)
		seen[got.SFEN] = true
		if r.Header.Get("ETag") != "" {
			t.Fatal("a random position can be cached")
		}
	}
	if len(seen) < 10 {
		t.Errorf("%d different positions of 20", len(seen))
	}
}

// TestCaching: ETags stay, and a client that has the answer gets none.
func TestCaching(t *testing.T) {
	server := startServer(t, Options{})
	const path = "/api/v1/probe?sfen=4k/5/5/5/K4_b_RG"
	first := ask(t, server.URL, path[len("/api/v1/"):], nil)
	tag := first.Header.Get("ETag")
	if tag == "" || first.Header.Get("Cache-Control") != cacheDay {
		t.Fatalf("headers %v", first.Header)
	}
	for _, sent := range []string{tag, "*", `"x", ` + tag, strings.TrimPrefix(tag, "W/")} {
		r := mustRequest(t, http.MethodGet, server.URL+path)
		r.Header.Set("If-None-Match", sent)
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		read(t, got, nil)
		if got.StatusCode != http.StatusNotModified || got.Header.Get("ETag") != tag {
			t.Errorf("If-None-Match %s: %s", sent, got.Status)
		}
	}
	r := mustRequest(t, http.MethodGet, server.URL+path)
	r.Header.Set("If-None-Match", `"0"`)
	r.Header.Set("Accept-Encoding", "gzip")
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	if got.Header.Get("Content-Encoding") != "gzip" || got.Header.Get("ETag") != tag {
		t.Fatalf("headers %v", got.Header)
	}
	z, err := gzip.NewReader(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	var probe answer.Probe
	if err := json.NewDecoder(z).Decode(&probe); err != nil || *probe.DTM != 3 {
		t.Errorf("%+v, %v", probe, err)
	}
	head, err := http.Head(server.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	if body, _ := io.ReadAll(head.Body); len(body) > 0 || head.StatusCode != http.StatusOK || head.Header.Get("ETag") != tag {
		t.Errorf("HEAD: %s, %d bytes", head.Status, len(body))
	}
	head.Body.Close()
}

func TestSharing(t *testing.T) {
	closed := startServer(t, Options{})
	shared := startServer(t, Options{Origins: []string{"https://example.org"}})
	for server, want := range map[string]string{closed.URL: "", shared.URL: "https://example.org"} {
		r := mustRequest(t, http.MethodGet, server+"/api/v1/tables")
		r.Header.Set("Origin", "https://example.org")
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		got.Body.Close()
		if allowed := got.Header.Get("Access-Control-Allow-Origin"); allowed != want {
			t.Errorf("allowed %q, want %q", allowed, want)
		}
	}
	r := mustRequest(t, http.MethodGet, shared.URL+"/api/v1/tables")
	r.Header.Set("Origin", "https://example.com")
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	got.Body.Close()
	if allowed := got.Header.Get("Access-Control-Allow-Origin"); allowed != "" {
		t.Errorf("another origin is allowed: %q", allowed)
	}
}

func TestHealthAndMetrics(t *testing.T) {
	server := startServer(t, Options{})
	ask(t, server.URL, "probe?sfen=4k/5/5/5/K4_b_RG", nil)
	ask(t, server.URL, "probe?sfen=x", nil)
	for path, wants := range map[string][]string{
		"/healthz": {`"ok"`},
		"/metrics": {
			`gogotb_http_requests_total{route="/api/v1/probe",status="200"} 1`, `gogotb_http_requests_total{route="/api/v1/probe",status="400"} 1`,
			"gogotb_positions_probed_total 1", "gogotb_cache_misses_total", "go_goroutines", "gogotb_http_request_seconds_bucket",
		},
	} {
		r, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s, %v", path, r.Status, err)
		}
		for _, want := range wants {
			if !strings.Contains(string(body), want) {
				t.Errorf("%s: no %q", path, want)
			}
		}
	}
}

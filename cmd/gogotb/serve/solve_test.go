package serve

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"gogotb/cmd/internal/answer"
	"gogotb/rules"
)

// TestSolve: mates by search and by table, their lines, and what is no mate.
func TestSolve(t *testing.T) {
	server := startServer(t, Options{})
	for _, c := range []struct {
		query, category string
		dtm             int
	}{
		{"4k/5/5/5/K4_b_RG", "win", 3},     // a table has it
		{"4k/5/5/P4/KGSBR_w_-", "loss", 8}, // the naked king, as the encyclopaedias say
		{"4k/5/4K/5/5_b_GS", "win", 1},     // no table has it
		{"4k/5/4G/5/5_b_G", "win", 1},      // one king
		{"4k/5/5/P4/KGSBR_w_-&max_plies=6", "no-mate", 0},
		{"rbsgk/4p/5/P4/KGSBR_b_-&timeout=10ms", "unknown", 0},
		{"4k/5/5/5/K4_b_GS&tsume=true&max_plies=3", "", 0}, // whatever it is, it has an end
	} {
		var got solutionReply
		r := ask(t, server.URL, "solve?sfen="+c.query, &got)
		if r.StatusCode != http.StatusOK || c.category != "" && got.Category != c.category || c.dtm > 0 && (got.DTM == nil || *got.DTM != c.dtm) {
			t.Errorf("%s: %s, %+v", c.query, r.Status, got)
			continue
		}
		if got.CutShort {
			t.Errorf("%s was cut short with nobody waiting", c.query)
		}
		if got.DTM != nil {
			p, err := rules.ParseSFEN(got.SFEN)
			if err != nil {
				t.Fatal(err)
			}
			playOut(t, p, got.Solution, got.Western)
		}
	}
	for query, say := range map[string]string{
		"4k/5/5/5/K4_b_R&timeout=soon": "soon", "4k/5/5/5/K4_b_R&timeout=1h": "30s", "4k/5/5/5/K4_b_R&timeout=-1s": "-1s",
		"4k/5/5/5/K4_b_R&max_plies=0": "max_plies", "4k/5/5/5/K4_b_R&tsume=maybe": "maybe", "x": "SFEN",
	} {
		var e errorReply
		if r := ask(t, server.URL, "solve?sfen="+query, &e); r.StatusCode != http.StatusBadRequest || !strings.Contains(e.Error.Message, say) {
			t.Errorf("%s: %s %+v", query, r.Status, e.Error)
		}
	}
}

// playOut plays a solution's line to the mate.
func playOut(t testing.TB, p rules.Position, s answer.Solution, western []string) {
	t.Helper()
	if len(s.Line) != *s.DTM || len(western) != *s.DTM {
		t.Fatalf("%s: %d plies, the line has %d and %d moves", s.SFEN, *s.DTM, len(s.Line), len(western))
	}
	for i, text := range s.Line {
		m, err := p.ParseWestern(western[i])
		if err != nil || m.USI() != text {
			t.Fatalf("%s: move %d: %s is %v, %v", s.SFEN, i+1, western[i], m, err)
		}
		p.Make(m)
	}
	if p.HasMove() {
		t.Errorf("%s: the line ends in %v", s.SFEN, &p)
	}
}

// TestSearchesCannotFlood: one client that asks for twenty long searches gets two, and
// the others still get quick answers.
func TestSearchesCannotFlood(t *testing.T) {
	server := startServer(t, Options{})
	counts := map[int]int{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			r, err := http.Get(server.URL + "/api/v1/solve?sfen=rbsgk/4p/5/P4/KGSBR_b_-&timeout=500ms")
			if err != nil {
				t.Error(err)
				return
			}
			r.Body.Close()
			mu.Lock()
			defer mu.Unlock()
			counts[r.StatusCode]++
			if r.StatusCode == http.StatusTooManyRequests && r.Header.Get("Retry-After") == "" {
				t.Error("when to come back is not said")
			}
		})
	}
	start := time.Now()
	ask(t, server.URL, "probe?sfen=4k/5/5/5/K4_b_RG", nil)
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("a probe took %v", took)
	}
	wg.Wait()
	if counts[http.StatusOK] < 2 || counts[http.StatusTooManyRequests] < 10 || counts[http.StatusOK]+counts[http.StatusTooManyRequests] != 20 {
		t.Errorf("answers by status: %v", counts)
	}
}

// solveLines asks for a search with progress, and returns its lines.
func solveLines(t *testing.T, root, query string) (progress []progressReply, solution solutionReply) {
	t.Helper()
	r, err := http.Get(root + "/api/v1/solve?progress=true&sfen=" + query)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != "application/x-ndjson" {
		t.Fatalf("%s, %v", r.Status, r.Header)
	}
	for lines := json.NewDecoder(r.Body); lines.More(); {
		if solution.Category != "" {
			t.Fatal("a line behind the solution")
		}
		var line struct {
			progressReply
			solutionReply
		}
		var raw json.RawMessage
		if err := lines.Decode(&raw); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(json.Unmarshal(raw, &line.progressReply), json.Unmarshal(raw, &line.solutionReply)); err != nil {
			t.Fatal(err)
		}
		if line.Category == "" {
			progress = append(progress, line.progressReply)
		} else {
			solution = line.solutionReply
		}
	}
	return progress, solution
}

// TestSolveWithProgress: lines say how far the search has got, each at least as far as the one before, and the last is the answer.
func TestSolveWithProgress(t *testing.T) {
	server := startServer(t, Options{})
	progress, solution := solveLines(t, server.URL, "rbsgk/4p/5/P4/KGSBR_b_-&timeout=1s")
	if len(progress) < 2 || solution.Category != "unknown" || solution.CutShort {
		t.Fatalf("%d lines, then %+v", len(progress), solution)
	}
	for i, p := range progress {
		if p.None == nil || p.Most != nil || p.Nodes == 0 {
			t.Errorf("line %d: %+v", i, p)
		} else if i > 0 && (p.Nodes < progress[i-1].Nodes || *p.None < *progress[i-1].None) {
			t.Errorf("line %d: %+v, and before that %+v", i, p, progress[i-1])
		}
	}
	if _, solution := solveLines(t, server.URL, "4k/5/5/P4/KGSBR_w_-"); solution.DTM == nil || *solution.DTM != 8 {
		t.Errorf("the naked king: %+v", solution)
	}
	var e errorReply
	if r := ask(t, server.URL, "solve?sfen=4k/5/5/5/K4_b_R&progress=yes", &e); r.StatusCode != http.StatusBadRequest {
		t.Errorf("progress=yes: %s", r.Status)
	}
}

// TestUnaskedSearch ends for one that somebody has asked for, and says so.
func TestUnaskedSearch(t *testing.T) {
	s := New(Options{Tables: testTables(t)})
	s.searches.queue.slots = 1
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	unasked := make(chan solutionReply, 1)
	go func() {
		_, solution := solveLines(t, server.URL, "rbsgk/4p/5/P4/KGSBR_b_-&timeout=30s&unasked=true")
		unasked <- solution
	}()
	untilLoad(s, 1, 0)
	var e errorReply
	if r := ask(t, server.URL, "solve?unasked=true&sfen=4k/5/4K/5/5_b_GS", &e); r.StatusCode != http.StatusTooManyRequests {
		t.Errorf("another unasked one: %s", r.Status)
	}
	var asked solutionReply
	ask(t, server.URL, "solve?sfen=4k/5/4K/5/5_b_GS", &asked)
	if asked.Category != "win" {
		t.Errorf("the one that was asked for: %+v", asked)
	}
	if got := <-unasked; got.Category != "unknown" || !got.CutShort {
		t.Errorf("the one that was not: %+v", got)
	}
}

package serve

import (
	"net/http"
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

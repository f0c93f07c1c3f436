//go:build browser

package serve

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// searchable is a position that no table of the tests covers.
const searchable = "?sfen=4k/5/5/5/K4_b_GS"

// TestSearchThatEndsEarly: who has to make room for others is told so, a search that had its time is offered more of it,
// and one that is refused says why.
func TestSearchThatEndsEarly(t *testing.T) {
	handler := New(Options{Tables: testTables(t)}).Handler()
	var asked, reply atomic.Value
	reply.Store("")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/solve") {
			handler.ServeHTTP(w, r)
			return
		}
		asked.Store(r.URL.Query().Get("timeout"))
		body := reply.Load().(string)
		if strings.Contains(body, "error") {
			w.WriteHeader(http.StatusTooManyRequests)
		}
		w.Write([]byte(body))
	}))
	defer server.Close()
	b := openBrowser(t, server.URL)
	b.tolerate = "Failed to load resource"
	b.open(searchable)
	for _, c := range []struct{ reply, says, timeout, button string }{
		{`{"category":"unknown","cut_short":true,"line":[]}`, "others are waiting", "10s", "Search for a mate"},
		{`{"category":"unknown","line":[]}`, "no mate in the time it has", "10s", "Search for 30 seconds"},
		{`{"error":{"code":"too-many-questions","message":"(a sentence)"}}`, "Wait until one is answered", "30s", "Search for 30 seconds"},
	} {
		reply.Store(c.reply)
		b.click("#search")
		b.untilText(".found", c.says)
		b.until(`document.querySelector("#search").ariaDisabled === "false"`)
		if got := asked.Load(); got != c.timeout {
			t.Errorf("%s: asked for %v", c.says, got)
		}
		if got := b.text("#search"); got != c.button {
			t.Errorf("%s: the button is %q", c.says, got)
		}
	}
}

// TestSearchThatNobodyWaitsFor ends on the server, so that its place is free; one whose tab is left for a while goes on.
func TestSearchThatNobodyWaitsFor(t *testing.T) {
	s := New(Options{Tables: testTables(t)})
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	b := openBrowser(t, server.URL)
	b.open("")
	b.click("#search")
	untilLoad(s, 1, 0)
	b.openTab("statistics")
	b.openTab("moves")
	if got := b.text(".found"); got != "Searching…" {
		t.Errorf("after a look at another tab: %q", got)
	}
	b.tap("5e", "4d")
	b.untilSFEN("rbsgk/4p/5/PK3/1GSBR w - 2")
	untilLoad(s, 0, 0)
}

// TestPuzzleThatTheServerCannotJudge: when it is busy that is said, and not that the move is not in the solution.
func TestPuzzleThatTheServerCannotJudge(t *testing.T) {
	handler := New(Options{Tables: testTables(t), Puzzles: []byte("4k/5/4K/5/5 b 2G 1\n"), PuzzlesName: "one.sfen"}).Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/solve") {
			w.WriteHeader(http.StatusServiceUnavailable)
			w.Write([]byte(`{"error":{"code":"busy","message":"(a sentence)"}}`))
			return
		}
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	b := openBrowser(t, server.URL)
	b.tolerate = "Failed to load resource"
	b.open("")
	b.openTab("puzzles")
	b.click("#puzzle-start")
	b.untilText("#puzzle-message", "Your move.")
	b.tap("bG", "5a") // no mate yet
	b.untilText("#puzzle-message", "The server is busy")
	b.untilSFEN("4k/5/4K/5/5 b 2G 1") // to be played again
}

//go:build browser

package serve

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// searchable is a position that no table of the tests covers.
const searchable = "?sfen=4k/5/5/5/K4_b_GS"

// slowSolver is a server whose searches say what a test has them say, line by line; the last of a search has a category, or is
// an error.
func slowSolver(t *testing.T) (root string, asked <-chan string, say chan<- string) {
	handler := New(Options{Tables: testTables(t)}).Handler()
	questions, lines := make(chan string, 9), make(chan string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/solve") {
			handler.ServeHTTP(w, r)
			return
		}
		q := r.URL.Query()
		questions <- fmt.Sprintf("%s, progress %s, unasked %s", q.Get("timeout"), q.Get("progress"), q.Get("unasked"))
		for {
			select {
			case <-r.Context().Done():
				questions <- "given up"
				return
			case line := <-lines:
				if strings.Contains(line, "error") {
					w.WriteHeader(http.StatusTooManyRequests)
				}
				fmt.Fprintln(w, line)
				http.NewResponseController(w).Flush()
				if strings.Contains(line, "category") || strings.Contains(line, "error") {
					return
				}
			}
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, questions, lines
}

// TestSearchByItself: where no table covers the position a search begins without being asked for, says how far it is, and can
// be stopped; one that had its time is offered more of it, and one that made room for others, or is refused, says why.
func TestSearchByItself(t *testing.T) {
	root, asked, say := slowSolver(t)
	b := openBrowser(t, root)
	b.tolerate = "Failed to load resource"
	ask := func(want string) {
		t.Helper()
		if got := <-asked; got != want {
			t.Errorf("asked for %q, want %q", got, want)
		}
	}
	shows := func(verdict, says, button string) {
		t.Helper()
		b.untilText("#verdict-text", verdict)
		b.untilText(".search-says", says)
		b.untilText("#search", button)
	}
	b.open(searchable)
	ask("10s, progress true, unasked true")
	shows("Looking for a mate", "", "Stop")
	say <- `{"nodes":1234,"seconds":2.5,"none":5,"most":null}`
	shows("Looking for a mate", "No mate within 5 plies. 1,234 moves tried.", "Stop")
	if got := b.value(`document.getElementById("search-progress").position`); got != "0.25" {
		t.Errorf("the bar is at %s", got)
	}
	say <- `{"nodes":2345,"seconds":3,"none":5,"most":9}`
	shows("Looking for a mate", "A mate within 9 plies; looking for the shortest.", "Stop")
	say <- `{"category":"unknown","line":[],"dtm":null}`
	shows("No mate found in the time there was", "", "Search for 30 seconds")
	b.click("#search")
	ask("30s, progress true, unasked false")
	say <- `{"category":"unknown","cut_short":true,"line":[],"dtm":null}`
	shows("Nothing is known", "others are waiting", "Search for a mate")
	b.click("#search")
	ask("10s, progress true, unasked false")
	say <- `{"error":{"code":"too-many-questions","message":"(a sentence)"}}`
	shows("Nothing is known", "Wait until one is answered", "Search for a mate")
	b.click("#search")
	ask("10s, progress true, unasked false")
	shows("Looking for a mate", "", "Stop")
	b.click("#search")
	ask("given up")
	shows("Nothing is known", "", "Search for a mate")
	// What is found is the verdict; the moves and the board show it, and who was on the button is on the line that took its place.
	b.key(kb.Tab)
	b.do(chromedp.Focus("#search", chromedp.ByQuery))
	b.key(kb.Enter)
	ask("10s, progress true, unasked false")
	say <- `{"category":"win","by":"mate","dtm":3,"line":["G*2c","1a2a","S*3b"],"western":["G*23","K-21","S*32"],"japanese":["２三金","２一玉","３二銀"]}`
	b.untilText("#verdict-text", "Sente mates in 3 plies")
	b.until(`document.activeElement.closest(".search li")?.textContent === "▲G*23"`)
	b.until(`document.querySelector('.move.win[data-usi="G*2c"] .distance').textContent === "3" && document.querySelectorAll(".move.win").length === 1`)
	b.until(`document.querySelectorAll(".arrows .ring.advice").length === 1`)
	b.until(`document.title.startsWith("Sente mates in 3 plies")`)
	// It is known along its line: nothing is asked again there, nor on the way back.
	b.key(" ")
	b.untilText("#verdict-text", "Sente mates in 2 plies")
	b.untilText("#verdict-more", "Found by search")
	b.until(`document.querySelector("#played-moves .win").textContent.includes("G*23")`)
	b.key("u")
	b.untilText("#verdict-text", "Sente mates in 3 plies")
	select {
	case got := <-asked:
		t.Errorf("asked again: %s", got)
	default:
	}
}

// TestSearchThatNobodyWaitsFor ends on the server, so that its place is free; one whose tab is left for a while goes on, and
// none begins while somebody sets up a position or practises.
func TestSearchThatNobodyWaitsFor(t *testing.T) {
	s := New(Options{Tables: testTables(t)})
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	b := openBrowser(t, server.URL)
	b.open(evenGame)
	untilLoad(s, 1, 0)
	b.openTab("statistics")
	b.openTab("moves")
	if got := b.text("#verdict-text"); got != "Looking for a mate…" {
		t.Errorf("after a look at another tab: %q", got)
	}
	b.openTab("setup")
	b.tap("5e", "5c")
	b.untilSFEN("rbsgk/4p/K4/P4/1GSBR b - 1")
	untilLoad(s, 0, 0)
	if got := b.value(`document.querySelectorAll("#verdict-actions .search").length`); got != "0" {
		t.Error("it searches what is being set up")
	}
	b.openTab("moves")
	untilLoad(s, 1, 0)
	b.open(longEnding) // elsewhere
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

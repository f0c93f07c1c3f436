//go:build browser

package serve

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// TestWaiting: what is known of the position before is dimmed as soon as there is another one, and when the answer is
// long in coming the page says that it waits.
func TestWaiting(t *testing.T) {
	handler := New(Options{Tables: testTables(t)}).Handler()
	hold := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/probe") && strings.Contains(r.URL.Query().Get("sfen"), "3G1") {
			select {
			case <-hold:
			case <-r.Context().Done():
			}
		}
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	b := openBrowser(t, server.URL)
	b.open(longEnding)
	b.until(`document.querySelector("#play-line") !== null`)
	b.openTab("statistics")
	b.until(`document.querySelector(".marker") !== null`)
	b.openTab("moves")
	// The move, and a look at the page before anything else can happen.
	var opacities map[string]float64
	b.do(chromedp.Evaluate(`(() => {
		document.querySelector('.move[data-usi="3c2c"]').click();
		document.querySelector('.move[data-usi="5e4d"]').dispatchEvent(new PointerEvent("pointerenter"));
		const opacity = (e) => (e ? Number(getComputedStyle(e).opacity) * opacity(e.parentElement) : 1);
		return Object.fromEntries(["#verdict-text", "#verdict-more", ".move", "#play-line", ".marker"].map((s) => [s, opacity(document.querySelector(s))]));
	})()`, &opacities))
	for what, opacity := range opacities {
		if opacity > 0.5 {
			t.Errorf("%s of the position before is shown with opacity %v", what, opacity)
		}
	}
	if got := b.value(`document.querySelectorAll(".arrow").length`); got != "0" {
		t.Error("a move of the position before is shown on the board")
	}
	b.untilText("#verdict-text", "Waiting for the server")
	if got := b.text("#verdict-more") + b.value(`document.getElementById("best").disabled`); got != "true" {
		t.Errorf("while the page waits there is %s", got)
	}
	close(hold)
	b.settle()
	b.untilText("#verdict-text", "Sente mates in 8 plies")
	b.until(`getComputedStyle(document.querySelector("#moves")).opacity === "1"`)
}

// TestEveryTabSaysThatTheServerIsAway and shows what it has to when the server is back.
func TestEveryTabSaysThatTheServerIsAway(t *testing.T) {
	handler := New(Options{Tables: testTables(t), Puzzles: []byte("4k/5/5/5/K4 b RG 1\n4k/5/2G2/4p/K4 b - 1\n"), PuzzlesName: "two.sfen"}).Handler()
	var away atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if away.Load() {
			http.Error(w, "<h1>Bad gateway</h1>", http.StatusBadGateway)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	b := openBrowser(t, server.URL)
	b.tolerate = "Failed to load resource"
	b.do(network.Enable(), network.SetCacheDisabled(true)) // or the page would not notice
	there := map[string]string{
		"moves": ".move", "statistics": ".counts", "practice": "#practice-start:enabled", "puzzles": "#puzzle-start", "setup": ".spare",
	}
	// Away before the tab is opened.
	for _, tab := range allTabs {
		if tab == "game" {
			continue // it has what it shows
		}
		b.open(longEnding)
		away.Store(true)
		b.do(chromedp.Evaluate(`document.querySelector('.move[data-usi="3c2c"]').click()`, nil))
		b.until(`!document.getElementById("away").hidden`)
		b.openTab(tab)
		b.until(fmt.Sprintf(`/server (does not answer|is away)/.test(document.getElementById("panel-%s").textContent)`, tab))
		away.Store(false)
		b.until(`document.getElementById("away").hidden`)
		b.until(fmt.Sprintf(`document.querySelector("#panel-%s %s") !== null && !/server (does not answer|is away)/.test(document.getElementById("panel-%[1]s").textContent)`, tab, there[tab]))
	}
	// What a tab asks for itself is asked again, too.
	for _, tab := range []string{"statistics", "puzzles"} {
		b.open("?sfen=4k/5/5/5/K4_b_R")
		away.Store(true)
		b.openTab(tab)
		b.until(`!document.getElementById("away").hidden`)
		away.Store(false)
		b.until(fmt.Sprintf(`document.getElementById("away").hidden && document.querySelector("#panel-%s %s") !== null`, tab, there[tab]))
	}
	// A puzzle goes on where it was.
	b.openTab("puzzles")
	b.click("#puzzle-start")
	b.untilText(".task", "Sente mates")
	b.untilText("#puzzle-message", "Your move.")
	b.settle()
	away.Store(true)
	b.tap("bR", "3b")
	b.untilText("#puzzle-message", "does not answer")
	away.Store(false)
	b.untilText("#puzzle-message", "Right.")
	b.myTurn()
	b.playBest()
	b.untilText("#puzzle-message", "Solved!")
}

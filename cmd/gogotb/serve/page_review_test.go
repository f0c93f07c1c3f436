//go:build browser

package serve

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gogotb/rules"
)

// missed is a game in which a mate is missed: R*21 gives the rook away, where G*23 and R*52 mate in three, as the README has it.
const missed = "sfen 4k/5/5/5/K4 b RG 1 moves R*2a 1a2a"

// TestReviewOnThePage: the marks and the values come from the server, move by move, and stay with the game.
func TestReviewOnThePage(t *testing.T) {
	tables := testTables(t)
	p, err := rules.ParseSFEN("4k/5/5/5/K4 b RG 1")
	if err != nil {
		t.Fatal(err)
	}
	if known, err := tables.Probe(&p); err != nil || known.Value.Number() != 3 || known.Value.Outcome() != rules.MateWin {
		t.Fatalf("%v, %v: not the mate in three", known, err)
	}
	b := page(t)
	b.open("")
	b.openTab("game")
	b.bring("paste", "", []byte(missed))
	b.untilListed("R*21 Kx21")
	b.settle()
	b.click("#game-review")
	b.untilText("#game-learn", "Learn from 1 missed mate")
	if got := b.text(`.game-list .step`); !strings.Contains(got, "missed mate 3") {
		t.Errorf("the first move is %q", got)
	}
	b.until(`document.querySelector('.tally [data-judgement="missed-mate"] td').textContent === "1"`)
	b.until(`document.querySelectorAll(".graph-mate.b").length > 0 && document.querySelectorAll(".graph-mark.missed-mate").length === 1`)
	b.click(".step")
	b.untilText(".game-detail", "This misses a mate in 3 plies.")
	b.until(`document.querySelector(".game-detail .line-moves button") !== null`)
	// A move of the line that is shown becomes a variation.
	b.do(chromedp.Evaluate(`[...document.querySelectorAll(".game-detail .line-moves")].at(-1).lastElementChild.firstElementChild.click()`, nil))
	b.until(`document.querySelectorAll(".variation .step").length === 3`)
	b.untilText("#verdict-text", "Checkmate")
	// The graph is a slider along the line.
	b.do(chromedp.Evaluate(`document.querySelector(".graph").focus()`, nil))
	b.key(kb.Home)
	b.until(`document.querySelector(".graph").getAttribute("aria-valuetext").startsWith("Start")`)
	b.key(kb.ArrowRight)
	b.until(`document.querySelector(".graph").getAttribute("aria-valuenow") === "1"`)
	b.settle()
	// A reload forgets nothing.
	b.do(chromedp.Reload(), chromedp.WaitReady(`html[data-ready="true"]`, chromedp.ByQuery))
	b.openTab("game")
	b.until(`document.querySelectorAll(".variation .step").length === 3 && document.querySelector(".step .judged").textContent === "missed mate 3"`)
	b.screenshot("game-reviewed")
}

// TestLearn: the page stops at the mate that was missed, tells a try that is wrong from one that is right, helps in two
// steps, and goes on.
func TestLearn(t *testing.T) {
	b := page(t)
	b.open("")
	b.openTab("game")
	b.bring("paste", "", []byte(missed))
	b.untilListed("R*21 Kx21")
	b.settle()
	b.click("#game-review")
	b.until(`document.querySelector("#game-learn") !== null`)
	begin := func() {
		t.Helper()
		b.settle()
		b.click("#game-learn")
		b.untilText("#panel-game .goal", "Sente has a mate in 3 plies here.")
		b.untilText("#learn-message", "Your move.")
		b.settle()
	}
	begin()
	if got := b.text("#verdict-text"); strings.Contains(got, "mates") {
		t.Errorf("the verdict gives it away: %s", got)
	}
	b.until(`document.querySelector(".game-list").hasAttribute("hidden")`)
	b.tap("bR", "1b") // gives the rook away, too
	b.untilText("#learn-message", "does not mate as soon")
	b.untilSFEN("4k/5/5/5/K4 b RG 1")
	b.tap("bR", "2a")
	b.untilText("#learn-message", "That was played in the game")
	b.untilSFEN("4k/5/5/5/K4 b RG 1")
	b.click("#learn-hint")
	b.until(`document.querySelector("#learn-message").textContent.match(/^Hint: a (gold|rook) is dropped/) !== null`)
	b.click("#learn-hint")
	b.until(`document.querySelector("#learn-message").textContent.match(/^Hint: [GR]\*/) !== null && document.querySelector(".arrow") !== null`)
	b.screenshot("game-learn")
	b.tap("bR", "5b") // mates in three, too
	b.untilText("#learn-message", "Right: that mates in 3 plies.")
	b.untilText("#verdict-text", "Sente mates in 2 plies")
	b.click("#learn-next")
	b.untilText("#learn-message", "1 of 1 found.")
	b.click("#learn-stop")
	b.untilListed("R*21 (R*52) Kx21")              // wrong tries are no variations
	b.click(".game-list > .made:last-child .step") // the line that was reviewed
	b.settle()
	begin()
	b.tap("bG", "1c") // five plies, the README has it
	b.untilText("#learn-message", "That wins, too, though not in 3 plies.")
	b.click("#learn-stop")
	b.click(".game-list > .made:last-child .step")
	b.settle()
	begin()
	b.click("#learn-solution")
	b.untilText("#learn-message", "That is how it begins")
	b.until(`document.querySelectorAll(".variation").length === 2 && document.querySelectorAll(".variation .step").length === 4`) // all of the line
	if got := b.listed(); strings.Contains(got, "*2c") || strings.Contains(got, "1a2a") {
		t.Errorf("moves without names: %s", got)
	}
	b.openTab("moves") // leads out of it
	b.openTab("game")
	b.until(`document.querySelector("#learn-message") === null`)
}

// TestReviewStream: what is found appears as it comes, a review can be stopped, and why there is none is said.
func TestReviewStream(t *testing.T) {
	handler := New(Options{Tables: testTables(t)}).Handler()
	next := make(chan string)
	var gone atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/review") {
			handler.ServeHTTP(w, r)
			return
		}
		first := true
		for {
			select {
			case text := <-next:
				if first && strings.Contains(text, `"error"`) {
					w.WriteHeader(http.StatusTooManyRequests)
				}
				first = false
				w.Write([]byte(text))
				w.(http.Flusher).Flush()
				if strings.Contains(text, `"summary"`) || strings.Contains(text, `"error"`) {
					return
				}
			case <-r.Context().Done():
				gone.Store(true)
				return
			}
		}
	}))
	defer server.Close()
	b := openBrowser(t, server.URL)
	b.tolerate = "Failed to load resource"
	b.open("")
	b.openTab("game")
	b.bring("paste", "", []byte("startpos moves 4e4d 1a2b 3e3d"))
	b.untilListed("G-44 K-22 S-34")
	line := func(ply int, move, judgement, before, after string) string {
		return fmt.Sprintf(`{"game":1,"ply":%d,"sfen":"","move":%q,"before":{"category":%s},"after":{"category":%s},"judgement":%q,"mate":7,"line":[],"better":[],"proved":true}`+"\n",
			ply, move, before, after, judgement)
	}
	const nothing = `"unknown","by":null,"dtm":null,"max_plies":5`
	b.click("#game-review")
	text := line(1, "4e4d", "allowed-mate", nothing, `"win","by":"mate","dtm":7`)
	next <- text[:30] // a line may come in pieces
	next <- text[30:]
	b.untilText(".step", "allowed mate 7")
	b.untilText(".game-progress", "1 of 3 plies")
	if got := b.value(`document.querySelectorAll(".step .judged:not(:empty)").length`); got != "1" {
		t.Errorf("%s marks after one line", got)
	}
	b.click("#game-stop")
	for !gone.Load() {
		b.until("true")
	}
	b.until(`document.querySelector("#game-review") !== null`)
	b.until(`document.querySelector('.tally [data-judgement="allowed-mate"] td').textContent === "1"`) // what was found stays

	b.click("#game-review")
	const within = `"win","by":"mate","dtm":null,"at_most":19,"max_plies":3`
	next <- line(1, "4e4d", "ok", nothing, within)
	next <- line(2, "1a2b", "only", within, nothing)
	next <- line(3, "3e3d", "best", nothing, `"loss","by":"mate","dtm":6`)
	next <- `{"game":1,"summary":{}}` + "\n"
	b.until(`document.querySelector("#game-review") !== null`)
	if got := b.value(`[...document.querySelectorAll(".step")].map((s) => s.querySelector(".judged").textContent + "|" + s.querySelector(".value").textContent).join()`); got != "|△≤19,only move|,|▲6" {
		t.Errorf("the marks are %s", got)
	}
	// A mate that is there may still be no fault of the move.
	b.click("#game-review")
	next <- strings.Replace(line(1, "4e4d", "allowed-mate", nothing, within), `"proved":true`, `"proved":false`, 1)
	b.until(`document.querySelector(".step").title.includes("at most. (Not proved.)")`)
	next <- `{"game":1,"summary":{}}` + "\n"
	b.until(`document.querySelector("#game-review") !== null`)
	// The board may be moved on meanwhile, and another game ends it.
	gone.Store(false)
	b.click("#game-review")
	next <- line(1, "4e4d", "ok", nothing, nothing)
	b.key(kb.ArrowRight)
	b.untilSFEN("rbsgk/4p/5/PG3/K1SBR w - 2")
	b.bring("paste", "", []byte("startpos moves 5e4d"))
	b.untilListed("K-44")
	for !gone.Load() {
		b.until("true")
	}
	b.click("#game-review")
	next <- `{"error":{"code":"too-many-reviews","message":"(a sentence)"}}` + "\n"
	b.untilText("#game-trouble", "You have a review running already.")
}

// TestGameOnATelephone: the board and the moves of a game are in sight together, on a small telephone too, and nothing sticks out.
func TestGameOnATelephone(t *testing.T) {
	b := page(t)
	b.telephone()
	b.do(emulation.SetDeviceMetricsOverride(360, 740, 2, true))
	for _, language := range []string{"en", "ja"} {
		b.open("")
		b.openTab("game")
		b.bring("paste", "", []byte(missed))
		b.until(`document.querySelectorAll(".step").length === 2`)
		b.do(chromedp.Evaluate(`document.getElementById("game-review").click()`, nil))
		b.until(`document.querySelector("#game-learn") !== null`)
		b.do(chromedp.Evaluate(`document.querySelector(".step").click()`, nil))
		b.until(`document.querySelector(".game-detail .line-moves button") !== null`)
		if over := b.value(`document.documentElement.scrollWidth - document.documentElement.clientWidth`); over != "0" {
			t.Errorf("%s: the page is %s pixels too wide", language, over)
		}
		b.screenshot("game-telephone-" + language)
		b.do(chromedp.Evaluate(`document.getElementById("language").click()`, nil))
	}
}

// TestGamePicture makes a picture of the README: a game that has been reviewed.
func TestGamePicture(t *testing.T) {
	b := page(t)
	b.tolerate = "429"
	b.size(1180, 1000)
	b.open("")
	b.openTab("game")
	b.click("#game-example")
	b.until(`document.querySelectorAll(".step").length === 29`)
	b.settle()
	b.click("#game-review")
	b.until(`document.querySelector(".tally") !== null`)
	b.do(chromedp.Evaluate(`[...document.querySelectorAll('.step[data-judgement="missed-mate"]')].at(-1).click()`, nil))
	b.until(`document.querySelector(".game-detail .line-moves button") !== null`)
	b.until(`document.querySelectorAll(".graph-mate.b").length >= 4`) // it ends in mate
	b.screenshot("game")
}

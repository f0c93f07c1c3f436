//go:build browser

package serve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"gogotb/cmd/internal/tabletest"
)

// TestOpening: without an address the page shows a position that a table covers, with others to go to, and one that is known
// by search alone where there is no table.
func TestOpening(t *testing.T) {
	b := page(t)
	b.open("")
	b.untilSFEN("4k/5/2G2/4p/K4 b - 1")
	b.untilText("#verdict-text", "Sente mates in 9 plies")
	b.until(`document.querySelector("#examples ~ .tabs") !== null`)
	b.until(`document.querySelectorAll(".examples li").length === 6`)
	// Each is what it is called.
	for i, verdict := range []string{"Sente mates in 9 plies", "", "Gote mates", "Sente mates in 89 plies", "Sente mates in 8 plies", "Looking for a mate"} {
		b.do(chromedp.Evaluate(fmt.Sprintf(`document.querySelectorAll(".examples a")[%d].click()`, i), nil))
		b.until(fmt.Sprintf(`location.href === document.querySelectorAll(".examples a")[%d].href`, i))
		b.settle()
		if verdict != "" {
			b.untilText("#verdict-text", verdict)
		}
	}
	b.do(chromedp.NavigateBack())
	b.untilSFEN("4k/5/5/P4/KGSBR w - 1")
	// A random ending has as many pieces as are asked for.
	for _, n := range []int{1, 2} {
		b.click(fmt.Sprintf(`.random [data-pieces="%d"]`, n))
		b.until(`document.querySelector("#verdict").dataset.state === "ok" && location.search !== "?sfen=4k/5/5/P4/KGSBR_w_-"`)
		b.settle()
		b.until(fmt.Sprintf(`import("./js/sfen.js").then(({ fromAddress, material }) => material(fromAddress(new URLSearchParams(location.search).get("sfen"))).length === %d)`, n))
	}
	if got := b.value(`document.querySelectorAll(".random button").length`); got != "2" {
		t.Errorf("%s numbers of pieces to choose from", got)
	}
	b.open("?sfen=4G/5/k3p/5/K4_w_-") // of the mutual zugzwang, with the other side to move
	if got := b.text("#verdict-text"); strings.Contains(got, "Gote mates") {
		t.Errorf("it is no zugzwang: %s", got)
	}
	// Who comes with a position sees that first, and the others at the end.
	b.open(mateIn3)
	b.until(`document.querySelector(".tabs ~ #examples") !== null && document.querySelectorAll(".examples li").length === 6`)

	dir := t.TempDir()
	if err := tabletest.Write(dir, "none"); err != nil {
		t.Fatal(err)
	}
	b = openBrowser(t, startServer(t, Options{Tables: openTables(t, dir)}).URL)
	b.open("")
	b.untilText("#verdict-text", "Sente mates in 8 plies")
}

// TestWideWindow: there the moves are in sight beside the other views, and come back among them when it is narrower.
func TestWideWindow(t *testing.T) {
	b := page(t)
	b.size(1920, 1080)
	b.open(longEnding)
	both := `document.querySelector(".move").checkVisibility() && document.querySelector(".counts")?.checkVisibility() === true`
	b.until(both)
	b.until(`document.getElementById("tab-moves").hidden && document.getElementById("tab-statistics").ariaSelected === "true"`)
	b.openTab("practice")
	b.until(`document.querySelector(".move").checkVisibility() && document.querySelector("#practice-start") !== null`)
	b.size(1280, 900)
	b.until(`!document.querySelector(".move").checkVisibility() && document.querySelector("#practice-start").checkVisibility()`)
	b.openTab("moves")
	b.until(`document.querySelector(".move").checkVisibility() && !document.querySelector("#practice-start").checkVisibility()`)
	b.size(1920, 1080)
	b.until(both)
	if got := b.value(`[...document.querySelectorAll('[role="tab"]')].filter((e) => !e.hidden && e.ariaSelected === "true").length`); got != "1" {
		t.Errorf("%s views are chosen", got)
	}
}

// TestBoardInSight: on a telephone the board stays in sight, whole and large enough for fingers, while one looks at the moves;
// there is room for them, too.
func TestBoardInSight(t *testing.T) {
	b := page(t)
	for _, size := range [][2]int64{{390, 844}, {360, 640}} {
		b.telephone()
		b.size(size[0], size[1])
		b.open(mateIn3)
		b.until(`document.querySelectorAll(".move").length > 40`)
		b.do(chromedp.Evaluate(`[...document.querySelectorAll(".move")].at(-1).scrollIntoView({ block: "end" })`, nil))
		b.until(`(() => {
			const [board, controls] = ["#board", ".controls"].map((e) => document.querySelector(e).getBoundingClientRect());
			const cells = [...document.querySelectorAll(".cell")].every((e) => e.getBoundingClientRect().height >= 40 && e.getBoundingClientRect().width >= 40);
			return board.top >= 0 && board.bottom <= controls.top + 1 && controls.bottom < innerHeight * 0.7 && cells;
		})()`)
		// A move that is chosen there is seen on the board, which has not gone.
		b.do(chromedp.Evaluate(`[...document.querySelectorAll('.move')].at(-1).click()`, nil))
		b.until(`location.search.includes("_w_")`)
		b.settle()
		if got := b.value(`document.querySelector("#board").getBoundingClientRect().top >= 0`); got != "true" {
			t.Error("the board is out of sight")
		}
		if got := b.value(`document.documentElement.scrollWidth - document.documentElement.clientWidth`); got != "0" {
			t.Errorf("the page is %s pixels too wide", got)
		}
	}
}

//go:build browser

package serve

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestDistancesOnTargets: while a piece is held, each square says how far the mate is from there, and the best stand out.
// In 4k/5/5/5/K4 b RG the gold mates in three plies from 2c alone: with the rook it is mate wherever the king goes.
func TestDistancesOnTargets(t *testing.T) {
	b := page(t)
	b.open(mateIn3)
	b.tap("bG")
	b.until(`document.querySelectorAll(".dot.win .label").length === 23`)
	if got := b.value(`[...document.querySelectorAll(".dot.best .label")].map((l) => l.textContent).join()`); got != "3" {
		t.Errorf("the best drops of the gold say %q", got)
	}
	b.until(`document.querySelector('` + place("2c") + `').getAttribute("aria-label") === "file 2, rank 3, empty, can go here: mates in 3 plies"`)
	// Nothing is held: what is best is pointed at, the gold at 2c and three drops of the rook being as good; three are enough.
	b.tap("bG")
	b.until(`document.querySelectorAll(".dot").length === 0`)
	if got := b.value(`document.querySelectorAll(".arrows .advice").length`); got != "3" {
		t.Errorf("%s moves are pointed at", got)
	}
	// A capture keeps its piece in sight, and says what comes of it beside it.
	b.open("?sfen=4k/5/2p2/2G2/K4_b_-")
	b.tap("3d")
	b.until(`document.querySelectorAll(".ring:not(.advice)").length === 1`)
}

// TestArrows: for the best moves, not for what does not matter, and not if they are not wanted.
func TestArrows(t *testing.T) {
	b := page(t)
	b.open(longEnding)
	arrows := func(want string) {
		t.Helper()
		b.until(`document.querySelectorAll(".arrow.advice").length === ` + want)
	}
	arrows("2") // 3c2c and 5e4d mate in nine
	b.tap("3c")
	arrows("0")
	b.tap("3c") // lets go
	arrows("2")
	b.key("a")
	arrows("0")
	b.open(longEnding) // remembered
	if got := b.value(`document.getElementById("arrows").checked`); got != "false" {
		t.Errorf("the choice is %s", got)
	}
	b.click("#arrows")
	arrows("2")
	b.open("?sfen=4k/5/5/5/K4_b_-") // all three moves draw
	b.until(`document.querySelectorAll(".move.draw").length === 3`)
	arrows("0")
	b.open(longEnding)
	b.openTab("practice")
	b.click("#practice-here")
	b.myTurn()
	arrows("0") // they would give it away
}

// TestMovesAreLinks: every move has the address of the position that it leads to, and the title of the window says what is
// seen.
func TestMovesAreLinks(t *testing.T) {
	b := page(t)
	b.open(longEnding)
	b.until(`document.title === "Sente mates in 9 plies · GP · gogotb"`)
	if got := b.value(`document.querySelector('.move[data-usi="3c2c"]').getAttribute("href")`); got != "./?sfen=4k/5/3G1/4p/K4_w_-_2" {
		t.Errorf("the move leads to %s", got)
	}
	b.until(`document.querySelectorAll(".line-moves a").length === 9`)
	b.until(`[...document.querySelectorAll(".line-moves a")].every((a) => /^\.\/\?sfen=\S+_[bw]_/.test(a.getAttribute("href")))`)
	// Pressed with Control, the browser opens it elsewhere; with Space it is played.
	b.do(chromedp.Evaluate(`document.querySelector('.move[data-usi="3c2c"]').addEventListener("click", (e) => { window.left = !e.defaultPrevented; e.preventDefault(); })`, nil),
		chromedp.Evaluate(`document.querySelector('.move[data-usi="3c2c"]').dispatchEvent(new MouseEvent("click", { ctrlKey: true, bubbles: true, cancelable: true }))`, nil))
	if got := b.value("window.left"); got != "true" {
		t.Error("a click with Control is not left to the browser")
	}
	b.do(chromedp.Focus(`.move[data-usi="3c2c"]`, chromedp.ByQuery))
	b.key(" ")
	b.untilSFEN("4k/5/3G1/4p/K4 w - 2")
	b.until(`document.title === "Sente mates in 8 plies · GP · gogotb"`)
	b.open("?sfen=4k/4K/5/5/5_b_-")
	b.until(`document.title === "This is not a legal position. · gogotb"`)
}

// TestMovesPlayed are named below the board, coloured by what they are worth for who made them, and lead to where they led. In
// 4k/5/2G2/4p/K4 b - the gold mates in nine from 2c, and gives the win away at 3b (TestPracticeToMate).
func TestMovesPlayed(t *testing.T) {
	b := page(t)
	b.open(longEnding)
	b.until(`document.querySelectorAll("#played-moves li").length === 0`)
	b.click(`.move[data-usi="3c3b"]`)
	b.untilSFEN("4k/2G2/5/4p/K4 w - 2")
	said := func(want string) {
		t.Helper()
		b.until(`[...document.querySelectorAll("#played-moves li > *")].slice(1).map((e) => e.className + " " + e.textContent).join("; ") === "` + want + `"`)
	}
	said("draw ▲G-32?, That throws the win away: a draw.")
	b.click("#undo")
	b.click(`.move[data-usi="3c2c"]`)
	b.untilSFEN("4k/5/3G1/4p/K4 w - 2")
	b.click(`.move[data-usi="1a2a"]`)
	b.untilSFEN("3k1/5/3G1/4p/K4 b - 3")
	said("win ▲G-23, Winning; loss △K-21, Losing")
	b.do(chromedp.Evaluate(`document.querySelectorAll("#played-moves a")[1].click()`, nil))
	b.untilSFEN("4k/5/3G1/4p/K4 w - 2")
	if got := b.text(`#played-moves [aria-current="step"]`); !strings.Contains(got, "G-23") {
		t.Errorf("the move shown is %s", got)
	}
	said("win ▲G-23, Winning; loss △K-21, Losing") // what was taken back is there
	// In Japanese, too, and after a reload, when the values are asked for again.
	b.click("#language")
	said("win ▲２三金, 勝ち; loss △２一玉, 負け")
	b.do(chromedp.Reload(), chromedp.WaitReady(`html[data-ready="true"]`, chromedp.ByQuery))
	said("win ▲２三金, 勝ち; loss △２一玉, 負け")
	// Whoever practises does not learn there what moves are worth, nor goes back there.
	b.click("#language")
	b.do(chromedp.Evaluate(`document.querySelector("#played-moves a").click()`, nil))
	b.untilSFEN("4k/5/2G2/4p/K4 b - 1")
	b.openTab("practice")
	b.click("#practice-here")
	b.myTurn()
	b.playBest()
	b.until(`document.querySelectorAll("#played-moves li").length > 1`)
	if got := b.value(`document.querySelectorAll("#played-moves a, #played-moves :is(.win, .loss)").length`); got != "0" {
		t.Errorf("%s moves are links or coloured", got)
	}
}

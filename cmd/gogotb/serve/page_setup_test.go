//go:build browser

package serve

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

func TestSetUp(t *testing.T) {
	b := page(t)
	b.open(mateIn3)
	b.click("#tab-setup")
	b.click("#clear")
	b.untilSFEN("4k/5/5/5/K4 b - 1")
	// A spare piece, chosen and put; a second tap on the same square takes it away.
	b.click(`[data-piece="G"]`)
	b.tap("3c")
	b.untilSFEN("4k/5/2G2/5/K4 b - 1")
	b.tap("2c", "2c")
	b.untilSFEN("4k/5/2G2/5/K4 b - 1")
	// An answer that comes while the mouse is pressed changes nothing about that.
	b.tap("2c")
	x, y := b.middle("1c")
	b.do(input.DispatchMouseEvent(input.MousePressed, x, y).WithButton(input.Left).WithClickCount(1))
	b.untilSFEN("4k/5/2GG1/5/K4 b - 1")
	b.do(input.DispatchMouseEvent(input.MouseReleased, x, y).WithButton(input.Left).WithClickCount(1))
	b.untilSFEN("4k/5/2GGG/5/K4 b - 1")
	b.tap("1c", "2c")
	b.untilSFEN("4k/5/2G2/5/K4 b - 1")
	b.click(`[data-piece="p"]`)
	b.tap("1e") // where a pawn of Gote can never move
	b.untilText("#verdict-text", "not a legal position")
	b.untilText("#sfen-problem", "pawn")
	b.click(`[data-piece="p"]`) // no longer chosen
	b.drag("1e", "1d")
	b.untilText("#verdict-text", "Sente mates in 9 plies")
	// From the board to a hand and back, and a spare piece dragged.
	b.drag("3c", "wB")
	b.untilSFEN("4k/5/5/4p/K4 b g 1")
	b.drag("wG", "3c")
	b.untilSFEN("4k/5/2g2/4p/K4 b - 1")
	x, y = b.middleOf(`[data-piece="+B"]`)
	tx, ty := b.middle("5a")
	b.dragXY(x, y, tx, ty)
	b.untilSFEN("+B3k/5/2g2/4p/K4 b - 1")
	// Off the board.
	x, y = b.middle("5a")
	b.dragXY(x, y, x-90, y)
	b.untilSFEN("4k/5/2g2/4p/K4 b - 1")
	// Side to move, mirror, colours, turning the board.
	b.click("#turn-w")
	b.untilSFEN("4k/5/2g2/4p/K4 w - 1")
	b.click("#mirror")
	b.untilSFEN("k4/5/2g2/p4/4K w - 1")
	b.click("#swap")
	b.untilSFEN("k4/4P/2G2/5/4K b - 1")
	b.click("#flip")
	b.until(`document.querySelector('[data-place="24"] rect').getAttribute("y") < 300`)
	b.click("#flip")
	// Kings are put, not doubled.
	b.click(`[data-piece="K"]`)
	b.tap("3e")
	b.untilSFEN("k4/4P/2G2/5/2K2 b - 1")
	b.click(`[data-piece="erase"]`)
	b.tap("3c")
	b.untilSFEN("k4/4P/5/5/2K2 b - 1")
	// Handicap starts and the SFEN box.
	b.choose("#starts", "4k/5/5/P4/KGSBR w - 1")
	b.untilSFEN("4k/5/5/P4/KGSBR w - 1")
	b.do(chromedp.SetValue("#sfen", "4k/5/5/5/K4 b R 1", chromedp.ByQuery))
	b.key() // nothing yet
	b.click(".sfen button")
	b.untilSFEN("4k/5/5/5/K4 b R 1")
	b.untilText("#verdict-text", "Sente mates in")
	b.do(chromedp.SetValue("#sfen", "4k/5/5/5 b R 1", chromedp.ByQuery))
	b.click(".sfen button")
	b.untilText("#sfen-problem", "no SFEN")
	b.click("#setup-done")
	b.tap("bR")
	b.until(`document.querySelectorAll(".dot").length > 10`)
}

// TestSetUpHistory: edits of the set-up, Clear among them, are undone and redone as moves are, with the buttons, the
// keyboard and the browser's own.
func TestSetUpHistory(t *testing.T) {
	b := page(t)
	back := func() { b.do(chromedp.Evaluate("history.back()", nil)) }
	const first, played, put, cleared = "4k/5/2G2/4p/K4 b - 1", "4k/5/3G1/4p/K4 w - 2", "R3k/5/3G1/4p/K4 w - 1", "4k/5/5/5/K4 b - 1"
	b.open(longEnding)
	b.tap("3c", "2c")
	b.untilSFEN(played)
	b.openTab("setup")
	b.click(`[data-piece="R"]`)
	b.tap("5a")
	b.untilSFEN(put)
	b.click("#clear")
	b.untilSFEN(cleared)
	b.click("#undo")
	b.untilSFEN(put)
	b.key("u")
	b.untilSFEN(played)
	b.click("#undo") // the moves before the edits
	b.untilSFEN(first)
	b.click("#last")
	b.untilSFEN(cleared)
	b.key("u")
	b.untilSFEN(put)
	b.click("#redo")
	b.untilSFEN(cleared)

	// The browser's button, after a reload, too.
	b.open(mateIn3)
	b.openTab("setup")
	b.choose("#starts", "4k/5/5/P4/KGSBR w - 1")
	b.untilSFEN("4k/5/5/P4/KGSBR w - 1")
	b.click("#mirror")
	b.untilSFEN("k4/5/5/4P/RBSGK w - 1")
	b.do(chromedp.Reload(), chromedp.WaitReady(`html[data-ready="true"]`, chromedp.ByQuery))
	b.untilSFEN("k4/5/5/4P/RBSGK w - 1")
	b.click("#undo")
	b.untilSFEN("4k/5/5/P4/KGSBR w - 1")
	back()
	b.untilSFEN("k4/5/5/4P/RBSGK w - 1")
	back()
	b.untilSFEN("4k/5/5/P4/KGSBR w - 1")
	back()
	b.untilSFEN("4k/5/5/5/K4 b RG 1")
}

// TestUselessButtons: what would do nothing cannot be pressed.
func TestUselessButtons(t *testing.T) {
	b := openBrowser(t, startServer(t, Options{Puzzles: []byte("4k/5/5/5/K4 b RG 1\n"), PuzzlesName: "one.sfen"}).URL)
	disabled := func(when, id, want string) {
		t.Helper()
		b.until(fmt.Sprintf(`document.getElementById(%q) !== null`, id))
		b.settle()
		if got := b.value(fmt.Sprintf(`document.getElementById(%q).disabled`, id)); got != want {
			t.Errorf("%s, %s is disabled: %s, want %s", when, id, got, want)
		}
	}
	b.open("?sfen=4k/5/5/5/K4_b_-")
	for _, id := range []string{"first", "undo", "redo", "last"} {
		disabled("at the beginning", id, "true")
	}
	b.openTab("setup")
	disabled("when there is nothing on the board", "clear", "true")
	disabled("with kings in corners", "mirror", "false")
	b.click("#mirror")
	b.untilSFEN("k4/5/5/5/4K b - 1")
	disabled("with kings in other corners", "clear", "false")
	b.do(chromedp.SetValue("#sfen", "2k2/5/5/5/2K2 b - 1", chromedp.ByQuery))
	b.click(".sfen button")
	b.untilSFEN("2k2/5/5/5/2K2 b - 1")
	disabled("with kings in the middle", "mirror", "true")
	b.openTab("puzzles")
	disabled("with one puzzle", "puzzle-next", "true")
	disabled("with one puzzle", "puzzle-previous", "true")
	b.click("#puzzle-start")
	b.untilText("#puzzle-message", "Your move.")
	disabled("at a puzzle", "puzzle-hint", "false")
	b.tap("bR", "3b")
	b.untilText("#puzzle-message", "Right.")
	b.myTurn()
	for _, id := range []string{"first", "undo", "redo", "last", "best"} {
		disabled("at a puzzle", id, "true")
	}
	b.open(longEnding)
	b.openTab("practice")
	b.click("#practice-here")
	b.untilText("#practice-message", "Your move.")
	disabled("at the start of practice", "practice-again", "true")
	b.tap("3c", "2c")
	b.untilText("#practice-message", "The best move.")
	b.myTurn()
	disabled("at practice", "practice-again", "false")
	disabled("at practice", "first", "true")
	disabled("at practice", "undo", "false")
}

//go:build browser

package serve

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestBackAndForward: the browser's buttons lead from move to move, and the game stays whole, after a reload too.
func TestBackAndForward(t *testing.T) {
	b := page(t)
	back := func() { b.do(chromedp.Evaluate("history.back()", nil)) }
	const first, second, third = "4k/5/2G2/4p/K4 b - 1", "4k/5/3G1/4p/K4 w - 2", "3k1/5/3G1/4p/K4 b - 3"
	b.open(longEnding)
	b.tap("3c", "2c")
	b.untilSFEN(second)
	b.tap("1a", "2a")
	b.untilSFEN(third)
	back()
	b.untilSFEN(second)
	b.click("#redo") // what was played is still there
	b.untilSFEN(third)
	b.click("#undo")
	b.untilSFEN(second)
	back() // to what was seen before
	b.untilSFEN(third)
	b.do(chromedp.Evaluate("history.go(-2)", nil))
	b.untilSFEN(first)
	b.do(chromedp.Evaluate("history.forward()", nil))
	b.untilSFEN(second)
	b.do(chromedp.Reload(), chromedp.WaitReady(`html[data-ready="true"]`, chromedp.ByQuery))
	b.untilSFEN(second)
	b.click("#undo")
	b.untilSFEN(first)
	b.click("#last")
	b.untilSFEN(third)

	// A line that is played is one step.
	b.click("#first")
	b.untilSFEN(first)
	b.click("#play-line")
	b.untilText("#verdict-text", "Checkmate")
	back()
	b.untilSFEN(first)

	// In practice, the way back leads out of it.
	b.tap("3c", "2c")
	b.untilSFEN(second)
	b.tap("1a", "2a")
	b.untilSFEN(third)
	b.click("#tab-practice")
	b.until(`document.querySelector("#practice-here") !== null`)
	b.click("#practice-here")
	b.untilText("#practice-message", "Your move.")
	b.settle()
	b.playBest()
	b.untilText("#practice-message", "The best move.")
	b.myTurn()
	back()
	b.untilSFEN(second)
	b.until(`document.querySelector("#practice-start") !== null`)
	b.untilText("#verdict-text", "Sente mates in 8 plies")
}

// TestSkipLink: the way to the verdict for who has only a keyboard changes nothing about the game.
func TestSkipLink(t *testing.T) {
	b := page(t)
	b.open(longEnding)
	b.tap("3c", "2c")
	b.untilSFEN("4k/5/3G1/4p/K4 w - 2")
	b.do(chromedp.Focus(".skip", chromedp.ByQuery))
	b.key(kb.Enter)
	b.until(`document.activeElement.id === "verdict"`)
	b.untilSFEN("4k/5/3G1/4p/K4 w - 2")
	b.click("#undo")
	b.untilSFEN("4k/5/2G2/4p/K4 b - 1")
}

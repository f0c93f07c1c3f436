//go:build browser

package serve

import (
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

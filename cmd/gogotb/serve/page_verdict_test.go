//go:build browser

package serve

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

func TestPositionFromALink(t *testing.T) {
	b := page(t)
	b.open(mateIn3)
	b.untilText("#verdict-text", "Sente mates in 3 plies")
	if got := b.value(`[...document.querySelectorAll(".group h2")].map((h) => h.textContent).join()`); !strings.HasPrefix(got, "Winning 46") {
		t.Errorf("groups of moves: %s", got)
	}
	// Every legal move is there, and those that are equal are in order.
	if got := b.value(`[...document.querySelectorAll(".move")].slice(0, 3).map((m) => m.dataset.usi).join()`); got != "G*2c,R*2c,R*3b" {
		t.Errorf("best moves: %s", got)
	}
	b.until(`document.querySelectorAll(".line-moves li").length === 3`)
	// Hovering shows a move on the board, and no longer.
	b.do(chromedp.Evaluate(`document.querySelector('[data-usi="R*3b"]').dispatchEvent(new PointerEvent("pointerenter"))`, nil))
	b.until(`document.querySelector(".arrow.win") !== null`)
	b.do(chromedp.Evaluate(`document.querySelector('[data-usi="R*3b"]').dispatchEvent(new PointerEvent("pointerleave"))`, nil))
	b.until(`document.querySelector(".arrow") === null`)
	// A click plays it; the address says so, and the way back is there.
	b.click(`[data-usi="R*3b"]`)
	b.untilSFEN("4k/2R2/5/5/K4 w G 2")
	b.untilText("#verdict-text", "Sente mates in 2 plies")
	b.open("?sfen=4k/2R2/5/5/K4_w_G_2")
	b.untilText("#verdict-text", "Sente mates in 2 plies")
	b.open("?sfen=4k/2+R2/5/5/K4_w_G_2") // a plus sign that should have been written otherwise
	b.untilSFEN("4k/2+R2/5/5/K4 w G 2")
	b.open("?sfen=nonsense")
	b.untilText("#note", "no SFEN")
	b.open("?sfen=4k/4K/5/5/5_b_-")
	b.untilText("#verdict-text", "not a legal position")
	b.untilText("#verdict-more", "adjacent")
}

func TestVerdicts(t *testing.T) {
	b := page(t)
	for _, c := range []struct{ sfen, verdict string }{
		{"4k/5/2G2/4p/K4 b - 1", "Sente mates in 9 plies"},
		{"4k/4G/4K/5/5 w - 1", "Checkmate: Gote has no way out, Sente wins"},
		{"4k/2G2/4K/5/5 b - 1", "Sente mates in"},
		{"4k/5/5/5/K4 b - 1", "Neither side can force a win: a draw, or a win for Gote under tournament rules"},
	} {
		b.open("?sfen=" + strings.ReplaceAll(c.sfen, " ", "_"))
		if got := b.text("#verdict-text"); !strings.Contains(got, c.verdict) {
			t.Errorf("%s: %q, want %q", c.sfen, got, c.verdict)
		}
	}
	// The rule for repetition changes the verdict on open positions.
	b.choose("#repetition", "first-player-loses")
	b.untilText("#verdict-text", "Sente moved first: Gote wins by repetition")
	b.choose("#first-player", "w")
	b.untilText("#verdict-text", "Gote moved first: Sente wins by repetition")
}

func TestPerpetualCheck(t *testing.T) {
	server := startServer(t, Options{})
	b := openBrowser(t, server.URL)
	b.open("?sfen=5/b1K%2Br1/5/5/3k1_b_-") // one of the fixtures
	b.untilText("#verdict-text", "Gote can hold out only by perpetual check, which loses")
}

func TestSetWithoutATable(t *testing.T) {
	b := page(t)
	b.open(evenGame)
	b.untilText("#verdict-text", "Looking for a mate")
	b.untilText("#verdict-actions", "RRBBGGSSPP is beyond any table")
	if got := b.value(`document.querySelectorAll(".group.unknown .move").length`); got != "14" {
		t.Errorf("%s legal moves in the starting position, want 14", got)
	}
	b.tap("5e", "4d")
	b.untilSFEN("rbsgk/4p/5/PK3/1GSBR w - 2")
	b.open("?sfen=4k/5/5/5/K4_b_GS")
	b.untilText("#verdict-actions", "gogotb generate GS")
	b.open("?sfen=4k/5/5/P4/KGSBR_w_-") // the naked-king handicap
	b.untilText("#verdict-text", "Sente mates in 8 plies")
	b.until(`document.querySelectorAll(".search li").length === 8`)
	b.open("?sfen=4k/5/4G/5/5_b_G")
	b.untilText("#verdict-actions", "There is only one king here; tables need both")
	b.tap("bG", "1b")
	b.untilText("#verdict-text", "Checkmate")
}

func TestStatistics(t *testing.T) {
	b := page(t)
	b.open("?sfen=4k/5/2G2/4p/K4_b_-")
	b.click("#tab-statistics")
	b.untilText(".counts", "1,522,074") // positions of GP
	b.until(`document.querySelector(".chart .here") !== null`)
	b.untilText(".chart .marker-text", "this position: 9")
	b.click(".facts a") // the longest win
	b.untilText("#verdict-text", "mates in 89 plies")
	b.do(chromedp.NavigateBack())
	b.untilSFEN("4k/5/2G2/4p/K4 b - 1")
	b.pick("statistics", "R")
	b.untilText(".counts", "34,852")
	b.until(`document.querySelector(".chart .here") === null`)
}

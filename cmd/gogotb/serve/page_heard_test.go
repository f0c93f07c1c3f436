//go:build browser

package serve

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestMoveIsHeard: a screen reader is told of the move that was played, and of the verdict with all that belongs to it.
func TestMoveIsHeard(t *testing.T) {
	b := page(t)
	b.open(longEnding)
	heard := func(selector, text string) {
		t.Helper()
		b.untilText(selector, text)
		if got := b.value(`document.querySelector("` + selector + `").closest('[aria-live="polite"]') !== null`); got != "true" {
			t.Errorf("%s is not heard", selector)
		}
	}
	b.tap("3c", "2c")
	heard("#played", "Sente plays G-23.")
	heard("#verdict-text", "Sente mates in 8 plies")
	b.settle()
	b.click("#best")
	heard("#played", "Gote plays K-21.")
	b.settle()
	b.click("#undo") // no move was played
	b.until(`document.querySelector("#played").textContent === ""`)

	b.open("?sfen=2k1r/K4/5/3%2BB1/5_b_-")
	heard("#verdict-more", "Gote can still make 16 moves without check, at most.")
	if got := b.value(`document.querySelector("#verdict-text").parentElement.getAttribute("aria-atomic")`); got != "true" {
		t.Errorf("the verdict is read in pieces: %s", got)
	}
	if got := b.value(`document.querySelector(".move.win").getAttribute("aria-label")`); !strings.Contains(got, "rank 17") {
		t.Errorf("a move that wins by perpetual check is called %q", got)
	}
}

// TestNamesContainWhatIsSeen: who says what is to be pressed says what is written on it (Web Content Accessibility
// Guidelines, 2.5.3).
func TestNamesContainWhatIsSeen(t *testing.T) {
	b := page(t)
	check := func(where string) {
		t.Helper()
		var other []string
		b.do(chromedp.Evaluate(`[...document.querySelectorAll("button[aria-label], a[aria-label]")].flatMap((e) => {
			const name = e.getAttribute("aria-label");
			const parts = [...e.querySelectorAll(":scope > span:not([aria-hidden])")].map((s) => s.textContent);
			return (parts.length > 0 ? parts : [e.textContent]).map((s) => s.trim()).filter((s) => !name.includes(s)).map((s) => s + " is called " + name);
		})`, &other))
		for _, text := range other {
			t.Errorf("%s: %s", where, text)
		}
	}
	for _, language := range []string{"en", "ja"} {
		for _, query := range []string{longEnding, perpetual, "?sfen=4k/5/5/5/K4_b_-"} {
			b.open(query)
			check(language + ", " + query)
			if got := b.value(`document.querySelectorAll(".move[aria-label]").length > 2`); got != "true" {
				t.Error("there are no moves")
			}
		}
		b.click("#language")
	}
}

// TestSquaresAreHeard by file and rank, as they are written at the edges of the board.
func TestSquaresAreHeard(t *testing.T) {
	b := page(t)
	b.open(longEnding)
	for _, c := range []struct{ notation, is string }{
		{"western", "file 3, rank 3, Sente gold"}, {"usi", "file 3, rank c, Sente gold"}, {"japanese", "file 3, rank 三, Sente gold"},
	} {
		b.choose("#notation", c.notation)
		if got := b.value(`document.querySelector('[data-place="12"]').getAttribute("aria-label")`); got != c.is {
			t.Errorf("%s: %q, want %q", c.notation, got, c.is)
		}
	}
	b.click("#language")
	b.until(`document.querySelector('[data-place="12"]').getAttribute("aria-label") === "3筋三段、先手の金"`)
}

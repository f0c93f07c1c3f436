//go:build browser

package serve

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestFocusOrder goes through the page with the Tab key: in the order of what is seen, and it is always seen where.
func TestFocusOrder(t *testing.T) {
	b := page(t)
	b.open("?sfen=4k/5/5/5/K4_b_-")
	b.do(chromedp.Evaluate("document.activeElement.blur()", nil))
	const where = `(() => {
		const e = document.activeElement;
		const ring = e.matches(".cell") ? getComputedStyle(e.querySelector(".focus-near")).visibility === "visible"
			: parseFloat(getComputedStyle(e).outlineWidth) >= 2 && getComputedStyle(e).outlineStyle !== "none";
		return (e.id || e.dataset.place || e.dataset.usi || e.className || e.textContent) + (ring ? "" : " unseen");
	})()`
	var order []string
	for range 19 {
		b.key(kb.Tab)
		order = append(order, b.value(where))
	}
	want := "skip brand link language theme help 0 best flip set link repetition first-player SUMMARY tab-moves 5e4d 5e4e 5e5d notation"
	got := strings.Join(order, " ")
	got = strings.Replace(got, "What does this change?", "SUMMARY", 1)
	if !strings.HasPrefix(got, want) {
		t.Errorf("the order is %s,\nwant         %s", got, want)
	}
	if strings.Contains(got, "unseen") {
		t.Errorf("where the keyboard is cannot be seen: %s", got)
	}
}

// TestFocusStays: what a button does does not take the keyboard from it, or leads to what comes next.
func TestFocusStays(t *testing.T) {
	b := page(t)
	press := func(selector, focused string) {
		t.Helper()
		b.until(`document.querySelector("` + selector + `") !== null`)
		b.key(kb.Tab) // who has used the keyboard
		b.do(chromedp.Focus(selector, chromedp.ByQuery))
		b.key(kb.Enter)
		b.until(focused)
	}
	b.open(longEnding)
	b.tap("3c", "2c")
	b.untilSFEN("4k/5/3G1/4p/K4 w - 2")
	press("#undo", `document.activeElement.id === "redo" && document.getElementById("undo").disabled`)
	b.untilSFEN("4k/5/2G2/4p/K4 b - 1")
	press("#tab-practice", `document.querySelector("#practice-here:enabled") !== null`)
	press("#practice-here", `document.activeElement.id === "practice-hint"`)
	b.untilText("#practice-message", "Your move.")
	press("#practice-hint", `document.querySelector("#practice-message").textContent.startsWith("Hint: ") && document.activeElement.id === "practice-hint"`)
	press("#practice-stop", `document.activeElement.id === "practice-start"`)
	press("#tab-statistics", `document.querySelector("#statistics-G") !== null`)
	b.do(chromedp.Focus("#statistics-P", chromedp.ByQuery))
	b.key(kb.Enter) // two of them
	b.untilText("#panel-statistics", "The tables of GPP are not installed here")
	b.key(kb.Enter) // none
	b.untilText("#statistics-set", "G")
	b.until(`document.querySelector(".counts") !== null && document.activeElement.id === "statistics-P"`)
	b.open(evenGame)
	press("#search", `document.activeElement.id === "search" && document.activeElement.textContent === "Search for a mate"`) // stopped
}

// TestReducedMotion: pieces slide, but not for who wants nothing to move.
func TestReducedMotion(t *testing.T) {
	b := page(t)
	for wish, want := range map[string]string{"no-preference": "1", "reduce": "0"} {
		b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: wish}}))
		b.open(longEnding)
		b.do(chromedp.Evaluate(`window.slides = 0; const animate = Element.prototype.animate; Element.prototype.animate = function (...x) { slides++; return animate.apply(this, x); }; 0`, nil))
		b.tap("3c", "2c")
		b.untilSFEN("4k/5/3G1/4p/K4 w - 2")
		if got := b.value("window.slides"); got != want {
			t.Errorf("%s: %s pieces slide, want %s", wish, got, want)
		}
	}
}

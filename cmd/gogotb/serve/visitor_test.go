//go:build browser

package serve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// page is a browser at a server of the test tables, with no page open yet.
func page(t *testing.T) *browser {
	t.Helper()
	return openBrowser(t, startServer(t, Options{}).URL)
}

// place is the selector of a square or of a kind in a hand.
func place(name string) string {
	if name[0] == 'b' || name[0] == 'w' {
		return fmt.Sprintf(`[data-place="%s"]`, name)
	}
	return fmt.Sprintf(`[data-place="%d"]`, 5*(int(name[1]-'a'))+int('5'-name[0]))
}

// middle is where a place is in the window.
func (b *browser) middle(name string) (x, y float64) {
	b.t.Helper()
	return b.middleOf(place(name))
}

// middleOf is where an element is in the window.
func (b *browser) middleOf(selector string) (x, y float64) {
	b.t.Helper()
	var at [2]float64
	b.do(chromedp.Evaluate(fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, selector), &at))
	return at[0], at[1]
}

// tap clicks on places, one after the other.
func (b *browser) tap(names ...string) {
	b.t.Helper()
	for _, name := range names {
		x, y := b.middle(name)
		b.do(chromedp.MouseClickXY(x, y))
	}
}

// drag drags with the mouse from one place to another.
func (b *browser) drag(from, to string) {
	b.t.Helper()
	x, y := b.middle(from)
	tx, ty := b.middle(to)
	b.dragXY(x, y, tx, ty)
}

func (b *browser) dragXY(x, y, tx, ty float64) {
	b.t.Helper()
	b.do(input.DispatchMouseEvent(input.MousePressed, x, y).WithButton(input.Left).WithClickCount(1))
	for i := 1.0; i <= 4; i++ {
		b.do(input.DispatchMouseEvent(input.MouseMoved, x+(tx-x)*i/4, y+(ty-y)*i/4).WithButton(input.Left))
	}
	b.do(input.DispatchMouseEvent(input.MouseReleased, tx, ty).WithButton(input.Left).WithClickCount(1))
}

// key presses keys, one after the other.
func (b *browser) key(keys ...string) {
	b.t.Helper()
	for _, k := range keys {
		b.do(chromedp.KeyEvent(k))
	}
}

func (b *browser) click(selector string) {
	b.t.Helper()
	b.do(chromedp.Click(selector, chromedp.ByQuery))
}

// choose chooses a value of a list, as a visitor does.
func (b *browser) choose(selector, value string) {
	b.t.Helper()
	b.do(chromedp.Evaluate(fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.value = %q; e.dispatchEvent(new Event("change")); })()`, selector, value), nil))
}

// untilText waits for a text in an element.
func (b *browser) untilText(selector, text string) {
	b.t.Helper()
	b.until(fmt.Sprintf("document.querySelector(%q)?.textContent.includes(%q)", selector, text))
}

// untilSFEN waits until the position is shown, and its answer is there.
func (b *browser) untilSFEN(sfen string) {
	b.t.Helper()
	address := "?sfen=" + strings.ReplaceAll(strings.ReplaceAll(strings.TrimSuffix(sfen, " 1"), " ", "_"), "+", "%2B")
	b.until(fmt.Sprintf("location.search === %q", address))
	b.settle()
}

// myTurn waits until Sente is to move and its answer is there.
func (b *browser) myTurn() {
	b.t.Helper()
	b.until(`document.querySelector(".mover.b").classList.contains("to-move") && document.querySelector("#verdict").getAttribute("aria-busy") === "false"`)
}

// playBest plays the best move with the mouse.
func (b *browser) playBest() {
	b.t.Helper()
	var best struct{ Moves []struct{ USI string } }
	b.do(chromedp.Evaluate(`fetch("api/v1/probe" + location.search).then((r) => r.json())`, &best, awaitPromise))
	usi := best.Moves[0].USI
	from := usi[:2]
	if usi[1] == '*' {
		from = "b" + usi[:1]
	}
	b.tap(from, usi[2:4])
	if b.value(`document.getElementById("promotion").open`) == "true" {
		b.click(fmt.Sprintf(`#promotion [data-usi=%q]`, usi))
	}
}

// pick picks a material set by its pieces, as a visitor does.
func (b *browser) pick(prefix, set string) {
	b.t.Helper()
	for _, kind := range "RBGSP" {
		button := fmt.Sprintf("#%s-%c", prefix, kind)
		want := fmt.Sprint(strings.Count(set, string(kind)))
		for b.value(fmt.Sprintf("document.querySelector(%q).dataset.count", button)) != want {
			b.do(chromedp.Evaluate(fmt.Sprintf("document.querySelector(%q).click()", button), nil))
		}
	}
}

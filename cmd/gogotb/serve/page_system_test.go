//go:build browser

package serve

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestForcedColours: where the system chooses the colours, it is still seen which tab is open, and what comes of moves.
func TestForcedColours(t *testing.T) {
	b := page(t)
	for _, scheme := range []string{"light", "dark"} {
		b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}, {Name: "prefers-color-scheme", Value: scheme}}))
		b.open(longEnding)
		b.until(`matchMedia("(forced-colors: active)").matches`)
		var lost []string
		b.do(chromedp.Evaluate(`(() => {
			const style = (selector, pseudo) => getComputedStyle(document.querySelector(selector), pseudo);
			const card = style(".tabs").backgroundColor;
			const lost = ["win", "draw", "loss"].filter((o) => style(".group." + o + " h2", "::before").backgroundColor === card);
			const edge = (selected) => style("[role=tab][aria-selected=" + selected + "]").borderBottomColor;
			if (edge(true) === edge(false) || edge(true) === card) lost.push("tab");
			return lost;
		})()`, &lost))
		for _, what := range lost {
			t.Errorf("%s: the sign of %s cannot be seen", scheme, what)
		}
		b.openTab("statistics")
		if got := b.value(`new Set([...document.querySelectorAll(".shares span")].map((s) => getComputedStyle(s).backgroundColor)).size`); got != "3" {
			t.Errorf("%s: the three shares have %s colours", scheme, got)
		}
	}
}

// asWide makes Japanese characters as wide as a Japanese font has them where there is none.
const asWide = `(() => {
	const one = document.body.appendChild(Object.assign(document.createElement("span"), { textContent: "勝" }));
	const missing = parseFloat(getComputedStyle(one).fontSize) - one.getBoundingClientRect().width;
	one.remove();
	const sheet = new CSSStyleSheet();
	sheet.replaceSync("*:lang(ja) { letter-spacing: " + missing / 16 + "em; }");
	document.adoptedStyleSheets = [sheet];
})()`

// TestJapaneseOnATelephone: menus show the whole of what is chosen, headlines end within the page, their lines at words.
func TestJapaneseOnATelephone(t *testing.T) {
	b := page(t)
	b.telephone()
	b.open(perpetual)
	b.do(chromedp.Evaluate(`document.getElementById("language").click()`, nil), chromedp.Evaluate(asWide, nil))
	b.until(`document.querySelector("#play-line") !== null`)
	for _, tab := range allTabs {
		b.openTab(tab)
		for _, rule := range []string{"draw", "first-player-loses"} {
			b.choose("#repetition", rule)
			b.settle()
			var cut []string
			b.do(chromedp.Evaluate(`(() => {
				const cut = [];
				for (const menu of document.querySelectorAll("select")) {
					const room = menu.getBoundingClientRect().width;
					if (room === 0) continue;
					const whole = menu.cloneNode();
					whole.append(menu.selectedOptions[0].cloneNode(true));
					Object.assign(whole.style, { position: "absolute", width: "max-content", maxWidth: "none" });
					menu.after(whole);
					if (whole.getBoundingClientRect().width > room + 1) cut.push(menu.id + ": " + room + " of " + whole.getBoundingClientRect().width);
					whole.remove();
				}
				for (const line of document.querySelectorAll("h1, h2, .verdict-text, [role=tab], .controls button, .buttons button")) {
					if (line.clientWidth > 0 && line.scrollWidth > line.clientWidth + 1) cut.push(line.textContent + ": " + line.scrollWidth + " of " + line.clientWidth);
				}
				return cut;
			})()`, &cut))
			for _, text := range cut {
				t.Errorf("%s, %s: %s", tab, rule, text)
			}
		}
	}
	var broken []string
	b.do(chromedp.Evaluate(`(() => {
		const { firstChild: text } = document.getElementById("verdict-text");
		const line = (i) => {
			const range = document.createRange();
			range.setStart(text, i);
			range.setEnd(text, i + 1);
			return range.getBoundingClientRect().top;
		};
		return ["後手", "連続王手", "逃れられず", "反則負け"].filter((word) => {
			const at = text.data.indexOf(word);
			return at < 0 || line(at) !== line(at + word.length - 1);
		});
	})()`, &broken))
	for _, word := range broken {
		t.Errorf("a line ends within %s", word)
	}
}

// TestTwoTabs: what is chosen in one tab of the browser stays chosen when another one keeps something else.
func TestTwoTabs(t *testing.T) {
	first := openBrowser(t, startServer(t, Options{Puzzles: []byte("4k/2R2/5/5/K4 b G 1\nk4/2R2/5/5/4K b G 1\n"), PuzzlesName: "two.sfen"}).URL)
	first.open("")
	ctx, cancel := chromedp.NewContext(first.Context)
	defer cancel()
	second := &browser{Context: ctx, t: t, root: first.root}
	second.open("")
	first.click("#set")
	second.click("#flip")
	first.click("#theme")
	second.choose("#notation", "usi")
	second.open("")
	if got := second.value(`(() => { const { pieces, flipped, theme, notation } = JSON.parse(localStorage.getItem("gogotb")); return [pieces, flipped, theme !== "", notation].join(); })()`); got != "international,true,true,usi" {
		t.Errorf("the settings are %s", got)
	}

	// Nor are the puzzles forgotten that were solved in the other.
	solve := func(b *browser, at int) {
		t.Helper()
		b.do(chromedp.Evaluate(`document.getElementById("tab-puzzles").click()`, nil))
		b.until(`document.querySelector("#puzzle-start") !== null`)
		b.do(chromedp.Evaluate(`document.getElementById("puzzle-start").click()`, nil))
		b.untilText("#puzzle-message", "Your move.")
		for range at {
			b.do(chromedp.Evaluate(`document.getElementById("puzzle-next").click()`, nil))
		}
		b.settle()
		b.playBest()
		b.untilText("#puzzle-message", "Solved!")
	}
	first.open("")
	second.open("")
	solve(first, 0)
	solve(second, 1)
	if got := first.value(`JSON.parse(localStorage.getItem("gogotb-solved")).length`); got != "2" {
		t.Errorf("%s puzzles are kept as solved, want 2", got)
	}
}

//go:build browser

package serve

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

var allTabs = []string{"moves", "game", "statistics", "practice", "puzzles", "setup"}

// openTab opens a tab and waits until something is in it.
func (b *browser) openTab(name string) {
	b.t.Helper()
	b.do(chromedp.Evaluate(`document.getElementById("tab-`+name+`").click()`, nil))
	b.until(`document.getElementById("panel-` + name + `").textContent !== ""`)
	b.settle()
}

func (b *browser) scheme(name string) {
	b.t.Helper()
	b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}))
}

// contrasts is a script that finds what is hard to read: text with less contrast to what is behind it than 4.5, and
// edges of what can be filled in with less than 3, by the formula of the Web Content Accessibility Guidelines, 1.4.3
// and 1.4.11.
const contrasts = `(() => {
	const pixel = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
	const read = (color) => { // any way to write a colour
		pixel.clearRect(0, 0, 1, 1);
		pixel.fillStyle = color;
		pixel.fillRect(0, 0, 1, 1);
		return [...pixel.getImageData(0, 0, 1, 1).data];
	};
	const over = (top, below) => [0, 1, 2].map((i) => (top[i] * top[3] + below[i] * (255 - top[3])) / 255);
	const luminance = (rgb) => {
		const [r, g, b] = rgb.map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const contrast = (a, b) => {
		const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
		return (light + 0.05) / (dark + 0.05);
	};
	const behind = (element) => (element ? over(read(getComputedStyle(element).backgroundColor), behind(element.parentElement)) : [255, 255, 255]);
	const poor = [];
	let seen = 0;
	const check = (what, color, back, least) => {
		seen++;
		const found = contrast(over(read(color), back), back);
		if (found < least) poor.push(what + ": " + found.toFixed(2));
	};
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (texts.nextNode()) {
		const element = texts.currentNode.parentElement;
		const text = texts.currentNode.textContent.trim();
		if (!text || !element.getClientRects().length || element.closest("option, title, :disabled, .count-text")) continue;
		const style = getComputedStyle(element);
		check(text.slice(0, 30), element instanceof SVGElement ? style.fill : style.color, behind(element), 4.5);
	}
	for (const field of document.querySelectorAll("select, input[type=text], input[type=number]")) {
		if (field.getClientRects().length) check(field.id, getComputedStyle(field).borderTopColor, behind(field.parentElement), 3);
	}
	return poor.concat(seen > 20 ? [] : ["only " + seen + " texts were looked at"]);
})()`

// TestContrast looks at all texts of the page, light and dark.
func TestContrast(t *testing.T) {
	b := openBrowser(t, startServer(t, Options{Puzzles: []byte("4k/5/5/5/K4 b RG 1\n"), PuzzlesName: "one.sfen"}).URL)
	check := func(name string) {
		t.Helper()
		var poor []string
		b.do(chromedp.Evaluate(contrasts, &poor))
		for _, text := range poor {
			t.Errorf("%s: %s", name, text)
		}
	}
	for _, scheme := range []string{"light", "dark"} {
		b.scheme(scheme)
		b.open(longEnding)
		b.until(`document.querySelector("#play-line") !== null`)
		b.do(chromedp.Evaluate(`document.getElementById("away").hidden = false; document.getElementById("note").textContent = "A note."`, nil))
		for _, tab := range allTabs {
			b.openTab(tab)
			check(scheme + ", " + tab)
		}
		b.open("?sfen=4k/5/5/5/K4_b_GS")
		check(scheme + ", no table")
		b.do(chromedp.Navigate(b.root+"/about.html"), chromedp.WaitReady(`html[data-ready="true"]`, chromedp.ByQuery))
		check(scheme + ", about")
	}
}

// TestThemes: light or dark as the system has it, or as the visitor has chosen, who is remembered.
func TestThemes(t *testing.T) {
	b := page(t)
	bright := func(want string) {
		t.Helper()
		b.until(`(() => { const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g).map(Number); return r + g + b > 380; })() === ` + want)
	}
	b.scheme("light")
	b.open(longEnding)
	bright("true")
	b.scheme("dark")
	bright("false")
	b.click("#theme")
	bright("true")
	b.open(longEnding)
	bright("true")
	b.do(chromedp.Navigate(b.root+"/about.html"), chromedp.WaitReady(`html[data-ready="true"]`, chromedp.ByQuery))
	bright("true")
	b.click("#theme") // as the system has it
	bright("false")
	b.scheme("light")
	bright("true")
}

// TestPieceSets: characters or symbols, of our own drawing, on the board, in hand and among the spare pieces.
func TestPieceSets(t *testing.T) {
	b := page(t)
	b.open("?sfen=4k/2+R2/5/5/K4_b_G")
	symbols := func(board, spares string) {
		t.Helper()
		b.until(`document.querySelectorAll("#board .piece-symbol").length === ` + board)
		b.until(`document.querySelectorAll(".spare .piece-symbol").length === ` + spares)
		if got := b.value(`document.querySelectorAll("#board text.piece, #board image").length`); got != "0" {
			t.Errorf("%s pieces are not drawn", got)
		}
	}
	b.openTab("setup")
	symbols("0", "0")
	b.click("#set")
	symbols("13", "20") // three on the board, ten kinds in the hands
	b.open(evenGame)
	symbols("22", "0") // remembered
	b.key("p")
	symbols("0", "0")
}

// TestTapTargets: on a telephone, nothing is smaller than 40 pixels either way.
func TestTapTargets(t *testing.T) {
	b := openBrowser(t, startServer(t, Options{Puzzles: []byte("4k/5/5/5/K4 b RG 1\n"), PuzzlesName: "one.sfen"}).URL)
	b.telephone()
	small := func(name string) {
		t.Helper()
		var found []string
		b.do(chromedp.Evaluate(`[...document.querySelectorAll("button, a:not(.skip), select, input, summary, .cell, label.button")].flatMap((e) => {
			const r = (e.matches("[type=radio], [type=checkbox]") ? e.parentElement : e).getBoundingClientRect();
			const inside = e.matches("[type=file]"); // its label is what is tapped
			return r.width === 0 || inside || (r.width >= 40 && r.height >= 40) ? [] : [(e.id || e.textContent || e.dataset.place) + ": " + r.width.toFixed(1) + " by " + r.height.toFixed(1)];
		})`, &found))
		for _, text := range found {
			t.Errorf("%s: %s", name, text)
		}
	}
	b.open(longEnding)
	b.until(`document.querySelector("#play-line") !== null`)
	for _, tab := range allTabs {
		b.openTab(tab)
		small(tab)
	}
	b.openTab("puzzles")
	b.do(chromedp.Evaluate(`document.getElementById("puzzle-start").click()`, nil))
	b.untilText(".task", "mates in")
	small("a puzzle")
	b.open("?sfen=4k/2R2/5/5/K4_b_G")
	b.tap("3b", "3a")
	b.do(chromedp.WaitVisible("#promotion", chromedp.ByQuery))
	small("promotion")
}

// TestHistogram: the heights of the columns are as the logarithms of what they stand for.
func TestHistogram(t *testing.T) {
	b := page(t)
	b.open(longEnding)
	b.openTab("statistics")
	b.until(`document.querySelector(".chart .here") !== null`)
	var off []string
	b.do(chromedp.Evaluate(`(async () => {
		const { histogram } = await (await fetch("api/v1/stats/GP")).json();
		const heights = [...document.querySelectorAll(".chart rect")].map((r) => Number(r.getAttribute("height")));
		if (heights.length !== histogram.length) return [heights.length + " columns"];
		const most = histogram.indexOf(Math.max(...histogram));
		const least = histogram.indexOf(Math.min(...histogram));
		const scale = (heights[most] - heights[least]) / Math.log10(histogram[most] / histogram[least]);
		return histogram.flatMap((n, i) => (Math.abs(heights[i] - heights[least] - scale * Math.log10(n / histogram[least])) < 0.01 ? [] : [i + ": " + heights[i]]));
	})()`, &off, awaitPromise))
	for _, text := range off {
		t.Errorf("column %s", text)
	}
}

//go:build browser

package serve

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gogotb/verify"
)

// Positions worth a picture.
const (
	mateIn3    = "?sfen=4k/5/5/5/K4_b_RG"
	perpetual  = "?sfen=2k1r/K4/5/3%2BB1/5_b_-"
	evenGame   = "?sfen=rbsgk/4p/5/P4/KGSBR_b_-"
	longEnding = "?sfen=4k/5/2G2/4p/K4_b_-"
)

// TestScreenshots shows the page at the sizes of a telephone and a desk, light and dark. It
// fails if something sticks out of the page; whether it is beautiful, people have to say:
// SCREENSHOTS=folder keeps the pictures.
func TestScreenshots(t *testing.T) {
	server := startServer(t, Options{Puzzles: verify.Puzzles, PuzzlesName: "gogotb"})
	b := openBrowser(t, server.URL)
	for _, size := range []struct {
		name          string
		width, height int64
		telephone     bool
	}{{"desktop", 1280, 860, false}, {"wide", 1920, 1080, false}, {"laptop", 1000, 720, false}, {"telephone", 390, 844, true}, {"aside", 844, 390, false}, {"small", 320, 640, false}} {
		for _, scheme := range []string{"light", "dark"} {
			if size.telephone {
				b.telephone()
			} else {
				b.size(size.width, size.height)
			}
			b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
			b.open(longEnding)
			b.until(`document.querySelector("#play-line") !== null`)
			for _, tab := range []string{"moves", "game", "statistics", "practice", "puzzles", "setup"} {
				b.do(chromedp.Evaluate(`document.getElementById("tab-`+tab+`").click()`, nil))
				b.until(`document.getElementById("panel-` + tab + `").textContent !== ""`)
				b.settle()
				if over := b.value(`document.documentElement.scrollWidth - document.documentElement.clientWidth`); over != "0" {
					t.Errorf("%s, %s: the page is %s pixels too wide", size.name, tab, over)
				}
				if size.telephone && tab != "moves" && tab != "setup" {
					b.do(chromedp.Evaluate(`document.querySelector(".tabs").scrollIntoView()`, nil))
				}
				b.screenshot(size.name + "-" + scheme + "-" + tab)
				b.do(chromedp.Evaluate(`scrollTo(0, 0)`, nil))
			}
		}
	}
}

// TestOtherScreens shows what the tabs do not: dialogs, Japanese, the page that explains.
func TestOtherScreens(t *testing.T) {
	b := openBrowser(t, startServer(t, Options{}).URL)
	b.open("?sfen=4k/2R2/5/5/K4_b_G")
	b.tap("3b", "3a")
	b.do(chromedp.WaitVisible("#promotion", chromedp.ByQuery))
	b.screenshot("promotion")
	b.key(kb.Escape)
	b.key("?")
	b.screenshot("keyboard")
	b.key(kb.Escape)
	b.click("#language")
	b.untilText("#verdict-text", "先手")
	b.screenshot("japanese")
	for _, width := range []int64{390, 1100} {
		b.size(width, 900)
		b.do(chromedp.Navigate(b.root+"/about.html"), chromedp.WaitReady(`html[data-ready="true"]`, chromedp.ByQuery))
		for _, language := range []string{"ja", "en"} {
			b.until(`document.documentElement.lang === "` + language + `"`)
			if over := b.value(`document.documentElement.scrollWidth - document.documentElement.clientWidth`); over != "0" {
				t.Errorf("about, %s, %d: %s pixels too wide", language, width, over)
			}
			b.screenshot(fmt.Sprintf("about-%s-%d", language, width))
			b.click("#language")
		}
	}
}

// TestPictures makes pictures of the README: a desk in the light, with a gold that is held, and a telephone in the dark, with the
// moves that are looked at.
func TestPictures(t *testing.T) {
	b := openBrowser(t, startServer(t, Options{}).URL)
	b.size(1180, 800)
	b.open(mateIn3)
	b.until(`document.querySelector("#play-line") !== null`)
	b.tap("bG")
	b.until(`document.querySelector(".dot.best") !== null`)
	b.screenshot("desktop")

	b = openBrowser(t, b.root)
	b.telephone()
	b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}))
	b.open(longEnding)
	b.until(`document.querySelector("#play-line") !== null && document.querySelectorAll(".advice").length > 0`)
	b.do(chromedp.Evaluate(`document.querySelector(".group").scrollIntoView({ behavior: "instant" })`, nil))
	b.until(`document.documentElement.dataset.scrolled === "true"`)
	b.screenshot("telephone")
}

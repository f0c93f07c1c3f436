//go:build browser

package serve

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestKeyboard(t *testing.T) {
	b := page(t)
	b.open("?sfen=4k/5/2G2/4p/K4_b_-")
	b.do(chromedp.Focus(`[data-place="0"]`, chromedp.ByQuery))
	focus := func(want string) {
		t.Helper()
		b.until(fmt.Sprintf("document.activeElement === document.querySelector(%q)", place(want)))
	}
	b.key(kb.ArrowDown, kb.ArrowDown, kb.ArrowRight, kb.ArrowRight)
	focus("3c")
	b.key("\r")
	b.until(`document.querySelectorAll(".dot").length === 6`)
	b.key(kb.ArrowRight)
	focus("2c")
	b.key("\r")
	b.untilSFEN("4k/5/3G1/4p/K4 w - 2")
	focus("2c") // the place stays
	if got := b.value(`document.activeElement.getAttribute("aria-label")`); got != "file 2, rank 3, Sente gold" {
		t.Errorf("the square is called %q", got)
	}
	b.key(kb.ArrowUp, kb.ArrowUp, kb.ArrowUp) // into the hand
	focus("wS")
	if got := b.value(`document.activeElement.getAttribute("aria-label")`); got != "Gote's hand, no silver" {
		t.Errorf("the hand is called %q", got)
	}
	// A drop.
	b.open("?sfen=4k/5/5/5/K4_b_RG")
	b.do(chromedp.Focus(place("bR"), chromedp.ByQuery))
	b.key("\r", kb.ArrowUp, kb.ArrowUp, kb.ArrowUp, kb.ArrowUp, kb.ArrowRight, kb.ArrowRight, "\r")
	b.untilSFEN("4k/2R2/5/5/K4 w G 2")
	// A promotion: the dialog takes the keyboard, and gives it back.
	b.open("?sfen=4k/2R2/5/5/K4_b_-")
	b.do(chromedp.Focus(place("3b"), chromedp.ByQuery))
	b.key("\r", kb.ArrowUp, "\r")
	b.until(`document.activeElement.dataset.usi === "3b3a+"`)
	b.key(kb.Tab)
	b.until(`document.activeElement.dataset.usi === "3b3a"`)
	b.key("\r")
	b.untilSFEN("2R1k/5/5/5/K4 w - 2")
	focus("3a")
	// The tabs.
	b.do(chromedp.Focus("#tab-moves", chromedp.ByQuery))
	b.key(kb.ArrowRight)
	b.until(`document.activeElement.id === "tab-game" && !document.getElementById("panel-game").hidden`)
	b.key("?")
	b.until(`document.getElementById("keyboard").open`)
	b.key(kb.Escape)
}

func TestScreenReader(t *testing.T) {
	b := page(t)
	b.open(mateIn3)
	for expression, want := range map[string]string{
		`document.querySelectorAll('[role="grid"] [role="row"]').length`:                                                          "7",
		`document.querySelectorAll('[role="row"] > [role="gridcell"][aria-label]').length`:                                        "35",
		`document.querySelectorAll('[role="gridcell"][tabindex="0"]').length`:                                                     "1",
		`document.querySelector("#verdict-text").closest("[aria-live]").getAttribute("aria-live")`:                                "polite",
		`document.querySelector("#note").getAttribute("role")`:                                                                    "status",
		`document.querySelector("#away").getAttribute("role")`:                                                                    "alert",
		`document.querySelectorAll('[role="tab"][aria-controls]').length`:                                                         "6",
		`document.documentElement.lang`:                                                                                           "en",
		`[...document.querySelectorAll("button")].filter((b) => !(b.getAttribute("aria-label") || b.textContent).trim()).length`:  "0",
		`[...document.querySelectorAll("select, input")].filter((e) => !e.labels.length && !e.getAttribute("aria-label")).length`: "0",
		`document.querySelector('[data-usi="R*3b"]').getAttribute("aria-label")`:                                                  "R*32, mates in 3 plies",
		`document.querySelector('[data-place="4"]').getAttribute("aria-label")`:                                                   "file 1, rank 1, Gote king",
	} {
		if got := b.value(expression); got != want {
			t.Errorf("%s is %q, want %q", expression, got, want)
		}
	}
}

// TestAccessibilityTree holds what chromium tells a screen reader of the page: everything that can be used has a name.
func TestAccessibilityTree(t *testing.T) {
	b := page(t)
	b.open(longEnding)
	b.until(`document.querySelector("#play-line") !== null`)
	for _, tab := range allTabs {
		b.openTab(tab)
		count := map[string]int{}
		for _, n := range b.accessibility() {
			role := fmt.Sprint(n.Role.Value)
			count[role]++
			for _, p := range n.Properties {
				switch {
				case p.Name == "focusable" && p.Value.Value == true && n.Name.Value == "" && role != "generic":
					t.Errorf("%s: a %s has no name", tab, role)
				case p.Name == "live" && p.Value.Value == "polite":
					count["polite"]++
				case p.Name == "level" && role == "heading":
					count[fmt.Sprint("heading ", p.Value.Value)]++
				}
			}
		}
		for role, least := range map[string]int{"banner": 1, "navigation": 1, "main": 1, "region": 2, "tabpanel": 1, "polite": 2, "heading 1": 1} {
			if count[role] < least {
				t.Errorf("%s: %d of %s, want %d", tab, count[role], role, least)
			}
		}
		if count["heading 1"] != 1 || count["grid"] != 1 || count["row"] < 7 || count["gridcell"] != 35 || count["tab"] != 6 {
			t.Errorf("%s: %v", tab, count)
		}
	}
}

// accessibleNode is a node of the tree that a screen reader reads.
type accessibleNode struct {
	Ignored    bool          `json:"ignored"`
	Role       accessibleKey `json:"role"`
	Name       accessibleKey `json:"name"`
	Properties []struct {
		Name  string        `json:"name"`
		Value accessibleKey `json:"value"`
	} `json:"properties"`
}

type accessibleKey struct {
	Value any `json:"value"`
}

// accessibility is the tree, without what is ignored. Chromium has more names in it than chromedp knows.
func (b *browser) accessibility() []accessibleNode {
	b.t.Helper()
	var tree struct {
		Nodes []accessibleNode `json:"nodes"`
	}
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		return chromedp.FromContext(ctx).Target.Execute(ctx, "Accessibility.getFullAXTree", nil, &tree)
	}))
	if len(tree.Nodes) < 50 {
		b.t.Fatalf("%d nodes", len(tree.Nodes))
	}
	return slices.DeleteFunc(tree.Nodes, func(n accessibleNode) bool { return n.Ignored })
}

func TestJapanese(t *testing.T) {
	b := page(t)
	b.open("?sfen=4k/2R2/5/5/K4_b_G")
	b.click("#language")
	b.untilText("#verdict-text", "先手の勝ち：")
	if got := b.value(`[...document.querySelectorAll(".move .name")].map((m) => m.textContent).filter((m) => m.includes("３一")).sort().join()`); got != "３一金,３一飛不成,３一飛成" {
		t.Errorf("moves to 3a: %s", got)
	}
	if got := b.value("document.documentElement.lang"); got != "ja" {
		t.Errorf("the language is %s", got)
	}
	b.open("?sfen=4k/2R2/5/5/K4_b_G") // it is remembered
	b.untilText("#verdict-text", "先手の勝ち：")
	// What captures the piece that has just moved is 同.
	b.open("?sfen=2k2/5/2r2/5/1G2K_w_-")
	b.click(`[data-usi="3c3d"]`)
	b.untilText(`[data-usi="4e3d"] .name`, "同金")
	b.untilText(`[data-usi="4e4d"] .name`, "４四金")
	// Both languages have all texts.
	b.until(`(async () => { const [{ english }, { japanese }] = await Promise.all([import("./js/english.js"), import("./js/japanese.js")]);
		const names = (o) => Object.entries(o).flatMap(([k, v]) => (typeof v === "object" ? Object.keys(v).map((n) => k + "." + n) : [k])).sort().join();
		return names(english) === names(japanese); })()`)
	b.do(chromedp.Navigate(b.root+"/about.html"), chromedp.WaitReady(`html[data-ready="true"]`, chromedp.ByQuery))
	b.until(`document.querySelector('article[lang="ja"]').offsetHeight > 0 && document.querySelector('article[lang="en"]').offsetHeight === 0`)
	b.click("#language")
	b.until(`document.querySelector('article[lang="en"]').offsetHeight > 0`)
	b.untilText(".tables tbody", "RB")
}

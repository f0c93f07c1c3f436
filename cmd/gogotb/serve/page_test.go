//go:build browser

package serve

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gogotb/verify"
)

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
	var at [2]float64
	b.do(chromedp.Evaluate(fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, place(name)), &at))
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

func page(t *testing.T) *browser {
	t.Helper()
	return openBrowser(t, startServer(t, Options{}).URL)
}

func TestPositionFromALink(t *testing.T) {
	b := page(t)
	b.open(mateIn3)
	b.untilText("#verdict-text", "Sente mates in 3 plies")
	if got := b.value(`[...document.querySelectorAll(".group h3")].map((h) => h.textContent).join()`); !strings.HasPrefix(got, "Winning 46") {
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

func TestMovesByMouse(t *testing.T) {
	b := page(t)
	b.open("?sfen=4k/5/2G2/4p/K4_b_-")
	b.tap("3c")
	b.until(`document.querySelectorAll(".dot").length === 6`)
	b.tap("3c") // lets go
	b.until(`document.querySelectorAll(".dot").length === 0`)
	b.tap("3c", "2c")
	b.untilSFEN("4k/5/3G1/4p/K4 w - 2")
	b.drag("1a", "2a")
	b.untilSFEN("3k1/5/3G1/4p/K4 b - 3")
	b.drag("5e", "1e") // not a move of the king
	b.untilText("#note", "does not move that way")
	b.tap("5e", "4d")
	b.untilSFEN("3k1/5/3G1/1K2p/5 w - 4")

	// Back and forth, with the buttons and the keyboard.
	b.click("#undo")
	b.untilSFEN("3k1/5/3G1/4p/K4 b - 3")
	b.click("#first")
	b.untilSFEN("4k/5/2G2/4p/K4 b - 1")
	b.click("#last")
	b.untilSFEN("3k1/5/3G1/1K2p/5 w - 4")
	b.key("u", "u")
	b.untilSFEN("4k/5/3G1/4p/K4 w - 2")
	b.key("r")
	b.untilSFEN("3k1/5/3G1/4p/K4 b - 3")
	b.key(kb.Home)
	b.untilSFEN("4k/5/2G2/4p/K4 b - 1")
	// Space plays the best move; other moves than before replace what was played.
	b.key(" ")
	b.until(`document.querySelector("#verdict-text").textContent.includes("8 plies")`)
	b.click("#play-line")
	b.untilText("#verdict-text", "Checkmate: Gote has no way out, Sente wins")
}

func TestDropsAndForbiddenPawnDrops(t *testing.T) {
	b := page(t)
	b.open("?sfen=4k/5/4P/5/K4_b_P")
	b.tap("bP")
	if got := b.value(`document.querySelectorAll(".dot").length`); got != "15" {
		t.Errorf("%s squares for the pawn", got) // four files, four ranks, without that of the king
	}
	b.tap("1d") // on the file of the other pawn
	b.untilText("#note", "nifu")
	b.drag("bP", "3a")
	b.untilText("#note", "far rank")
	b.drag("bP", "3b")
	b.untilSFEN("4k/2P2/4P/5/K4 w - 2")

	// A pawn drop that would mate.
	b.open("?sfen=4k/5/4K/5/3R1_b_P")
	b.untilText("#verdict-text", "No table for RP here")
	b.tap("bP", "1b")
	b.untilText("#note", "uchifuzume")
	b.tap("bP", "5c")
	b.untilSFEN("4k/5/P3K/5/3R1 w - 2")
}

func TestPromotion(t *testing.T) {
	b := page(t)
	b.open("?sfen=4k/2R2/5/5/K4_b_G")
	b.tap("3b", "3a")
	b.do(chromedp.WaitVisible("#promotion", chromedp.ByQuery))
	b.key(kb.Escape) // never mind
	b.until(`!document.querySelector("#promotion").open`)
	b.untilSFEN("4k/2R2/5/5/K4 b G 1")
	b.tap("3b", "3a")
	b.click(`#promotion [data-usi="3b3a+"]`)
	b.untilSFEN("2+R1k/5/5/5/K4 w G 2")
	b.key("u")
	b.untilSFEN("4k/2R2/5/5/K4 b G 1")
	b.tap("3b", "3a")
	b.click(`#promotion [data-usi="3b3a"]`)
	b.untilSFEN("2R1k/5/5/5/K4 w G 2")
	// Where there is no choice, nobody is asked: a pawn has to promote.
	b.open("?sfen=4k/1P3/5/5/K4_b_-")
	b.tap("4b", "4a")
	b.untilSFEN("1+P2k/5/5/5/K4 w - 2")
}

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
	if got := b.value(`document.activeElement.getAttribute("aria-label")`); got != "23, Sente gold" {
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
	// The tabs.
	b.do(chromedp.Focus("#tab-moves", chromedp.ByQuery))
	b.key(kb.ArrowRight)
	b.until(`document.activeElement.id === "tab-statistics" && !document.getElementById("panel-statistics").hidden`)
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
		`document.querySelector("#verdict-text").getAttribute("aria-live")`:                                                       "polite",
		`document.querySelector("#note").getAttribute("role")`:                                                                    "status",
		`document.querySelector("#away").getAttribute("role")`:                                                                    "alert",
		`document.querySelectorAll('[role="tab"][aria-controls]').length`:                                                         "5",
		`document.documentElement.lang`:                                                                                           "en",
		`[...document.querySelectorAll("button")].filter((b) => !(b.getAttribute("aria-label") || b.textContent).trim()).length`:  "0",
		`[...document.querySelectorAll("select, input")].filter((e) => !e.labels.length && !e.getAttribute("aria-label")).length`: "0",
		`document.querySelector('[data-usi="R*3b"]').getAttribute("aria-label")`:                                                  "R*32, mates in 3 plies",
		`document.querySelector('[data-place="4"]').getAttribute("aria-label")`:                                                   "11, Gote king",
	} {
		if got := b.value(expression); got != want {
			t.Errorf("%s is %q, want %q", expression, got, want)
		}
	}
}

func TestJapanese(t *testing.T) {
	b := page(t)
	b.open("?sfen=4k/2R2/5/5/K4_b_G")
	b.click("#language")
	b.untilText("#verdict-text", "先手の勝ち：")
	if got := b.value(`[...document.querySelectorAll(".move .name")].map((m) => m.textContent).filter((m) => m.includes("３一")).join()`); !strings.Contains(got, "３一飛成(32)") || !strings.Contains(got, "３一飛不成(32)") || !strings.Contains(got, "３一金打") {
		t.Errorf("moves to 3a: %s", got)
	}
	if got := b.value("document.documentElement.lang"); got != "ja" {
		t.Errorf("the language is %s", got)
	}
	b.open("?sfen=4k/2R2/5/5/K4_b_G") // it is remembered
	b.untilText("#verdict-text", "先手の勝ち：")
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

// middleOf is where an element is in the window.
func (b *browser) middleOf(selector string) (x, y float64) {
	b.t.Helper()
	var at [2]float64
	b.do(chromedp.Evaluate(fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, selector), &at))
	return at[0], at[1]
}

// TestPageMovesPieces: where the page puts pieces is where the rules put them, for every move of
// many positions, and what it writes is the server's normal form.
func TestPageMovesPieces(t *testing.T) {
	b := page(t)
	b.open("")
	var sfens []string
	for _, f := range fixtures(t, "GSP")[:8] {
		sfens = append(sfens, f.sfen)
	}
	sfens = append(sfens, "rbsgk/4p/5/P4/KGSBR b - 1", "2+B1k/1+R2p/5/2+p2/K1G2 b RBGs 17", "4k/P4/5/5/K4 b 2R2B2Gsp 1", "1k3/5/5/P4/K4 w 2Sp 4")
	list, err := json.Marshal(sfens)
	if err != nil {
		t.Fatal(err)
	}
	var wrong []string
	b.do(chromedp.Evaluate(`(async () => {
		const { parse, format, play, mirrored, swapped, material } = await import("./js/sfen.js");
		const get = async (path) => (await fetch("api/v1/" + path)).json();
		const wrong = [];
		for (const sfen of `+string(list)+`) {
			const query = "sfen=" + encodeURIComponent(sfen);
			const rules = await get("position?" + query);
			const position = parse(sfen);
			if (!rules.legal || format(position) !== rules.sfen || material(position) !== rules.material) wrong.push(sfen + ": " + format(position));
			if (format(mirrored(mirrored(position))) !== sfen || format(swapped(swapped(position))) !== sfen) wrong.push(sfen + " turned twice");
			await Promise.all(rules.moves.map(async ({ usi }) => {
				const { after } = await get("move?" + query + "&usi=" + encodeURIComponent(usi));
				if (format(play(position, usi)) !== after) wrong.push(sfen + " " + usi + ": " + format(play(position, usi)) + ", not " + after);
			}));
		}
		return wrong;
	})()`, &wrong, awaitPromise))
	for _, line := range wrong {
		t.Error(line)
	}
}

// TestStrengths: every strength keeps the result; the weaker ones do not always play the best.
func TestStrengths(t *testing.T) {
	b := page(t)
	b.open("")
	var got map[string][]string
	b.do(chromedp.Evaluate(`(async () => {
		const { reply, strengths } = await import("./js/rival.js");
		const probe = await (await fetch("api/v1/probe?sfen=4k/5/2G2/4p/K4_b_-")).json();
		const opposite = { win: "loss", loss: "win", draw: "draw" };
		const answer = { moves: probe.moves.map((m) => ({ usi: m.usi, value: m, outcome: opposite[m.category] })) };
		return Object.fromEntries(Object.keys(strengths).map((s) => [s, [...new Set(Array.from({ length: 300 }, () => reply(answer, s).usi))].sort()]));
	})()`, &got, awaitPromise))
	for strength, want := range map[string]string{
		"best":     "3c2c 5e4d",                // nine plies
		"middling": "3c2c 3c3d 5e4d 5e4e 5e5d", // all that win
		"gentle":   "3c2c 3c3d 5e4d 5e4e 5e5d",
	} {
		if moves := strings.Join(got[strength], " "); moves != want {
			t.Errorf("%s plays %s, want %s", strength, moves, want)
		}
	}
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
	b.choose("#statistics-set", "R")
	b.untilText(".counts", "34,852")
	b.until(`document.querySelector(".chart .here") === null`)
}

func TestPracticeToMate(t *testing.T) {
	b := page(t)
	b.open("?sfen=4k/5/2G2/4p/K4_b_-") // a mate in nine
	b.click("#tab-practice")
	b.until(`document.querySelector("#practice-here") !== null`)
	b.click("#practice-here")
	b.untilText(".goal", "You play Sente, and can win.")
	b.settle()
	if got := b.text("#verdict-text"); strings.Contains(got, "mates") {
		t.Errorf("the verdict gives it away: %s", got)
	}
	b.click("#tab-moves")
	if got := b.value(`document.querySelectorAll(".move").length`); got != "0" {
		t.Errorf("%s moves with values are shown", got)
	}
	b.click("#tab-practice")
	b.untilText("#practice-message", "Your move.")
	// A bad move is called one, and can be taken back.
	b.tap("3c", "3b")
	b.untilText("#practice-message", "throws the win away: a draw")
	b.myTurn()
	b.click("#practice-back")
	b.untilSFEN("4k/5/2G2/4p/K4 b - 1")
	// A hint names a move and shows it.
	b.click("#practice-hint")
	b.untilText("#practice-message", "Hint: ")
	b.until(`document.querySelector(".arrow") !== null`)
	// The best moves, played with the mouse, to the end.
	for range 5 {
		b.myTurn()
		b.playBest()
	}
	b.untilText("#practice-message", "You win by checkmate! 9 plies played; with best play 9.")
	b.screenshot("practice-won")
	b.click("#practice-again")
	b.untilText("#practice-message", "Your move.")
	b.click("#practice-stop")
	b.until(`document.querySelector("#practice-start") !== null`)
	// A random position of a set, to be defended against an other side that is not perfect.
	b.choose("#practice-set", "RG")
	b.choose("#practice-task", "defend")
	b.choose("#practice-strength", "gentle")
	b.click("#practice-start")
	b.untilText(".goal", "You play Sente: hold out as long as you can.")
	b.untilText("#panel-practice", "The other side is gentle.")
}

// myTurn waits until Sente is to move and its answer is there.
func (b *browser) myTurn() {
	b.t.Helper()
	b.until(`document.querySelector(".mover.b").classList.contains("to-move") && document.querySelector("#verdict").getAttribute("aria-busy") === "false"`)
}

// choose chooses a value of a list, as a visitor does.
func (b *browser) choose(selector, value string) {
	b.t.Helper()
	b.do(chromedp.Evaluate(fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.value = %q; e.dispatchEvent(new Event("change")); })()`, selector, value), nil))
}

func TestDefence(t *testing.T) {
	b := page(t)
	b.open("?sfen=4k/2R2/5/5/K4_w_G")
	b.click("#tab-practice")
	b.until(`document.querySelector("#practice-here") !== null`)
	b.click("#practice-here")
	b.untilText(".goal", "You play Gote: hold out")
	b.tap("1a", "2a")
	b.untilText("#practice-message", "You lose by checkmate.")
}

func TestPuzzles(t *testing.T) {
	file := "# two mates\n4k/5/5/5/K4 b RG 1 moves G*2c 1a2a R*4a ; plies 3\n4k/5/2G2/4p/K4 b - 1\n"
	b := openBrowser(t, startServer(t, Options{Puzzles: []byte(file), PuzzlesName: "two.sfen"}).URL)
	b.open("")
	b.click("#tab-puzzles")
	b.untilText(".goal", "of 2")
	b.click("#puzzle-start")
	b.untilText(".task", "Sente mates in 3 plies.")
	b.untilSFEN("4k/5/5/5/K4 b RG 1")
	b.tap("5e", "4d")
	b.untilText("#puzzle-message", "Not that one")
	b.untilSFEN("4k/5/5/5/K4 b RG 1")
	b.tap("bR", "5b") // as good as the solution's move
	b.untilText("#puzzle-message", "Right.")
	b.until(`document.querySelector('.mover.b').classList.contains("to-move")`)
	b.settle()
	b.click("#puzzle-hint")
	b.untilText("#puzzle-message", "Hint: ")
	b.playBest()
	b.untilText("#puzzle-message", "Solved!")
	b.screenshot("puzzle-solved")
	b.click("#puzzle-next")
	b.untilText(".task", "Sente mates in 9 plies.")
	// A file of one's own, with a line that is none.
	own := filepath.Join(t.TempDir(), "own.sfen")
	if err := os.WriteFile(own, []byte("4k/5/5/5/K4 b R 1\nnonsense\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.SetUploadFiles("#puzzle-file", []string{own}, chromedp.ByQuery))
	b.untilText(".goal", "of 1")
	b.untilText("#puzzle-message", "1 puzzle could not be read.")
}

// TestShippedPuzzles solves the first of the puzzles that come with the program, and has the second
// one shown.
func TestShippedPuzzles(t *testing.T) {
	b := openBrowser(t, startServer(t, Options{Puzzles: verify.Puzzles, PuzzlesName: "gogotb"}).URL)
	b.open("")
	b.click("#tab-puzzles")
	b.untilText(".goal", "of 200")
	b.untilText(".file", "come with gogotb")
	b.click("#puzzle-start")
	b.untilText(".task", "Sente mates in 3 plies.")
	b.settle()
	b.playBest()
	b.untilText("#puzzle-message", "Right.")
	b.myTurn()
	b.playBest()
	b.untilText("#puzzle-message", "Solved!")
	b.untilText(".solved", "solved")
	b.click("#puzzle-next")
	b.untilText("#puzzle-message", "Your move.")
	b.click("#puzzle-solution")
	b.untilText("#verdict-text", "Checkmate")
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

func TestSetWithoutATable(t *testing.T) {
	b := page(t)
	b.open("") // the starting position of the game
	b.untilText("#verdict-text", "No table for RRBBGGSSPP here")
	b.untilText("#verdict-actions", "beyond any table")
	if got := b.value(`document.querySelectorAll(".group.unknown .move").length`); got != "14" {
		t.Errorf("%s legal moves in the starting position, want 14", got)
	}
	b.tap("5e", "4d")
	b.untilSFEN("rbsgk/4p/5/PK3/1GSBR w - 2")
	b.open("?sfen=4k/5/5/5/K4_b_GS")
	b.untilText("#verdict-actions", "gogotb generate GS")
	b.open("?sfen=4k/5/5/P4/KGSBR_w_-") // the naked-king handicap
	b.click("#search")
	b.untilText("#verdict-actions", "Sente mates in 8 plies (found by search).")
	b.until(`document.querySelectorAll(".found li").length === 8`)
	b.open("?sfen=4k/5/4G/5/5_b_G")
	b.untilText("#verdict-actions", "both kings")
	b.tap("bG", "1b")
	b.untilText("#verdict-text", "Checkmate")
}

func TestTelephone(t *testing.T) {
	b := page(t)
	b.telephone()
	b.open("?sfen=4k/5/2G2/4p/K4_b_-")
	finger := func(from, to string) {
		t.Helper()
		x, y := b.middle(from)
		tx, ty := b.middle(to)
		b.do(input.DispatchTouchEvent(input.TouchStart, []*input.TouchPoint{{X: x, Y: y}}))
		for i := 1.0; i <= 4; i++ {
			b.do(input.DispatchTouchEvent(input.TouchMove, []*input.TouchPoint{{X: x + (tx-x)*i/4, Y: y + (ty-y)*i/4}}))
		}
		b.do(input.DispatchTouchEvent(input.TouchEnd, []*input.TouchPoint{}))
	}
	finger("3c", "2c")
	b.untilSFEN("4k/5/3G1/4p/K4 w - 2")
	tap := func(name string) {
		t.Helper()
		x, y := b.middle(name)
		b.do(input.DispatchTouchEvent(input.TouchStart, []*input.TouchPoint{{X: x, Y: y}}), input.DispatchTouchEvent(input.TouchEnd, []*input.TouchPoint{}))
	}
	tap("1a")
	b.until(`document.querySelectorAll(".dot").length > 0`)
	tap("2a")
	b.untilSFEN("3k1/5/3G1/4p/K4 b - 3")
}

// TestTelephoneAtPlay: whoever practises or solves a puzzle sees the board and what is said about it at the
// same time, on a small telephone too.
func TestTelephoneAtPlay(t *testing.T) {
	b := openBrowser(t, startServer(t, Options{Puzzles: verify.Puzzles, PuzzlesName: "gogotb"}).URL)
	b.telephone()
	both := func(message string) {
		t.Helper()
		b.until(fmt.Sprintf(`(() => { const y = (e) => document.querySelector(e).getBoundingClientRect(); return y("#board").top >= -1 && y(%q).bottom <= innerHeight; })()`, message))
	}
	b.open(longEnding)
	b.do(chromedp.Evaluate(`document.getElementById("tab-practice").click()`, nil))
	b.until(`document.querySelector("#practice-start") !== null`)
	b.do(chromedp.Evaluate(`document.getElementById("practice-start").scrollIntoView(); document.getElementById("practice-start").click()`, nil))
	b.untilText(".goal", "You play Sente")
	b.myTurn()
	both("#practice-message")
	b.do(chromedp.Evaluate(`document.getElementById("practice-hint").click()`, nil))
	b.untilText("#practice-message", "Hint: ")
	both("#practice-message")
	b.screenshot("telephone-at-practice")
	b.do(chromedp.Evaluate(`document.getElementById("tab-puzzles").click()`, nil))
	b.until(`document.querySelector("#puzzle-start") !== null`)
	b.do(chromedp.Evaluate(`document.getElementById("puzzle-start").scrollIntoView(); document.getElementById("puzzle-start").click()`, nil))
	b.untilText(".task", "mates in")
	b.settle()
	both("#puzzle-message")
	both("#puzzle-hint")
	// Another kind of play has begun, and what it hides stays hidden.
	b.until(`document.getElementById("best").disabled`)
	b.screenshot("telephone-at-puzzle")
}

// TestServerGoesAway stops the server under an open page, and starts it again.
func TestServerGoesAway(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	handler := New(Options{Tables: testTables(t)}).Handler()
	first := &http.Server{Handler: handler}
	go first.Serve(listener)
	b := openBrowser(t, "http://"+address)
	b.tolerate = "ERR_CONNECTION_REFUSED"
	b.open("?sfen=4k/5/2G2/4p/K4_b_-")
	first.Close()
	b.tap("3c", "2c")
	b.until(`!document.getElementById("away").hidden`)
	b.screenshot("away")
	if listener, err = net.Listen("tcp", address); err != nil {
		t.Fatal(err)
	}
	second := &http.Server{Handler: handler}
	go second.Serve(listener)
	start := time.Now()
	b.until(`document.getElementById("away").hidden`)
	b.untilText("#verdict-text", "Sente mates in 8 plies")
	t.Logf("back after %v", time.Since(start).Round(100*time.Millisecond))

	// Practice goes on, too, where it was.
	b.open("?sfen=4k/5/2G2/4p/K4_b_-")
	b.click("#tab-practice")
	b.until(`document.querySelector("#practice-here") !== null`)
	b.click("#practice-here")
	b.untilText("#practice-message", "Your move.")
	b.settle()
	second.Close()
	b.tap("3c", "2c")
	b.until(`!document.getElementById("away").hidden`)
	if listener, err = net.Listen("tcp", address); err != nil {
		t.Fatal(err)
	}
	third := &http.Server{Handler: handler}
	defer third.Close()
	go third.Serve(listener)
	b.until(`document.getElementById("away").hidden`)
	b.untilText("#practice-message", "The best move.")
	b.myTurn()
}

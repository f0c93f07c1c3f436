//go:build browser

package serve

import (
	"encoding/json"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

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
	b.untilText("#verdict-actions", "No table for RP here")
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
	// The question can be left: by a tap beside it, and by a button.
	b.key("u")
	b.untilSFEN("4k/2R2/5/5/K4 b G 1")
	for _, leave := range []func(){
		func() { b.do(chromedp.MouseClickXY(5, 5)) },
		func() { b.click("#promotion form button") },
	} {
		b.tap("3b", "3a")
		b.do(chromedp.WaitVisible("#promotion", chromedp.ByQuery))
		if got := b.value(`[...document.querySelectorAll("#promotion button")].map((e) => e.firstElementChild ? e.querySelector("span").textContent : e.textContent).join()`); got != "Promote,Do not promote,Cancel" {
			t.Errorf("the question has the answers %s", got)
		}
		x, y := b.middleOf("#promotion p")
		b.do(chromedp.MouseClickXY(x, y)) // beside the buttons, but not outside
		b.until(`document.querySelector("#promotion").open`)
		leave()
		b.until(`!document.querySelector("#promotion").open`)
		b.untilSFEN("4k/2R2/5/5/K4 b G 1")
	}
	// Where there is no choice, nobody is asked: a pawn has to promote.
	b.open("?sfen=4k/1P3/5/5/K4_b_-")
	b.tap("4b", "4a")
	b.untilSFEN("1+P2k/5/5/5/K4 w - 2")
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
		const { parse, format, play, mirrored, rotated, material } = await import("./js/sfen.js");
		const get = async (path) => (await fetch("api/v1/" + path)).json();
		const wrong = [];
		for (const sfen of `+string(list)+`) {
			const query = "sfen=" + encodeURIComponent(sfen);
			const rules = await get("position?" + query);
			const position = parse(sfen);
			if (!rules.legal || format(position) !== rules.sfen || material(position) !== rules.material) wrong.push(sfen + ": " + format(position));
			if (format(mirrored(mirrored(position))) !== sfen || format(rotated(rotated(position))) !== sfen) wrong.push(sfen + " turned twice");
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

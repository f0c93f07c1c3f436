//go:build browser

package serve

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"golang.org/x/text/encoding/japanese"
)

// bring has a file, or a text without a name, come to the page: "file" through the chooser, "drop" and "paste" by events that the
// browser sends for these, "type" through the field for it.
func (b *browser) bring(how, name string, content []byte) {
	b.t.Helper()
	script := fmt.Sprintf(`(() => {
		const [how, name, content] = [%q, %q, Uint8Array.from(atob(%q), (c) => c.charCodeAt(0))];
		const data = new DataTransfer();
		if (name) data.items.add(new File([content], name));
		else data.setData("text/plain", new TextDecoder().decode(content));
		const send = (event) => document.body.dispatchEvent(event);
		if (how === "file") {
			const chooser = document.getElementById("game-file");
			chooser.files = data.files;
			chooser.dispatchEvent(new Event("change"));
		} else if (how === "drop") {
			for (const type of ["dragenter", "dragover", "drop"]) send(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
		} else if (how === "paste") {
			send(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
		} else {
			document.getElementById("game-text").value = data.getData("text/plain");
			document.getElementById("game-read").click();
		}
	})()`, how, name, base64.StdEncoding.EncodeToString(content))
	b.do(chromedp.Evaluate(script, nil))
}

// listed are the moves in the list of the game as they are read: those of variations in brackets, comments in braces.
func (b *browser) listed() string {
	b.t.Helper()
	return b.value(`(() => {
		const read = (list) => [...list.children].map((item) => {
			if (item.matches(".game-detail")) return "";
			if (item.matches(".variation")) return "(" + read(item.querySelector("ol")) + ")";
			if (item.matches(".said")) return "{" + item.textContent + "}";
			return item.querySelector(".name").textContent;
		}).filter(Boolean).join(" ");
		return read(document.querySelector(".game-list"));
	})()`)
}

func (b *browser) untilListed(want string) {
	b.t.Helper()
	for range 600 {
		if b.listed() == want {
			return
		}
		b.until("true")
	}
	b.t.Fatalf("the list is %q, want %q; %s", b.listed(), want, b.tryText("#game-trouble"))
}

// TestOpenGames: a game in every format and both encodings, however it comes.
func TestOpenGames(t *testing.T) {
	b := page(t)
	b.tolerate = "Failed to load resource" // what is no game
	b.open(longEnding)
	b.openTab("game")
	shiftJIS, err := japanese.ShiftJIS.NewEncoder().String(aGame)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ how, name, content, list, head string }{
		{"file", "a.kif", shiftJIS, "{初手の前} G-44 {よい手} K-22 (G-22) S-34 {Gote resigns}", "名人"},
		{"drop", "b.kif", aGame, "{初手の前} G-44 {よい手} K-22 (G-22) S-34 {Gote resigns}", "町内会"},
		{"drop", "c.csa", "V2.2\nN+Ada\nPI\n+\n+4544KI\n%TORYO\n", "G-44 {Gote resigns}", "Ada"},
		{"paste", "", "position startpos moves 4e4d 1a2b", "G-44 K-22", ""},
		{"type", "", "1. G-44 K-22 {hm}\n2. S-34 1/2-1/2", "G-44 K-22 {hm} S-34 {a draw}", ""},
		{"paste", "", "sfen 4k/5/5/5/K4 b RG 1 moves R*2c", "R*23", ""},
	} {
		b.bring(c.how, c.name, []byte(c.content))
		b.untilListed(c.list)
		if got := b.text(".game-head"); !strings.Contains(got, c.head) {
			t.Errorf("%s: above it is %q", c.how, got)
		}
		b.settle()
	}
	b.until(`location.search === "?sfen=4k/5/5/5/K4_b_RG"`) // the start of the last
	b.do(chromedp.Evaluate("history.back()", nil))          // the one before is not lost
	b.untilListed("G-44 K-22 {hm} S-34 {a draw}")

	// A position is no game.
	b.bring("paste", "", []byte("4k/5/2G2/4p/K4 b - 1"))
	b.untilSFEN("4k/5/2G2/4p/K4 b - 1")

	// What is wrong is said with its line, and the moves before it are there.
	b.bring("paste", "", []byte("1. G-44 K-22\n2. G-66"))
	b.untilListed("G-44 K-22")
	b.untilText(".game-head .problem", "line 2: ")
	b.bring("paste", "", []byte("startpos moves 5e4d 1a1b\n"))
	b.untilListed("K-44 {An illegal move follows in the file: 1a1b}")
	b.untilText(".game-head .problem", "line 1: One of your own pieces is there.")
	b.bring("drop", "x.pgn", []byte("[Event \"x\"]\n[Site \"y\"]\n"))
	b.untilText("#game-trouble", "PGN")
	if got := b.listed(); !strings.HasPrefix(got, "K-44") {
		t.Errorf("a file that is none has taken the game away: %s", got)
	}

	// Several games.
	b.bring("drop", "two.usi", []byte("startpos moves 5e4d\nstartpos moves 4e4d\nnonsense\n"))
	b.untilListed("K-44")
	b.untilText(".game-head", "line 3: ")
	b.choose("#game-number", "1")
	b.untilListed("G-44")
}

// TestGameSteps: by keys, wheel and finger, in the list and along the graph.
func TestGameSteps(t *testing.T) {
	b := page(t)
	b.tolerate = "429" // a search that the page begins by itself, while the one before it is being given up
	b.open("")
	b.openTab("game")
	b.bring("paste", "", []byte("1. G-44 K-22 2. S-34 B-32"))
	b.untilListed("G-44 K-22 S-34 B-32")
	at := func(move string) {
		t.Helper()
		b.until(fmt.Sprintf(`(document.querySelector(".step[aria-current] .name")?.textContent ?? "") === %q`, move))
		b.settle()
	}
	at("")
	b.key(kb.ArrowRight, kb.ArrowRight)
	at("K-22")
	b.key(kb.ArrowLeft)
	at("G-44")
	b.key(kb.End)
	at("B-32")
	b.key(kb.Home)
	at("")
	x, y := b.middle("3c")
	wheel := func(by float64) { b.do(input.DispatchMouseEvent(input.MouseWheel, x, y).WithDeltaX(0).WithDeltaY(by)) }
	wheel(120)
	at("G-44")
	wheel(50)
	wheel(50)
	at("K-22")
	wheel(-120)
	at("G-44")
	// The list: one stop for the keyboard, and arrows from there.
	b.do(chromedp.Focus(".step[aria-current]", chromedp.ByQuery))
	b.key(kb.ArrowRight)
	at("K-22")
	b.until(`document.activeElement.matches(".step[aria-current]")`)
	if got := b.value(`document.querySelectorAll('.step[tabindex="0"]').length`); got != "1" {
		t.Errorf("%s stops for the keyboard", got)
	}
	// Another move in the middle is a variation, and arrows lead from one to the other.
	b.key(kb.ArrowLeft)
	at("G-44")
	b.tap("1a", "2b") // the same as before
	at("K-22")
	b.tap("5d", "5c")
	b.untilListed("G-44 K-22 S-34 (P-53) B-32")
	at("P-53")
	b.do(chromedp.Focus(".step[aria-current]", chromedp.ByQuery))
	b.key(kb.ArrowDown)
	at("S-34")
	b.key(kb.ArrowUp)
	at("P-53")
	b.key(kb.ArrowRight)
	at("P-53")
	b.click(`.game-list > .made:last-child .step`)
	at("B-32")

	// A finger.
	b.telephone()
	b.do(chromedp.Evaluate(`document.getElementById("board").scrollIntoView()`, nil))
	swipe := func(from, to string) {
		x, y := b.middle(from)
		tx, ty := b.middle(to)
		b.do(input.DispatchTouchEvent(input.TouchStart, []*input.TouchPoint{{X: x, Y: y}}))
		for i := 1.0; i <= 4; i++ {
			b.do(input.DispatchTouchEvent(input.TouchMove, []*input.TouchPoint{{X: x + (tx-x)*i/4, Y: y + (ty-y)*i/4}}))
		}
		b.do(input.DispatchTouchEvent(input.TouchEnd, []*input.TouchPoint{}))
	}
	swipe("4c", "2c")
	at("S-34")
	swipe("2c", "4c")
	at("B-32")
	swipe("4c", "4b") // along the page
	at("B-32")
}

// TestGameExports: what leaves the page is the whole game, as KIF and as a link, or the line that is shown, as USI.
func TestGameExports(t *testing.T) {
	b := page(t)
	b.tolerate = "429" // a search that the page begins by itself, while the one before it is being given up
	b.open("")
	b.openTab("game")
	b.bring("drop", "a.kif", []byte(strings.Replace(aGame, "   2 ２二金(21)", "   2 ２二金(21)\n*受け\n   3 ３四銀(35)\n\n変化：3手\n   3 ５三歩(54)", 1)))
	const list = "{初手の前} G-44 {よい手} K-22 (G-22 {受け} S-34 (P-53)) S-34 {Gote resigns}"
	b.untilListed(list)
	b.key(kb.End)
	b.until(`document.querySelector(".step[aria-current] .name")?.textContent === "S-34"`)
	b.do(chromedp.Evaluate(`navigator.clipboard.writeText = async (text) => { window.copied = text; };
		URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return "about:blank"; };
		HTMLAnchorElement.prototype.click = function () { window.savedAs = this.download; };
		document.querySelector(".game-export").open = true;`, nil))
	b.click("#copy-usi")
	b.until(`window.copied === "position startpos moves 4e4d 1a2b 3e3d"`)
	b.click("#export-kif")
	b.until(`window.saved !== undefined`)
	if name := b.value("window.savedAs"); name != "a.kif" {
		t.Errorf("it is saved as %s", name)
	}
	kif := b.value("window.saved")
	b.click("#copy-kif")
	b.until(`window.copied === window.saved`)
	b.click("#copy-game")
	b.until(`window.copied.startsWith("http")`)
	link := b.value("window.copied")
	if want := b.root + "/?sfen=rbsgk/4p/5/P4/KGSBR_b_-#moves=4e4d,1a2b(2a2b,3e3d(5d5c))3e3d"; link != want {
		t.Errorf("the link is %s, want %s", link, want)
	}
	b.bring("paste", "", []byte("startpos moves 5e4d"))
	b.untilListed("K-44")
	b.bring("paste", "", []byte(kif))
	b.untilListed(list)
	if got := b.text(".game-head"); !strings.Contains(got, "名人") || !strings.Contains(got, "町内会") {
		t.Errorf("above the game read back is %q", got)
	}
	b.do(chromedp.Navigate(link), chromedp.WaitReady(`html[data-ready="true"]`, chromedp.ByQuery))
	b.untilListed("G-44 K-22 (G-22 S-34 (P-53)) S-34")
	// Links that are wrong show their position, and say so.
	for _, moves := range []string{"5e4d,1a1b", "nonsense", "(5e4d", "5e4d)", "5e4d(1a1b)"} {
		b.do(chromedp.Navigate("about:blank"))
		b.open("?sfen=rbsgk/4p/5/P4/KGSBR_b_-#moves=" + moves)
		b.untilText("#note", "cannot be played")
		if got := b.value(`document.querySelectorAll(".step").length`); got != "0" {
			t.Errorf("%s: %s moves", moves, got)
		}
	}
}

//go:build browser

package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"gogotb/verify"
)

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
	// A hint shows which piece is to move; another one names the move and shows it.
	b.click("#practice-hint")
	b.until(`/^Hint: the (king|gold) moves\.$/.test(document.querySelector("#practice-message").textContent)`)
	b.until(`document.querySelectorAll(".ring.pointed").length === 1 && document.querySelector(".arrow") === null`)
	b.click("#practice-hint")
	b.until(`/^Hint: (K-44|G-23)$/.test(document.querySelector("#practice-message").textContent)`)
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
	b.pick("practice", "RG")
	b.untilText("#practice-set", "RG")
	b.choose("#practice-task", "defend")
	b.choose("#practice-strength", "gentle")
	b.click("#practice-start")
	b.untilText(".goal", "You play Sente: hold out as long as you can.")
	b.untilText("#panel-practice", "The other side is gentle.")
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

// TestPracticeOfOtherKinds: wins that are decided by perpetual check, open positions that have to be held, sets without any.
func TestPracticeOfOtherKinds(t *testing.T) {
	b := page(t)
	b.tolerate = "404" // where there is no such position
	b.open("?sfen=4k/5/5/5/K4_b_R")
	b.openTab("practice")
	b.until(`document.querySelector("#practice-task") !== null`)
	start := func(set, task string) {
		t.Helper()
		b.pick("practice", set)
		b.choose("#practice-task", task)
		b.until(`document.querySelector("#practice-length") === null`) // it has none
		b.click("#practice-start")
	}
	probe := func() (value struct{ Material, Category, By string }) {
		t.Helper()
		b.do(chromedp.Evaluate(`fetch("api/v1/probe" + location.search).then((r) => r.json())`, &value, awaitPromise))
		return value
	}
	start("RB", "perpetual")
	b.untilText(".goal", "can hold out only by checking for ever")
	b.myTurn()
	if got := probe(); got.Material != "RB" || got.Category != "win" || got.By != "perpetual" {
		t.Errorf("a win by perpetual check is %+v", got)
	}
	b.click("#practice-stop")
	b.until(`document.querySelector("#practice-start") !== null`)
	start("PP", "hold")
	b.untilText(".goal", "hold the draw")
	b.myTurn()
	if got := probe(); got.Material != "PP" || got.Category != "draw" {
		t.Errorf("an open position is %+v", got)
	}
	b.click("#practice-stop")
	b.until(`document.querySelector("#practice-start") !== null`)
	start("R", "hold")
	b.untilText("#practice-problem", "R has no position of this kind.")
	b.pick("practice", "RBG")
	b.untilText("#practice-set", "No table for RBG here.")
	b.until(`document.querySelector("#practice-start").disabled`)
}

// TestPuzzlesAreChosen by collection, grade and length, each choice with the number that it leaves; what has been solved is
// counted, remembered, and not begun with again.
func TestPuzzlesAreChosen(t *testing.T) {
	const mate3 = "4k/5/5/5/K4 b RG 1 moves G*2c 1a2a R*4a ; plies 3; grade easy; last 5/4k/5/5/K4 w RG moves 1b1a\n"
	const mirrored3, mate9 = "k4/5/5/5/4K b RG 1 ; plies 3; grade medium\n", "4k/5/2G2/4p/K4 b - 1 ; plies 9; grade hard\n"
	b := openBrowser(t, startServer(t, Options{Collections: []verify.Collection{
		{Name: "tables", Puzzles: []byte(mate3 + mirrored3 + mate9)}, {Name: "games", Puzzles: []byte(mate9)},
	}}).URL)
	b.open(mateIn3)
	b.openTab("puzzles")
	b.untilText(".record", "0 of 3 solved")
	options := func(name, want string) {
		t.Helper()
		b.until(`[...document.querySelectorAll("#puzzle-` + name + ` option")].map((o) => o.textContent).join() === "` + want + `"`)
	}
	options("collection", "From tables (3),From games (1)")
	options("grade", "any (3),easy (1),medium (1),hard (1)")
	options("plies", "any (3),3 plies (2),9 plies (1)")
	b.choose("#puzzle-plies", "3")
	options("grade", "any (2),easy (1),medium (1),hard (0)")
	b.untilText(".record", "0 of 2 solved")
	b.click("#puzzle-start")
	b.untilText(".task", "Sente mates in 3 plies.easy")
	b.settle()
	b.until(`document.querySelectorAll(".last").length === 2`) // the other side's move that led there
	b.click("#puzzle-hint")
	b.until(`/^Hint: a (gold|rook) is dropped\.$/.test(document.querySelector("#puzzle-message").textContent)`)
	for range 2 {
		b.myTurn()
		b.playBest()
		b.until(`/Right|Solved/.test(document.querySelector("#puzzle-message").textContent)`)
	}
	b.untilText("#puzzle-message", "Solved!")
	b.open(mateIn3)
	b.openTab("puzzles")
	b.untilText(".record", "1 of 3 solved")
	b.until(`document.querySelector("#puzzle-number").value === "2"`) // the first that is not solved
	b.choose("#puzzle-collection", "games")
	b.untilText(".record", "0 of 1 solved")
	b.untilText(".goal", "of 1")
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

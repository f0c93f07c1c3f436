//go:build browser

package serve

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestGameIsATree: another move in the middle of a game is a variation, and what was played before it stays.
func TestGameIsATree(t *testing.T) {
	b := page(t)
	b.open("")
	var got []string
	b.do(chromedp.Evaluate(`(async () => {
		const { Game } = await import("./js/game.js");
		const { format, parse, start } = await import("./js/sfen.js");
		const game = new Game(parse(start));
		const said = [];
		const say = (what) => said.push(what + ": " + game.steps.join(" ") + " at " + game.at);
		for (const usi of ["5e4d", "1a2b", "4d4c"]) game.play(usi, { western: "W" + usi });
		say("played");
		game.go(1);
		game.play("1a1b");
		say("a variation");
		game.go(1);
		say("back, and on where it came from");
		game.visit(game.node.children[0]);
		game.go(99);
		say("the first line is whole");
		game.go(1);
		game.play("1a2b");
		game.play("4d4c");
		say("played again");
		say(game.nodes.length + " positions, " + game.nodes.filter((n) => n.isVariation).map((n) => n.move));
		const copy = Game.recall(structuredClone(game.record));
		said.push([copy.made.join(" "), copy.nodes.map((n) => n.western ?? "-"), copy.id === game.id].join());
		copy.go(2);
		copy.play("4e3d"); // in the copy alone
		say("found " + (game.find(copy) === undefined));
		copy.go(2);
		game.visit(game.find(copy));
		say("found");
		game.begin(parse(start));
		say("another game, found " + (game.find(copy) === undefined));
		game.edit(parse("4k/5/5/5/K4 b - 1"));
		game.play("5e5d");
		game.go(0);
		game.edit(parse("4k/5/5/5/4K b - 1"));
		said.push(game.sfen + ", " + game.root.children.map((n) => n.step + " " + n.move).join());
		return said;
	})()`, &got, awaitPromise))
	want := []string{
		"played: 5e4d 1a2b 4d4c at 3",
		"a variation: 5e4d 1a1b at 2",
		"back, and on where it came from: 5e4d 1a1b at 1",
		"the first line is whole: 5e4d 1a2b 4d4c at 3",
		"played again: 5e4d 1a2b 4d4c at 3",
		"5 positions, 1a1b: 5e4d 1a2b 4d4c at 3",
		"5e4d 1a2b 4d4c,-,W5e4d,W1a2b,W4d4c,-,true",
		"found true: 5e4d 1a2b 4d4c at 3",
		"found: 5e4d 1a2b 4d4c at 2",
		"another game, found true:  at 0",
		"4k/5/5/5/4K b - 1, 4k/5/5/5/K4 b - 1 undefined,4k/5/5/5/4K b - 1 undefined",
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("line %d:\n%q\nwant\n%q", i, got, want)
		}
	}
}

// TestVariationsOnThePage: the buttons and keys lead through the variation that was played last, and the browser's button
// back to the other.
func TestVariationsOnThePage(t *testing.T) {
	b := page(t)
	b.open(longEnding)
	b.tap("3c", "2c")
	b.untilSFEN("4k/5/3G1/4p/K4 w - 2")
	b.tap("1a", "2a")
	b.untilSFEN("3k1/5/3G1/4p/K4 b - 3")
	b.click("#undo")
	b.untilSFEN("4k/5/3G1/4p/K4 w - 2")
	b.tap("1d", "1e") // another reply
	b.until(`location.search.includes("_b_-_3")`)
	b.settle()
	second := b.value("location.search")
	b.key("u", "r")
	b.until(`location.search === ` + "`" + second + "`")
	b.settle()
	b.do(chromedp.Evaluate("history.go(-3)", nil)) // before the variation was played
	b.untilSFEN("4k/5/3G1/4p/K4 w - 2")
	b.do(chromedp.Evaluate("history.back()", nil))
	b.untilSFEN("3k1/5/3G1/4p/K4 b - 3") // the other is still there
}

//go:build browser

package serve

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestPlusSignsInLinks: where a plus sign was not escaped and has become a space, the piece is promoted all the same, and
// where it is not clear no position is taken from the link.
func TestPlusSignsInLinks(t *testing.T) {
	b := page(t)
	for link, sfen := range map[string]string{
		"+S4/5/4k/5/K4_b_-":                "+S4/5/4k/5/K4 b - 1", // the first piece
		"+S4/5/4k/5/K4+b+-+1":              "+S4/5/4k/5/K4 b - 1", // spaces as plus signs, too
		"%20S4/5/4k/5/K4%20b%20-%201":      "+S4/5/4k/5/K4 b - 1", // passed on as a space
		"%2BS4/5/4k/5/K4_b_-":              "+S4/5/4k/5/K4 b - 1", // as it should be
		"4k/2+R2/5/5/K4_w_G_2":             "4k/2+R2/5/5/K4 w G 2",
		"4k/5/5/1+p3/K3+B+b+-":             "4k/5/5/1+p3/K3+B b - 1", // the last square
		"+r+b3/5/4k/5/K2+P+P+w+-":          "+r+b3/5/4k/5/K2+P+P w - 1",
		"+4k/5/5/5/K4_b_-":                 "4k/5/5/5/K4 b - 1", // a space too many
		"++S4/5/4k/5/K4_b_-":               "",
		"+S+4/5/4k/5/K4_b_-":               "",
		"4+k/5/5/5/K4_b_-":                 "",
		"4k/5/5/5/K4++b_-":                 "4k/5/5/5/K4 b - 1",
		"4k/5/5/5/+K4_b_-":                 "",
		"4k/5/5/5/K4_b_99999999999999999R": "", // hands that nobody holds
		"4k/5/5/5/K4_b_60R60R":             "",
		"4k/5/5/5/K4_b_40R":                "4k/5/5/5/K4 b 40R 1",
		"4k/5/5/5/K4_b_-_0":                "", // numbers that no move has
		"4k/5/5/5/K4_b_-_1000000":          "",
		"4k/5/5/5/K4_b_-_999999":           "4k/5/5/5/K4 b - 999999",
	} {
		b.open("?sfen=" + link)
		if sfen == "" {
			b.untilText("#note", "This is the starting position")
			sfen = "rbsgk/4p/5/P4/KGSBR b - 1"
		}
		want := "?sfen=" + strings.ReplaceAll(strings.ReplaceAll(strings.TrimSuffix(sfen, " 1"), " ", "_"), "+", "%2B")
		if got := b.value("location.search"); got != want {
			t.Errorf("%s shows %s, want %s", link, got, want)
		}
		if got := b.value(`[...document.querySelectorAll("#board [data-on] .promoted")].length`); got != b.value(`"`+sfen+`".split("+").length - 1`) {
			t.Errorf("%s shows %s promoted pieces", link, got)
		}
	}
	b.open("?sfen=4k/5/5/5/K4_b_-_999999")
	b.tap("5e", "4d") // and goes on with what the server can read
	b.untilSFEN("4k/5/5/1K3/5 w - 999999")
	b.untilText("#verdict-text", "Neither side can force a win")
}

// TestPastedText: the field of the set-up takes what people have at hand.
func TestPastedText(t *testing.T) {
	b := page(t)
	b.open("")
	b.openTab("setup")
	for text, sfen := range map[string]string{
		"  +S4/5/4k/5/K4 b - 1 ":                      "+S4/5/4k/5/K4 b - 1",
		"sfen 4k/5/5/5/K4 b R 1":                      "4k/5/5/5/K4 b R 1",
		"position sfen 4k/5/5/5/K4 b G 1":             "4k/5/5/5/K4 b G 1",
		"4k/5/5/5/K4_w_P":                             "4k/5/5/5/K4 w P 1",
		"http://127.0.0.1/?sfen=4k/2+R2/5/5/K4_w_-_2": "4k/2+R2/5/5/K4 w - 2",
		"https://example.org/?game=4k/5/5/5/K4_b_R":   "",
		"position sfen 4k/5/5/5/K4 b - 1 moves 5e4d":  "", // not the position before the moves
		"4k/5/5/5/K4 b 99999999999R 1":                "",
	} {
		before := b.value("location.search")
		b.do(chromedp.SetValue("#sfen", text, chromedp.ByQuery))
		b.click(".sfen button")
		if sfen != "" {
			b.untilSFEN(sfen)
			continue
		}
		b.untilText("#sfen-problem", "no SFEN")
		if got := b.value("location.search"); got != before {
			t.Errorf("%q shows %s", text, got)
		}
	}
}

// TestLinksCarryTheRule: who gets a link sees the verdict that the sender saw, whatever either has chosen before.
func TestLinksCarryTheRule(t *testing.T) {
	const position = "?sfen=4k/5/5/5/K4_b_-"
	sender := page(t)
	sender.open(position)
	sender.choose("#repetition", "first-player-loses")
	sender.untilText("#verdict-text", "Sente moved first: Gote wins by repetition")
	sender.choose("#first-player", "w")
	sender.untilText("#verdict-text", "Gote moved first: Sente wins by repetition")
	link := sender.value("location.search")

	receiver := openBrowser(t, sender.root)
	receiver.open(link)
	receiver.untilText("#verdict-text", "Gote moved first: Sente wins by repetition")
	receiver.until(`document.querySelector("#repetition").value === "first-player-loses" && document.querySelector("#first-player").value === "w"`)
	receiver.tap("5e", "4d") // it goes on under that rule
	receiver.until(`location.search.includes("_w_-_2&repetition=first-player-loses&first_player=w")`)
	receiver.open("") // and is not the receiver's choice for other visits
	receiver.until(`document.querySelector("#repetition").value === "draw"`)

	sender.open("") // it is the sender's
	sender.until(`document.querySelector("#repetition").value === "first-player-loses"`)
	sender.open(position) // a link of somebody with the usual rule
	sender.untilText("#verdict-text", "Neither side can force a win: a draw")
	sender.until(`document.querySelector("#repetition").value === "draw"`)
}

// TestUnknownRulesInLinks: a link with a rule that there is not says so, and is not read as another in silence.
func TestUnknownRulesInLinks(t *testing.T) {
	b := page(t)
	for _, rule := range []string{"repetition=inventor", "repetition=first-player-loses&first_player=sente"} {
		b.open("?sfen=4k/5/5/5/K4_b_-&" + rule)
		b.untilText("#note", "rule of repetition that is not known here")
	}
	b.open("?sfen=4k/5/5/5/K4_b_-&repetition=first-player-loses&first_player=w")
	if got := b.text("#note"); got != "" {
		t.Errorf("a link that is clear: %q", got)
	}
}

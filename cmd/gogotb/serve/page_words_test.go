//go:build browser

package serve

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"gogotb/rules"
)

// wordless is a server whose errors and refusals have no sentences, only codes.
func wordless(t *testing.T) *httptest.Server {
	t.Helper()
	handler := New(Options{Tables: testTables(t)}).Handler()
	sentence := regexp.MustCompile(`"message":"([^"\\]|\\.)*"`)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/api/") {
			handler.ServeHTTP(w, r)
			return
		}
		r.Header.Del("Accept-Encoding")
		said := httptest.NewRecorder()
		handler.ServeHTTP(said, r)
		w.Header().Set("Content-Type", said.Header().Get("Content-Type"))
		w.WriteHeader(said.Code)
		w.Write(sentence.ReplaceAll(said.Body.Bytes(), []byte(`"message":"(a sentence)"`)))
	}))
	t.Cleanup(server.Close)
	return server
}

// TestWhatIsWrongIsSaidFromCodes: why a position or a move is illegal is said in the visitor's language, whatever the
// sentences of the server are.
func TestWhatIsWrongIsSaidFromCodes(t *testing.T) {
	b := openBrowser(t, wordless(t).URL)
	positions := map[string][2]string{
		"5/5/5/5/5_b_-":      {"There is no king.", "玉がありません。"},
		"4k/5/5/5/KK3_b_-":   {"Sente has more than one king.", "先手の玉が二枚"},
		"4k/5/GGG2/5/K4_b_-": {"more than two pieces of a kind: gold", "金が三枚"},
		"4k/5/5/5/K4_b_2Pp":  {"more than two pieces of a kind: pawn", "歩が三枚"},
		"4k/5/5/5/K4_b_3S":   {"more than two pieces of a kind: silver", "銀が三枚"},
		"4k/5/5/5/K4_b_40R":  {"more than two pieces of a kind: rook", "飛車が三枚"},
		"P3k/5/5/5/K4_b_-":   {"A pawn of Sente stands where it can never move.", "先手に行き所のない歩"},
		"4k/5/p4/p4/4K_b_-":  {"Gote has two pawns on a file.", "後手の歩が同じ筋に二枚"},
		"4k/4K/5/5/5_b_-":    {"The kings are adjacent.", "玉同士が隣り合って"},
		"R3k/5/5/5/K4_b_-":   {"Gote is in check, but the other side is to move.", "後手の玉に王手"},
	}
	moves := []struct{ sfen, from, to, en, ja string }{
		{"4k/5/2G2/5/K4_b_-", "3c", "3e", "does not move that way", "そこへ動けません"},
		{"4k/5/4P/5/K4_b_P", "bP", "1d", "nifu", "二歩"},
		{"4k/5/4P/5/K4_b_P", "bP", "3a", "far rank", "最奥の段"},
		{"4k/5/5/5/K3r_b_G", "5e", "4e", "leaves your king in check", "王手を放置"},
	}
	for i, language := range []string{"en", "ja"} {
		for sfen, says := range positions {
			b.open("?sfen=" + sfen)
			b.until(`document.querySelector("#verdict").dataset.state === "illegal"`)
			if got := b.text("#verdict-more"); !strings.Contains(got, says[i]) {
				t.Errorf("%s, %s: %q, want %q", language, sfen, got, says[i])
			}
		}
		for _, c := range moves {
			b.open("?sfen=" + c.sfen)
			b.drag(c.from, c.to)
			b.untilText("#note", []string{c.en, c.ja}[i])
		}
		b.click("#language")
	}
}

// TestEveryCodeHasWords in both languages: those for illegal positions and moves.
func TestEveryCodeHasWords(t *testing.T) {
	var faults, refused []string
	for f := rules.Fault(1); !strings.HasPrefix(f.Code(), "fault-"); f++ {
		faults = append(faults, f.Code())
	}
	for r := rules.Rule(1); !strings.HasPrefix(r.Code(), "rule-"); r++ {
		refused = append(refused, r.Code())
	}
	if !slices.Contains(faults, rules.OffBoard.Code()) || !slices.Contains(refused, rules.GameOver.Code()) {
		t.Fatalf("%v, %v", faults, refused)
	}
	b := page(t)
	b.open("")
	for _, language := range []string{"english", "japanese"} {
		var have struct{ Faults, Refused []string }
		b.do(chromedp.Evaluate(`import("./js/`+language+`.js").then(({ `+language+`: words }) => ({
			faults: Object.keys(words.faults).filter((code) => words.faults[code]({ side: "x", piece: "y" })),
			refused: Object.keys(words.refused).filter((code) => words.refused[code]),
		}))`, &have, awaitPromise))
		for _, c := range []struct{ codes, words []string }{{faults, have.Faults}, {refused, have.Refused}} {
			slices.Sort(c.codes)
			slices.Sort(c.words)
			if !slices.Equal(c.codes, c.words) {
				t.Errorf("%s: the codes are %v, there are words for %v", language, c.codes, c.words)
			}
		}
	}
}

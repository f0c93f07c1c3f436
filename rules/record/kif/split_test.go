package kif

import (
	"strconv"
	"strings"
	"testing"
)

func TestManyGames(t *testing.T) {
	diagram := func(rank string) string {
		return "後手の持駒：なし\n|" + rank + "|\n" + strings.Repeat("| ・ ・ ・ ・ ・|\n", 3) + "| 玉 ・ ・ ・ ・|\n先手の持駒：金\n"
	}
	text := diagram("v玉 ・ ・ ・ ・") +
		diagram("v玉 ・ ・ 桂 ・") + // line 8: no such piece
		diagram(" ・v玉 ・ ・ ・") + "1 ４二金打\n" +
		evenGame +
		"手合割：平手\n1 ７六歩(77)\n" +
		diagram(" ・ ・v玉 ・ ・")
	var got []string
	for g, err := range Games(text) {
		switch {
		case err != nil:
			got = append(got, err.Error())
		default:
			got = append(got, g.Start.SFEN())
		}
	}
	if len(got) != 6 || got[0] != "k4/5/5/5/K4 b G 1" || !strings.HasPrefix(got[1], "KIF: line 9:") ||
		got[2] != "1k3/5/5/5/K4 b G 1" || !strings.HasPrefix(got[3], "KIF: line 32:") ||
		!strings.HasPrefix(got[4], "KIF: line 33: 平手") || got[5] != "2k2/5/5/5/K4 b G 1" {
		t.Errorf("got %q", got)
	}
}

// TestSplit: what is wrong with a game, or strange about it, costs no other.
func TestSplit(t *testing.T) {
	game := func(extra string) string { return mateDiagram + mateText + extra }
	const nine = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n"
	for _, c := range []struct{ name, text, want string }{
		{"two", game("") + game(""), "3 3"},
		{"headers between", game("") + "作者：い\n備考：は\n備考：ろ\n" + game(""), "3 3"},
		{"a table between", game("") + mateDiagram + "手数----指手---------消費時間--\n" + mateText, "3 3"},
		{"a broken one between", game("") + nine + game(""), "3 line 14: 3"},
		{"another size between", game("") + replaced(mateDiagram, "| ・ ・ ・ 飛 金|", "| ・ ・ ・ 飛 金 ・|") + mateText + game(""), "3 line 19: 3"},
		{"an illegal move between", game("") + mateDiagram + replaced(mateText, "同　玉(11)", "２二玉(11)") + game(""), "3 1,line 25: 3"},
		{"no move at all between", game("") + mateDiagram + replaced(mateText, "同　玉(11)", "９九玉(11)") + game(""), "3 1,line 25: 3"},
		{"an unknown end between", game("") + mateDiagram + "1 １二金(13)\n2 なんだ\n" + game(""), "3 1 3"},
		{"a header at the end", game("") + game("消費時間：１分\n"), "3 3"},
		{"a header at the end of each", game("消費時間：１分\n") + game("消費時間：１分\n"), "3 3"},
		{"diagrams alone", mateDiagram + "先手番\n" + mateDiagram + mateDiagram, "0 0 0"},
		{"a stray variation in each", "変化：3手\n" + game("") + "変化：9手\n" + game(""), "3 3"},
		{"a variation and a game", game("変化：2手\n2 同　金(21)\n") + game(""), "3 3"},
		{"headers alone at the top", "開始日時：2024\n\n" + game(""), "3"},
		{"nothing", "\n\n# x\n", ""},
		{"moves alone", mateText, "line 1:"},
	} {
		var got []string
		for g, err := range Games(c.text) {
			var parts []string
			if g != nil {
				parts = append(parts, strconv.Itoa(len(g.Moves)))
			}
			if err != nil {
				parts = append(parts, strings.Join(strings.Fields(err.Error())[1:3], " "))
			}
			got = append(got, strings.Join(parts, ","))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %s", c.name, got, c.want)
		}
	}
}

// TestSplitHeaders: headers between two diagrams are the second one's.
func TestSplitHeaders(t *testing.T) {
	var got []string
	for g, err := range Games("作者：い\n" + mateDiagram + "作者：ろ\n" + mateDiagram + "作者：は\n" + mateDiagram + mateText + "作者：に\n" + mateDiagram) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, g.Header("作者"))
	}
	if strings.Join(got, "") != "いろはに" {
		t.Errorf("authors %q", got)
	}
}

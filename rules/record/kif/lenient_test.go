package kif

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/rules/record/recordtest"
)

// mateDiagram is the mate in 3 that most of the tests here change: G-12, Kx12, R*13.
const mateDiagram = `後手の持駒：なし
  ５ ４ ３ ２ １
+---------------+
| ・ ・v銀v金v玉|一
| ・ ・ ・ ・ ・|二
| ・ ・ ・ 飛 金|三
| ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ 玉|五
+---------------+
先手の持駒：飛
`

const (
	mateSFEN  = "2sgk/5/3RG/5/4K b R 1"
	mateMoves = "1c1b 1a1b R*1c"
	mateText  = "1 １二金(13)\n2 同　玉(11)\n3 １三飛打\n"
)

func replaced(text, old, new string) string {
	if !strings.Contains(text, old) {
		panic("nothing to replace: " + old)
	}
	return strings.Replace(text, old, new, 1)
}

// TestLenient: the position and the moves are what they are without the oddity, and it is noted, or understood.
func TestLenient(t *testing.T) {
	plain := mateDiagram + mateText
	for name, c := range map[string]struct {
		text  string
		notes int
	}{
		"as it should be":               {plain, 0},
		"a header line without a colon": {"盤面回転\n" + plain, 1},
		"words below the diagram":       {replaced(plain, "1 １二", "なんだ\nかんだ\n1 １二"), 2},
		"words among the moves":         {replaced(plain, "2 同", "なんだ\n2 同"), 1},
		"a time among the moves":        {replaced(plain, "2 同", "12:00 休憩\n2 同"), 1},
		"words after the moves":         {plain + "終わり\n", 1},
		"a header after the moves":      {plain + "消費時間：１分\n", 0},
		"a header among the moves":      {replaced(plain, "2 同", "備考：なんだ\n2 同"), 0},
		"a hand after the moves":        {plain + "先手の持駒：金\n", 1},
		"the same header twice":         {replaced(plain, "1 １二", "備考：い\n備考：ろ\n1 １二"), 0},
		"the same header at the top":    {"備考：い\n備考：ろ\n" + plain, 0},
		"a date, a number and a word":   {"2024/05/01\n3 手詰\n" + plain, 2},
		"the moves before the diagram":  {replaced(plain, "1 １二", "手数＝12  まで\n1 １二"), 1},
		"a stray variation above":       {"変化：3手\n" + plain, 1},
		"a stray variation below":       {replaced(plain, "1 １二", "変化：1手\n1 １二"), 1},
		"a variation without a line":    {plain + "変化：9手\n9 １二玉(11)\n", 1},
		"a variation of no number":      {plain + "変化：x手\nなんだ\n", 1},
		"numbers that go on":            {mateDiagram + "13 １二金(13)\n14 同　玉(11)\n15 １三飛打\n", 1},
		"no numbers":                    {mateDiagram + "１二金(13)\n同　玉(11)\n１三飛打\n", 0},
		"wide numbers":                  {mateDiagram + "１　１二金(13)\n２　同　玉(11)\n３　１三飛打\n", 0},
		"numbers with points":           {mateDiagram + "1. １二金(13)\n2. 同玉(11)\n3. １三飛打\n", 0},
		"numbers that touch":            {mateDiagram + "1１二金(13)\n2同玉(11)\n3１三飛打\n", 0},
		"triangles":                     {mateDiagram + "1 ▲１二金(13)\n2 △同　玉(11)\n3 ▲ １三飛打\n", 0},
		"other triangles":               {mateDiagram + "1 ☗１二金(13)\n2 ▽同　玉(11)\n3 ☗１三飛打\n", 0},
		"triangles without numbers":     {mateDiagram + "▲１二金(13)\n△同　玉(11)\n▲１三飛打\n", 0},
		"digits for ranks":              {mateDiagram + "1 １２金(13)\n2 同　玉(11)\n3 13飛打\n", 0},
		"wide digits for origins":       {mateDiagram + "1 １二金（１３）\n2 同　玉（１１）\n3 １三飛打\n", 0},
		"which of two pieces":           {mateDiagram + "1 １二金上(13)\n2 同　玉(11)\n3 １三飛打\n", 0},
		"several brackets":              {mateDiagram + "1 １二金(13) (0:01/00:00:01) (*) (A0 12)\n2 同　玉(11) (x) ( 0:02/00:00:02)+\n3 １三飛打 +\n", 2},
		"half a bracket":                {mateDiagram + "1 １二金(13) (0:01\n2 同　玉(11)\n3 １三飛打\n", 1},
		"words behind a move":           {mateDiagram + "1 １二金(13) 好手\n2 同　玉(11)\n3 １三飛打\n", 1},
		"hands without a colon":         {replaced(plain, "先手の持駒：", "先手の持駒　"), 0},
		"hands of other names":          {replaced(replaced(plain, "先手の持駒", "下手持ち駒"), "後手の持駒", "上手の持ち駒"), 0},
		"an empty hand":                 {replaced(plain, "後手の持駒：なし", "後手の持駒："), 0},
		"a hand with a digit":           {replaced(plain, "持駒：飛", "持駒：飛1"), 0},
		"a hand with a wide digit":      {replaced(plain, "持駒：飛", "持駒：飛１、金０ 桂0"), 0},
		"a side in a header":            {replaced(plain, "1 １二", "手番：先手\n1 １二"), 0},
		"wide bars":                     {strings.ReplaceAll(plain, "|", "｜"), 0},
		"half-width dots":               {strings.ReplaceAll(plain, "・", "･"), 0},
		"full stops":                    {strings.ReplaceAll(plain, "・", "．"), 0},
		"triangles for v":               {strings.ReplaceAll(plain, "v", "△"), 0},
		"wide v":                        {strings.ReplaceAll(plain, "v", "ｖ"), 0},
		"another word for the king":     {strings.ReplaceAll(plain, "玉", "王"), 0},
		"an unknown 手合割":                {"手合割：詰将棋\n" + plain, 0},
		"remarks, bookmarks":            {"# x\n&しおり\n" + plain + "&しおり\n# y\n", 0},
		"a line that is no text":        {plain + "\ufffd\ufffd\n", 1},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := one(t, c.text)
			if err != nil {
				t.Fatal(err)
			}
			if g.Start.SFEN() != mateSFEN || recordtest.USI(g.Moves) != mateMoves || len(g.Variations) != 0 {
				t.Errorf("read %s, %s and %d variations", g.Start.SFEN(), recordtest.USI(g.Moves), len(g.Variations))
			}
			if len(g.Notes) != c.notes {
				t.Errorf("%d notes, want %d: %v", len(g.Notes), c.notes, g.Notes)
			}
		})
	}
}

// TestEnds: the end is kept in the word of the file; what no one knows ends the line, too, with a note.
func TestEnds(t *testing.T) {
	for _, c := range []struct {
		text string
		want record.End
		note bool
	}{
		{"2 投了", record.End{Text: "投了", Kind: record.Resigns}, false},
		{"2 投了   ( 0:03/00:00:05)", record.End{Text: "投了", Kind: record.Resigns}, false},
		{"2 中断（封じ手）", record.End{Text: "中断", Kind: record.Interrupted}, false},
		{"2 詰み+", record.End{Text: "詰み", Kind: record.Checkmate}, false},
		{"2 引き分け", record.End{Text: "引き分け", Kind: record.Draw}, false},
		{"2 Time-up", record.End{Text: "Time-up", Kind: record.OutOfTime}, false},
		{"2 封じ手", record.End{Text: "封じ手", Kind: record.Sealed}, false},
		{"2 不戦勝", record.End{Text: "不戦勝", Kind: record.DefaultWins}, false},
		{"2 入玉宣言", record.End{Text: "入玉宣言", Kind: record.EnteringWins}, false},
		{"2 千日手", record.End{Text: "千日手", Kind: record.Repetition}, false},
		{"2 なんだかんだ", record.End{Text: "なんだかんだ", Kind: record.OtherEnd}, true},
		{"2 投了 先手の勝ち (0:01)", record.End{Text: "投了 先手の勝ち", Kind: record.Resigns}, false},
		{"2 the end (0:01)", record.End{Text: "the end", Kind: record.OtherEnd}, true},
		{"まで1手で中断", record.End{Text: "中断", Kind: record.Interrupted}, false},
		{"まで1手で先手の勝ち", record.End{Text: "先手の勝ち", Kind: record.OtherEnd}, false},
		{"2 投了\nまで1手で先手の勝ち", record.End{Text: "投了", Kind: record.Resigns}, false},
		{"2 投了\n3 １三飛打", record.End{Text: "投了", Kind: record.Resigns}, true},
	} {
		g, err := one(t, mateDiagram+"1 １二金(13)\n"+c.text+"\n")
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if g.End != c.want || recordtest.USI(g.Moves) != "1c1b" || len(g.Notes) > 0 != c.note {
			t.Errorf("%s: %v, moves %s, notes %v", c.text, g.End, recordtest.USI(g.Moves), g.Notes)
		}
	}
}

// TestEndInVariation: a word that is no move costs neither the variation nor the game.
func TestEndInVariation(t *testing.T) {
	g, err := one(t, mateDiagram+mateText+"変化：2手\n2 なんだ\n変化：1手\n1 １二飛打\n2 Time-up\n")
	if err != nil || recordtest.USI(g.Moves) != mateMoves || len(g.Variations) != 2 || len(g.Notes) != 1 {
		t.Fatalf("%+v, %v", g, err)
	}
	if v := g.Variations[0]; v.Ply != 2 || len(v.Moves) != 0 || v.End.Text != "なんだ" {
		t.Errorf("%+v", v)
	}
	if v := g.Variations[1]; v.Ply != 1 || recordtest.USI(v.Moves) != "R*1b" || v.End.Kind != record.OutOfTime {
		t.Errorf("%+v", v)
	}
}

// TestVariationNumbers: a variation without a number is told by its first move, and numbers that go on hold for variations, too.
func TestVariationNumbers(t *testing.T) {
	for _, text := range []string{
		mateText + "変化：\n2 同　銀(31)\n",
		mateText + "変化：\n2 同　金(21)\n",
		"13 １二金(13)\n14 同　玉(11)\n15 １三飛打\n変化：14手\n14 同　金(21)\n",
	} {
		g, err := one(t, mateDiagram+text)
		var illegal *rules.IllegalMoveError
		if strings.Contains(text, "銀") { // not by a silver
			if !errors.As(err, &illegal) || len(g.Variations) != 1 || g.Variations[0].Illegal.USI() != "3a1b" {
				t.Errorf("%s%+v, %v", text, g, err)
			}
			continue
		}
		if err != nil || len(g.Variations) != 1 || g.Variations[0].Ply != 2 || recordtest.USI(g.Variations[0].Moves) != "2a1b" {
			t.Errorf("%s%+v, %v", text, g, err)
		}
	}
}

// TestRefused: what changes the position or the moves is an error with its line, and the moves before it are there.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ text, want, moves string }{
		{mateDiagram + "1 １二金(13)\n2 ７六歩(77)\n3 １三飛打\n", "line 12: move \"７六歩(77)\", character 1: there is no file 7", "1c1b"},
		{mateDiagram + "1 １二金(13)\n2 ▽１六玉(11)\n", "line 12: move \"▽１六玉(11)\", character 3: there is no rank 6", "1c1b"},
		{mateDiagram + "1 １二金(13)\n2 １九玉(11)\n", "line 12: move \"１九玉(11)\", character 2: there is no rank 9", "1c1b"},
		{mateDiagram + "1 １二金(13)\n2 ２二玉(22)\n", "line 12: move \"２二玉(22)\", character 4: gote has no 玉 there", "1c1b"},
		{mateDiagram + "1 １二金(13)\n2 同　銀(31)\n", "line 12: illegal move 3a1b", "1c1b"},
		{mateDiagram + "1 １二金(13)\n2 同　玉(11)\n4 ２二玉(12)\n", "line 13: move 3 is expected here, not 4", "1c1b 1a1b"},
	} {
		g, err := one(t, c.text)
		if g == nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s%v, want %s", c.text, err, c.want)
			continue
		}
		if recordtest.USI(g.Moves) != c.moves || g.Start.SFEN() != mateSFEN {
			t.Errorf("%s%+v", c.text, g)
		}
	}
}

// TestSameBeforeTheFirstMove: 同 is the target of the move that the line below the diagram names.
func TestSameBeforeTheFirstMove(t *testing.T) {
	g, err := one(t, mateDiagram+"手数＝8  △１二歩打  まで\n1 同　金(13)\n変化：1手\n1 同　飛打\n")
	if err != nil || recordtest.USI(g.Moves) != "1c1b" || len(g.Variations) != 1 || recordtest.USI(g.Variations[0].Moves) != "R*1b" || len(g.Notes) != 0 {
		t.Errorf("%+v, %v", g, err)
	}
}

// TestStartNames: the start of minishogi under all its names, and its handicaps.
func TestStartNames(t *testing.T) {
	for _, name := range []string{
		"5五将棋", "５五将棋", "五五将棋", "五々将棋", "5五", "５五", "55将棋", "5五将棋（平手）", "5五 平手", "minishogi", "Minishogi", "MiniShogi", "5×5",
	} {
		g, err := one(t, "手合割："+name+"\n1 ４四金(45)\n")
		if err != nil || g.Start.SFEN() != rules.StartSFEN || recordtest.USI(g.Moves) != "4e4d" || len(g.Notes) != 0 {
			t.Errorf("%s: %+v, %v", name, g, err)
		}
	}
	for name, sfen := range map[string]string{
		"角落ち": "r1sgk/4p/5/P4/KGSBR w - 1", "飛車落ち": "1bsgk/4p/5/P4/KGSBR w - 1", "二枚落ち": "2sgk/4p/5/P4/KGSBR w - 1",
		"三枚落ち": "3gk/4p/5/P4/KGSBR w - 1", "四枚落ち": "4k/4p/5/P4/KGSBR w - 1", "裸玉": "4k/5/5/P4/KGSBR w - 1",
	} {
		for prefix, notes := range map[string]int{"": 1, "5五将棋　": 0, "５五": 0} {
			g, err := one(t, fmt.Sprintf("手合割：%s%s\n", prefix, name))
			if g == nil || g.Start.SFEN() != sfen || len(g.Notes) != notes {
				t.Errorf("%s%s: %+v, %v", prefix, name, g, err)
			}
		}
	}
	for _, name := range []string{"平手", "香落ち", "六枚落ち", "", "その他", "55555"} {
		if g, err := one(t, "手合割："+name+"\n1 ４四金(45)\n"); g != nil || err == nil {
			t.Errorf("%s: %+v, %v", name, g, err)
		}
	}
}

// TestTellings: names, headers, comments and times are kept where they belong.
func TestTellings(t *testing.T) {
	g, err := one(t, "先手：あ\n後手：い う\n作者：え\n*前\n"+mateDiagram+
		"手数----指手---------消費時間--\n*前２\n1 １二金(13) ( 0:07/00:00:07)\n*一\n*二\n2 同　玉(11) ( 1:02:03/01:02:03)\n3 １三飛打\n*後\n4 詰み\n*終\n"+
		"変化：2手\n*別\n2 同　金(21)\n*別２\n")
	if err != nil {
		t.Fatal(err)
	}
	if g.Players != [2]string{"あ", "い う"} || !slices.Equal(g.Headers, []record.Header{{Key: "作者", Value: "え"}}) {
		t.Errorf("%v, %v", g.Players, g.Headers)
	}
	for i, want := range []record.Move{
		{Comments: []string{"一", "二"}, Time: 7 * time.Second}, {Time: time.Hour + 2*time.Minute + 3*time.Second}, {Comments: []string{"後", "終"}},
	} {
		if m := g.Moves[i]; !slices.Equal(m.Comments, want.Comments) || m.Time != want.Time {
			t.Errorf("move %d: %+v", i+1, m)
		}
	}
	if v := g.Variations[0]; !slices.Equal(g.Comments, []string{"前", "前２"}) || !slices.Equal(v.Comments, []string{"別"}) || !slices.Equal(v.Moves[0].Comments, []string{"別２"}) {
		t.Errorf("comments %q, %q, %q", g.Comments, v.Comments, v.Moves[0].Comments)
	}
}

package kif

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/rules/record/recordtest"
)

// one reads a file that holds one game.
func one(t *testing.T, text string) (*record.Game, error) {
	t.Helper()
	return recordtest.One(t, Games(text))
}

// evenGame has every part that a game of a server has; the moves were worked out by hand.
const evenGame = `# KIF version=2.0
開始日時：2024/05/01 12:00:00
手合割：5五将棋
先手：あ
後手：い
手数----指手---------消費時間--
*ここから
   1 ３四角(25)   ( 0:01/00:00:01)
   2 ２三角(41)   ( 0:03/00:00:03)
   3 ５二角成(34)   ( 0:02/00:00:03)
`

func TestEvenGame(t *testing.T) {
	// In the third move the bishop goes to the second rank, where nothing promotes.
	g, err := one(t, evenGame)
	var illegal *rules.IllegalMoveError
	var at *record.Error
	if !errors.As(err, &at) || at.Line != 10 || !errors.As(err, &illegal) {
		t.Fatalf("error %v", err)
	}
	if got := recordtest.USI(g.Moves); got != "2e3d 4a2c" {
		t.Errorf("moves %s", got)
	}
	if g.Start.SFEN() != rules.StartSFEN || g.Players != [2]string{"あ", "い"} || g.Header("開始日時") != "2024/05/01 12:00:00" {
		t.Errorf("%+v", g)
	}
}

// puzzleText has diagram and hands, Gote to move, all kinds of lines. Move 3 is wrong on purpose: no
// silver goes sideways.
const puzzleText = `後手の持駒：金　歩
  ５ ４ ３ ２ １
+---------------+
|v全 ・v玉 ・ ・|一
| ・ ・ ・ ・ ・|二
| ・ ・v銀vと ・|三
| ・ ・ ・ ・ ・|四
| ・ ・ 玉 ・ 飛|五
+---------------+
先手の持駒：角二
後手番
作者：山田
手数----指手---------消費時間--
   1 ３四銀(33)+
   2 ４四玉(35)
   3 同　銀(34)
   4 投了

変化：3手
   3 ４五銀成(34)
   4 中断

変化：1手
   1 ３四金打
   2 詰
まで1手で詰み
`

// rightText is puzzleText with another move 3.
var rightText = strings.Replace(puzzleText, "   3 同　銀(34)\n", "   3 ４三金打+\n", 1)

func TestPuzzleWithVariations(t *testing.T) {
	_, err := one(t, puzzleText)
	var at *record.Error
	if !errors.As(err, &at) || at.Line != 16 {
		t.Fatalf("error %v", err)
	}
	g, err := one(t, rightText)
	if err != nil {
		t.Fatal(err)
	}
	if got := g.Start.SFEN(); got != "+s1k2/5/2s+p1/5/2K1R w 2Bgp 1" {
		t.Errorf("start %s", got)
	}
	if got := recordtest.USI(g.Moves); got != "3c3d 3e4d G*4c" || g.End.Kind != record.Resigns {
		t.Errorf("moves %s %v", got, g.End)
	}
	var got []string
	for _, v := range g.Variations {
		got = append(got, recordtest.USI(v.Moves)+" "+v.End.Text)
	}
	want := []string{"3d4e+ 中断", "G*3d 詰"}
	if !slices.Equal(got, want) {
		t.Errorf("variations %q, want %q", got, want)
	}
	if g.Header("作者") != "山田" || g.FileLine != 1 {
		t.Errorf("%+v", g)
	}
}

func TestNestedVariations(t *testing.T) {
	text := `手合割：5五将棋
   1 ３四角(25)
   2 ２二銀(31)

変化：2手
   2 ４二銀(31)
   3 １四飛(15)
   4 ５二飛(51)

変化：4手
   4 ３二角(41)

変化：3手
   3 ５三歩(54)

変化：2手
   2 ３二銀(31)
`
	g, err := one(t, text)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Variations) != 2 {
		t.Fatalf("%d variations of the game", len(g.Variations))
	}
	first := g.Variations[0]
	if recordtest.USI(first.Moves) != "3a4b 1e1d 5a5b" || len(first.Variations) != 2 {
		t.Fatalf("%+v", first)
	}
	if v := first.Variations[0]; v.Ply != 4 || recordtest.USI(v.Moves) != "4a3b" {
		t.Errorf("%+v", v)
	}
	if v := first.Variations[1]; v.Ply != 3 || recordtest.USI(v.Moves) != "5d5c" {
		t.Errorf("%+v", v)
	}
	if v := g.Variations[1]; v.Ply != 2 || recordtest.USI(v.Moves) != "3a3b" {
		t.Errorf("%+v", v)
	}
}

// TestIllegalMoves: an illegal move ends its line only; variations that leave before it are read, those that leave
// after it are not.
func TestIllegalMoves(t *testing.T) {
	const start = "手合割：5五将棋\n1 ３四角(25)\n2 ２三角(41)\n3 ５二角成(34)\n4 投了\n"
	g, err := one(t, start+"変化：4手\n4 ５二飛(51)\n変化：3手\n3 ２三角(34)\n変化：2手\n2 ２三角(41)\n3 １三角(34)\n4 １三歩(12)\n変化：1手\n1 ２四銀(35)\n")
	var illegal *rules.IllegalMoveError
	var at *record.Error
	if !errors.As(err, &at) || at.Line != 4 || !errors.As(err, &illegal) || illegal.Move != g.Illegal {
		t.Fatalf("error %v", err)
	}
	if recordtest.USI(g.Moves) != "2e3d 4a2c" || g.Illegal.USI() != "3d5b+" || g.End != (record.End{}) || len(g.Variations) != 3 {
		t.Fatalf("%+v", g)
	}
	for i, want := range []struct{ moves, illegal string }{{"3d2c", ""}, {"4a2c", "3d1c"}, {"3e2d", ""}} {
		v := g.Variations[i]
		got := ""
		if v.Illegal != 0 {
			got = v.Illegal.USI()
		}
		if recordtest.USI(v.Moves) != want.moves || got != want.illegal {
			t.Errorf("variation %d: %+v", i, v)
		}
	}
	// What is no move at all is an error wherever it stands.
	if _, err := one(t, start+"変化：2手\n2 ９九角(41)\n"); errors.As(err, &illegal) || !errors.As(err, &at) || at.Line != 7 {
		t.Errorf("error %v", err)
	}
}

func FuzzGames(f *testing.F) {
	f.Add(evenGame)
	f.Add(puzzleText)
	f.Add(rightText)
	f.Fuzz(func(t *testing.T, text string) {
		for g, err := range Games(text) {
			if err != nil {
				if err.Error() == "" {
					t.Error("an error without a text")
				}
				continue
			}
			for again, err := range Games(String(g)) {
				if err != nil || recordtest.USI(again.Moves) != recordtest.USI(g.Moves) || !again.Start.Same(&g.Start) {
					t.Fatalf("%v: read\n%s\nwrote\n%s", err, String(g), String(again))
				}
				break
			}
		}
	})
}

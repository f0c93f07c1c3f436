package kif

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gogotb/rules"
	"gogotb/rules/record"
)

// one reads a file that holds one game.
func one(t *testing.T, text string) (*record.Game, error) {
	t.Helper()
	var game *record.Game
	var err error
	n := 0
	for g, e := range Games(text) {
		game, err = g, e
		n++
	}
	if n != 1 {
		t.Fatalf("%d games in\n%s", n, text)
	}
	return game, err
}

func usi(moves []record.Move) string {
	var words []string
	for _, m := range moves {
		words = append(words, m.USI())
	}
	return strings.Join(words, " ")
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
	if got := usi(g.Moves); got != "2e3d 4a2c" {
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
	if got := usi(g.Moves); got != "3c3d 3e4d G*4c" || g.End.Kind != record.Resigns {
		t.Errorf("moves %s %v", got, g.End)
	}
	var got []string
	for _, v := range g.Variations {
		got = append(got, usi(v.Moves)+" "+v.End.Text)
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
	if usi(first.Moves) != "3a4b 1e1d 5a5b" || len(first.Variations) != 2 {
		t.Fatalf("%+v", first)
	}
	if v := first.Variations[0]; v.Ply != 4 || usi(v.Moves) != "4a3b" {
		t.Errorf("%+v", v)
	}
	if v := first.Variations[1]; v.Ply != 3 || usi(v.Moves) != "5d5c" {
		t.Errorf("%+v", v)
	}
	if v := g.Variations[1]; v.Ply != 2 || usi(v.Moves) != "3a3b" {
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
	if usi(g.Moves) != "2e3d 4a2c" || g.Illegal.USI() != "3d5b+" || g.End != (record.End{}) || len(g.Variations) != 3 {
		t.Fatalf("%+v", g)
	}
	for i, want := range []struct{ moves, illegal string }{{"3d2c", ""}, {"4a2c", "3d1c"}, {"3e2d", ""}} {
		v := g.Variations[i]
		got := ""
		if v.Illegal != 0 {
			got = v.Illegal.USI()
		}
		if usi(v.Moves) != want.moves || got != want.illegal {
			t.Errorf("variation %d: %+v", i, v)
		}
	}
	// What is no move at all is an error wherever it stands.
	if _, err := one(t, start+"変化：2手\n2 ９九角(41)\n"); errors.As(err, &illegal) || !errors.As(err, &at) || at.Line != 7 {
		t.Errorf("error %v", err)
	}
}

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

func TestErrors(t *testing.T) {
	diagram := "  ５ ４ ３ ２ １\n+---------------+\n|v玉 ・ ・ ・ ・|一\n" + strings.Repeat("| ・ ・ ・ ・ ・|\n", 3) + "| 玉 ・ ・ ・ ・|\n"
	for _, c := range []struct{ text, want string }{
		{"先手：あ\n", "line 1: neither"},
		{"手合割：平手\n", "line 1: 平手 is not the 5x5 game"},
		{" ９ ８ ７ ６ ５ ４ ３ ２ １\n| ・ ・ ・|\n", "line 1: the board has 9 files"},
		{"| ・ ・ ・ ・ ・ ・|\n", "line 1: the rank has 6 squares"},
		{"| ・ ・ ・ ・ ・\n", "line 1: the rank does not end"},
		{"|v玉 ・ ・ ・ ・|\n", "line 1: the diagram has 1 ranks"},
		{diagram + "| ・ ・ ・ ・ ・|\n", "line 8: the diagram has more than 5 ranks"},
		{strings.Replace(diagram, "v玉", "v歩", 1) + "後手番\n", ""},
		{strings.Replace(diagram, "v玉", " 歩", 1), "line 3: illegal position: 5a: a pawn"},
		{diagram + "先手の持駒：桂\n", "line 8: 桂 cannot be held"},
		{diagram + "先手の持駒：金三\n", "line 8: more than two 金"},
		{diagram + "先手の持駒：金十八\n", "line 8: more than two 金"},
		{diagram + "先手の持駒：金二\n後手の持駒：金\n", "line 3: illegal position: 3 pieces of kind G"},
		{diagram + "手番：中手\n", "line 8: \"中手\" is no side"},
		{diagram + "1 ７六歩(77)\n", "line 8: move \"７六歩(77)\", character 1: there is no file 7"},
		{diagram + "1 ５六歩(77)\n", "line 8: move \"５六歩(77)\", character 2: there is no rank 6"},
		{diagram + "1 ５四桂(55)\n", "line 8: move \"５四桂(55)\", character 3: a piece"},
		{diagram + "1 ５四玉\n", "line 8: move \"５四玉\", character 4: the origin"},
		{diagram + "1 ５四玉(56)\n", "character 6: an origin"},
		{diagram + "1 ５四玉(55\n", "character 7: a bracket"},
		{diagram + "1 ５四金(55)\n", "character 4: sente has no 金"},
		{diagram + "1 ５五玉(55)\n", "character 4: the move ends"},
		{diagram + "1 同　玉(55)\n", "character 1: 同 without"},
		{diagram + "1 ５四玉打\n", "character 3: 玉 cannot be dropped"},
		{diagram + "1 ５四金打\n", "line 8: illegal move G*5d: no such piece in hand"},
		{diagram + "1 ５四玉(55)\n3 ４四玉(54)\n", "line 9: move 2 is expected here, not 3"},
	} {
		_, err := one(t, c.text)
		if c.want == "" {
			if err == nil || !strings.Contains(err.Error(), "illegal") && !strings.Contains(err.Error(), "no king") {
				continue // legal: one king is enough
			}
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

// TestRoundTrip writes random games with random variations and reads them back.
func TestRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		g := randomGame(t, random)
		again, err := one(t, String(g))
		if err != nil {
			t.Fatalf("%v in\n%s", err, String(g))
		}
		again.FileLine = 0
		if !reflect.DeepEqual(g, again) {
			t.Fatalf("wrote %+v %+v\n%s\nread %+v %+v\n%s", g.Headers, g.Line, String(g), again.Headers, again.Line, String(again))
		}
	}
}

// deepest is how far variations of variations go.
const deepest = 3

func randomGame(t *testing.T, random *rand.Rand) *record.Game {
	t.Helper()
	p, err := rules.ParseSFEN(rules.StartSFEN)
	if err != nil {
		t.Fatal(err)
	}
	// A few moves lead to other first positions, with hands, of either side.
	for range random.IntN(3) * random.IntN(20) {
		m := randomMove(&p, random)
		if m == 0 {
			break
		}
		p.Make(m)
	}
	// A diagram has no place for the move number.
	board := [rules.Squares]rules.Piece{}
	for s := range board {
		board[s] = p.At(rules.Square(s))
	}
	p, err = rules.New(board, [2]rules.Hand{p.Hand(rules.Sente), p.Hand(rules.Gote)}, p.Turn())
	if err != nil {
		t.Fatal(err)
	}
	g := &record.Game{Format: record.KIF, Start: p, Headers: []record.Header{{Key: "作者", Value: "x"}}}
	g.Line = randomLine(p, 1, deepest, random)
	return g
}

func randomMove(p *rules.Position, random *rand.Rand) rules.Move {
	moves := p.Moves(nil)
	if len(moves) == 0 {
		return 0
	}
	return moves[random.IntN(len(moves))]
}

func randomLine(p rules.Position, ply, depth int, random *rand.Rand) record.Line {
	l := record.Line{Ply: ply}
	positions := []rules.Position{p}
	for range 1 + random.IntN(12) {
		m := randomMove(&p, random)
		if m == 0 {
			break
		}
		l.Moves = append(l.Moves, record.Move{Move: m})
		p.Make(m)
		positions = append(positions, p)
	}
	if random.IntN(2) == 0 {
		kind := record.Resigns + record.EndKind(random.IntN(int(record.PlyLimit-record.Resigns)+1))
		l.End = record.End{Text: formatEnd(record.End{Kind: kind}), Kind: kind}
	}
	for i := len(positions) - 1; i >= 0 && depth > 0; i-- {
		if i == 0 && depth < deepest { // such a one belongs to the line above
			break
		}
		if random.IntN(4) == 0 {
			l.Variations = append(l.Variations, randomLine(positions[i], ply+i, depth-1, random))
		}
	}
	return l
}

// TestMoves checks notation by hand: both sides' origins, 同, promotion, and promoted pieces.
func TestMoves(t *testing.T) {
	p, err := rules.ParseSFEN("k4/2S1P/5/2b2/K2+R1 b GSPr 1")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		usi, kif string
		last     rules.Square
	}{
		{"1b1a+", "１一歩成(12)", rules.NoSquare},
		{"3b3a", "３一銀(32)", rules.NoSquare},
		{"3b3a+", "３一銀成(32)", rules.NoSquare},
		{"2e2d", "２四龍(25)", rules.NoSquare},
		{"G*4b", "４二金打", rules.NoSquare},
		{"5e4d", "同　玉(55)", 16},
	} {
		m, err := rules.ParseUSI(c.usi)
		if err != nil {
			t.Fatal(err)
		}
		if got := FormatMove(&p, m, c.last); got != c.kif {
			t.Errorf("%s: wrote %s, want %s", c.usi, got, c.kif)
		}
		if got, err := ParseMove(&p, c.kif, c.last); got != m || err != nil {
			t.Errorf("%s: read %v, %v", c.kif, got, err)
		}
	}
	for _, text := range []string{"３一銀不成(32)", "3一銀(32)"} {
		if m, err := ParseMove(&p, text, rules.NoSquare); err != nil || m.USI() != "3b3a" {
			t.Errorf("%s: %v %v", text, m, err)
		}
	}
	if _, err := ParseMove(&p, "３一銀(32) ", rules.NoSquare); err == nil {
		t.Error("a space after the move was accepted")
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
				if err != nil || usi(again.Moves) != usi(g.Moves) || !again.Start.Same(&g.Start) {
					t.Fatalf("%v: read\n%s\nwrote\n%s", err, String(g), String(again))
				}
				break
			}
		}
	})
}

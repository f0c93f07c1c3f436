package puzzle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/japanese"

	"gogotb/rules"
)

func TestReadLines(t *testing.T) {
	text := `# mates
5/4k/5/5/3R1 b G 1 moves G*2c 1b1a 2c2b ; plies 3

  sfen 2k2/5/2G2/5/2K2 b G ; one for children
position sfen 2k2/5/2G2/5/2K2 b G 1 moves G*3b ; Anna ; plies 1
` + "\r\n2k2/5/2G2/5/2K2 b G\r\n" + `2k2/5/2G2/5/2K2 b G;pliestocene;;plies1; of Anna
`
	all := read(t, text)
	if len(all) != 5 {
		t.Fatalf("%d puzzles", len(all))
	}
	for i, want := range []struct {
		line, plies, moves int
		name               string
	}{{2, 3, 3, ""}, {4, 0, 0, "one for children"}, {5, 1, 1, "Anna"}, {7, 0, 0, ""}, {8, 1, 0, "pliestocene, of Anna"}} {
		p := all[i]
		if p.Line != want.line || p.Plies != want.plies || len(p.Moves) != want.moves || p.Name != want.name || p.File != "test" {
			t.Errorf("puzzle %d: %+v", i, p)
		}
	}
}

// TestReadRemarks: a grade and the move before are read, in any order, and written again; what only begins like them is a name.
func TestReadRemarks(t *testing.T) {
	const mate = "4k/5/5/5/K4 b RG 1"
	const last = "5/4k/5/5/K4 w RG 1 moves 1b1a"
	for text, want := range map[string]string{
		mate + " ; grade hard; plies 3":                      mate + " ; plies 3 ; grade hard",
		mate + ";last " + last + ";grade easy;seed 1":        mate + " ; grade easy ; last " + last + " ; seed 1",
		mate + " moves G*2c ; last sfen " + last:             mate + " moves G*2c ; last " + last,
		mate + "; grade A; grades; last moves; the last one": mate + " ; grade A, grades, last moves, the last one",
	} {
		p := read(t, text)[0]
		if got := p.Text(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		if strings.Contains(want, "last 5") && (p.Last == nil || p.Last.Move.USI() != "1b1a" || p.Last.Before.SFEN() != "5/4k/5/5/K4 w RG 1") {
			t.Errorf("%s: last %+v", text, p.Last)
		}
	}
	for text, want := range map[string]string{
		mate + "; last 5/4k/5/5/K4 w RG moves 1b2a":      "last: 1b2a leads to another position, 3k1/5/5/5/K4 b RG 2",
		mate + "; last 5/4k/5/5/K4 w RG moves 1b1d":      "last: illegal move 1b1d: the piece cannot go there",
		mate + "; last 5/4k/5/5/K4 w RG moves 1b1a 5e5d": "last: 2 moves; there is one that led to the position",
		mate + "; last 5/4k/5/5/K4 w RG moves x":         `last: move "x", character 2`,
		mate + "; last 5/4k w RG moves 1b1a":             "last: SFEN: board",
	} {
		for p, err := range Read("file", []byte(text)) {
			if err == nil || !strings.HasPrefix(err.Error(), "file, line 1: "+want) {
				t.Errorf("%s: %v, %v, want %s", text, p, err, want)
			}
		}
	}
}

// TestReadErrors: each broken line has its own error, and the rest is read.
func TestReadErrors(t *testing.T) {
	text := `lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
2k2/5/2G2/5/2K2 b G 1
2k2/5/2G2/5 b G 1
2k2/5/2G2/5/2K2 b G 1 moves G*3x
2k2/5/2G2/5/2K2 b G 1 moves 3b
2k2/5/2G2/5/2K2 b G 1 ; plies x
2k2/5/2G2/5/2K2 b G 1 ; plies 0
2k2/5/2G2/5/2K2 b G 1 ; plies: 3
2k2/5/2G2/5/2K2 b G 1 ; plies 3 ; plies 5
2k2/5/2G2/5/2K2 x G 1
2k2/5/2G2/5/2K2 b 3G 1
hello
2k2/5/2G2/5/2K2 b G 1
`
	want := []string{
		`file, line 1: SFEN: board, character 1: "l" is no piece`,
		"",
		"file, line 3: SFEN: board, character 12: 4 of 5 ranks",
		`file, line 4: move "G*3x", character 4`,
		`file, line 5: move "3b", character 3: too short`,
		`file, line 6: plies "x": a number from 1 to 999`,
		`file, line 7: plies "0": a number from 1 to 999`,
		`file, line 8: plies ": 3": a number from 1 to 999`,
		`file, line 9: plies "5": there are 3 already`,
		`file, line 10: SFEN: side to move, character 17`,
		`file, line 11: SFEN: hands, character 19`,
		`file, line 12: SFEN: board, character 1: "h" is no piece`,
		"",
	}
	i := 0
	for p, err := range Read("file", []byte(text)) {
		switch {
		case i >= len(want):
			t.Fatal("too many results")
		case want[i] == "":
			if err != nil || p.Line != i+1 {
				t.Errorf("line %d: %v, %v", i+1, p, err)
			}
		case err == nil || !strings.HasPrefix(err.Error(), want[i]):
			t.Errorf("line %d: %v, want %s", i+1, err, want[i])
		}
		var re *ReadError
		if err != nil && !errors.As(err, &re) {
			t.Errorf("%T", err)
		}
		i++
	}
	if i != len(want) {
		t.Errorf("%d results", i)
	}
}

// TestManyLines: thousands of puzzles, some broken, all accounted for and checked.
func TestManyLines(t *testing.T) {
	var b strings.Builder
	for i := range 6000 {
		switch i % 3 {
		case 0:
			fmt.Fprintln(&b, "2k2/5/2G2/5/2K2 b G 1 moves G*3b ; plies 1")
		case 1:
			fmt.Fprintln(&b, "2k2/5/2G2/5/2K2 b G 1 ; plies 3")
		default:
			fmt.Fprintln(&b, "2k2/5/2G3/5/2K2 b G 1")
		}
	}
	c := NewChecker(Options{Tsume: true, Tolerate: DefaultTolerance(true)})
	sound, refuted, broken, last := 0, 0, 0, 0
	for p, err := range Read("file", []byte(b.String())) {
		last++
		if err != nil {
			broken++
			continue
		}
		r, err := c.Check(context.Background(), p)
		if err != nil || p.Line != last {
			t.Fatalf("line %d: %v", last, err)
		}
		if r.Verdict == Sound {
			sound++
		} else {
			refuted++
		}
	}
	if sound != 2000 || refuted != 2000 || broken != 2000 {
		t.Errorf("%d sound, %d refuted, %d broken", sound, refuted, broken)
	}
}

const kifPuzzles = `作者：山田
作品名：金打ち
後手の持駒：なし
  ５ ４ ３ ２ １
+---------------+
| ・ ・v玉 ・ ・|一
| ・ ・ ・ ・ ・|二
| ・ ・ 金 ・ ・|三
| ・ ・ ・ ・ ・|四
| ・ ・ 玉 ・ ・|五
+---------------+
先手の持駒：金
手数----指手---------消費時間--
   1 ３二金打
   2 詰み

変化：1手
   1 ２二金打
   2 ４一玉(31)
まで1手で詰み

手合割：平手
   1 ７六歩(77)

後手の持駒：なし
  ５ ４ ３ ２ １
+---------------+
| ・ ・v玉 ・ ・|一
| ・ ・ ・ ・ ・|二
| ・ ・ 金 ・ ・|三
| ・ ・ ・ ・ ・|四
| ・ ・ 玉 ・ ・|五
+---------------+
先手の持駒：金
   1 ３一金打
`

func TestReadKIF(t *testing.T) {
	var puzzles []*Puzzle
	var failed []string
	for p, err := range Read("p.kif", []byte(kifPuzzles)) {
		if err != nil {
			failed = append(failed, err.Error())
			continue
		}
		puzzles = append(puzzles, p)
	}
	if len(failed) != 1 || !strings.HasPrefix(failed[0], "p.kif, line 22: 平手 is not the 5x5 game") {
		t.Errorf("errors %q", failed)
	}
	if len(puzzles) != 2 {
		t.Fatalf("%d puzzles", len(puzzles))
	}
	p := puzzles[0]
	if p.Line != 1 || p.Name != "金打ち, 山田" || p.Position.SFEN() != "2k2/5/2G2/5/2K2 b G 1" || len(p.Moves) != 1 || p.Moves[0].USI() != "G*3b" {
		t.Errorf("%+v", p)
	}
	if len(p.Variations) != 1 || p.Variations[0].Ply != 1 || len(p.Variations[0].Moves) != 2 || p.Variations[0].Says != SaysNothing {
		t.Errorf("variations %+v", p.Variations)
	}
	// An illegal move is part of the claim, and is the checker's business.
	r, err := NewChecker(Options{Tsume: true}).Check(context.Background(), puzzles[1])
	if err != nil || r.Verdict != Refuted || !r.Has(IllegalMove) {
		t.Errorf("%v %+v", err, r)
	}
	var illegal *rules.IllegalMoveError
	if !errors.As(r.Flaws[0].Err, &illegal) || illegal.Rule != rules.TargetOccupied {
		t.Errorf("%v", r.Flaws[0].Err)
	}
}

// TestReadKIFVariations: those of variations, too, with all moves from the beginning.
func TestReadKIFVariations(t *testing.T) {
	puzzles := read(t, goldAndBishop+"1 ４三金(34)\n2 ４一玉(52)\n3 ４二金打\n変化：2手\n2 ５一玉(52)\n3 ５二金打\n変化：3手\n3 ５二歩打\n"+
		"変化：1手\n1 ４二金打\n2 不詰\n")
	if len(puzzles) != 1 {
		t.Fatalf("%d puzzles", len(puzzles))
	}
	for i, want := range []string{"2 3d4c 5b5a G*5b nothing", "3 3d4c 5b5a P*5b nothing", "1 G*4b no-mate"} {
		v := puzzles[0].Variations[i]
		got := fmt.Sprint(v.Ply)
		for _, m := range v.Moves {
			got += " " + m.USI()
		}
		if got += " " + v.Says.String(); got != want {
			t.Errorf("variation %d: %s, want %s", i, got, want)
		}
	}
}

// TestReadCompleteHand: the defender may drop what the diagram does not give him, if --complete-hand does.
func TestReadCompleteHand(t *testing.T) {
	const text = `先手の持駒：なし
| ・ ・ ・ ・v玉|一
| ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ 金|三
| ・ ・ ・ ・ ・|四
| 飛 ・ ・ ・ 玉|五
1 ５一飛(55)
2 ２一金打
3 同　飛(51)
4 同　玉(11)
5 ２二金打
変化：2手
2 ４一銀打
`
	p := read(t, text)[0]
	if len(p.Moves) != 5 || len(p.Variations) != 1 || p.Position.SFEN() != "4k/5/4G/5/R3K b - 1" {
		t.Fatalf("%+v", p)
	}
	for _, complete := range []bool{false, true} {
		r, err := NewChecker(Options{Tsume: true, CompleteHand: complete, MaxPlies: 1, Nodes: 1000}).Check(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Flaws {
			if f.Kind == IllegalMove && complete {
				t.Errorf("%v is not illegal", f.Moves)
			}
		}
		if !complete && (r.Flaws[0].Kind != IllegalMove || r.Flaws[0].Ply != 2 || r.Flaws[0].Moves[0].USI() != "G*2a") {
			t.Errorf("flaws %v", flaws(r))
		}
	}
}

// TestReadOddFiles: a line that is broken, whatever is in it, does not spoil the others.
func TestReadOddFiles(t *testing.T) {
	const sfen = "2k2/5/2G2/5/2K2 b G 1\n"
	sjis, err := japanese.ShiftJIS.NewEncoder().String("2k2/5/2G2/5/2K2 b G 1 ; 金打ち\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, text string
		puzzles    int
		errors     []string
	}{
		{"a title", "詰将棋：五五\n" + sfen + "終わり\n" + sfen, 2, []string{"line 1: ", "line 3: "}},
		{"bytes in no encoding", sfen + "\xff\xfe\xfd\n" + sfen + "2k2/5/2G2/5/2K2 b G 1 \x80\n", 2, []string{"line 2: ", "line 4: "}},
		{"Shift_JIS", sjis + sfen, 2, nil},
		{"both encodings, and neither", sjis + "2k2/5/2G2/5/2K2 b G 1 ; 金打ち\n\xff\n" + sfen, 3, []string{"line 3: "}},
		{"diagrams beside SFEN", "| ・ ・ ・ ・ ・|一\n" + sfen, 1, []string{"line 1: "}},
		{"KIF with bytes in no encoding", kifPuzzles + "\xff\xff\n", 2, []string{"line 22: "}},
		{"the wrong board size alone", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n", 0, []string{"line 1: "}},
		{"nothing at all", "\n# nothing\n", 0, nil},
		{"KIF with 9 files", strings.Replace(goldAndBishop, "  ５ ４ ３ ２ １", "  ９ ８ ７ ６ ５ ４ ３ ２ １", 1), 0, []string{"line 2: the board has 9 files"}},
		{"KIF with 9 squares in a rank", strings.Replace(goldAndBishop, "|v玉 ・", "|v玉 ・ ・ ・ ・ ・", 1), 0, []string{"line 5: the rank has 9 squares"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			puzzles := 0
			var failed []string
			for _, err := range Read("f", []byte(c.text)) {
				if err == nil {
					puzzles++
				} else {
					failed = append(failed, err.Error())
				}
			}
			if puzzles != c.puzzles || len(failed) != len(c.errors) {
				t.Fatalf("%d puzzles, errors %q", puzzles, failed)
			}
			for i, want := range c.errors {
				if !strings.HasPrefix(failed[i], "f, "+want) {
					t.Errorf("error %q, want %s", failed[i], want)
				}
			}
		})
	}
}

// TestReadLong: a whole game is no puzzle, nor are its variations copied again and again.
func TestReadLong(t *testing.T) {
	var text strings.Builder
	text.WriteString("| ・ ・ ・ ・v玉|\n| ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・|\n| 玉 ・ ・ ・ ・|\n")
	for n := 1; n <= MaxClaim; n += 4 {
		fmt.Fprintf(&text, "%d ４四玉(55)\n%d ２二玉(11)\n%d ５五玉(44)\n%d １一玉(22)\n", n, n+1, n+2, n+3)
	}
	n := 0
	for p, err := range Read("f", []byte(text.String()+goldAndBishop)) {
		switch n++; {
		case n == 1 && (p != nil || err == nil || err.Error() != "f, line 1: 1000 moves; a puzzle has at most 999"):
			t.Errorf("%v, %v", p, err)
		case n == 2 && err != nil:
			t.Error(err)
		}
	}
	if n != 2 {
		t.Errorf("%d puzzles", n)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("5/4k/5/5/3R1 b G 1 moves G*2c 1b1a 2c2b ; plies 3\n"))
	f.Add([]byte("# x\n\nsfen 2k2/5/2G2/5/2K2 b G ;;plies 7\n"))
	f.Add([]byte("4k/5/5/5/K4 b RG 1 ; plies 3; grade hard ; last 5/4k/5/5/K4 w RG 1 moves 1b1a ; x\n"))
	f.Add([]byte(kifPuzzles))
	f.Fuzz(func(t *testing.T, data []byte) {
		for p, err := range Read("f", data) {
			if (p == nil) == (err == nil) {
				t.Fatalf("%v, %v", p, err)
			}
			if err == nil && (p.Plies < 0 || p.Line < 1 || p.Position.Validate() != nil) {
				t.Fatalf("%+v", p)
			}
			if err == nil {
				sameAgain(t, p)
			}
		}
	})
}

// sameAgain reads what is written of a puzzle.
func sameAgain(t *testing.T, p *Puzzle) {
	t.Helper()
	for q, err := range Read("f", []byte(p.Text())) {
		if err != nil || q.Text() != p.Text() || !slices.Equal(q.Moves, p.Moves) || q.Plies != p.Plies || q.Grade != p.Grade {
			t.Fatalf("%s is read as %+v, %v", p.Text(), q, err)
		}
	}
}

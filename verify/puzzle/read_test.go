package puzzle

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"gogotb/rules"
)

func TestReadLines(t *testing.T) {
	text := `# mates
5/4k/5/5/3R1 b G 1 moves G*2c 1b1a 2c2b ; plies 3

  sfen 2k2/5/2G2/5/2K2 b G ; one for children
position sfen 2k2/5/2G2/5/2K2 b G 1 moves G*3b ; Anna ; plies 1
` + "\r\n2k2/5/2G2/5/2K2 b G\r\n"
	all := read(t, text)
	if len(all) != 4 {
		t.Fatalf("%d puzzles", len(all))
	}
	for i, want := range []struct {
		line, plies, moves int
		name               string
	}{{2, 3, 3, ""}, {4, 0, 0, "one for children"}, {5, 1, 1, "Anna"}, {7, 0, 0, ""}} {
		p := all[i]
		if p.Line != want.line || p.Plies != want.plies || len(p.Moves) != want.moves || p.Name != want.name || p.File != "test" {
			t.Errorf("puzzle %d: %+v", i, p)
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
		`file, line 8: SFEN: side to move, character 17`,
		`file, line 9: SFEN: hands, character 19`,
		`file, line 10: SFEN: board, character 1: "h" is no piece`,
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

func FuzzRead(f *testing.F) {
	f.Add([]byte("5/4k/5/5/3R1 b G 1 moves G*2c 1b1a 2c2b ; plies 3\n"))
	f.Add([]byte("# x\n\nsfen 2k2/5/2G2/5/2K2 b G ;;plies 7\n"))
	f.Add([]byte(kifPuzzles))
	f.Fuzz(func(t *testing.T, data []byte) {
		for p, err := range Read("f", data) {
			if (p == nil) == (err == nil) {
				t.Fatalf("%v, %v", p, err)
			}
			if err == nil && (p.Plies < 0 || p.Line < 1 || p.Position.Validate() != nil) {
				t.Fatalf("%+v", p)
			}
		}
	})
}

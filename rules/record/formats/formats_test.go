package formats

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gogotb/rules"
	"gogotb/rules/record"
)

func TestDetect(t *testing.T) {
	const board = "| ・ ・v銀v金v玉|\n| ・ ・ ・ ・ ・|\n| ・ ・ ・ 飛 金|\n| ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ 玉|\n"
	for _, c := range []struct {
		text string
		want record.Format
	}{
		{"手合割：5五将棋\n1 ４四金(45)\n", record.KIF},
		{board, record.KIF},
		{"# a remark\n手合割：minishogi\n開始日時：2024/05/01 12:00\n2024/05/01\n", record.KIF},
		{board + "1 ▲１二金(13)\n2 △同玉(11)\n", record.KIF},
		{board + "SFEN：2sgk/5/3RG/5/4K b R 1\n1 １二金(13)\n", record.KIF},
		{board + "2sgk/5/3RG/5/4K b R 1\n1 １二金(13)\n", record.KIF},
		{"V2.2\nPI\n+\n", record.CSA},
		{"'CSA encoding=UTF-8\nV3.0\nN+a/b/c\n$EVENT:x\nP1-HI-KA-GI-KI-OU\n+\n+5554OU,T1\n%TORYO\n", record.CSA},
		{"'*words\n+4544KI\n", record.CSA},
		{"position startpos moves 5e4d\n", record.USI},
		{"# 手合割：5五将棋\n2sgk/5/3RG/5/4K b R 1 ; 名前：x\n", record.USI},
		{"詰将棋：五五\n2sgk/5/3RG/5/4K b R 1\n2sgk/5/3RG/5/4K b R 1\n", record.USI},
		{"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n", record.USI},
		{"1. G-44 S-22 2. S-34\n", record.Western},
		{"G-44\nS-22\nBx34\n", record.Western},
		{"2sgk/5/3RG/5/4K b R 1\n1. G-12 Kx12 2. R*13\n", record.Western},
		{"1. 5e4d 1a2b\n", record.Western},
		{"5e4d 1a2b\n", record.Western},
		{"nothing of the kind\n", record.USI},
		{"", record.USI},
	} {
		if got, err := Detect(c.text); got != c.want || err != nil {
			t.Errorf("%q: %s, %v, want %s", c.text, got, err, c.want)
		}
	}
}

// TestForeign: a file in a format that is not read is one line that says so, whatever is in it.
func TestForeign(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"手合割：5五将棋\n先手：あ\n後手：い\n\n▲４四金  △２二銀\n▲３四銀  △３二角\nまで4手で中断\n", "this is a KI2 file"},
		{"[Event \"x\"]\n[Site \"y\"]\n[Variant \"Minishogi\"]\n\n1. G-44 S-22 2. S-34 *\n", "this is a PGN file"},
		{"{\"header\":{\"先手\":\"あ\"},\"moves\":[{}]}\n", "this is a JSON file"},
		{"{\n \"header\": {\n  \"先手\": \"あ\"\n },\n \"moves\": [\n  {}\n ]\n}\n", "this is a JSON file"},
	} {
		all, failed := games([]byte(c.text))
		var foreign *record.ForeignError
		if len(all) != 1 || all[0] != nil || !errors.As(failed[0], &foreign) {
			t.Errorf("%q: %d games, errors %v", c.text, len(all), failed)
			continue
		}
		if text := failed[0].Error(); !strings.HasPrefix(text, c.want) || strings.Contains(text, "\n") {
			t.Errorf("%q: %q, want %s", c.text, text, c.want)
		}
	}
}

// TestGamesFrom: moves are read from another position than the one in the file.
func TestGamesFrom(t *testing.T) {
	hold := func(p rules.Position) rules.Position {
		q, err := rules.ParseSFEN("4k/5/5/5/4K b G 1")
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	for _, text := range []string{
		"| ・ ・ ・ ・v玉|\n| ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ 玉|\n1 １二金打\n",
		"V2.2\nP-11OU\nP+15OU\n+\n+0012KI\n",
		"4k/5/5/5/4K b - 1 moves G*1b\n",
	} {
		n := 0
		for g, err := range GamesFrom(text, hold) {
			n++
			if err != nil || moves(&g.Line) != "G*1b" || g.Start.SFEN() != "4k/5/5/5/4K b - 1" {
				t.Errorf("%q: %v, %+v", text, err, g)
			}
		}
		all, failed := games([]byte(text))
		var illegal *rules.IllegalMoveError
		if n != 1 || len(all) != 1 || !errors.As(failed[0], &illegal) {
			t.Errorf("%q: %d games; of its own %d, %v", text, n, len(all), failed)
		}
	}
}

// TestLargeFiles reads files of a megabyte that have one thing again and again. The time that they take grows with
// their size, not with its square, which would be hours.
func TestLargeFiles(t *testing.T) {
	const size = 1 << 20
	repeat := func(head, text string) string { return head + strings.Repeat(text, (size-len(head))/len(text)) }
	var shuffle, variations strings.Builder
	for n := 1; shuffle.Len() < size/2; n += 4 {
		fmt.Fprintf(&shuffle, "%d ４四玉(55)\n%d ２二玉(11)\n%d ５五玉(44)\n%d １一玉(22)\n", n, n+1, n+2, n+3)
		fmt.Fprintf(&variations, "変化：%d手\n", n+3)
	}
	const kings = "| ・ ・ ・ ・v玉|\n| ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・|\n| 玉 ・ ・ ・ ・|\n"
	for name, text := range map[string]string{
		"comments":           repeat(kings+"1 ４四玉(55)\n", "*あ\n"),
		"sides":              repeat("", "手番：先手\n"),
		"headers":            repeat(kings, "備考：あ\n"),
		"headers and moves":  repeat(kings, "備考：あ\n2 ４四玉(55)\n"),
		"strange lines":      repeat(kings+"1 ４四玉(55)\n", "あ\n"),
		"one line":           repeat(kings+"1 ４四玉(55)", "("),
		"variations at once": kings + shuffle.String() + variations.String(),
		"hands":              repeat("先手の持駒：", "金0"),
		"CSA comments":       repeat("PI\n+\n+4544KI\n", "'*a\n"),
		"CSA commas":         repeat("PI\n+\n", ","),
		"CSA games":          repeat("", "PI\n/\n"),
		"CSA pieces":         repeat("P+", "00AL"),
		"USI words":          repeat("startpos moves", " 5e4d"),
		"USI games":          repeat("", "startpos\n"),
		"western moves":      repeat("", "1. G-44 K-22\n"),
		"western comments":   repeat("G-44\n", "{a} "),
		"western brace":      repeat("G-44 {", "a\n"),
	} {
		n := 0
		for g, err := range Games([]byte(text)) {
			if n++; g == nil && err == nil {
				t.Errorf("%s: nothing", name)
			}
		}
		if n == 0 {
			t.Errorf("%s: no games", name)
		}
	}
}

// FuzzGames reads anything: games are legal, and what is wrong has a text of one line.
func FuzzGames(f *testing.F) {
	f.Add([]byte("手合割：5五\n   1 ４四金(45)\n"))
	f.Add([]byte("V2.2\nPI51HI\n-\n-4142KA,T1\n%TORYO\n/\nP1 * \n"))
	f.Add([]byte("position startpos moves 5e4d resign\n"))
	f.Add([]byte("\xff\xfe4\x00k\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for g, err := range Games(data) {
			if err != nil && (err.Error() == "" || strings.Contains(err.Error(), "\n")) {
				t.Errorf("error %q", err)
			}
			if g == nil && err == nil {
				t.Fatal("neither a game nor an error")
			}
			if g == nil {
				continue
			}
			if g.FileLine < 1 || len(g.Notes) > 21 {
				t.Errorf("%+v", g)
			}
			p := g.Start
			for _, m := range g.Played() {
				if err := p.Legal(m); err != nil {
					t.Fatal(err)
				}
				p.Make(m)
			}
		}
	})
}

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// puzzleFile writes a file of puzzles.
func puzzleFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "puzzles.txt")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// puzzleLines reads JSON objects, one a line.
func puzzleLines[T any](t *testing.T, text string) []T {
	t.Helper()
	var all []T
	for line := range strings.Lines(text) {
		var v T
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		all = append(all, v)
	}
	return all
}

// cookedPuzzles: one sound, one with a cook, one whose claim is false, one that cannot be read.
const cookedPuzzles = `5/k4/5/2G2/3B1 b G 1 moves 3d4c 5b4a G*4b ; plies 3 ; three
5/k4/5/3RR/5 b G 1 moves 2d2b 5b4c G*4d
2k2/5/2G2/5/2K2 b G 1 ; plies 3
2k2/5/2G2/5 b G 1 ; plies 3
`

func TestPuzzleJSON(t *testing.T) {
	name := puzzleFile(t, cookedPuzzles)
	r := gogotb(t, "puzzle", "--json", "--tsume", "--beyond", "0", name)
	if r.status != exitFailed || r.stderr != "" {
		t.Fatalf("status %d, standard error %q", r.status, r.stderr)
	}
	lines := strings.SplitAfter(r.stdout, "\n")
	if len(lines) != 5 {
		t.Fatalf("%d lines:\n%s", len(lines)-1, r.stdout)
	}
	reports := puzzleLines[puzzleReport](t, strings.Join(lines[:3], ""))
	for i, want := range []struct {
		verdict  string
		claim    bool
		plies    int
		solution string
	}{
		{"sound", true, 3, "3d4c 5b4a G*4b"},
		{"refuted", true, 3, "2d2b 5b4c G*4d"},
		{"refuted", false, 1, "G*3b"},
	} {
		p := reports[i]
		if p.File != name || p.Line != i+1 || p.Verdict != want.verdict || p.Claim.True != want.claim || p.Category != "mate" ||
			p.Plies == nil || *p.Plies != want.plies || strings.Join(p.Solution, " ") != want.solution || !p.Tsume || p.Attacker != "sente" {
			t.Errorf("puzzle %d: %+v", i, p)
		}
	}
	if name := reports[0].Name; name == nil || *name != "three" || len(reports[0].Flaws) != 0 {
		t.Errorf("%+v", reports[0])
	}
	cook := reports[1].Flaws[0]
	if cook.Kind != "cook" || *cook.Ply != 1 || strings.Join(cook.Moves, " ") != "1d1b 5b4c G*4d" || *cook.Plies != 3 || !cook.Refutes || cook.Tolerated != nil {
		t.Errorf("%+v", cook)
	}
	if e := puzzleLines[puzzleErrorReport](t, lines[3])[0]; e.File != name || *e.Line != 4 || !strings.Contains(e.Error, "4 of 5 ranks") {
		t.Errorf("%+v", e)
	}
}

func TestPuzzleText(t *testing.T) {
	name := puzzleFile(t, cookedPuzzles)
	r := gogotb(t, "puzzle", "--tsume", name)
	if r.status != exitFailed {
		t.Errorf("status %d", r.status)
	}
	if want := "gogotb puzzle: " + name + ", line 4: SFEN: board, character 12: 4 of 5 ranks\n"; r.stderr != want {
		t.Errorf("standard error %q, want %q", r.stderr, want)
	}
	for _, text := range []string{
		name + ", line 1: three\n", "SOUND. Claimed: 3 plies. Sente mates with checks only in 3 plies.\n",
		"Solution: 1. 3d4c (G-43)  2. 5b4a (K-41)  3. G*4b (G*42)\n",
		"- ply 1: another mate, 3 plies in all: 1. 1d1b (R-12)  2. 5b4c (K-43)  3. G*4d (G*44)\n",
		"REFUTED. Claimed: 3 plies. Sente mates with checks only in 1 ply.\n",
		"the mate is shorter than claimed, 1 ply: 1. G*3b",
		"    |    |    |  k |    |    | 1 a\n",
		"4 puzzles: 1 sound, 2 refuted, 1 not readable.\n",
	} {
		if !strings.Contains(r.stdout, text) {
			t.Errorf("%q is not in\n%s", text, r.stdout)
		}
	}
}

// TestPuzzleCooksTogether: cooks of one ply and one length are in one line. The gold covers 1b and 2b; from 3a, 4a
// and 5a the rook mates, from 2b, 2c, 2d and 2e it stalemates. In the second puzzle the rook on 5b, 4b or 3b keeps
// the king on the first rank.
func TestPuzzleCooksTogether(t *testing.T) {
	name := puzzleFile(t, "4k/5/4G/5/4K b R 1 moves R*3a\n4k/5/5/5/K4 b RG 1 moves R*5b 1a2a G*2b\n"+
		"5/k4/5/2G2/3B1 b G 1 moves 3d4c 5b5a 4c5b\n") // the king has no move left but to 4a
	for tolerate, texts := range map[string][]string{
		"none":           {"\n- ply 1: 6 other mates, 1 ply in all: R*2b, R*2c, R*2d, R*2e, R*4a, R*5a\n"},
		"last,longer":    {"\n- ply 3: 6 other mates, 3 plies in all: 2e1d, 4c3b, G*3a, G*3b, G*4b, G*5b (tolerated: last)\n"},
		"last,futile":    {"\n- ply 1: 4 other mates, 3 plies in all: G*2c, R*2c, R*3b, R*4b; such as 1. G*2c (G*23)  2. 1a2a (K-21)  3. R*4a (R*41)\n"},
		"promotion":      {"\n3 puzzles: 0 sound, 3 refuted.\n"},
		"last,promotion": {"\n- ply 1: 6 other mates, 1 ply in all: R*2b, R*2c, R*2d, R*2e, R*4a, R*5a\n"}, // the key
	} {
		out := gogotb(t, "puzzle", "--tolerate", tolerate, name).stdout
		for _, text := range texts {
			if !strings.Contains(out, text) {
				t.Errorf("%s: %q is not in\n%s", tolerate, text, out)
			}
		}
	}
}

// kifPuzzle has a variation that holds, one that is false, and one that is said to be no mate.
const kifPuzzle = `作品名：角と金
後手の持駒：なし
  ５ ４ ３ ２ １
+---------------+
| ・ ・ ・ ・ ・|一
|v玉 ・ ・ ・ ・|二
| ・ ・ ・ ・ ・|三
| ・ ・ 金 ・ ・|四
| ・ ・ ・ 角 ・|五
+---------------+
先手の持駒：金
1 ４三金(34)
2 ４一玉(52)
3 ４二金打
変化：2手
2 ５一玉(52)
3 ５二金打
変化：2手
2 ５一玉(52)
3 ４一金打
変化：1手
1 ４二金打
2 不詰
`

func TestPuzzleVariations(t *testing.T) {
	name := puzzleFile(t, kifPuzzle)
	text := gogotb(t, "puzzle", "--tsume", "--beyond", "0", name)
	if text.status != exitFailed {
		t.Errorf("status %d", text.status)
	}
	for _, line := range []string{
		"Solution: 1. 3d4c (G-43)  2. 5b4a (K-41)  3. G*4b (G*42)\n", "\n- variation 2, ply 3: the attacker's move",
		"\nVariation 1: 2. 5b5a (K-51)  3. G*5b (G*52): mates, 3 plies in all\n",
		"\nVariation 2: 2. 5b5a (K-51)  3. G*4a (G*41): false\n",
		"\nVariation 3: 1. G*4b (G*42): no mate in time\n",
	} {
		if !strings.Contains(text.stdout, line) {
			t.Errorf("%q is not in\n%s", line, text.stdout)
		}
	}
	r := gogotb(t, "puzzle", "--tsume", "--beyond", "0", "--json", name)
	p := puzzleLines[puzzleReport](t, r.stdout)[0]
	var got []string
	for _, v := range p.Variations {
		got = append(got, v.Says+" "+v.State+" "+strings.Join(v.Moves, " "))
	}
	want := "nothing holds 3d4c 5b5a G*5b; nothing fails 3d4c 5b5a G*4a; no-mate holds G*4b"
	if strings.Join(got, "; ") != want || *p.Variations[0].Plies != 3 || p.Variations[2].Plies != nil {
		t.Errorf("variations %q", got)
	}
	if len(p.Flaws) != 1 || p.Flaws[0].Variation == nil || *p.Flaws[0].Variation != 2 || *p.Flaws[0].Ply != 3 {
		t.Errorf("flaws %+v", p.Flaws)
	}
}

func TestPuzzleInput(t *testing.T) {
	cmd := command(t, "puzzle", "--tsume", "--complete-hand", "--json", "-")
	cmd.Stdin = strings.NewReader("5/k4/5/2G2/3B1 b G 1 moves 3d4c 5b4a G*4b\n")
	r := finish(t, cmd)
	p := puzzleLines[puzzleReport](t, r.stdout)[0]
	if r.status != exitDone || p.File != "standard input" || p.SFEN != "5/k4/5/2G2/3B1 b G2rb2s2p 1" || p.Verdict != "sound" {
		t.Errorf("%d %+v", r.status, p)
	}
	empty := puzzleFile(t, "# none\n\n")
	r = gogotb(t, "puzzle", empty, "nothing.sfen")
	if want := "gogotb puzzle: " + empty + ": there is no puzzle in it\ngogotb puzzle: nothing.sfen: no such file or directory\n"; r.status != exitFailed ||
		r.stderr != want || r.stdout != "0 puzzles: 0 sound; 2 files without one.\n" {
		t.Errorf("nothing to check: %+v", r)
	}
	for i, e := range puzzleLines[puzzleErrorReport](t, gogotb(t, "puzzle", "--json", empty, "nothing.sfen").stdout) {
		if e.File != []string{empty, "nothing.sfen"}[i] || e.Line != nil || e.Error == "" {
			t.Errorf("%+v", e)
		}
	}
	good := filepath.Join(t.TempDir(), "good.sfen")
	if err := os.WriteFile(good, []byte("5/k4/5/2G2/3B1 b G 1 moves 3d4c 5b4a G*4b\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := gogotb(t, "puzzle", "--tsume", "nothing.sfen", good); r.status != exitFailed ||
		!strings.Contains(r.stderr, "nothing.sfen: no such file") || !strings.Contains(r.stdout, "1 puzzle: 1 sound; 1 file without one.\n") {
		t.Errorf("a file that is missing before one that is sound: %+v", r)
	}
	for _, c := range []struct{ args, text string }{
		{"", "arg"},
		{"--make 0 --plies 3 GS", "--make 0"},
		{"--make 1 GS", "--plies"},
		{"--make 1 --plies 4 GS", "odd"},
		{"--make 1 --plies 3 --tsume GS", "--tsume"},
		{"--make 1 --plies 3 GX", `"GX"`},
		{"--plies 3 file", "--make"},
		{"--tolerate most file", `"most"`},
		{"--beyond some file", "--beyond"},
		{"--max-plies 0 file", "--max-plies"},
		{"--nodes 0 file", "--nodes"},
		{"--hash x file", "--hash"},
		{"--hash 900PiB file", "--hash"},
	} {
		refuse(t, exitUsage, []string{c.text}, append([]string{"puzzle"}, strings.Fields(c.args)...)...)
	}
	refuse(t, exitFailed, []string{"GSP"}, "puzzle", "--make", "1", "--plies", "3", "--dir", t.TempDir(), "GSP")
}

// TestPuzzleMake: what is mined is checked by the same program, and the same seed gives the same.
func TestPuzzleMake(t *testing.T) {
	dir := smallTables(t)
	mined := succeed(t, "puzzle", "--make", "4", "--plies", "9", "--seed", "5", "--dir", dir, "GS")
	if again := succeed(t, "puzzle", "--make", "4", "--plies", "9", "--seed", "5", "--dir", dir, "GS"); again != mined {
		t.Errorf("one seed:\n%sand\n%s", mined, again)
	}
	if other := succeed(t, "puzzle", "--make", "4", "--plies", "9", "--seed", "6", "--dir", dir, "GS"); other == mined {
		t.Error("two seeds give the same puzzles")
	}
	for _, p := range puzzleLines[puzzleReport](t, succeed(t, "puzzle", "--json", "--dir", dir, puzzleFile(t, mined))) {
		if p.Verdict != "sound" || *p.Plies != 9 || len(p.Solution) != 9 || p.Searched != nil {
			t.Errorf("%+v", p)
		}
	}
	asJSON := puzzleLines[givenPuzzle](t, succeed(t, "puzzle", "--make", "4", "--plies", "9", "--seed", "5", "--dir", dir, "--json", "GS"))
	for i, line := range strings.Split(strings.TrimSpace(mined), "\n") {
		m := asJSON[i]
		if want := m.SFEN + " moves " + strings.Join(m.Moves, " ") + " ; plies 9 ; grade " + m.Grade; line != want {
			t.Errorf("%s, in JSON %s", line, want)
		}
	}
	r := gogotb(t, "puzzle", "--make", "1", "--plies", "13", "--tolerate", "none", "--dir", dir, "G")
	if r.status != exitFailed || r.stdout != "" || !strings.Contains(r.stderr, "0 of 1") {
		t.Errorf("%+v", r)
	}
}

// TestPuzzleShipped: the project's puzzles of two pieces stand by the tables, and come from
// the commands above them.
func TestPuzzleShipped(t *testing.T) {
	data, err := os.ReadFile("../../verify/testdata/puzzles.sfen")
	if err != nil {
		t.Fatal(err)
	}
	dir := smallTables(t)
	var two strings.Builder
	for section := range strings.SplitSeq(string(data), "\n# gogotb ") {
		mining, puzzles, _ := strings.Cut(section, "\n")
		args := strings.Fields(mining)
		if args[0] != "puzzle" || args[len(args)-1] == "GSP" {
			continue
		}
		two.WriteString(puzzles + "\n")
		if strings.Contains(mining, "--plies 3 ") {
			if got := succeed(t, append(args, "--dir", dir)...); strings.TrimSpace(got) != strings.TrimSpace(puzzles) {
				t.Errorf("%s gives\n%swant\n%s", mining, got, puzzles)
			}
		}
	}
	reports := puzzleLines[puzzleReport](t, succeed(t, "puzzle", "--json", "--dir", dir, puzzleFile(t, two.String())))
	if len(reports) != 145 {
		t.Errorf("%d puzzles", len(reports))
	}
	for _, p := range reports {
		if p.Verdict != "sound" || !p.Claim.True || p.Searched != nil {
			t.Errorf("%+v", p)
		}
	}
}

// TestPuzzleFormats: the mate in 3 is sound in whatever file it is, and what was passed over is said once.
func TestPuzzleFormats(t *testing.T) {
	const dir = "../../rules/record/formats/testdata/"
	for file, notes := range map[string][]puzzleNote{
		"banmen_kaiten.kif": {{12, `"盤面回転" was passed over`}}, "stray_henka_header.kif": {{1, `"変化：3手" was passed over`}},
		"bod_tesuu.kif": {{11, `"手数＝0  まで" was passed over`}}, "triangles.kif": {}, "arabic_rank.kif": {}, "tsume.csa": {},
	} {
		name, err := filepath.Abs(dir + file)
		if err != nil {
			t.Fatal(err)
		}
		r := gogotb(t, "puzzle", "--json", "--tsume", "--beyond", "0", name)
		reports := puzzleLines[puzzleReport](t, r.stdout)
		if r.status != 0 || r.stderr != "" || len(reports) != 1 {
			t.Errorf("%s: status %d, %s%s", file, r.status, r.stdout, r.stderr)
			continue
		}
		if p := reports[0]; p.Verdict != "sound" || *p.Claim.Plies != 3 || *p.Plies != 3 || !reflect.DeepEqual(p.Notes, notes) {
			t.Errorf("%s: %s", file, r.stdout)
		}
		said := ""
		for _, n := range notes {
			said += fmt.Sprintf("gogotb puzzle: %s, line %d: %s\n", name, n.Line, n.Text)
		}
		if r := gogotb(t, "puzzle", "--tsume", "--beyond", "0", name); r.status != 0 || r.stderr != said {
			t.Errorf("%s: status %d, standard error %q, want %q", file, r.status, r.stderr, said)
		}
	}
}

// TestPuzzleForeign: a file of another format is one line, and costs no other file.
func TestPuzzleForeign(t *testing.T) {
	ki2 := puzzleFile(t, "手合割：5五将棋\n先手：あ\n▲４四金  △２二銀\n")
	r := gogotb(t, "puzzle", "--tsume", ki2, puzzleFile(t, "4k/5/4G/5/4K b R 1 moves R*1b\n"))
	if r.status != exitFailed || strings.Count(r.stderr, "\n") != 1 || !strings.Contains(r.stderr, "this is a KI2 file") || !strings.Contains(r.stdout, "Claimed: 1 ply") {
		t.Errorf("status %d, %q\n%s", r.status, r.stderr, r.stdout)
	}
}

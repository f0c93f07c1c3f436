package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Games: with a mate in three plies that has one solution, as verify/puzzle finds by trying everything; without a mate; and
// with a move that is illegal.
const (
	threePlies = "4k/2G1p/2s2/5/1SKrR b 2Bgp 35 moves 1e2e P*3d 4e3d G*4d ; seed 1\n"
	noPuzzle   = "startpos moves 5d5c 3a2b\n"
	wrongMove  = "4k/2G1p/2s2/5/1SKrR b 2Bgp 35 moves 1e2e 1a5a\n"
)

// TestPuzzleFrom: what is found is written with where it is from, in each form, and is sound to the same program.
func TestPuzzleFrom(t *testing.T) {
	games := puzzleFile(t, threePlies+noPuzzle)
	got := succeed(t, "puzzle", "--from", games)
	lines := strings.Split(strings.TrimSpace(got), "\n")
	const want = "4k/2G1p/2s2/5/1SKR1 w R2Bgp 36 moves P*3d 4e3d G*4d ; plies 3 ; grade easy ; last 4k/2G1p/2s2/5/1SKrR b 2Bgp 35 moves 1e2e ; seed 1, move 2"
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "# easy, 3 points: 1 for 3 plies, 1 for 2 drops, 1 for 1 sacrifice") || lines[1] != want {
		t.Errorf("%s", got)
	}
	if !strings.HasPrefix(lines[2], "# 2 games, 6 positions, 1 mate, 1 puzzle") {
		t.Errorf("the last line is %s", lines[2])
	}
	found := puzzleLines[givenPuzzle](t, succeed(t, "puzzle", "--json", "--from", games))
	if len(found) != 1 || found[0].Name != "seed 1, move 2" || found[0].Plies != 3 || found[0].Grade != "easy" || found[0].Last.USI != "1e2e" {
		t.Fatalf("%+v", found)
	}
	if from := *found[0].Source; from != (givenFrom{File: games, Line: 1, Game: 1, Ply: 2}) {
		t.Errorf("%+v", from)
	}
	if d := found[0].Why; d.Points != 3 || d.Drops != 2 || d.Sacrifices != 1 || d.Quiet != 0 || d.Nodes == 0 {
		t.Errorf("%+v", d)
	}
	asKIF := succeed(t, "puzzle", "--kif", "--from", games)
	for _, line := range []string{"作品名：seed 1, move 2\n", "*Last move: Rx25 (２五飛(15))\n", "*Grade: easy, 3 points"} {
		if !strings.Contains(asKIF, line) {
			t.Errorf("no %q in\n%s", line, asKIF)
		}
	}
	for _, text := range []string{got, asKIF} {
		r := puzzleLines[puzzleReport](t, succeed(t, "puzzle", "--json", "--tolerate", "last", puzzleFile(t, text)))
		if len(r) != 1 || r[0].Verdict != "sound" || *r[0].Plies != 3 || *r[0].Name != "seed 1, move 2" || !slices.Equal(r[0].Solution, found[0].Moves) {
			t.Errorf("%+v from\n%s", r, text)
		}
	}
}

// TestPuzzleFromFiles: several files, one of them standard input and one in KIF with players; what is broken costs
// nothing else, and one puzzle of a kind is enough.
func TestPuzzleFromFiles(t *testing.T) {
	inKIF := "棋戦：名人戦\n先手：あ\n後手：い\n後手の持駒：金　歩\n| ・ ・ ・ ・v玉|\n| ・ ・ 金 ・v歩|\n| ・ ・v銀 ・ ・|\n| ・ ・ ・ ・ ・|\n" +
		"| ・ 銀 玉v飛 飛|\n先手の持駒：角二\n1 ２五飛(15)\n2 投了\n"
	kifFile, broken := puzzleFile(t, inKIF), puzzleFile(t, wrongMove)
	missing := filepath.Join(t.TempDir(), "missing.kif")
	cmd := command(t, "puzzle", "--json", "--from", kifFile, broken, "--from", "-", missing)
	cmd.Stdin = strings.NewReader(threePlies)
	r := finish(t, cmd)
	lines := strings.SplitAfter(strings.TrimSpace(r.stdout), "\n")
	if r.status != exitFailed || r.stderr != "" || len(lines) != 3 {
		t.Fatalf("%+v", r)
	}
	// The files behind --from come first, then the others.
	p := puzzleLines[givenPuzzle](t, lines[0])[0]
	if p.Name != "名人戦, あ - い, move 2" || *p.Source.Sente != "あ" || *p.Source.Gote != "い" || p.Source.File != kifFile {
		t.Errorf("%+v %+v", p, p.Source)
	}
	failures := puzzleLines[gameFailure](t, lines[1]+lines[2])
	if f := failures[0]; f.File != broken || *f.Line != 1 || !strings.Contains(f.Error, "1a5a") {
		t.Errorf("%+v", f)
	}
	if f := failures[1]; f.File != missing || f.Line != nil || !strings.Contains(f.Error, "no such file") {
		t.Errorf("%+v", f)
	}
	// The same in words: the errors are on standard error, one line each.
	r = gogotb(t, "puzzle", "--from", broken, missing, kifFile)
	if r.status != exitFailed || strings.Count(r.stderr, "\n") != 2 || !strings.Contains(r.stderr, broken+", line 1: ") || !strings.Contains(r.stdout, ", 1 puzzle; left out: 1 of a kind with another\n") {
		t.Errorf("%+v", r)
	}
}

// TestPuzzleFromNotes: what the reader passes over is said, also beside JSON; who is not named is in question; and what is no game counts
// as none.
func TestPuzzleFromNotes(t *testing.T) {
	file := puzzleFile(t, "棋戦：名人戦\n先手：あ\n後手の持駒：金　歩\n| ・ ・ ・ ・v玉|\n| ・ ・ 金 ・v歩|\n| ・ ・v銀 ・ ・|\n| ・ ・ ・ ・ ・|\n"+
		"| ・ 銀 玉v飛 飛|\n先手の持駒：角二\n変な行\n1 ２五飛(15)\n2 投了\n")
	const note = `line 10: "変な行" was passed over`
	r := gogotb(t, "puzzle", "--json", "--from", file)
	if p := puzzleLines[givenPuzzle](t, r.stdout); r.status != exitDone || !strings.Contains(r.stderr, note) || len(p) != 1 || p[0].Name != "名人戦, あ - ?, move 2" {
		t.Errorf("%+v", r)
	}
	r = gogotb(t, "puzzle", "--from", file, filepath.Join(t.TempDir(), "missing.kif"))
	if r.status != exitFailed || !strings.Contains(r.stderr, note) || !strings.Contains(r.stdout, "# 1 game, ") {
		t.Errorf("%+v", r)
	}
	for _, command := range []string{"review", "game"} {
		if r := gogotb(t, command, file); r.status != exitDone || !strings.Contains(r.stderr, note) || !strings.HasPrefix(r.stdout, file+", line 1: あ against ?\n") {
			t.Errorf("%s: %+v", command, r)
		}
	}
}

// TestPuzzleFromChoice: lengths, grades and how many of each; and the jobs change nothing.
func TestPuzzleFromChoice(t *testing.T) {
	var games strings.Builder
	for i := range 4 {
		fmt.Fprintf(&games, "%s ; game %d\n", []string{"4k/2G1p/2s2/5/1SKrR b 2Bgp 35 moves 1e2e P*3d", "3g1/3Rk/1s2p/PB1S1/K4 w RGb 22 moves 2a2b"}[i%2], i)
	}
	file := puzzleFile(t, games.String())
	all := succeed(t, "puzzle", "--from", file, "--jobs", "1")
	if again := succeed(t, "puzzle", "--from", file, "--jobs", "2"); again != all {
		t.Errorf("with two jobs\n%swith one\n%s", again, all)
	}
	found := func(args ...string) int {
		return strings.Count(succeed(t, append([]string{"puzzle", "--json", "--from", file}, args...)...), "\n")
	}
	if got := succeed(t, "puzzle", "--json", "--from", file, "--without", puzzleFile(t, all)); got != "" {
		t.Errorf("without those that it finds: %s", got)
	}
	n := found()
	if n < 2 || found("--each", "1") != 1 || found("--each", "9") != n || found("--plies", "5-9") != 0 || found("--plies", "3") != n ||
		found("--grade", "easy") != n || found("--grade", "hard") != 0 {
		t.Errorf("%d puzzles, and with a choice: %s", n, all)
	}
}

// TestPuzzleCollections: the program's own puzzles, by length and grade.
func TestPuzzleCollections(t *testing.T) {
	data, err := os.ReadFile("../../verify/testdata/puzzles.sfen")
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for line := range strings.Lines(string(data)) {
		if strings.Contains(line, "; plies 5 ; grade easy") {
			want.WriteString(line)
		}
	}
	if got := succeed(t, "puzzle", "--collection", "tables", "--plies", "5", "--grade", "easy"); got != want.String() || got == "" {
		t.Errorf("%s\nwant\n%s", got, want.String())
	}
	if got := succeed(t, "puzzle", "--collection", "tables", "--kif", "--plies", "3-5"); strings.Count(got, "#KIF") != strings.Count(string(data), "; plies 3 ")+strings.Count(string(data), "; plies 5 ") {
		t.Errorf("%s", got)
	}
	if all := puzzleLines[givenPuzzle](t, succeed(t, "puzzle", "--collection", "games", "--json")); len(all) == 0 || all[0].Last == nil || all[0].Source != nil {
		t.Errorf("%d puzzles", len(all))
	}
}

// TestPuzzleWays: flags that do not go together.
func TestPuzzleWays(t *testing.T) {
	for args, text := range map[string]string{
		"--from g.kif --tsume":               "--tsume is for puzzles that are checked",
		"--from g.kif --hash 1MB":            "--hash is for",
		"--from g.kif --make 1 --plies 3 GS": "--from and --make exclude each other",
		"--from g.kif --collection games":    "--from and --collection exclude",
		"--from g.kif --seed 4":              "--seed is for --make",
		"--from g.kif --plies 4":             "--plies 4: an odd number",
		"--from g.kif --plies 1-2":           "--plies 1-2: an odd number",
		"--from g.kif --plies 9-3":           "not a number of plies",
		"--from g.kif --plies 3-":            "not a number of plies",
		"--from g.kif --json --kif":          "--json and --kif exclude",
		"--from g.kif --each 0":              "--each 0",
		"--from g.kif --grade harder":        "easy",
		"--collection games file":            "takes no files",
		"--collection others":                "tables",
		"--collection games --nodes 7":       "--nodes is for",
		"--kif file":                         "--kif is for --from, --collection",
		"--make 1 --plies 3-5 GS":            "--plies 3-5: an odd number",
	} {
		refuse(t, exitUsage, []string{text}, append([]string{"puzzle"}, strings.Fields(args)...)...)
	}
	refuse(t, exitFailed, []string{"line 1: SFEN"}, "puzzle", "--from", "g.kif", "--without", puzzleFile(t, "nonsense\n"))
	refuse(t, exitFailed, []string{"missing.sfen: no such file"}, "puzzle", "--from", "g.kif", "--without", "missing.sfen")
}

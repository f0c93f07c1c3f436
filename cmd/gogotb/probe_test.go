package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gogotb/cmd/internal/answer"
	"gogotb/rules"
)

// probeLines gives positions to probe on its standard input.
func probeLines(t testing.TB, dir string, sfens []string, args ...string) result {
	t.Helper()
	cmd := command(t, append([]string{"probe", "--dir", dir, "-"}, args...)...)
	cmd.Stdin = strings.NewReader(strings.Join(sfens, "\n") + "\n")
	return finish(t, cmd)
}

// TestProbeValues: every sampled value of the fixtures, through the program, and the moves
// of each position in agreement with it.
func TestProbeValues(t *testing.T) {
	compared := 0
	for set := range smallFixtures(t) {
		text, err := os.ReadFile("../../index/testdata/values_" + set + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		var sfens, want []string
		for n, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
			f := strings.Split(line, "\t")
			if n == 0 {
				continue
			}
			sfens = append(sfens, f[0])
			if f[2] == answer.ByRepetition {
				f[3] = ""
			}
			want = append(want, strings.Join(f[1:4], " "))
		}
		r := probeLines(t, smallTables(t), sfens, "--json")
		if r.status != exitDone || r.stderr != "" {
			t.Fatalf("%s: status %d, %s", set, r.status, r.stderr)
		}
		reports := decodeLines[answer.Probe](t, r.stdout)
		if len(reports) != len(sfens) {
			t.Fatalf("%s: %d answers to %d positions", set, len(reports), len(sfens))
		}
		for i, report := range reports {
			if got := valueText(report.Value); got != want[i] {
				t.Errorf("%s: %s, want %s", sfens[i], got, want[i])
			}
			if report.Material != set {
				t.Errorf("%s: material %s, want %s", sfens[i], report.Material, set)
			}
			checkMoves(t, sfens[i], report)
			compared++
		}
	}
	if compared < 3000 {
		t.Errorf("%d values compared", compared)
	}
}

// valueText is a value as the fixtures have it.
func valueText(v answer.Value) string {
	n := ""
	switch {
	case v.DTM != nil && v.Rank == nil && v.By == answer.ByMate:
		n = fmt.Sprint(*v.DTM)
	case v.Rank != nil && v.DTM == nil && v.By == answer.ByPerpetual:
		n = fmt.Sprint(*v.Rank)
	case v.DTM != nil || v.Rank != nil || v.By != answer.ByRepetition:
		n = "a wrong number"
	}
	return v.Category + " " + v.By + " " + n
}

// moveOrder is the place of a move's value, that of the position after it, in the order
// of moves: the lowest first.
func moveOrder(m answer.Move) (grade, number int) {
	grade = map[string]int{"loss mate": 0, "loss perpetual": 1, "loss repetition": 2, "draw repetition": 3,
		"win repetition": 4, "win perpetual": 5, "win mate": 6}[m.Category+" "+m.By]
	for _, n := range []*int{m.DTM, m.Rank} {
		if n != nil {
			number = *n
		}
	}
	if grade > 3 {
		number = -number
	}
	return grade, number
}

// checkMoves checks the moves of an answer: all legal ones, once, best first, with the
// value of the position in agreement with that of its best move.
func checkMoves(t testing.TB, sfen string, r answer.Probe) {
	t.Helper()
	p, err := rules.ParseSFEN(sfen)
	if err != nil {
		t.Fatal(err)
	}
	if r.SFEN != p.SFEN() || r.Check != p.InCheck() {
		t.Errorf("%s: answered as %s, check %v", sfen, r.SFEN, r.Check)
	}
	var want, got []string
	for _, m := range p.Moves(nil) {
		want = append(want, m.USI())
	}
	for i, m := range r.Moves {
		got = append(got, m.USI)
		move, err := p.ParseWestern(m.Western)
		if err != nil || move.USI() != m.USI {
			t.Errorf("%s: %s is not %s in western notation: %v", sfen, m.Western, m.USI, err)
		}
		q := p
		q.Make(move)
		if m.Check != q.InCheck() {
			t.Errorf("%s %s: check %v", sfen, m.USI, m.Check)
		}
		if i == 0 {
			continue
		}
		g, n := moveOrder(r.Moves[i-1])
		if g2, n2 := moveOrder(m); g > g2 || g == g2 && (n > n2 || n == n2 && r.Moves[i-1].USI >= m.USI) {
			t.Errorf("%s: %s before %s", sfen, r.Moves[i-1].USI, m.USI)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		t.Errorf("%s: moves %v, want %v", sfen, got, want)
	}
	if len(r.Moves) == 0 {
		if r.DTM == nil || *r.DTM != 0 {
			t.Errorf("%s: no move, but %s", sfen, valueText(r.Value))
		}
		return
	}
	best := r.Moves[0]
	opposite := map[string]string{"win": "loss", "loss": "win", "draw": "draw"}
	if best.Category != opposite[r.Category] || best.By != r.By || r.By == answer.ByMate && *best.DTM != *r.DTM-1 ||
		r.By == answer.ByPerpetual && r.Category == "win" && *best.Rank != *r.Rank {
		t.Errorf("%s: %s, but the best move leads to %s", sfen, valueText(r.Value), valueText(best.Value))
	}
}

// TestProbeJSON is the example of the description, to the letter.
func TestProbeJSON(t *testing.T) {
	got := succeed(t, "probe", "--dir", smallTables(t), "--json", "4k/5/5/5/K4 b GR")
	const want = `{"sfen":"4k/5/5/5/K4 b RG 1","material":"RG","category":"win","by":"mate","dtm":3,"rank":null,"check":false,` +
		`"moves":[{"usi":"G*2c","western":"G*23","category":"loss","by":"mate","dtm":2,"rank":null,"check":false},`
	if !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 1 {
		t.Errorf("got %s want %s", got, want)
	}
	// No legal move; "line" only if it was asked for.
	const mated = `{"sfen":"4k/4G/4K/5/5 w - 2","material":"G","category":"loss","by":"mate","dtm":0,"rank":null,"check":true,"moves":[]`
	if got := succeed(t, "probe", "--dir", smallTables(t), "--json", "4k/4G/4K/5/5 w - 2"); got != mated+"}\n" {
		t.Errorf("got %s want %s}", got, mated)
	}
	if got := succeed(t, "probe", "--dir", smallTables(t), "--json", "--line", "4k/4G/4K/5/5 w - 2"); got != mated+`,"line":[]}`+"\n" {
		t.Errorf("got %s want %s", got, mated)
	}
}

// Positions of the sets none to two pieces whose values follow from the rules by hand.
const (
	mateInOne  = "4k/5/4K/5/5 b G 1" // G*1b
	openKings  = "4k/5/5/5/K4 b - 1" // nothing to win with
	openByGote = "4k/5/5/5/K4 w - 1" // the same, with Gote to move
	stalemated = "k4/1R3/2K2/5/5 w - 2"
)

// TestProbeRepetition: what open positions come to by the rule for repetition.
func TestProbeRepetition(t *testing.T) {
	for _, c := range []struct {
		sfen, args, want, move, words string
	}{
		{openKings, "", "draw repetition ", "draw repetition ", "Sente is to move. Neither side can force a win: a draw."},
		{openKings, "--repetition draw --first-player w", "draw repetition ", "draw repetition ", "Sente is to move. Neither side can force a win: a draw."},
		{openKings, "--repetition first-player-loses", "loss repetition ", "win repetition ",
			"Sente is to move. Neither side can force a win: Sente made the first move, and loses by repetition."},
		{openByGote, "--repetition first-player-loses", "win repetition ", "loss repetition ",
			"Gote is to move. Neither side can force a win: Sente made the first move, and loses by repetition."},
		{openKings, "--repetition first-player-loses --first-player w", "win repetition ", "loss repetition ",
			"Sente is to move. Neither side can force a win: Gote made the first move, and loses by repetition."},
		{openByGote, "--repetition first-player-loses --first-player b", "win repetition ", "loss repetition ",
			"Gote is to move. Neither side can force a win: Sente made the first move, and loses by repetition."},
	} {
		args := append([]string{"probe", "--dir", smallTables(t), c.sfen}, strings.Fields(c.args)...)
		r := decodeLines[answer.Probe](t, succeed(t, append(args, "--json")...))[0]
		if got := valueText(r.Value); got != c.want {
			t.Errorf("%q: %s, want %s", args, got, c.want)
		}
		if got := valueText(r.Moves[0].Value); got != c.move {
			t.Errorf("%q: the first move leads to %s, want %s", args, got, c.move)
		}
		checkMoves(t, c.sfen, r)
		if text := succeed(t, args...); !strings.Contains(text, "\n"+c.words+"\n") {
			t.Errorf("%q: %s want %s", args, text, c.words)
		}
	}
	refuse(t, exitUsage, []string{"inventor", "no tables"}, "probe", "--dir", smallTables(t), "--repetition", "inventor", openKings)
	refuse(t, exitUsage, []string{"--repetition", "none"}, "probe", "--repetition", "none", openKings)
	refuse(t, exitUsage, []string{"--first-player", "x"}, "probe", "--first-player", "x", openKings)
	refuse(t, exitUsage, []string{"arg"}, "probe")
}

// TestProbeFaults: why a position is not legal is said in codes, too.
func TestProbeFaults(t *testing.T) {
	for sfen, want := range map[string]*answer.Fault{
		"4k/5/5/5/K4 b Q":     nil, // the text is wrong
		"4k/5/5/5/K4 b R":     nil, // not generated
		"4k/2p2/2p2/5/K4 b -": {Code: "second-pawn", Color: "gote", Square: "3c"},
		"4k/5/5/5/K4 b GGg":   {Code: "third-piece", Kind: "G"},
		"4k/4K/5/5/5 b -":     {Code: "kings-adjacent", Square: "1a"},
		"5/5/5/5/5 b -":       {Code: "no-king"},
	} {
		r := probeLines(t, t.TempDir(), []string{sfen}, "--json")
		got := decodeLines[answer.Failure](t, strings.TrimSpace(r.stdout))[0]
		if r.status != exitFailed || (got.Fault == nil) != (want == nil) || want != nil && *got.Fault != *want {
			t.Errorf("%s: %s", sfen, r.stdout)
		}
	}
}

// TestFaultsOfFiles: the same codes come with files of puzzles and games, whatever their format.
func TestFaultsOfFiles(t *testing.T) {
	const usi = "4k/5/2P2/5/K1P2 b - moves 5e4d\n"
	kif := "|v玉 ・ ・ ・ ・|\n| ・ ・ ・ ・ ・|\n| ・ ・ 歩 ・ ・|\n| ・ ・ ・ ・ ・|\n| 玉 ・ 歩 ・ ・|\n1 ４四玉(55)\n"
	for name, text := range map[string]string{"x.txt": usi, "x.kif": kif} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"game", "puzzle"} {
			r := gogotb(t, command, "--json", file)
			if !strings.Contains(r.stdout, `"fault":{"code":"second-pawn","color":"sente","square":"3e"}`) {
				t.Errorf("%s %s: %s", command, name, r.stdout)
			}
		}
	}
}

// TestRulesOfMoves: which rule a move breaks is said in codes, too, wherever moves are read.
func TestRulesOfMoves(t *testing.T) {
	for game, want := range map[string]string{
		"5/4k/5/5/K4 b P 1 moves P*1b":       "occupied",
		"5/4k/5/5/K4 b P 1 moves 5e4c":       "cannot-reach",
		"5/4k/5/5/K4 b P 1 moves 1e1d":       "no-piece",
		"5/4k/5/5/K4 b P 1 moves G*1d":       "not-in-hand",
		"5/4k/5/5/K4 b P 1 moves P*5a":       "dead-pawn",
		"4k/2G2/3G1/5/K4 b P 1 moves P*1b":   "uchifuzume", // the golds hold 2a, 2b and 1b
		"4k/5/5/5/K4 b P 1 moves P*1b, 1a1b": "",           // no comma between moves
	} {
		file := filepath.Join(t.TempDir(), "x.txt")
		if err := os.WriteFile(file, []byte(game+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"probe", "--json", game}, {"game", "--json", file}, {"puzzle", "--json", file}} {
			r := gogotb(t, args...)
			if r.status != exitFailed || strings.Contains(r.stdout, `"rule":"`) != (want != "") || !strings.Contains(r.stdout, want) {
				t.Errorf("%q: %s%s", args, r.stdout, r.stderr)
			}
		}
	}
	file := filepath.Join(t.TempDir(), "x.txt")
	if err := os.WriteFile(file, []byte("4k/5/5/5/K4 b RG 1 moves 5e4d\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := gogotb(t, "puzzle", "--json", "--tsume", file)
	if !strings.Contains(r.stdout, `"kind":"illegal-move"`) || !strings.Contains(r.stdout, `"rule":"no-check"`) {
		t.Errorf("no check in a tsume: %s%s", r.stdout, r.stderr)
	}
}

// TestProbeErrors: what cannot be answered says so in its place, and the rest is answered.
func TestProbeErrors(t *testing.T) {
	sfens := []string{
		mateInOne,
		"4k/5/5/5/K5 b - 1",         // no SFEN
		"4k/5/5/5/K4",               // no side to move
		"4k/5/5/5/5 b R 1",          // one king
		"4k/5/5/5/K4 b RBG 1",       // three pieces, not generated
		"rbsgk/4p/5/P4/KGSBR b - 1", // more than any table has
		openKings,
	}
	wants := []string{"", "character 11", "side to move, character 12: missing", "sente has no king", "no table", "no table", ""}
	r := probeLines(t, smallTables(t), sfens, "--json")
	if r.status != exitFailed || r.stderr != "" {
		t.Errorf("status %d, standard error %q", r.status, r.stderr)
	}
	lines := strings.Split(strings.TrimSpace(r.stdout), "\n")
	if len(lines) != len(sfens) {
		t.Fatalf("%d answers to %d positions:\n%s", len(lines), len(sfens), r.stdout)
	}
	for i, line := range lines {
		if wants[i] == "" {
			decodeLines[answer.Probe](t, line)
			continue
		}
		e := decodeLines[answer.Failure](t, line)[0]
		if e.SFEN != sfens[i] || !strings.Contains(e.Error, wants[i]) || !strings.HasPrefix(line, `{"sfen":`) {
			t.Errorf("%q: %s, want %q", sfens[i], line, wants[i])
		}
	}
	r = probeLines(t, smallTables(t), sfens)
	if r.status != exitFailed || strings.Count(r.stderr, "\n") != 5 || strings.Count(r.stdout, "Gote's hand") != 2 {
		t.Errorf("text: status %d, standard error %q, %d boards", r.status, r.stderr, strings.Count(r.stdout, "Gote's hand"))
	}
	for i, line := range strings.Split(strings.TrimSpace(r.stderr), "\n") {
		if i < 5 && (!strings.Contains(line, wants[i+1]) || !strings.HasPrefix(line, "gogotb probe: ")) {
			t.Errorf("line %q, want %q", line, wants[i+1])
		}
	}
	r = gogotb(t, "probe", "--dir", t.TempDir(), mateInOne)
	checkRefusal(t, r, exitFailed, []string{"no table", " G "}, []string{"probe"})
}

// TestProbeText: the board, the verdict, the moves in columns.
func TestProbeText(t *testing.T) {
	text := succeed(t, "probe", "--dir", smallTables(t), mateInOne, stalemated, "4k/4G/4K/5/5 w - 2", "--line")
	for _, want := range []string{
		"    Gote's hand:  nothing\n\n      5    4    3    2    1\n    +----+----+----+----+----+\n    |    |    |    |    |  k | 1 a\n",
		"    Sente's hand: G\n\n" + mateInOne + "\n\nSente is to move. Sente mates in 1 ply.\n\n" +
			"  G*1b   G*12      check  wins, mate in 1 ply\n",
		"\nBest play: G*1b\n\n",
		"\nGote is to move. Gote has no legal move, which loses.\n\n",
		"\nGote is to move, in check. Gote is checkmated.\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestProbeLine: the line lasts as long as the mate, and ends where the loser has no move.
func TestProbeLine(t *testing.T) {
	const sfen = "4k/5/5/5/K4 b R 1"
	r := decodeLines[answer.Probe](t, succeed(t, "probe", "--dir", smallTables(t), "--json", "--line", sfen))[0]
	if r.DTM == nil || r.Line == nil || len(*r.Line) != *r.DTM {
		t.Fatalf("%s with the line %v", valueText(r.Value), r.Line)
	}
	game := decodeLines[answer.Game](t, succeed(t, append([]string{"game", "--json", sfen}, *r.Line...)...))[0]
	if game.Result != "win" || *game.Winner != "sente" || game.Plies != *r.DTM {
		t.Errorf("the line ends in %+v", game)
	}
}

// TestProbeWithoutDistances: who wins is told, the numbers are not.
func TestProbeWithoutDistances(t *testing.T) {
	dir := copyTables(t, "RB")
	if err := os.Remove(filepath.Join(dir, "RB.gbd")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../index/testdata/values_RB.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var sfens []string
	for n, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		if sfen, _, _ := strings.Cut(line, "\t"); n > 0 {
			sfens = append(sfens, sfen)
		}
	}
	with := decodeLines[answer.Probe](t, probeLines(t, smallTables(t), sfens, "--json").stdout)
	without := decodeLines[answer.Probe](t, probeLines(t, dir, sfens, "--json").stdout)
	for i, r := range without {
		if r.Category != with[i].Category || r.By != with[i].By || r.DTM != nil || r.Rank != nil {
			t.Errorf("%s: %+v", sfens[i], r.Value)
		}
		for j := 1; j < len(r.Moves); j++ {
			a, b := r.Moves[j-1], r.Moves[j]
			ga, na := moveOrder(a)
			gb, nb := moveOrder(b)
			if ga > gb || ga == gb && a.USI >= b.USI || na != 0 || nb != 0 {
				t.Errorf("%s: %+v before %+v", sfens[i], a, b)
			}
		}
	}
	said := succeed(t, "probe", "--dir", dir, "--line", "4k/5/5/5/K4 b RB 1")
	if !strings.Contains(said, "Sente is to move. Sente mates.\n") || !strings.Contains(said, "wins, mate\n") {
		t.Errorf("without distances:\n%s", said)
	}
	refuse(t, exitFailed, []string{"distances", "RB"}, "find", "--dir", dir, "--dtm", "3", "RB")
	if got := succeed(t, "find", "--dir", dir, "--json", "--category", "win", "--by", "mate", "--limit", "1", "RB"); !strings.Contains(got, `"dtm":null,"rank":null`) {
		t.Errorf("find without distances: %s", got)
	}
}

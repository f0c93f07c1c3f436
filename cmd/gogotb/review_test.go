package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gogotb/cmd/internal/answer"
	"gogotb/cmd/internal/tabletest"
	"gogotb/rules"
	"gogotb/rules/record/formats"
	"gogotb/rules/record/recordtest"
	"gogotb/storage"
)

// reviewLine is a line of the JSON of review.
type reviewLine struct {
	answer.ReviewedMove
	Summary   *answer.ReviewSummary
	File      string
	Error     string
	ErrorLine *int `json:"error_line"`
}

// missed is the game of the description: a mate in 3 that was missed.
const missed = "sfen 2sgk/5/3RG/5/4K b R 1 moves 1c2b"

// write writes a file and returns its name.
func write(t testing.TB, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestReviewJSON is the example of the description, to the letter, but for what is not known.
func TestReviewJSON(t *testing.T) {
	got := succeed(t, "review", "--json", "--nodes", "20000", write(t, "a.usi", missed))
	for _, want := range []string{
		`{"game":1,"ply":1,"sfen":"2sgk/5/3RG/5/4K b R 1","move":"1c2b","before":{"category":"win","by":"mate","dtm":3},` +
			`"after":{"category":"unknown","by":null,"dtm":null,"max_plies":`,
		`},"judgement":"missed-mate","mate":3,"line":["1c1b","1a1b","R*1c"],"better":["1c1b"],"proved":true}` + "\n" + `{"game":1,"summary":{`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}

// TestReviewText: what people see; notations; standard input.
func TestReviewText(t *testing.T) {
	for notation, want := range map[string]string{
		"western":  "  1  G-22        missed a mate in 3                            G-12\n",
		"usi":      "  1  1c2b        missed a mate in 3                            1c1b\n",
		"japanese": "  1  ▲２二金     missed a mate in 3                            ▲１二金\n",
	} {
		cmd := command(t, "review", "--nodes", "20000", "--notation", notation, "-")
		cmd.Stdin = strings.NewReader(missed + "\n")
		r := finish(t, cmd)
		if r.status != exitDone || r.stderr != "" || !strings.HasPrefix(r.stdout, "standard input, line 1\n\n"+want) {
			t.Errorf("%s: %+v, want %q", notation, r, want)
		}
		if !strings.Contains(r.stdout, "\n1 ply.\n") || !strings.Contains(r.stdout, "\nSente      1      1      0         0      0.0%       1 ") {
			t.Errorf("%s: the summary of %s", notation, r.stdout)
		}
	}
}

// TestReviewTables: with a table every move is exact. That R*2c mates in 3, and R*2d in 5, is in the README; after R*2c, whatever
// the king does, two plies are left.
func TestReviewTables(t *testing.T) {
	file := write(t, "a.usi", "sfen 4k/5/5/5/K4 b RG 1 moves R*2d\nsfen 4k/5/5/5/K4 b RG 1 moves R*2c 1a1b\n")
	var got []string
	for _, l := range decodeLines[reviewLine](t, succeed(t, "review", "--json", "--dir", smallTables(t), file)) {
		if l.Summary == nil {
			got = append(got, l.Judgement)
		} else if p := l.Summary.Positions; p.Table != l.Summary.Plies || l.Summary.Last.DTM == nil {
			t.Errorf("positions %+v, last %+v", p, l.Summary.Last)
		}
	}
	if !slices.Equal(got, []string{"longer", "best", "best"}) {
		t.Errorf("judgements %q", got)
	}
}

// TestReviewAgainstTables: random games with few pieces, judged by what the tables say of all moves of a position.
func TestReviewAgainstTables(t *testing.T) {
	tables, err := storage.Open([]string{smallTables(t)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	random := rand.New(rand.NewPCG(3, 4))
	games := &strings.Builder{}
	for _, set := range []string{"RB", "GP", "SP", "RG", "BP"} {
		for range 8 {
			p := tabletest.RandomPosition(t, random, set)
			fmt.Fprintf(games, "sfen %s moves", p.SFEN())
			for range 8 {
				moves := p.Moves(nil)
				if len(moves) == 0 {
					break
				}
				move := moves[random.IntN(len(moves))]
				fmt.Fprintf(games, " %v", move)
				p.Make(move)
			}
			games.WriteByte('\n')
		}
	}
	seen := map[string]int{}
	for _, l := range decodeLines[reviewLine](t, succeed(t, "review", "--json", "--dir", smallTables(t), write(t, "a.usi", games.String()))) {
		if l.Summary != nil {
			continue
		}
		p, err := rules.ParseSFEN(l.SFEN)
		if err != nil {
			t.Fatal(err)
		}
		if want := judgementByTables(t, tables, &p, l.Move); l.Judgement != want {
			t.Errorf("%s, %s: %s, want %s", l.SFEN, l.Move, l.Judgement, want)
		}
		seen[l.Judgement]++
	}
	for _, j := range []string{"best", "only", "longer", "missed-mate", "allowed-mate", "shortened"} {
		if seen[j] == 0 {
			t.Errorf("no move is judged %s", j)
		}
	}
}

// judgementByTables is what the values after all moves of a position come to for one of them.
func judgementByTables(t *testing.T, tables *storage.Tables, p *rules.Position, move string) string {
	t.Helper()
	var a storage.Adjudication
	value, err := tables.Probe(p)
	if err != nil {
		t.Fatal(err)
	}
	moves, err := tables.Moves(p, a)
	if err != nil {
		t.Fatal(err)
	}
	before := a.Verdict(value.Value.Outcome(), p.SideToMove())
	keep := 0
	var made rules.Value
	for _, m := range moves {
		if -a.Verdict(m.Value.Outcome(), p.SideToMove().Other()) == before {
			keep++
		}
		if m.Move.USI() == move {
			made = m.Value
		}
	}
	after := -a.Verdict(made.Outcome(), p.SideToMove().Other())
	was, is := value.Value.Outcome(), made.Outcome()
	switch n, left := value.Value.Number(), made.Number()+1; {
	case was == rules.MateWin && is != rules.MateLoss:
		return "missed-mate"
	case after != before && is == rules.MateWin:
		return "allowed-mate"
	case after != before:
		return "blunder"
	case before != storage.Loss && keep == 1:
		return "only"
	case was == rules.MateWin && left > n:
		return "longer"
	case was == rules.MateLoss && left < n, was == rules.PerpetualLoss && is == rules.MateWin:
		return "shortened"
	case was.ByMate(), was == rules.Open, is.ByPerpetual() && (made.Number()+delay(p, move, was) == n || was.Loses() && n == 1):
		return "best"
	}
	return "ok"
}

// delay is 1 for a move without check in a position that is lost by perpetual check: such moves are what the rank counts.
func delay(p *rules.Position, move string, was rules.Outcome) int {
	m, err := rules.ParseUSI(move)
	if err != nil || was.Wins() || p.GivesCheck(m) {
		return 0
	}
	return 1
}

// TestReviewDamaged: a damaged game is reviewed as far as it goes, costs no other one, and is named by its line.
func TestReviewDamaged(t *testing.T) {
	file := write(t, "a.usi", missed+"\n4k/5 moves\n"+missed+" 9z9z\nstartpos moves 5e4d 1a1e\n"+missed+" resign\n")
	r := gogotb(t, "review", "--json", "--nodes", "2000", file, "nowhere.kif")
	lines := decodeLines[reviewLine](t, r.stdout)
	var got []string
	for _, l := range lines {
		switch {
		case l.Error != "":
			at := ""
			if l.ErrorLine != nil {
				at = " in line " + string(rune('0'+*l.ErrorLine))
			}
			got = append(got, "error"+at+" of "+filepath.Base(l.File))
		case l.Summary == nil:
			got = append(got, l.Judgement)
		case l.Summary.Error != nil:
			got = append(got, "end, error in line "+string(rune('0'+*l.Summary.ErrorLine)))
		default:
			got = append(got, "end")
		}
	}
	want := []string{
		"missed-mate", "end", "error in line 2 of a.usi", "missed-mate", "end, error in line 3", "ok", "illegal", "end, error in line 4",
		"missed-mate", "end", "error of nowhere.kif",
	}
	if r.status != exitFailed || r.stderr != "" || !slices.Equal(got, want) {
		t.Errorf("status %d, standard error %q, lines\n%q, want\n%q", r.status, r.stderr, got, want)
	}
	r = gogotb(t, "review", "--nodes", "2000", file, "nowhere.kif")
	if r.status != exitFailed || strings.Count(r.stderr, "\n") != 4 || strings.Count(r.stdout, "missed a mate in 3") != 3 {
		t.Errorf("for people: %+v", r)
	}
	for _, text := range []string{"a.usi, line 2: ", "a.usi, line 3: ", "a.usi, line 4: illegal move 1a1e", "nowhere.kif: no such file"} {
		if !strings.Contains(r.stderr, text) {
			t.Errorf("standard error %q, want %q in it", r.stderr, text)
		}
	}
}

// TestReviewKIF: the game that is written has the moves, names and comments of the one that was read, what is said of the moves, and what
// was missed as a variation.
func TestReviewKIF(t *testing.T) {
	const game = "手合割：5五将棋\n先手：あ\n後手：い\n手数----指手---------消費時間--\n   1 ４四玉(55)\n*なるほど\n   2 ２二玉(11)\n   3 投了\n"
	file := write(t, "a.kif", game)
	out := succeed(t, "review", "--kif", "--nodes", "2000", file, write(t, "b.usi", missed))
	n := 0
	for g, err := range formats.Games([]byte(out)) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		switch n {
		case 1:
			if recordtest.USI(g.Moves) != "5e4d 1a2b" || g.Players != [2]string{"あ", "い"} || g.End.Text != "投了" || g.Moves[0].Comments[0] != "なるほど" {
				t.Errorf("read back: %+v of\n%s", g, out)
			}
		case 2:
			if recordtest.USI(g.Moves) != "1c2b" || len(g.Variations) != 1 || g.Variations[0].Ply != 1 || recordtest.USI(g.Variations[0].Moves) != "1c1b 1a1b R*1c" ||
				!slices.Equal(g.Moves[0].Comments, []string{"gogotb: missed a mate in 3; better G-12"}) {
				t.Errorf("read back: %+v of\n%s", g, out)
			}
		}
	}
	if n != 2 {
		t.Errorf("%d games in\n%s", n, out)
	}
}

// TestReviewPlot: the pictures are well-formed, of one game, and have a mark for each move that has one.
func TestReviewPlot(t *testing.T) {
	marks := map[string]int{}
	for name, game := range map[string]string{"missed": missed, "none": "startpos moves 5e4d", "empty": "startpos moves"} {
		svg := filepath.Join(t.TempDir(), "a.svg")
		succeed(t, "review", "--nodes", "2000", "--plot", svg, write(t, "a.usi", game))
		text := readSVG(t, svg)
		marks[name] = strings.Count(text, "<circle")
	}
	if marks["missed"] != marks["none"]+1 || marks["empty"] != marks["none"] {
		t.Errorf("circles: %v", marks)
	}
	refuse(t, exitUsage, []string{"--plot", "one game, not 2"}, "review", "--plot", "a.svg", write(t, "a.usi", missed+"\n"+missed))
	refuse(t, exitUsage, []string{"--plot", ".svg"}, "review", "--plot", "a.gif", write(t, "a.usi", missed))
}

// TestReviewEngine: our own engine serves as another one. What is undecided has its estimate, what is proved has not.
func TestReviewEngine(t *testing.T) {
	file := write(t, "a.usi", "startpos moves 5e4d 1a2b\n"+missed)
	lines := decodeLines[reviewLine](t, succeed(t, "review", "--json", "--nodes", "2000", "--engine", program+" usi", "--engine-nodes", "2000", file))
	for _, l := range lines {
		if l.Summary == nil && (l.Before.Category == "unknown") != (l.Before.Chance != nil) {
			t.Errorf("%+v", l)
		}
	}
	if len(lines) != 5 || lines[2].Summary == nil || lines[2].Summary.Positions.Evaluated != 2 {
		t.Errorf("lines: %+v", lines)
	}
	refuse(t, exitFailed, []string{"--engine", "nowhere"}, "review", "--engine", "nowhere/engine", file)
}

func TestReviewUsage(t *testing.T) {
	file := write(t, "a.usi", missed)
	for _, c := range []struct {
		say  string
		args []string
	}{
		{"requires at least 1 arg", nil},
		{"--json and --kif", []string{"--json", "--kif", file}},
		{"--nodes 0", []string{"--nodes", "0", file}},
		{"--plies 0", []string{"--plies", "0", file}},
		{"--plies 99999", []string{"--plies", "99999", file}},
		{"--thresholds 5,10", []string{"--thresholds", "5,10", file}},
		{"--thresholds 10,5,15", []string{"--thresholds", "10,5,15", file}},
		{"--thresholds 5,10,x", []string{"--thresholds", "5,10,x", file}},
		{"--thresholds 5,10,NaN", []string{"--thresholds", "5,10,NaN", file}},
		{"--engine-scale -1", []string{"--engine-scale", "-1", file}},
		{"--engine-scale +Inf", []string{"--engine-scale", "inf", file}},
		{"--engine-nodes 0", []string{"--engine-nodes", "0", file}},
		{"--engine-options", []string{"--engine-options", "Hash", file}},
		{"--max-plies -1", []string{"--max-plies", "-1", file}},
		{"--notation", []string{"--notation", "german", file}},
	} {
		refuse(t, exitUsage, []string{c.say}, append([]string{"review"}, c.args...)...)
	}
}

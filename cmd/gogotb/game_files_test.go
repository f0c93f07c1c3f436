package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// gameCases are files that other programs write, with a game in each.
const gameCases = "../../rules/record/formats/testdata/"

// gameAnswer is the JSON of game for a file.
type gameAnswer struct {
	File   string
	Line   *int
	SFEN   string
	Result string
	Winner *string
	Reason *string
	Plies  int
	Moves  []string
	End    *string
	Notes  []struct {
		Line int
		Text string
	}
	Error     string
	ErrorLine *int   `json:"error_line"`
	Rule      string `json:"rule"`
}

// short is the answer in one line.
func (g *gameAnswer) short() string {
	words := []string{g.Result}
	for _, w := range []*string{g.Winner, g.Reason, g.End} {
		if w != nil {
			words = append(words, *w)
		}
	}
	return strings.Join(append(words, g.Moves...), " ")
}

// TestGameFiles: games in KIF and CSA are played, whatever else is in the file; what was passed over is said once.
func TestGameFiles(t *testing.T) {
	const mate, called = "win sente checkmate 1c1b 1a1b R*1c", "win sente checkmate 詰 1c1b 1a1b R*1c"
	for name, want := range map[string]struct {
		short string
		note  string // in the only note
	}{
		"55_short.kif":           {"ongoing 4e4d", ""},
		"minishogi_tag.kif":      {"ongoing 4e4d", ""},
		"arabic_rank.kif":        {mate, ""},
		"triangles.kif":          {mate, ""},
		"hand_digits.kif":        {called, ""},
		"banmen_kaiten.kif":      {called, "盤面回転"},
		"bod_tesuu.kif":          {called, "手数＝0"},
		"stray_henka_header.kif": {called, "変化"},
		"hikiwake.kif":           {"ongoing 引き分け 1c1b", ""},
		"time_up.kif":            {"ongoing Time-up 1c1b", ""},
		"tsume.csa":              {"win sente checkmate TSUMI 1c1b 1a1b R*1c", ""},
	} {
		file, err := filepath.Abs(gameCases + name)
		if err != nil {
			t.Fatal(err)
		}
		r := gogotb(t, "game", "--json", file)
		got := decodeLines[gameAnswer](t, r.stdout)
		if r.status != exitDone || r.stderr != "" || len(got) != 1 {
			t.Errorf("%s: %+v", name, r)
			continue
		}
		g := got[0]
		if g.File != file || g.Line == nil || g.Plies != len(g.Moves) || g.Error != "" || g.short() != want.short {
			t.Errorf("%s: %+v, want %s", name, g.short(), want.short)
		}
		if notes := len(g.Notes); want.note == "" && notes > 0 || want.note != "" && (notes != 1 || !strings.Contains(g.Notes[0].Text, want.note)) {
			t.Errorf("%s: notes %v, want %q", name, g.Notes, want.note)
		}
		text := gogotb(t, "game", file)
		if text.status != exitDone || !strings.Contains(text.stdout, g.SFEN) || strings.Count(text.stderr, "passed over") != len(g.Notes) {
			t.Errorf("%s: %+v", name, text)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		cmd := command(t, "game", "--json", "-")
		cmd.Stdin = strings.NewReader(string(data))
		if same := finish(t, cmd); same.stdout != strings.ReplaceAll(r.stdout, file, "standard input") {
			t.Errorf("%s from standard input: %+v", name, same)
		}
	}
}

// TestGamesOfAFile: what is wrong with one game is named with its line, and costs neither the moves before it nor
// another game, or file.
func TestGamesOfAFile(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	walks := strings.Repeat(" "+kingsWalk, 4)
	usi := file("games.txt", "# two games, and what is none\n"+
		"startpos moves 1e1d 5a5b resign\n\n"+
		"position sfen 4k/5/5/5/K4 b - 1 moves"+walks+"\n"+
		"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f\n"+
		"startpos moves 1e1d\n")
	kif := file("games.kif", "手合割：5五将棋\n先手：A\n後手：B\n1 １四飛(15)\n2 ４五銀(31)\n3 投了\n手合割：5五将棋\n1 ４四金(45)\n")
	ki2 := file("games.ki2", "先手：A\n後手：B\n▲１四飛 △５二飛 ▲２四銀\n")
	pgn := file("games.pgn", "[Event \"?\"]\n[Variant \"minishogi\"]\n\n1. e1e2 a5a4 *\n")
	r := gogotb(t, "game", "--json", usi, kif, ki2, pgn, file("empty.kif", "\n"), filepath.Join(dir, "none.kif"))
	if r.status != exitFailed || r.stderr != "" {
		t.Errorf("status %d, standard error %q", r.status, r.stderr)
	}
	wants := []struct{ short, err string }{
		{"ongoing resign 1e1d 5a5b", ""},
		{"draw repetition" + strings.Repeat(" "+kingsWalk, 3), "ply 13: illegal move 5e4e"},
		{"", "SFEN: board"},
		{"ongoing 1e1d", ""},
		{"ongoing 1e1d", "illegal move 3a4e"},
		{"ongoing 4e4d", ""},
		{"", "KI2"},
		{"", "PGN"},
		{"", "there is no game in it"},
		{"", "no such file"},
	}
	got := decodeLines[gameAnswer](t, r.stdout)
	if len(got) != len(wants) {
		t.Fatalf("%d answers:\n%s", len(got), r.stdout)
	}
	for i, want := range wants {
		if got[i].short() != want.short || (want.err == "") != (got[i].Error == "") || !strings.Contains(got[i].Error, want.err) {
			t.Errorf("%s, %q; want %s, %q", got[i].short(), got[i].Error, want.short, want.err)
		}
	}
	if last := got[1].Rule; last != "game-over" {
		t.Errorf("a move after the end breaks the rule %q", last)
	}
	// Where it is wrong is said once, apart.
	for i, line := range map[int]string{2: `"line":5,"error":"SFEN: `, 4: `"error_line":5`} {
		if answer := strings.Split(r.stdout, "\n")[i]; !strings.Contains(answer, line) || strings.Contains(answer, "line 5") {
			t.Errorf("no %s in %s", line, answer)
		}
	}
	text := gogotb(t, "game", kif)
	if text.status != exitFailed || !strings.Contains(text.stderr, kif+", line 5: illegal move 3a4e") || strings.Count(text.stdout, kif+", line ") != 2 || !strings.Contains(text.stdout, "A against B") {
		t.Errorf("%+v", text)
	}
	// What is written like a position and is none is no file.
	refuse(t, exitUsage, []string{"SFEN: board, character 11"}, "game", "4k/5/5/5/K5 b - 1")
	refuse(t, exitUsage, []string{"SFEN: board"}, "game", "nothing")
	refuse(t, exitFailed, []string{"none.kif", "no such file"}, "game", filepath.Join(dir, "none.kif"))
}

// TestNotations: moves in every notation, mixed as one likes.
func TestNotations(t *testing.T) {
	want := succeed(t, "game", "startpos", "1e1d", "5a5b", "1d1b", "2a1b")
	for _, moves := range []string{
		"R-14 R-52 Rx12 Gx12",
		"R15-14 R51-52 Rx12 Gx12", // origins where none are needed
		"１四飛(15) ５二飛(51) １二飛(14) 同　金(21)",
		"▲14飛(15) △５二飛(51) ▲１二飛(14) △同金(21)",
		"1. 1e1d 2. R-52 3. e2e4 4. 同　金(21)",
		"1e1d 5a5b e2e4 2a1b",
	} {
		if got := succeed(t, "game", "startpos", moves); got != want {
			t.Errorf("%s: %s, want %s", moves, got, want)
		}
	}
	if got := succeed(t, "game", "position startpos moves 1e1d 5a5b", "Rx12", "Gx12"); got != want {
		t.Errorf("some moves behind the position: %s, want %s", got, want)
	}
	const held = "4k/5/5/5/K4 b G 1"
	for _, drop := range []string{"G*33", "３三金打", "G@c3"} {
		if got, want := succeed(t, "game", held, drop), succeed(t, "game", held, "G*3c"); got != want {
			t.Errorf("%s: %s, want %s", drop, got, want)
		}
	}
	for moves, want := range map[string]string{
		"1e1d R-42":    `ply 2: illegal move 5a4b`,
		"1e1d P-53":    `ply 2: illegal move`,
		"1e1d R-69":    `ply 2: move "R-69", character 3`,
		"1e1d ４二飛(51)": "ply 2: illegal move 5a4b",
		"1e1d ５三桂(51)": `ply 2: move "５三桂(51)", character 3`,
		"1e1d ５a5b":    `ply 2: move "５a5b", character 2`,
		"1e1d xyz":     `ply 2: move "xyz", character 4`,
		"1e1d 5a歩":     `ply 2: move "5a歩", character 3: '歩'`,
	} {
		r := gogotb(t, "game", "startpos", moves)
		if r.status == exitDone || r.stdout != "" || !strings.Contains(r.stderr, want) {
			t.Errorf("%s: %+v, want %s", moves, r, want)
		}
	}
}

//go:build conformance

package kif

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/rules/record/recordtest"
	"gogotb/rules/record/usi"
	"gogotb/verify/review"
)

// What we write is read by three programs that others use, from npm's registry: tsshogi, shogiops, and
// json-kifu-format, whose grammar takes nothing that it does not know. Only shogiops knows 5x5 squares; the others
// get the same moves on a board of 9x9 with the pieces in its upper right corner, where the squares have the same
// names.

// imported is what one program made of a game.
type imported[T any] struct {
	Read  T
	Error string
}

func TestImporters(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	type texts struct {
		Five string `json:"five"`
		Nine string `json:"nine"`
	}
	var games []*record.Game
	var input []texts
	for range 100 {
		g := randomGame(t, random)
		endAll(&g.Line)
		games = append(games, g)
	}
	games = append(games, reviewedGame(t))
	for _, g := range games {
		input = append(input, texts{String(g), onNine(t, g)})
	}
	var output []struct {
		TSShogi   imported[[]string] `json:"tsshogi"`
		KifuForJS imported[[]string] `json:"kifuForJS"`
		ShogiOps  imported[struct{ SFEN, Moves string }]
	}
	runImporters(t, input, &output)
	for i, g := range games {
		want := slices.Compact(slices.Sorted(slices.Values(paths(nil, "", &g.Line))))
		for name, got := range map[string]imported[[]string]{"tsshogi": output[i].TSShogi, "json-kifu-format": output[i].KifuForJS} {
			if read := slices.Compact(slices.Sorted(slices.Values(got.Read))); got.Error != "" || !slices.Equal(read, want) {
				t.Fatalf("%s: %s\nread %q\nwant %q\nof\n%s", name, got.Error, read, want, input[i].Nine)
			}
		}
		got := output[i].ShogiOps
		if got.Error != "" || got.Read.SFEN != g.Start.SFEN() || got.Read.Moves != recordtest.USI(g.Moves) {
			t.Fatalf("shogiops: %s\nread %s, %s\nof\n%s", got.Error, got.Read.SFEN, got.Read.Moves, input[i].Five)
		}
	}
}

// reviewedGame is a game with what a review has to say of it, in comments and variations.
func reviewedGame(t *testing.T) *record.Game {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "verify", "review", "testdata", "sixty.usi"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := review.New(review.Options{Nodes: 20_000, Plies: 31})
	if err != nil {
		t.Fatal(err)
	}
	for g, err := range usi.Games(string(text)) {
		if err != nil {
			t.Fatal(err)
		}
		var moves []review.Move
		if _, err := r.Review(t.Context(), g, func(m *review.Move) error {
			moves = append(moves, *m)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		annotated := review.Annotate(g, moves, func(m *review.Move) []string { return []string{"gogotb: " + m.Judgement.String()} })
		if len(annotated.Variations) < 5 {
			t.Fatalf("%d variations", len(annotated.Variations))
		}
		return annotated
	}
	t.Fatal("there is no game")
	return nil
}

// endAll gives all lines an end, so that a variation behind the last move leaves somewhere.
func endAll(l *record.Line) {
	l.End = record.End{Text: "投了", Kind: record.Resigns}
	for i := range l.Variations {
		endAll(&l.Variations[i])
	}
}

// runImporters installs the programs and has them read games.
func runImporters(t *testing.T, games, output any) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "importers"))); err != nil {
		t.Fatal(err)
	}
	install := exec.CommandContext(t.Context(), "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--cache", t.TempDir())
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("npm install: %v\n%s", err, out)
	}
	input, err := json.Marshal(games)
	if err != nil {
		t.Fatal(err)
	}
	node := exec.CommandContext(t.Context(), "node", "importers.mjs")
	node.Dir, node.Stdin, node.Stderr = dir, strings.NewReader(string(input)), os.Stderr
	out, err := node.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, output); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
}

// paths adds the moves up to every move of a line and of its variations, in USI.
func paths(all []string, before string, l *record.Line) []string {
	for i := range l.Moves {
		all = append(all, strings.TrimSpace(before+" "+recordtest.USI(l.Moves[:i+1])))
	}
	for i := range l.Variations {
		v := &l.Variations[i]
		all = paths(all, strings.TrimSpace(before+" "+recordtest.USI(l.Moves[:v.Ply-l.Ply])), v)
	}
	return all
}

// onNine is a game as it is written, but on a board of 9x9.
func onNine(t *testing.T, g *record.Game) string {
	text := String(g)
	if even, err := rules.ParseSFEN(rules.StartSFEN); err == nil && g.Start.Same(&even) {
		text = replaced(text, "手合割：5五将棋\n", Diagram(&g.Start))
	}
	text = replaced(text, "  ５ ４ ３ ２ １", "  ９ ８ ７ ６ ５ ４ ３ ２ １")
	text = strings.ReplaceAll(text, "+---------------+", "+---------------------------+")
	empty := ""
	for _, rank := range strings.Split("六 七 八 九", " ") {
		empty += "|" + strings.Repeat(" ・", 9) + "|" + rank + "\n"
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "|") {
			line = "|" + strings.Repeat(" ・", 4) + line[1:]
		}
		b.WriteString(line)
		if strings.HasSuffix(line, "|五\n") {
			b.WriteString(empty)
		}
	}
	return b.String()
}

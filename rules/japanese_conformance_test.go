//go:build conformance

package rules

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Japanese notation against shogiops and tsshogi from npm's registry. shogiops knows 5x5 squares; tsshogi gets the same
// position in the upper right corner of 9x9, where the squares have the same names. It says there what would be declined
// on three ranks, which is left out. Both have a space behind 同 and the other form of
// 竜, and shogiops calls the way forward 行 for dragons and horses.
func TestJapaneseOfOtherPrograms(t *testing.T) {
	type question struct {
		Five string `json:"five"`
		Nine string `json:"nine"`
		USI  string `json:"usi"`
		Last string `json:"last"`
	}
	var asked []question
	var texts []string
	var buf [MaxMoves]Move
	forRandomPositions(t, 1000, func(p *Position) {
		if p.King(Sente) == NoSquare || p.King(Gote) == NoSquare {
			return
		}
		board, rest, _ := strings.Cut(p.SFEN(), " ")
		nine := "4" + strings.ReplaceAll(board, "/", "/4") + "/9/9/9/9 " + rest
		for i, m := range p.Moves(buf[:0]) {
			q, last := question{p.SFEN(), nine, m.USI(), ""}, NoSquare
			if i%8 == 0 && !m.IsDrop() { // what has moved there stands there, and is captured
				q.Last, last = m.To().String(), m.To()
			}
			asked = append(asked, q)
			texts = append(texts, p.Japanese(m, last))
		}
	})
	var answers []struct{ ShogiOps, TSShogi string }
	runJapanese(t, asked, &answers)
	told := 0
	for i, q := range asked {
		text := texts[i]
		ops := strings.NewReplacer("同　", "同", "龍", "竜", "行", "上").Replace(answers[i].ShogiOps)
		if ops != text {
			t.Errorf("%s %s: %s, shogiops has %s", q.Five, q.USI, text, answers[i].ShogiOps)
		}
		ts := strings.NewReplacer("☗", "", "☖", "", "同　", "同", "龍", "竜", "不成", "").Replace(answers[i].TSShogi)
		if ts != strings.TrimSuffix(text, "不成") {
			t.Errorf("%s %s: %s, tsshogi has %s", q.Five, q.USI, text, answers[i].TSShogi)
		}
		if strings.ContainsAny(text, "左右直上寄引打") {
			told++
		}
		if t.Failed() {
			return
		}
	}
	if told < 200 {
		t.Errorf("only %d of %d moves had to be told from others", told, len(asked))
	}
}

// runJapanese installs the programs and has them write moves.
func runJapanese(t *testing.T, asked, answers any) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "japanese"))); err != nil {
		t.Fatal(err)
	}
	input, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{
		"npm install --no-audit --no-fund --ignore-scripts --cache " + t.TempDir(),
		"node names.mjs",
	} {
		run := exec.CommandContext(t.Context(), "sh", "-c", command)
		run.Dir, run.Stdin = dir, strings.NewReader(string(input))
		var said strings.Builder
		run.Stderr = &said
		out, err := run.Output()
		if err != nil {
			t.Fatal(fmt.Errorf("%s: %w\n%s", command, err, said.String()))
		}
		if strings.HasPrefix(command, "node") {
			if err := json.Unmarshal(out, answers); err != nil {
				t.Fatal(err)
			}
		}
	}
}

//go:build conformance

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gogotb/cmd/internal/dialect"
	"gogotb/cmd/internal/tabletest"
	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage"
)

// The same thousand positions, asked through Go, JSON, C, USI and UCI.
func TestSameAnswersEverywhere(t *testing.T) {
	positions := randomPositions(t, 1000)
	want := make([]rules.Value, len(positions))
	tables, err := storage.Open([]string{smallTables(t)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	outcomes := map[rules.Outcome]int{}
	for i := range positions {
		r, err := tables.Probe(&positions[i])
		if err != nil {
			t.Fatal(err)
		}
		want[i] = r.Value
		outcomes[r.Value.Outcome()]++
	}
	if len(outcomes) != 5 {
		t.Fatalf("not every kind of value: %v", outcomes)
	}
	for name, ask := range map[string]func(*testing.T, []rules.Position) []string{
		"JSON": askJSON, "C": askC, "USI": askUSI, "UCI": askUCI,
	} {
		answers := ask(t, positions)
		for i, p := range positions {
			if text := answerText(name, want[i]); answers[i] != text {
				t.Errorf("%v is %v: %s says %q, want %q", &p, want[i], name, answers[i], text)
			}
		}
	}
}

// answerText is how a value is said.
func answerText(by string, v rules.Value) string {
	n := v.Number()
	wins := v.Outcome() == rules.MateWin || v.Outcome() == rules.PerpetualWin
	mate := v.Outcome() == rules.MateWin || v.Outcome() == rules.MateLoss
	switch by {
	case "C":
		return v.String()
	case "JSON":
		if v.Outcome() == rules.Open {
			return "draw repetition 0"
		}
		return fmt.Sprint(map[bool]string{true: "win", false: "loss"}[wins], " ", map[bool]string{true: "mate", false: "perpetual"}[mate], " ", n)
	}
	switch {
	case v.Outcome() == rules.Open:
		return "cp 0"
	case mate && n == 0 && by == "USI":
		return "mate -0"
	case mate && by == "UCI":
		n = (n + 1) / 2
	case !mate:
		n = 20000 - n
	}
	if !wins {
		n = -n
	}
	return fmt.Sprint(map[bool]string{true: "mate", false: "cp"}[mate], " ", n)
}

// randomPositions are legal positions of sets of up to two pieces, with either side to move, and some that are decided
// by perpetual check, which are rare.
func randomPositions(t *testing.T, n int) (positions []rules.Position) {
	for _, category := range []string{"win", "loss"} {
		found := succeed(t, "--dir", smallTables(t), "find", "--category", category, "--by", "perpetual", "--limit", "40", "RB")
		for sfen := range strings.SplitSeq(strings.TrimSpace(found), "\n") {
			p, err := rules.ParseSFEN(sfen)
			if err != nil {
				t.Fatal(err)
			}
			positions = append(positions, p)
		}
	}
	random := rand.New(rand.NewPCG(1000, 1))
	sets := index.Sets(2)
	for len(positions) < n {
		set := sets[random.IntN(len(sets))]
		positions = append(positions, tabletest.RandomPosition(t, random, set.String()))
	}
	return positions
}

func sfenLines(positions []rules.Position) string {
	var b strings.Builder
	for i := range positions {
		fmt.Fprintln(&b, &positions[i])
	}
	return b.String()
}

func askJSON(t *testing.T, positions []rules.Position) (answers []string) {
	cmd := command(t, "--dir", smallTables(t), "probe", "--json", "-")
	cmd.Stdin = strings.NewReader(sfenLines(positions))
	r := finish(t, cmd)
	for line := range strings.Lines(r.stdout) {
		var v struct {
			Category, By string
			DTM, Rank    int
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, fmt.Sprint(v.Category, " ", v.By, " ", v.DTM+v.Rank))
	}
	return answers
}

// askC compiles the C program of README.md against the library that make lib builds.
func askC(t *testing.T, positions []rules.Position) []string {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	programs := blocks("c").FindAllStringSubmatch(string(text), -1)
	if len(programs) != 1 {
		t.Fatalf("README.md has %d C programs", len(programs))
	}
	dir := t.TempDir()
	source := filepath.Join(dir, "values.c")
	if err := os.WriteFile(source, []byte(programs[0][1]), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"make", "-C", "../..", "lib", "LIB=" + dir},
		{"gcc", "-Wall", "-Wextra", "-Werror", "-I", dir, "-o", filepath.Join(dir, "values"), source, filepath.Join(dir, "libgogotb.a"), "-pthread"},
	} {
		if out, err := exec.CommandContext(t.Context(), args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "values"), smallTables(t))
	cmd.Stdin = strings.NewReader(sfenLines(positions))
	return strings.Split(strings.TrimSuffix(finish(t, cmd).stdout, "\n"), "\n")
}

func askUSI(t *testing.T, positions []rules.Position) []string {
	return askEngine(t, dialect.USI, positions)
}

func askUCI(t *testing.T, positions []rules.Position) []string {
	return askEngine(t, dialect.UCI, positions)
}

// askEngine returns the last score that the engine gives to each position.
func askEngine(t *testing.T, d dialect.Dialect, positions []rules.Position) (answers []string) {
	cmd := command(t, "--dir", smallTables(t), "usi")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer in.Close()
	lines := bufio.NewScanner(out)
	io.WriteString(in, d.String()+"\n")
	for i := range positions {
		fmt.Fprintf(in, "%s\ngo movetime 1000\n", d.Position(&positions[i], nil))
		score := ""
		for lines.Scan() && !strings.HasPrefix(lines.Text(), "bestmove") {
			if words := strings.Fields(lines.Text()); len(words) > 7 && words[0] == "info" && words[5] == "score" {
				score = words[6] + " " + words[7]
			}
		}
		answers = append(answers, score)
	}
	return answers
}

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gogotb/index"
)

// smallTables is a folder with the tables of all sets of up to two pieces, made by the
// program once for all tests, which only read them.
func smallTables(t testing.TB) string {
	t.Helper()
	made := madeOnce()
	if made.err != nil {
		t.Fatal(made.err)
	}
	return made.dir
}

// making is what generate said when it made the small tables.
type making struct {
	dir    string
	stdout string
	stderr string
	err    error
}

var madeOnce = sync.OnceValue(func() making {
	m := making{dir: filepath.Join(filepath.Dir(program), "small", "tables")}
	cmd := exec.Command(program, "generate", "--dir", m.dir, "--pieces", "2")
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		m.err = fmt.Errorf("generate: %w: %s", err, stderr.String())
	}
	m.stdout, m.stderr = stdout.String(), stderr.String()
	return m
})

// fixtureStats is a line of the statistics that two solvers written apart from this one agree on.
type fixtureStats struct {
	Material        string
	IndexSize       uint64 `json:"index_size"`
	Legal           uint64
	MateWins        uint64 `json:"mate_wins"`
	MateLosses      uint64 `json:"mate_losses"`
	PerpetualWins   uint64 `json:"perpetual_wins"`
	PerpetualLosses uint64 `json:"perpetual_losses"`
	Open            uint64
	MaxWin          int `json:"max_win"`
	MaxLoss         int `json:"max_loss"`
	Histogram       []uint64
	RankWins        []uint64 `json:"rank_wins"`
	RankLosses      []uint64 `json:"rank_losses"`
	MutualZugzwangs uint64   `json:"mutual_zugzwangs"`
	Checkmates      uint64
	Stalemates      uint64
}

// smallFixtures are the fixtures' statistics of sets of up to two pieces.
func smallFixtures(t testing.TB) map[string]fixtureStats {
	t.Helper()
	text, err := os.ReadFile("../../index/testdata/stats.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	sets := map[string]fixtureStats{}
	for line := range strings.Lines(string(text)) {
		var s fixtureStats
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatal(err)
		}
		if m := material(t, s.Material); m.PieceCount() <= 2 {
			sets[s.Material] = s
		}
	}
	if len(sets) < 8 {
		t.Fatalf("%d sets of up to two pieces among the fixtures", len(sets))
	}
	return sets
}

func material(t testing.TB, text string) index.Material {
	t.Helper()
	m, err := index.ParseMaterial(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// decodeLines reads JSON objects, one a line, refusing keys that T does not have.
func decodeLines[T any](t testing.TB, text string) (values []T) {
	t.Helper()
	for line := range strings.Lines(text) {
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		var v T
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		values = append(values, v)
	}
	return values
}

// copyTables copies the tables of some sets into a new folder.
func copyTables(t testing.TB, sets ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, set := range sets {
		for _, ext := range []string{".gbo", ".gbd"} {
			b, err := os.ReadFile(filepath.Join(smallTables(t), set+ext))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, set+ext), b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// TestFolders: --dir, the environment and ./tables, in this order.
func TestFolders(t *testing.T) {
	r, g := copyTables(t, "R"), copyTables(t, "G")
	refuse := func(dirs []string, set string, args ...string) {
		t.Helper()
		none := "no table"
		if len(dirs) > 1 {
			none = "none of the folders"
		}
		refuse(t, exitFailed, append(dirs, none, set), args...)
	}
	refuse([]string{"tables"}, "R", "stats", "R")
	refuse([]string{r}, "G", "stats", "--dir", r, "G")
	refuse([]string{r, g}, "none", "stats", "--dir", r, "--dir", g, "none")
	both := succeed(t, "--dir", r, "stats", "--dir", g, "R", "G")
	if !strings.Contains(both, "R: 34,852") || !strings.Contains(both, "G: 19,902") {
		t.Errorf("stats from two folders: %s", both)
	}
	t.Setenv(dirVariable, g)
	succeed(t, "stats", "G")
	refuse([]string{g}, "R", "stats", "R")
	succeed(t, "stats", "--dir", r, "R")
	refuse([]string{r}, "G", "stats", "--dir", r, "G")
	// Several folders, as in PATH; empty names, as a colon at the end makes them, are passed over.
	for _, list := range [][]string{{g, r}, {"", g, "", r, ""}} {
		t.Setenv(dirVariable, strings.Join(list, string(filepath.ListSeparator)))
		succeed(t, "stats", "G", "R")
		refuse([]string{g, r}, "none", "stats", "none")
	}
	t.Setenv(dirVariable, string(filepath.ListSeparator))
	refuse([]string{"tables"}, "R", "stats", "R")
	os.Unsetenv(dirVariable)
	for _, c := range commands() {
		checkRefusal(t, gogotb(t, c.Name(), "--dir", r, "--dir", ""), exitUsage, []string{"--dir", "empty"}, []string{c.Name()})
	}
	cmd := command(t, "probe", "4k/5/5/5/K4 b R 1")
	if err := os.Symlink(r, filepath.Join(cmd.Dir, "tables")); err != nil {
		t.Fatal(err)
	}
	if got := finish(t, cmd); got.status != exitDone {
		t.Errorf("probe in a folder with tables: %+v", got)
	}
}

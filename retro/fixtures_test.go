package retro

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"gogotb/index"
	"gogotb/rules"
)

// fixtureStats is a line of stats.jsonl.
type fixtureStats struct {
	Material  string `json:"material"`
	IndexSize uint64 `json:"index_size"`
	rules.Stats
}

func readStats(t *testing.T) []fixtureStats {
	f, err := os.Open("../index/testdata/stats.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []fixtureStats
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var s fixtureStats
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

// solution is what solve returns.
type solution struct {
	values []rules.Value
	stats  rules.Stats
}

// solved keeps the solutions of sets that several tests look at.
var solved sync.Map

// solveOnce is solve with the default options.
func solveOnce(t testing.TB, name string) ([]rules.Value, rules.Stats) {
	once, _ := solved.LoadOrStore(name, sync.OnceValue(func() (s solution) {
		s.values, s.stats = solve(t, name, Options{})
		return s
	}))
	s := once.(func() solution)()
	return s.values, s.stats
}

// solve solves a set and returns all its values.
func solve(t testing.TB, name string, opt Options) ([]rules.Value, rules.Stats) {
	m, err := index.ParseMaterial(name)
	if err != nil {
		t.Fatal(err)
	}
	solution, err := Solve(context.Background(), m, opt)
	if err != nil {
		t.Fatal(err)
	}
	return valuesOf(t, solution)
}

// valuesOf are all values of a solution, which is closed.
func valuesOf(t testing.TB, solution *Solution) ([]rules.Value, rules.Stats) {
	t.Helper()
	defer solution.Close()
	var values []rules.Value
	stats, err := solution.Values(context.Background(), func(v []rules.Value) error {
		values = append(values, v...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return values, stats
}

// TestLongest: the longest win and loss of the statistics are the first ones in index order.
func TestLongest(t *testing.T) {
	for _, name := range []string{"P", "SS", "RB"} {
		values, stats := solveOnce(t, name)
		for _, c := range []struct {
			value rules.Value
			at    uint64
		}{
			{rules.MakeValue(rules.MateWin, stats.MaxWin), stats.LongestWin},
			{rules.MakeValue(rules.MateLoss, stats.MaxLoss), stats.LongestLoss},
		} {
			if first := slices.Index(values, c.value); first < 0 || uint64(first) != c.at {
				t.Errorf("%s: %v at index %d, the first is at %d", name, c.value, c.at, first)
			}
		}
	}
}

// TestStats compares the statistics of every set of the fixtures.
func TestStats(t *testing.T) {
	for _, want := range readStats(t) {
		t.Run(want.Material, func(t *testing.T) {
			if testing.Short() && len(want.Material) > 2 && want.Material != "none" {
				return
			}
			values, s := solveOnce(t, want.Material)
			got := fixtureStats{want.Material, uint64(len(values)), s}
			same := slices.Equal(got.Histogram, want.Histogram) && slices.Equal(got.RankWins, want.RankWins) &&
				slices.Equal(got.RankLosses, want.RankLosses)
			got.Histogram, got.RankWins, got.RankLosses = want.Histogram, want.RankWins, want.RankLosses
			a, _ := json.Marshal(got)
			b, _ := json.Marshal(want)
			if !same || string(a) != string(b) {
				t.Errorf("got\n%s\nwant\n%s\nhistogram %v\nrank wins %v\nrank losses %v", a, b, s.Histogram, s.RankWins, s.RankLosses)
			}
		})
	}
}

// TestValues compares every sampled value of the fixtures.
func TestValues(t *testing.T) {
	for _, name := range []string{"none", "G", "P", "R", "GP", "RB", "RP", "SS", "GSP"} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name == "GSP" {
				return
			}
			values, _ := solveOnce(t, name)
			m, _ := index.ParseMaterial(name)
			x, _ := index.New(m)
			for _, f := range readTable(t, "../index/testdata/values_"+name+".tsv") {
				p, err := rules.ParseSFEN(f[0])
				if err != nil {
					t.Fatal(err)
				}
				i, err := x.Encode(&p)
				if err != nil {
					t.Fatal(err)
				}
				if got := describe(values[i]); got != strings.Join(f[1:], " ") {
					t.Errorf("%s: got %s, want %s", f[0], got, strings.Join(f[1:], " "))
				}
			}
		})
	}
}

// readTable reads the fields of a TSV file after its header.
func readTable(t *testing.T, name string) (rows [][]string) {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimRight(string(text), "\n"), "\n")[1:] {
		rows = append(rows, strings.Split(line, "\t"))
	}
	if len(rows) < 100 {
		t.Fatalf("%s: only %d rows", name, len(rows))
	}
	return rows
}

// describe is a value in the words of the fixtures: category, by, n.
func describe(v rules.Value) string {
	switch v.Outcome() {
	case rules.MateWin:
		return fmt.Sprintf("win mate %d", v.Number())
	case rules.MateLoss:
		return fmt.Sprintf("loss mate %d", v.Number())
	case rules.PerpetualWin:
		return fmt.Sprintf("win perpetual %d", v.Number())
	case rules.PerpetualLoss:
		return fmt.Sprintf("loss perpetual %d", v.Number())
	case rules.Open:
		return "draw repetition "
	}
	return "illegal"
}

// TestWorkers compares the values, and so their order, for several numbers of workers.
func TestWorkers(t *testing.T) {
	want, wantStats := solve(t, "SP", Options{Workers: 1})
	for _, n := range []int{2, 3, 8} {
		got, stats := solve(t, "SP", Options{Workers: n})
		if !slices.Equal(got, want) || !reflect.DeepEqual(stats, wantStats) {
			t.Errorf("%d workers: other values than with 1", n)
		}
	}
}

// TestCancel cancels at several points of the analysis.
func TestCancel(t *testing.T) {
	m, _ := index.ParseMaterial("RP")
	for passes := 1; ; passes += 5 {
		ctx, cancel := context.WithCancel(context.Background())
		n, last := 0, Progress{}
		solution, err := Solve(ctx, m, Options{Progress: func(p Progress) {
			if n++; n == passes {
				cancel()
			}
			last = p
		}})
		if n < passes {
			if err != nil || last.Phase != PerpetualPhase || last.Decided > last.Legal {
				t.Errorf("not cancelled: error %v, last progress %+v", err, last)
			}
			cancel()
			if _, err := solution.Values(ctx, func([]rules.Value) error { return nil }); err != context.Canceled {
				t.Errorf("Values with a cancelled context: error %v", err)
			}
			return
		}
		if err != context.Canceled {
			t.Fatalf("cancelled after %d passes: error %v", passes, err)
		}
	}
}

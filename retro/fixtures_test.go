package retro

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"gogotb/index"
	"gogotb/rules"
)

// fixtureStats is a line of stats.jsonl, as far as the solver computes it.
type fixtureStats struct {
	Material        string   `json:"material"`
	IndexSize       uint64   `json:"index_size"`
	Legal           uint64   `json:"legal"`
	MateWins        uint64   `json:"mate_wins"`
	MateLosses      uint64   `json:"mate_losses"`
	PerpetualWins   uint64   `json:"perpetual_wins"`
	PerpetualLosses uint64   `json:"perpetual_losses"`
	Open            uint64   `json:"open"`
	MaxWin          int      `json:"max_win"`
	MaxLoss         int      `json:"max_loss"`
	Histogram       []uint64 `json:"histogram"`
	RankWins        []uint64 `json:"rank_wins"`
	RankLosses      []uint64 `json:"rank_losses"`
	MutualZugzwangs uint64   `json:"mutual_zugzwangs"`
	Checkmates      uint64   `json:"checkmates"`
	Stalemates      uint64   `json:"stalemates"`
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

// solve solves a set and returns all its values.
func solve(t testing.TB, name string, opt Options) ([]rules.Value, index.Stats) {
	m, err := index.ParseMaterial(name)
	if err != nil {
		t.Fatal(err)
	}
	solution, err := Solve(context.Background(), m, opt)
	if err != nil {
		t.Fatal(err)
	}
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

// TestStats compares the statistics of every set of the fixtures.
func TestStats(t *testing.T) {
	for _, want := range readStats(t) {
		t.Run(want.Material, func(t *testing.T) {
			if testing.Short() && len(want.Material) > 2 && want.Material != "none" {
				return
			}
			values, s := solve(t, want.Material, Options{})
			got := fixtureStats{want.Material, uint64(len(values)), s.Legal, s.MateWins, s.MateLosses,
				s.PerpetualWins, s.PerpetualLosses, s.Open, s.MaxWin, s.MaxLoss,
				s.Histogram, s.RankWins, s.RankLosses, s.MutualZugzwangs, s.Checkmates, s.Stalemates}
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

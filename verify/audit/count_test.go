package audit

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"gogotb/index"
	"gogotb/rules"
)

// fixture is a line of the statistics that two solvers written apart from this one agree on.
type fixture struct {
	Material  string `json:"material"`
	IndexSize uint64 `json:"index_size"`
	rules.Stats
}

func fixtures(t *testing.T) []fixture {
	t.Helper()
	f, err := os.Open("../../index/testdata/stats.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []fixture
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var x fixture
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			t.Fatal(err)
		}
		list = append(list, x)
	}
	if len(list) < 9 {
		t.Fatalf("only %d sets in the fixtures", len(list))
	}
	return list
}

// compareCounted compares what an audit has counted with the statistics of the fixtures.
func compareCounted(t *testing.T, f fixture, r *Report) {
	t.Helper()
	c := r.Counted
	c.LongestWin, c.LongestLoss = 0, 0 // the fixtures do not say
	if got := (fixture{f.Material, f.IndexSize, c}); fmt.Sprint(got) != fmt.Sprint(f) {
		t.Errorf("counted %v\nwant %v", got, f)
	}
	if c.MutualChecks != 0 {
		t.Errorf("%s: %d mutual checks, want 0", f.Material, c.MutualChecks)
	}
}

// TestPlacements compares the count by enumeration with the sizes of the fixtures, and
// with the two kings by hand: 25*24 ordered pairs less 2*72 adjacent ones, and 12 of the
// 456 left have both kings on the middle column.
func TestPlacements(t *testing.T) {
	all, once := placements(index.Material{})
	if all != 456 || once != 234 {
		t.Errorf("kings alone: %d and %d, want 456 and 234", all, once)
	}
	for _, f := range fixtures(t) {
		m, err := index.ParseMaterial(f.Material)
		if err != nil {
			t.Fatal(err)
		}
		if _, once := placements(m); once != f.IndexSize {
			t.Errorf("%s: %d placements, want %d", f.Material, once, f.IndexSize)
		}
	}
}

// TestMiscounts changes each of the statistics and demands that just it is named.
func TestMiscounts(t *testing.T) {
	s := solve(t, "P")
	changes := map[string]func(*rules.Stats){
		"max_win":          func(s *rules.Stats) { s.MaxWin += 2 },
		"max_loss":         func(s *rules.Stats) { s.MaxLoss -= 2 },
		"longest_win":      func(s *rules.Stats) { s.LongestWin++ },
		"longest_loss":     func(s *rules.Stats) { s.LongestLoss-- },
		"histogram 7":      func(s *rules.Stats) { s.Histogram[7]++ },
		"histogram length": func(s *rules.Stats) { s.Histogram = append(s.Histogram, 0) },
		"rank_wins length": func(s *rules.Stats) { s.RankWins = []uint64{1} },
	}
	for n, c := range numbers(&rules.Stats{}) {
		changes[c.name] = func(s *rules.Stats) { *numbers(s)[n].count++ }
	}
	for name, change := range changes {
		wrong := s
		wrong.stats.Histogram = slices.Clone(s.stats.Histogram)
		change(&wrong.stats)
		r := audited(t, wrong, Options{})
		if len(r.Faults) != 0 || len(r.Statistics) != 1 || r.Statistics[0].Name != name {
			t.Errorf("%s changed: reported %v and %v", name, r.Faults, r.Statistics)
		}
	}
}

// TestRankCountsOfTwo changes a count of the ranks.
func TestRankCountsOfTwo(t *testing.T) {
	s := solve(t, "SS")
	s.stats.RankWins, s.stats.RankLosses = slices.Clone(s.stats.RankWins), slices.Clone(s.stats.RankLosses)
	s.stats.RankWins[0]++
	s.stats.RankLosses[1]--
	r := audited(t, s, Options{})
	var names []string
	for _, m := range r.Statistics {
		names = append(names, m.Name)
	}
	if want := []string{"rank_wins 1", "rank_losses 2"}; !slices.Equal(names, want) {
		t.Errorf("reported %v, want %v", names, want)
	}
}

// TestZugzwangsByHand counts the mutual zugzwangs of a set the slow way.
func TestZugzwangsByHand(t *testing.T) {
	s := solve(t, "P")
	want := uint64(0)
	for c := s.x.Cursor(0); c.Index() < s.x.Size(); c.Next() {
		p := c.Position()
		if !isLoss(s.values[c.Index()]) || p.InCheck() {
			continue
		}
		var board [rules.Squares]rules.Piece
		for i := range board {
			board[i] = p.At(rules.Square(i))
		}
		other := rules.Place(&board, &[2]rules.Hand{p.Hand(rules.Sente), p.Hand(rules.Gote)}, rules.Gote)
		i, err := s.x.Encode(&other)
		if err != nil {
			t.Fatal(err)
		}
		if isLoss(s.values[i]) {
			want += uint64(c.Weight)
		}
	}
	if got := audited(t, s, Options{}).Counted.MutualZugzwangs; got != want || want == 0 {
		t.Errorf("%d mutual zugzwangs, want %d", got, want)
	}
}

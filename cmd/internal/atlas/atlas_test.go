package atlas

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"gogotb/cmd/internal/answer"
	"gogotb/index"
	"gogotb/rules"
)

func embeddedAtlas(t *testing.T) *Atlas {
	t.Helper()
	a, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestEqualToFixtures compares with the statistics that other programs have found.
func TestEqualToFixtures(t *testing.T) {
	text, err := os.ReadFile("../../../index/testdata/stats.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	fixtures, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if len(fixtures.Sets()) < 9 {
		t.Fatalf("%d sets", len(fixtures.Sets()))
	}
	a := embeddedAtlas(t)
	for _, want := range fixtures.Sets() {
		m, err := index.ParseMaterial(want.Material)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := a.Stats(m)
		if !ok {
			t.Errorf("no %s", m)
			continue
		}
		if got.IndexSize != want.IndexSize || got.Legal != want.Legal || got.Open != want.Open || !slices.Equal(got.Histogram, want.Histogram) ||
			!slices.Equal(got.RankWins, want.RankWins) || !slices.Equal(got.RankLosses, want.RankLosses) ||
			got.MutualZugzwangs != want.MutualZugzwangs || got.Checkmates != want.Checkmates || got.Stalemates != want.Stalemates {
			t.Errorf("%s: %+v, want %+v", m, got, want)
		}
	}
}

// TestSums: the numbers of each set add up, and belong to its index and positions.
func TestSums(t *testing.T) {
	sets := embeddedAtlas(t).Sets()
	if have := len(sets); have < len(index.Sets(3)) {
		t.Errorf("%d sets, fewer than those of up to three pieces", have)
	}
	for _, s := range sets {
		var wins, losses uint64
		for plies, n := range s.Histogram {
			if plies%2 == 1 {
				wins += n
			} else {
				losses += n
			}
		}
		if wins != s.MateWins || losses != s.MateLosses || sum(s.RankWins) != s.PerpetualWins || sum(s.RankLosses) != s.PerpetualLosses {
			t.Errorf("%s: the parts do not add up", s.Material)
		}
		if s.MateWins+s.MateLosses+s.PerpetualWins+s.PerpetualLosses+s.Open != s.Legal {
			t.Errorf("%s: the whole does not add up", s.Material)
		}
		m, err := index.ParseMaterial(s.Material)
		if err != nil {
			t.Fatal(err)
		}
		x, err := index.New(m)
		if err != nil {
			t.Fatal(err)
		}
		if x.Size() != s.IndexSize {
			t.Errorf("%s: index of %d, want %d", s.Material, s.IndexSize, x.Size())
		}
		for _, sfen := range []*string{s.LongestWin, s.LongestLoss} {
			if sfen == nil {
				continue
			}
			p, err := rules.ParseSFEN(*sfen)
			if err != nil {
				t.Errorf("%s: %v", s.Material, err)
			} else if _, err := x.Encode(&p); err != nil {
				t.Errorf("%s: %v", s.Material, err)
			}
		}
	}
}

func sum(list []uint64) (n uint64) {
	for _, m := range list {
		n += m
	}
	return n
}

// TestMarkdown: the document says what the numbers are.
func TestMarkdown(t *testing.T) {
	want, err := os.ReadFile("ATLAS.md")
	if err != nil {
		t.Fatal(err)
	}
	a := embeddedAtlas(t)
	if !bytes.Equal(a.Markdown(), want) {
		t.Error("ATLAS.md is another one; make atlas writes it")
	}
	lines, err := a.Lines()
	if err != nil || !bytes.Equal(lines, embedded) {
		t.Errorf("stats.jsonl is not as it would be written: %v", err)
	}
}

// TestMerge: what is made anew takes the place of what was there, in the order of the sets.
func TestMerge(t *testing.T) {
	a, err := Parse([]byte(`{"material":"GP","legal":1}` + "\n" + `{"material":"R","legal":2}` + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	merged := a.Merge(New(map[string]answer.Stats{"GP": {Material: "GP", Legal: 3}}))
	var got []string
	for _, s := range merged.Sets() {
		got = append(got, s.Material)
	}
	if !slices.Equal(got, []string{"R", "GP"}) || merged.Sets()[1].Legal != 3 {
		t.Errorf("%+v", merged.Sets())
	}
}

// TestParseRefuses names the line.
func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"{\"material\":\"R\"}\nnonsense\n", "{\"material\":\"R\"}\n{\"material\":\"X\"}\n"} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"gogotb/cmd/internal/answer"
)

// TestTablesAndStats compares with the statistics of the fixtures.
func TestTablesAndStats(t *testing.T) {
	server := startServer(t, Options{})
	var tables tablesReply
	ask(t, server.URL, "tables", &tables)
	if len(tables.Tables) != len(testSets) {
		t.Fatalf("%+v", tables)
	}
	want := map[string]answer.Stats{}
	f, err := os.ReadFile("../../../index/testdata/stats.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(f) {
		var s answer.Stats
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		want[s.Material] = s
	}
	compared := 0
	for _, table := range tables.Tables {
		w, ok := want[table.Material]
		if !ok {
			continue
		}
		compared++
		var got answer.Stats
		ask(t, server.URL, "stats/"+table.Material, &got)
		if got.Legal != w.Legal || got.MateWins != w.MateWins || got.PerpetualLosses != w.PerpetualLosses || !slices.Equal(got.Histogram, w.Histogram) {
			t.Errorf("%s: %+v, want %+v", table.Material, got, w)
		}
		if table.Legal != w.Legal || table.MaxWin != w.MaxWin || table.MaxLoss != w.MaxLoss || table.OutcomeBytes == 0 || table.DistanceBytes == 0 {
			t.Errorf("%+v, want %+v", table, w)
		}
	}
	if compared < 4 {
		t.Errorf("%d sets compared", compared)
	}
}

// TestRandom asks for positions of every kind, and for frequent and for rare distances.
func TestRandom(t *testing.T) {
	server := startServer(t, Options{})
	for _, category := range []string{"", "win", "loss", "draw"} {
		for range 20 {
			var got answer.Probe
			ask(t, server.URL, "random?material=PP&category="+category, &got)
			if got.Material != "PP" || category != "" && got.Category != category || !strings.HasSuffix(got.SFEN, " 1") || !strings.Contains(got.SFEN, " b ") {
				t.Fatalf("%s: %+v", category, got)
			}
		}
	}
	var stats answer.Stats
	ask(t, server.URL, "stats/GP", &stats)
	for dtm := 0; dtm < len(stats.Histogram); dtm += 5 {
		var got answer.Probe
		r := ask(t, server.URL, fmt.Sprintf("random?material=GP&dtm=%d", dtm), &got)
		if r.StatusCode != http.StatusOK || got.DTM == nil || *got.DTM != dtm || got.Category != []string{"loss", "win"}[dtm%2] {
			t.Errorf("%d plies: %s, %+v", dtm, r.Status, got.Value)
		}
	}
	for category, by := range map[string]string{"win": "perpetual", "loss": "perpetual", "": "mate"} {
		for range 10 {
			var got answer.Probe
			ask(t, server.URL, "random?material=RB&category="+category+"&by="+by, &got)
			if got.By != by || category != "" && got.Category != category {
				t.Fatalf("%s by %s: %+v", category, by, got)
			}
		}
	}
	// Chance is at work.
	seen := map[string]bool{}
	for range 20 {
		var got answer.Probe
		r := ask(t, server.URL, "random?material=GP&dtm=7", &got)
		seen[got.SFEN] = true
		if r.Header.Get("ETag") != "" {
			t.Fatal("a random position can be cached")
		}
	}
	if len(seen) < 10 {
		t.Errorf("%d different positions of 20", len(seen))
	}
}

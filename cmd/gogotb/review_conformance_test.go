//go:build conformance

package main

import (
	"path/filepath"
	"testing"
)

// TestReviewFairy: Fairy-Stockfish as the back end of a review. It estimates every position in which no mate is proved; where it claims one, that
// was not found within as many plies.
func TestReviewFairy(t *testing.T) {
	sixty, err := filepath.Abs("../../verify/review/testdata/sixty.usi")
	if err != nil {
		t.Fatal(err)
	}
	lines := decodeLines[reviewLine](t, succeed(t, "review", "--json", "--nodes", "2000", "--engine", "'"+fairyStockfish(t)+"'", "--engine-nodes", "2000",
		"--engine-options", "Hash=16", sixty))
	judged := map[string]int{}
	for _, l := range lines {
		if l.Summary != nil {
			continue
		}
		judged[l.Judgement]++
		b := l.Before
		if (b.Category == "unknown") != (b.Chance != nil) {
			t.Errorf("ply %d: %+v", l.Ply, b)
		}
		if b.Claim != nil && *b.Claim > 0 && *b.Claim <= *b.MaxPlies {
			t.Errorf("ply %d: a mate in %d is claimed, and there is none within %d", l.Ply, *b.Claim, *b.MaxPlies)
		}
	}
	if n := judged["inaccuracy"] + judged["mistake"] + judged["blunder"]; len(lines) != 61 || n == 0 {
		t.Errorf("%d lines, judgements %v", len(lines), judged)
	}
}

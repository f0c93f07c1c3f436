//go:build browser

package serve

import "testing"

// TestAtlas: statistics of a set that is not installed are shown, and said to be no more than that. How many positions GSP has is
// known from other programs (index/testdata/stats.jsonl).
func TestAtlas(t *testing.T) {
	b := page(t)
	b.open(longEnding)
	b.openTab("statistics")
	b.click("#statistics-S") // beside gold and pawn, which are on the board
	b.untilText("#panel-statistics .total", "120,722,650")
	b.untilText("#panel-statistics .quiet", "not installed")
}

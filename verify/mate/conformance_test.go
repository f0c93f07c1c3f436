//go:build conformance

package mate

import (
	"testing"
)

// What fairy-stockfish mates, with the full set of pieces, is mated here in as many plies or fewer (its pruning sometimes
// misses the shortest), and with checks only as well.
func TestMatesOfFairyStockfish(t *testing.T) {
	f := startFairy(t)
	s := New(0)
	found, shorter := 0, 0
	for _, line := range readTSV(t, raceFile) {
		pos := mustParse(t, line[0])
		tsume := line[1] == "true"
		m := f.mate(t, &pos, tsume, raceLongest, "nodes 100000")
		if m.plies == 0 {
			continue
		}
		found++
		r := mustSolve(t, s, &pos, Options{Tsume: tsume, MaxPlies: m.plies})
		if r.Verdict != MateIn {
			t.Errorf("%s tsume %v: %v within %d plies, fairy-stockfish mates", line[0], tsume, r.Verdict, m.plies)
			continue
		}
		checkLine(t, pos, tsume, r)
		if r.Plies < m.plies {
			shorter++
		}
	}
	t.Logf("fairy-stockfish mates %d, %d of them not by the shortest way", found, shorter)
	if found < 50 {
		t.Errorf("only %d positions to compare", found)
	}
}

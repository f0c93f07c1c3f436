//go:build long

package mate

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"
)

// racer sums up one program's results.
type racer struct {
	times []time.Duration
	nodes []uint64
	found int
}

func (r *racer) add(found bool, nodes uint64, after time.Duration) {
	r.times = append(r.times, after)
	r.nodes = append(r.nodes, nodes)
	if found {
		r.found++
	}
}

func (r *racer) String() string {
	times, nodes := slices.Sorted(slices.Values(r.times)), slices.Sorted(slices.Values(r.nodes))
	var time time.Duration
	var sum uint64
	for i := range times {
		time += times[i]
		sum += nodes[i]
	}
	return fmt.Sprintf("found %d of %d; time: median %v, total %v; nodes: median %d, total %d",
		r.found, len(times), times[len(times)/2], time, nodes[len(nodes)/2], sum)
}

// TestRace measures the time and the nodes to the first proved mate against fairy-stockfish, position by position in
// turns, and the time to the exact length apart. Neither program keeps anything from one position to the next; to clear the
// tables is not timed. Who does not find a mate within a minute is charged the minute.
func TestRace(t *testing.T) {
	f := startFairy(t)
	s := New(0)
	const patience = time.Minute
	for _, tsume := range []bool{true, false} {
		var ours, theirs, exact racer
		for _, line := range readTSV(t, raceFile) {
			if line[1] != strconv.FormatBool(tsume) {
				continue
			}
			pos := mustParse(t, line[0])
			plies, err := strconv.Atoi(line[2])
			if err != nil {
				t.Fatal(err)
			}
			s.Clear()
			r := mustSolve(t, s, &pos, Options{Tsume: tsume, AnyLength: true, Timeout: patience})
			ours.add(r.Verdict == MateIn, r.Nodes, r.Elapsed)
			if r.Verdict == MateIn && r.Plies < plies {
				t.Errorf("%s: mate in %d, shorter than %d", line[0], r.Plies, plies)
			}
			m := f.mate(t, &pos, tsume, raceLongest, fmt.Sprintf("movetime %d", patience.Milliseconds()))
			if m.plies == 0 {
				m.after = patience
			}
			theirs.add(m.plies > 0, m.nodes, m.after)
			if m.plies > 0 && m.plies < plies {
				t.Errorf("%s: fairy-stockfish mates in %d, the shortest should be %d", line[0], m.plies, plies)
			}
			s.Clear()
			r = mustSolve(t, s, &pos, Options{Tsume: tsume, Timeout: patience})
			exact.add(r.Verdict == MateIn, r.Nodes, r.Elapsed)
			if r.Verdict == MateIn && r.Plies != plies {
				t.Errorf("%s: mate in %d, drawn as %d", line[0], r.Plies, plies)
			}
		}
		fmt.Printf("tsume %v\n  first mate, gogotb:          %v\n  first mate, fairy-stockfish: %v\n  shortest mate, gogotb:       %v\n",
			tsume, &ours, &theirs, &exact)
	}
}

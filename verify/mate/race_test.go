//go:build long

package mate

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"
)

// The nodes after which the programs give up a search: some minutes for either.
const ourPatience, theirPatience = 1_000_000_000, 50_000_000

// racer sums up what one program has needed for some mates.
type racer struct {
	times []time.Duration // of the processor
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

func (r *racer) join(other *racer) {
	r.times = append(r.times, other.times...)
	r.nodes = append(r.nodes, other.nodes...)
	r.found += other.found
}

// String is four cells of a table: the medians and totals of milliseconds and of nodes.
func (r *racer) String() string {
	times, nodes := slices.Sorted(slices.Values(r.times)), slices.Sorted(slices.Values(r.nodes))
	var total time.Duration
	var sum uint64
	for i := range times {
		total += times[i]
		sum += nodes[i]
	}
	ms := func(d time.Duration) float64 { return float64(d) / 1e6 }
	return fmt.Sprintf("%d | %.2f | %.1f | %d | %d",
		r.found, ms(times[len(times)/2]), ms(total), nodes[len(nodes)/2], sum)
}

// racers are those of one mode and length: both programs to the first mate, and this one to the shortest.
type racers struct{ ours, theirs, exact racer }

func (r *racers) print(mode, plies string) {
	for _, row := range []struct {
		what  string
		racer *racer
	}{{"first mate, gogotb", &r.ours}, {"first mate, fairy-stockfish", &r.theirs}, {"shortest mate, gogotb", &r.exact}} {
		fmt.Printf("| %s | %s | %s | %d | %v |\n", mode, plies, row.what, len(row.racer.times), row.racer)
	}
}

// TestRace measures the processor time and the nodes to the first proved mate against fairy-stockfish, position by position in
// turns, and those to the exact length apart. Neither program keeps anything from one position to the next; to clear the
// tables is not timed. Who gives up is charged what it has used until then.
func TestRace(t *testing.T) {
	f := startFairy(t)
	s := New(0)
	self := os.Getpid()
	fmt.Println("| mode | plies | search | mates | found | median, ms | total, ms | median, nodes | total, nodes |")
	fmt.Println("| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
	for _, tsume := range []bool{true, false} {
		var all racers
		mode := map[bool]string{true: "checks only", false: "all moves"}[tsume]
		for plies := raceShortest; plies <= raceLongest; plies += 2 {
			var r racers
			for _, line := range readTSV(t, raceFile) {
				if line[1] == strconv.FormatBool(tsume) && line[2] == strconv.Itoa(plies) {
					race(t, &r, f, s, self, line[0], tsume, plies)
				}
			}
			if len(r.ours.times) > 0 {
				r.print(mode, strconv.Itoa(plies))
			}
			all.ours.join(&r.ours)
			all.theirs.join(&r.theirs)
			all.exact.join(&r.exact)
		}
		all.print(mode, "all")
	}
}

// race lets both programs solve one position.
func race(t *testing.T, r *racers, f *fairy, s *Solver, self int, sfen string, tsume bool, plies int) {
	pos := mustParse(t, sfen)
	solve := func(racer *racer, opt Options) Result {
		opt.Tsume, opt.MaxNodes = tsume, ourPatience
		s.Clear()
		begin := processorTime(t, self)
		result := mustSolve(t, s, &pos, opt)
		racer.add(result.Verdict == MateIn, result.Nodes, processorTime(t, self)-begin)
		return result
	}
	if first := solve(&r.ours, Options{AnyLength: true}); first.Verdict == MateIn && first.Plies < plies {
		t.Errorf("%s: mate in %d, shorter than %d", sfen, first.Plies, plies)
	}
	m := f.mate(t, &pos, tsume, raceLongest, fmt.Sprintf("nodes %d", theirPatience))
	r.theirs.add(m.plies > 0, m.nodes, m.after)
	if m.plies > 0 && m.plies < plies {
		t.Errorf("%s: fairy-stockfish mates in %d, the shortest should be %d", sfen, m.plies, plies)
	}
	last := len(r.ours.times) - 1
	t.Logf("%s tsume %v, %d plies: %v, fairy-stockfish %v", sfen, tsume, plies, r.ours.times[last], r.theirs.times[last])
	if shortest := solve(&r.exact, Options{}); shortest.Verdict == MateIn && shortest.Plies != plies {
		t.Errorf("%s: mate in %d, drawn as %d", sfen, shortest.Plies, plies)
	}
}

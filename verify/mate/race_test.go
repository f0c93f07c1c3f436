//go:build long

package mate

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"gogotb/rules"
)

// The nodes after which the programs give up a search: some minutes for either.
const ourPatience, theirPatience = 1_000_000_000, 50_000_000

// racer sums up what one program has needed for some mates.
type racer struct {
	times []time.Duration // of the processor
	nodes []uint64
	found int
}

func (r *racer) add(m *firstMate) {
	r.times = append(r.times, m.after)
	r.nodes = append(r.nodes, m.nodes)
	if m.plies > 0 {
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

// entrant is a program in the race, or a way to use it.
type entrant struct {
	name string
	run  func(pos *rules.Position, tsume bool) firstMate
}

// TestRace measures the processor time and the nodes to the first proved mate against fairy-stockfish, position by position in
// turns, and then those to the exact length apart. Neither program keeps anything from one position to the next; to clear the
// tables is not timed. Who gives up is charged what it has used until then.
func TestRace(t *testing.T) {
	f := startFairy(t)
	s := New(0)
	solve := func(opt Options) func(*rules.Position, bool) firstMate {
		opt.MaxNodes = ourPatience
		return func(pos *rules.Position, tsume bool) firstMate {
			opt.Tsume = tsume
			s.Clear()
			begin := processorTime(t, os.Getpid())
			r := mustSolve(t, s, pos, opt)
			return firstMate{r.Plies, r.Nodes, processorTime(t, os.Getpid()) - begin}
		}
	}
	race(t, []entrant{
		{"first mate, gogotb", solve(Options{AnyLength: true})},
		{"first mate, fairy-stockfish", func(pos *rules.Position, tsume bool) firstMate {
			return f.mate(t, pos, tsume, raceLongest, fmt.Sprintf("nodes %d", theirPatience))
		}},
	})
	race(t, []entrant{{"shortest mate, gogotb", solve(Options{})}})
}

// race lets all entrants solve each position, and prints a table.
func race(t *testing.T, entrants []entrant) {
	fmt.Println("| moves | plies | search | mates | found | median, ms | total, ms | median, nodes | total, nodes |")
	fmt.Println("| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
	for _, tsume := range []bool{true, false} {
		all := make([]racer, len(entrants))
		mode := map[bool]string{true: "checks only", false: "all"}[tsume]
		print := func(plies string, racers []racer) {
			for i, e := range entrants {
				if n := len(racers[i].times); n > 0 {
					fmt.Printf("| %s | %s | %s | %d | %v |\n", mode, plies, e.name, n, &racers[i])
				}
			}
		}
		for plies := raceShortest; plies <= raceLongest; plies += 2 {
			racers := make([]racer, len(entrants))
			for _, line := range readTSV(t, raceFile) {
				if line[1] != strconv.FormatBool(tsume) || line[2] != strconv.Itoa(plies) {
					continue
				}
				pos := mustParse(t, line[0])
				for i, e := range entrants {
					m := e.run(&pos, tsume)
					racers[i].add(&m)
					t.Logf("%s tsume %v: %s: %+v", line[0], tsume, e.name, m)
					if m.plies > 0 && m.plies < plies {
						t.Errorf("%s tsume %v: %s: mate in %d, the shortest should be %d", line[0], tsume, e.name, m.plies, plies)
					}
				}
			}
			print(strconv.Itoa(plies), racers)
			for i := range all {
				all[i].join(&racers[i])
			}
		}
		print("all", all)
	}
}

//go:build long

package mate

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"
)

// jobsRounds is how often each position is solved by one worker and, in turns, by two.
const jobsRounds = 3

// TestJobs measures the wall time that a second worker saves where one takes more than a tenth of a second: in finding the shortest
// mates of testdata/race.tsv with all moves, and the first ones, and in the three-piece handicap. Run it on a machine where nothing else runs,
// with
//
//	make mate-jobs
func TestJobs(t *testing.T) {
	fmt.Println("| question | positions | one worker, s | two workers, s | saved | nodes, one | nodes, two |")
	fmt.Println("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
	measure := func(what string, hash int64, rounds int, questions []jobsQuestion, opt Options) {
		s := New(hash)
		var times [3]time.Duration
		var nodes [3]uint64
		counted := 0
		for _, question := range questions {
			pos := mustParse(t, question.sfen)
			var took [3][]time.Duration
			var made [3][]uint64
			for range rounds {
				for jobs := 1; jobs <= 2; jobs++ {
					s.Clear()
					opt.Jobs = jobs
					r := mustSolve(t, s, &pos, opt)
					if !opt.AnyLength && r.Plies != question.plies {
						t.Errorf("%s, %d jobs: %v in %d, want %d", question.sfen, jobs, r.Verdict, r.Plies, question.plies)
					}
					took[jobs] = append(took[jobs], r.Elapsed)
					made[jobs] = append(made[jobs], r.Nodes)
				}
				if took[1][0] < 50*time.Millisecond {
					break
				}
			}
			slices.Sort(took[1])
			slices.Sort(took[2])
			if one := took[1][len(took[1])/2]; one > 100*time.Millisecond {
				counted++
				t.Logf("%s: %v, %v; %d, %d nodes", question.sfen, one, took[2][len(took[2])/2], made[1], made[2])
				for jobs := 1; jobs <= 2; jobs++ {
					times[jobs] += took[jobs][len(took[jobs])/2]
					slices.Sort(made[jobs])
					nodes[jobs] += made[jobs][len(made[jobs])/2]
				}
			}
		}
		fmt.Printf("| %s | %d | %.2f | %.2f | %.0f %% | %d | %d |\n", what, counted, times[1].Seconds(), times[2].Seconds(),
			100-100*times[2].Seconds()/times[1].Seconds(), nodes[1], nodes[2])
	}
	var race []jobsQuestion
	for _, line := range readTSV(t, raceFile) {
		plies, err := strconv.Atoi(line[2])
		if err != nil {
			t.Fatal(err)
		}
		if line[1] == "false" {
			race = append(race, jobsQuestion{line[0], plies})
		}
	}
	measure("race, shortest mate", 0, jobsRounds, race, Options{})
	measure("race, first mate", 0, jobsRounds, race, Options{AnyLength: true})
	for _, h := range handicaps[1:] {
		measure(h.name, handicapHash, jobsRounds, []jobsQuestion{{h.sfen, h.plies}}, Options{})
	}
}

type jobsQuestion struct {
	sfen  string
	plies int
}

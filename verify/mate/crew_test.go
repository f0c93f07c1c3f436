package mate

import (
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"

	"gogotb/rules"
)

func init() { joinAfter = 1 << 9 } // so that short searches, too, are those of all workers

// Whatever the number of workers, the answers to all known mates are the same.
func TestJobsOnKnownMates(t *testing.T) {
	positions := readTSV(t, "../testdata/mates.tsv")
	if testing.Short() {
		positions = positions[:len(positions)/4]
	}
	for _, line := range positions {
		pos := mustParse(t, line[0])
		for i, tsume := range []bool{true, false} {
			want, err := strconv.Atoi(line[1+i])
			if err != nil {
				continue // none, or not known
			}
			for _, jobs := range []int{1, 2, 4} {
				r := mustSolve(t, New(16<<20), &pos, Options{Tsume: tsume, Jobs: jobs})
				checkAgainst(t, pos, tsume, 0, want, r)
			}
		}
	}
}

// The mates of games that take some time: long enough for all workers to take part, in a table so small that they push
// each other's results out of it, and in a large one.
func TestJobsOnMatesOfGames(t *testing.T) {
	for i, line := range readTSV(t, "testdata/race.tsv") {
		want, err := strconv.Atoi(line[2])
		if err != nil {
			t.Fatal(err)
		}
		tsume := line[1] == "true"
		if testing.Short() && i%8 != 0 || !tsume && want > 11 {
			continue
		}
		pos := mustParse(t, line[0])
		for _, jobs := range []int{1, 2, 4} {
			for _, hash := range []int64{256 << 10, 16 << 20} {
				opt := Options{Tsume: tsume, Jobs: jobs}
				if hash < 1<<20 {
					opt.MaxNodes = 300_000
				}
				r := mustSolve(t, New(hash), &pos, opt)
				if r.Cause == ErrMaxNodes {
					if r.Bounds.None >= want || r.Bounds.Most >= 0 && r.Bounds.Most < want {
						t.Errorf("%s, %d jobs: bounds %+v, mate in %d", line[0], jobs, r.Bounds, want)
					}
					continue
				}
				checkAgainst(t, pos, tsume, 0, want, r)
			}
		}
	}
}

// Two and four workers come to the same verdicts and lengths as one in 1,000 random positions, within so many plies that
// one worker does not take long.
func TestJobsOnRandomPositions(t *testing.T) {
	rnd := rand.New(rand.NewPCG(12, 1))
	shared := map[int]*Solver{2: New(16 << 20), 4: New(16 << 20)}
	verdicts := map[Verdict]int{}
	n := 1000
	if testing.Short() {
		n = 100
	}
	for i := range n {
		pieces, opt := 1, Options{MaxPlies: 11}
		switch i % 4 {
		case 1:
			pieces, opt = 4+rnd.IntN(7), Options{MaxPlies: 5}
		case 2:
			pieces, opt = 2, Options{MaxPlies: 5}
		case 3:
			pieces, opt = 4+rnd.IntN(7), Options{Tsume: true, MaxPlies: 15}
			if i%8 == 7 {
				pieces, opt = 1+rnd.IntN(3), Options{Tsume: true}
			}
		}
		pos := randomPosition(rnd, randomKinds(rnd, pieces), bothKings)
		want := mustSolve(t, New(16<<20), &pos, opt)
		verdicts[want.Verdict]++
		for jobs, s := range shared {
			if i%8 < 4 {
				s.Clear()
			}
			opt.Jobs = jobs
			got := mustSolve(t, s, &pos, opt)
			// What is proved to have no mate at all is proved to have none within the limit.
			none := func(r *Result) bool { return r.Verdict == NoMate || opt.MaxPlies > 0 && r.Verdict == NoMateWithin }
			if none(&got) != none(&want) || !none(&want) && (got.Verdict != want.Verdict || got.Plies != want.Plies) {
				t.Fatalf("%s, %+v: %v in %d, with one worker %v in %d", pos.SFEN(), opt, got.Verdict, got.Plies, want.Verdict, want.Plies)
			}
			if want.Verdict == MateIn || want.Verdict == MatedIn {
				checkLine(t, pos, opt.Tsume, got)
			}
		}
	}
	t.Logf("%v", verdicts)
	for _, v := range []Verdict{MateIn, MatedIn, NoMate, NoMateWithin} {
		if verdicts[v] == 0 {
			t.Errorf("no position with %v", v)
		}
	}
}

// Limits hold with many workers, who end with the search.
func TestJobsAndLimits(t *testing.T) {
	pos := mustParse(t, endless)
	for _, limit := range []uint64{1, 1000, 100_000} {
		r := mustSolve(t, New(1<<20), &pos, Options{MaxNodes: limit, Jobs: 4})
		if r.Verdict != Unknown || r.Cause != ErrMaxNodes {
			t.Errorf("%d nodes: %v, %v", limit, r.Verdict, r.Cause)
		}
		if most := limit + 5*(crewPolls+rules.MaxMoves*rules.MaxMoves); r.Nodes > most {
			t.Errorf("%d nodes, the limit is %d", r.Nodes, limit)
		}
	}
}

// What is read from a slot while others write it is what one of them has written, or nothing.
func TestTableIsWhole(t *testing.T) {
	table := newTable(0)
	table.shared = true
	// All nodes share one window, and many of them one key. What an entry says follows from its number.
	write := func(i uint32) (node, entry) {
		n := node{key: uint64(i % 3), check: uint8(i % 2)}
		return n, entry{pn: i + 1, dn: i*7 + 1, move: rules.Move(i * 5), plies: uint16(i % 4)}
	}
	var wait sync.WaitGroup
	for w := range uint64(4) {
		wait.Go(func() {
			rnd := rand.New(rand.NewPCG(w, 1))
			for range 100_000 {
				n, e := write(rnd.Uint32N(1 << 12))
				table.store(n, e.plies, e.pn, e.dn, e.move, 1)
				if e, ok := table.lookup(n, e.plies); ok {
					if wn, we := write(e.pn - 1); wn != n || we.dn != e.dn || we.move != e.move || we.plies != e.plies {
						t.Errorf("nobody wrote %+v for %+v", e, n)
						return
					}
				}
			}
		})
	}
	wait.Wait()
}

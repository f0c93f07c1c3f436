package mate

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"gogotb/rules"
)

// checkAgainst compares an answer within a limit with the length that brute force found (-1: none).
func checkAgainst(t *testing.T, pos rules.Position, tsume bool, limit, want int, r Result) {
	t.Helper()
	if want < 0 {
		if r.Verdict != NoMateWithin && r.Verdict != NoMate {
			t.Fatalf("%s tsume %v within %d: %v %d %v, but there is no mate", pos.SFEN(), tsume, limit, r.Verdict, r.Plies, r.Line)
		}
		return
	}
	if verdict := [2]Verdict{MatedIn, MateIn}[want%2]; r.Verdict != verdict || r.Plies != want {
		t.Fatalf("%s tsume %v within %d: %v %d (%v), want %v %d", pos.SFEN(), tsume, limit, r.Verdict, r.Plies, r.Cause, verdict, want)
	}
	checkLine(t, pos, tsume, r)
}

// Every answer is that of the exhaustive search, with one limit and, where there is a mate, with the next smaller one;
// with one table for all positions (odd seeds) and with a new one for each.
func TestEqualToExhaustiveSearch(t *testing.T) {
	for _, test := range []struct {
		name            string
		tsume           bool
		pieces, limit   int
		full            bool
		positions, seed int
	}{
		{"few pieces", false, 3, 5, false, 400, 1},
		{"two pieces, longer", false, 2, 7, false, 60, 2},
		{"one piece, long", false, 1, 9, false, 60, 3},
		{"half the pieces", false, 6, 4, false, 200, 4},
		{"all pieces", false, 10, 3, true, 400, 5},
		{"tsume, few pieces", true, 4, 9, false, 1500, 6},
		{"tsume, all pieces", true, 10, 7, true, 500, 7},
		{"tsume, all pieces, longer", true, 10, 9, true, 200, 8},
	} {
		t.Run(test.name, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(uint64(test.seed), 1))
			shared := New(8 << 20)
			found := map[int]int{}
			for i := range test.positions {
				kinds := fullSet
				if !test.full {
					kinds = randomKinds(rnd, test.pieces)
				}
				kings := bothKings
				if i%4 == 0 {
					kings = bothKings[rnd.IntN(2):][:1]
				}
				pos := randomPosition(rnd, kinds, kings)
				want := bruteLength(pos, test.tsume, test.limit)
				found[want]++
				s := shared
				if test.seed%2 == 0 {
					s = New(1 << 20)
				}
				limit := test.limit
				checkAgainst(t, pos, test.tsume, limit, want, mustSolve(t, s, &pos, Options{Tsume: test.tsume, MaxPlies: limit}))
				if want > 1 {
					limit = want - 1
					checkAgainst(t, pos, test.tsume, limit, -1, mustSolve(t, s, &pos, Options{Tsume: test.tsume, MaxPlies: limit}))
				}
				if want >= 0 {
					r := mustSolve(t, s, &pos, Options{Tsume: test.tsume})
					checkAgainst(t, pos, test.tsume, 0, want, r)
				}
			}
			t.Logf("lengths: %v", found)
		})
	}
}

// The mates of up to nine plies among those of testdata/race.tsv, which come from games and are not drawn piece by piece.
func TestTsumeOfGamesEqualToExhaustiveSearch(t *testing.T) {
	s := New(8 << 20)
	lengths := map[int]int{}
	for _, line := range readTSV(t, "testdata/race.tsv") {
		plies, err := strconv.Atoi(line[2])
		if err != nil {
			t.Fatal(err)
		}
		if line[1] != "true" || plies > 9 {
			continue
		}
		pos := mustParse(t, line[0])
		want := bruteLength(pos, true, 9)
		lengths[want]++
		if want != plies {
			t.Errorf("%s: the file says %d, exhaustive search %d", line[0], plies, want)
		}
		checkAgainst(t, pos, true, 0, want, mustSolve(t, s, &pos, Options{Tsume: true}))
		checkAgainst(t, pos, true, want-1, -1, mustSolve(t, s, &pos, Options{Tsume: true, MaxPlies: want - 1}))
	}
	if lengths[9] < 5 {
		t.Errorf("lengths: %v", lengths)
	}
}

package mate

import (
	"path/filepath"
	"strconv"
	"testing"

	"gogotb/rules"
)

// sampled is a position with its value from independent programs.
type sampled struct {
	pos      rules.Position
	category string // win, loss, draw
	by       string // mate, perpetual, repetition
	n        int    // plies, or the rank
}

// sampledValues reads the samples of all sets, by set.
func sampledValues(t testing.TB) map[string][]sampled {
	t.Helper()
	files, err := filepath.Glob("../../index/testdata/values_*.tsv")
	if err != nil || len(files) < 9 {
		t.Fatalf("%d files of samples, %v", len(files), err)
	}
	sets := map[string][]sampled{}
	for _, file := range files {
		for _, f := range readTSV(t, file) {
			v := sampled{pos: mustParse(t, f[0]), category: f[1], by: f[2]}
			if f[3] != "" {
				if v.n, err = strconv.Atoi(f[3]); err != nil {
					t.Fatal(err)
				}
			}
			set := filepath.Base(file)
			sets[set] = append(sets[set], v)
		}
	}
	return sets
}

// Each sampled position, within limits around its length: mates are found at their length and not before, and what is
// not a mate is never called one.
func TestEqualToSampledValues(t *testing.T) {
	const most = 9 // plies to look for
	for set, values := range sampledValues(t) {
		t.Run(set, func(t *testing.T) {
			s := New(32 << 20)
			for _, v := range values {
				want := -1
				if v.by == "mate" {
					want = v.n
				}
				if want < 0 || want > most {
					r := mustSolve(t, s, &v.pos, Options{MaxPlies: 6})
					checkAgainst(t, v.pos, false, 6, -1, r)
					continue
				}
				checkAgainst(t, v.pos, false, 0, want, mustSolve(t, s, &v.pos, Options{}))
				if want > 0 {
					checkAgainst(t, v.pos, false, want, want, mustSolve(t, s, &v.pos, Options{MaxPlies: want}))
					checkAgainst(t, v.pos, false, want+1, want, mustSolve(t, s, &v.pos, Options{MaxPlies: want + 1}))
				}
				if want > 1 {
					checkAgainst(t, v.pos, false, want-1, -1, mustSolve(t, s, &v.pos, Options{MaxPlies: want - 1}))
				}
			}
		})
	}
}

//go:build long

package puzzle

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"gogotb/index"
	"gogotb/retro/retrotest"
)

// TestChangedLong is TestChanged with more changes, and deeper.
func TestChangedLong(t *testing.T) {
	compareChanged(t, 4, 200_000, Options{Tolerate: LongerMate, Nodes: 300_000, MaxPlies: 7})
}

// addedSets is how many sets of three pieces TestAddedLong makes tables of.
const addedSets = 5

// TestAddedLong: puzzles of two pieces, of whatever length, with a third one added pass, by table and by search,
// only where the table of three pieces says so.
func TestAddedLong(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 13))
	added := map[string][]*Puzzle{}
	all := shipped(t)
	for _, material := range slices.Sorted(maps.Keys(all)) {
		for _, p := range all[material] {
			if index.MaterialOf(&p.Position).PieceCount() > 2 {
				continue
			}
			for range 12 {
				if q := addPiece(p, random); q != nil {
					q.Line = p.Line
					m := index.MaterialOf(&q.Position).String()
					added[m] = append(added[m], q)
				}
			}
		}
	}
	sets := slices.Sorted(maps.Keys(added))
	random.Shuffle(len(sets), func(i, j int) { sets[i], sets[j] = sets[j], sets[i] })
	bySearch := NewChecker(Options{Tolerate: LongerMate, Nodes: 1_000_000, MaxPlies: 1})
	claimed, solved, searched := tally{t: t}, tally{t: t}, tally{t: t}
	for _, material := range sets[:min(addedSets, len(sets))] {
		v := retrotest.Solve(t, material)
		byTable := NewChecker(Options{Tolerate: LongerMate, Table: v.Value})
		want := func(p *Puzzle) standing { return judge(p, false, exactlyBy(v), p.Plies) }
		for i, p := range added[material] {
			claimed.compare(byTable, p, want)
			solved.compare(byTable, unclaimed(p), want)
			if i%4 == 0 || want(p) == stands {
				searched.compare(bySearch, p, want)
			}
		}
		t.Logf("%s: %d puzzles", material, len(added[material]))
	}
	claimed.log("as claimed, by table")
	solved.log("as solved, by table")
	searched.log("as claimed, by search")
}

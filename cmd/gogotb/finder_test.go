package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gogotb/rules"
	"gogotb/storage"
)

// TestPredecessors: whatever move is made, taking moves back finds the position before it,
// and every position found has a move to the one it was found from.
func TestPredecessors(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	made := map[string]int{}
	for _, set := range []string{"R", "RP", "SP", "BGS", "PP"} {
		x := newIndex(t, set)
		for range 60 {
			p, err := x.Unrank(random.Uint64N(x.Size()))
			if err != nil {
				t.Fatal(err)
			}
			if p.Validate() != nil {
				continue
			}
			if random.IntN(2) == 0 {
				p = p.Rotated()
			}
			for _, m := range p.Moves(nil) {
				q := p
				q.Make(m)
				found := false
				predecessors(&q, func(before rules.Position) {
					found = found || before.Same(&p)
					leads := slices.ContainsFunc(before.Moves(nil), func(m rules.Move) bool {
						after := before
						after.Make(m)
						return after.Same(&q)
					})
					if !leads || before.Validate() != nil {
						t.Errorf("%s is not before %s", before.SFEN(), q.SFEN())
					}
				})
				if !found {
					t.Errorf("%s %s: not found from %s", p.SFEN(), m, q.SFEN())
				}
				switch {
				case m.IsDrop():
					made["drop"]++
				case p.At(m.To()) != rules.NoPiece && p.At(m.To()).Kind().IsPromoted():
					made["capture of a promoted piece"]++
				case p.At(m.To()) != rules.NoPiece:
					made["capture"]++
				case m.Promotes():
					made["promotion"]++
				}
			}
		}
	}
	for _, kind := range []string{"drop", "capture of a promoted piece", "capture", "promotion"} {
		if made[kind] < 5 {
			t.Errorf("%d moves of the kind %s", made[kind], kind)
		}
	}
}

// TestFindWins: the two ways to find wins in n plies find the same ones.
func TestFindWins(t *testing.T) {
	tables, err := storage.Open([]string{smallTables(t)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	for set, distances := range map[string][]int{"R": {1, 5, 11}, "P": {1, 25, 47}, "SS": {47}} {
		s, err := tables.Set(material(t, set))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range distances {
			var lists [2][]found
			for i, backFrom := range []uint64{0, math.MaxUint64} {
				f := finder{set: s, want: criteria{dtm: n, rank: -1}, jobs: 2, backFrom: backFrom}
				err := f.find(t.Context(), func(list []found) (bool, error) {
					lists[i] = append(lists[i], list...)
					return true, nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			if len(lists[0]) == 0 || !slices.Equal(lists[0], lists[1]) {
				t.Errorf("%s in %d plies: %d and %d positions", set, n, len(lists[0]), len(lists[1]))
			}
		}
	}
}

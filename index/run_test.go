package index

import (
	"testing"

	"gogotb/rules"
)

// Runs cover the same placements as single steps.
func TestRun(t *testing.T) {
	for _, set := range []string{"none", "P", "GG", "PP", "SP"} {
		x := mustIndex(t, set)
		steps, runs := x.Cursor(0), x.Cursor(0)
		for more := true; more; more = runs.Next() {
			squares, weight := runs.Squares, runs.Weight
			dim, set := runs.Run()
			if set == 0 {
				set = squares[dim].Bit() // a run of one
			}
			for ; set != 0; set &= set - 1 {
				if dim < len(x.Slices()[steps.Slice].OnBoard()) {
					squares[dim] = set.First()
				}
				if runs.Slice != steps.Slice || runs.Own != steps.Own || runs.Opposing != steps.Opposing || weight != steps.Weight {
					t.Fatalf("index %d: runs and steps differ", steps.Index())
				}
				for d := range x.Slices()[steps.Slice].OnBoard() {
					if squares[d] != steps.Squares[d] {
						t.Fatalf("index %d, dimension %d: %v by runs, %v by steps", steps.Index(), d, squares[d], steps.Squares[d])
					}
				}
				steps.Next()
			}
			if runs.Index() < x.Size()-1 && runs.Index() != steps.Index()-1 {
				t.Fatalf("a run ends at index %d, steps at %d", runs.Index(), steps.Index()-1)
			}
		}
		if steps.Index() != x.Size() {
			t.Errorf("runs end at index %d of %d", steps.Index(), x.Size())
		}
	}
}

// The pairs of a slice start where the ranks of their first placements are.
func TestPairStart(t *testing.T) {
	x := mustIndex(t, "SP")
	found := 0
	for own := range rules.Square(rules.Squares) {
		for opposing := range rules.Square(rules.Squares) {
			for i := range x.Slices() {
				start, ok := x.PairStart(i, own, opposing)
				if !ok {
					continue
				}
				found++
				if c := x.Cursor(start); c.Slice != i || c.Own != own || c.Opposing != opposing {
					t.Fatalf("slice %d starts kings %v %v at %d, where the cursor has slice %d, kings %v %v",
						i, own, opposing, start, c.Slice, c.Own, c.Opposing)
				}
				if c := x.Cursor(start - 1); start > 0 && c.Slice == i && c.Own == own && c.Opposing == opposing {
					t.Fatalf("slice %d, kings %v %v: %d is not the start", i, own, opposing, start)
				}
			}
		}
	}
	if found != kingPairs*len(x.Slices()) {
		t.Errorf("%d pairs in all slices, want %d", found, kingPairs*len(x.Slices()))
	}
}

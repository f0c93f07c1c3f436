package index

import (
	"math/rand/v2"
	"testing"
)

// A cursor that walks is at every index where one that starts there is, and where Decode is.
func TestCursorWalk(t *testing.T) {
	for _, set := range []string{"none", "R", "G", "P", "GG", "PP"} {
		x := mustIndex(t, set)
		c := x.Cursor(0)
		for i := range x.Size() {
			if x.Size() < 300_000 || i%7 == 0 {
				checkCursor(t, x, i, &c)
			}
			c.Next()
		}
	}
}

// The same from random starts in larger sets, from where slices and king pairs change, and
// near the end.
func TestCursorFromAnywhere(t *testing.T) {
	for _, set := range append([]string{"SS", "RP"}, sampleSets...) {
		x := mustIndex(t, set)
		rng := rand.New(rand.NewPCG(3, x.Size()))
		starts := []uint64{x.Size() - 50}
		for range 40 {
			starts = append(starts, rng.Uint64N(x.Size()))
			slice := rng.IntN(len(x.Slices()))
			starts = append(starts, max(x.SliceStart(slice), 25)-25)
			pair := rng.IntN(kingPairs)
			if pair%2 == 0 { // kings on the middle column
				for !symmetricPair(pair) {
					pair = (pair + 1) % kingPairs
				}
				// where the pawns, and the first group after them, begin to keep the symmetry
				l := &x.layouts[slice]
				broken := l.pairStart(pair) + uint64(l.table.count[chosenPawns][pair])*l.rest
				starts = append(starts, max(broken, 25)-25, min(broken+rng.Uint64N(max(l.symmetricRest, 1)), x.Size()-1))
			}
			starts = append(starts, max(x.layouts[slice].pairStart(pair), 25)-25)
		}
		for _, start := range starts {
			c := x.Cursor(start)
			for i := start; i < min(start+100, x.Size()); i++ {
				checkCursor(t, x, i, &c)
				if next := c.Next(); next != (i+1 < x.Size()) {
					t.Fatalf("%s, Next at index %d: %v", set, i, next)
				}
			}
		}
	}
}

// checkCursor compares a cursor that has walked to index i with one that starts there, and
// with Decode and Rank.
func checkCursor(t *testing.T, x *Index, i uint64, c *Cursor) {
	t.Helper()
	there := x.Cursor(i)
	if c.Index() != i || there.Index() != i {
		t.Fatalf("%s: a cursor at %d, another at %d, both should be at %d", x.Material(), c.Index(), there.Index(), i)
	}
	n := len(x.Slices()[c.Slice].OnBoard())
	same := c.Slice == there.Slice && c.Own == there.Own && c.Opposing == there.Opposing && c.Weight == there.Weight
	for d := range n {
		same = same && c.Squares[d] == there.Squares[d]
	}
	if !same {
		t.Fatalf("%s, index %d: walked to %+v, started at %+v", x.Material(), i, *c, there)
	}
	p, err := x.Decode(i)
	if err != nil {
		t.Fatal(err)
	}
	if q := c.Position(); !q.Same(&p) {
		t.Fatalf("%s, index %d: the cursor is at %s, Decode gives %s", x.Material(), i, q.SFEN(), p.SFEN())
	}
	checkRank(t, x, i, &p)
	mirrored := p.Mirrored()
	if p.Same(&mirrored) != (c.Weight == 1) || c.Weight != 1 && c.Weight != 2 {
		t.Fatalf("%s, index %d, %s: weight %d", x.Material(), i, p.SFEN(), c.Weight)
	}
	board := x.Slices()[c.Slice].OnBoard()
	for d := range n {
		if d > 0 && board[d-1] == board[d] && c.Squares[d-1] >= c.Squares[d] {
			t.Fatalf("%s, index %d: identical pieces on %v", x.Material(), i, c.Squares[:n])
		}
	}
}

func TestCursorAtTheEnd(t *testing.T) {
	x := mustIndex(t, "GP")
	for _, start := range []uint64{x.Size(), x.Size() + 1, 1<<64 - 1} {
		c := x.Cursor(start)
		if c.Index() != x.Size() || c.Next() || c.Index() != x.Size() {
			t.Errorf("a cursor made at %d is at %d, want %d", start, c.Index(), x.Size())
		}
	}
}

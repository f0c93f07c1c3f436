package retro

import (
	"math/rand/v2"
	"testing"
)

// TestArena takes and releases boards of all sizes over several segments: each is empty at first, and nobody else changes
// it.
func TestArena(t *testing.T) {
	a := newArena()
	defer a.close()
	rng := rand.New(rand.NewPCG(25, 104))
	var boards [][]row
	mark := func(b []row) uint64 { return uint64(len(b)) << 32 }
	for n := range 20_000 {
		if len(boards) > 0 && rng.IntN(3) == 0 {
			i := rng.IntN(len(boards))
			for j := range boards[i] {
				if got, want := boards[i][j][0], mark(boards[i])+uint64(j); got != want {
					t.Fatalf("row %d of a board of %d has %x, want %x", j, len(boards[i]), got, want)
				}
			}
			a.release(boards[i])
			boards[i] = boards[len(boards)-1]
			boards = boards[:len(boards)-1]
			continue
		}
		b := a.board(1 + rng.IntN(boardRows))
		for j := range b {
			if !b[j].empty() {
				t.Fatalf("board %d is not empty", n)
			}
			b[j][0], b[j][len(b[j])-1] = mark(b)+uint64(j), 1
		}
		boards = append(boards, b)
	}
	if a.used < 2*firstSegment {
		t.Errorf("only %d bytes were used", a.used)
	}
	if a.full {
		t.Error("full")
	}
}

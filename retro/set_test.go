package retro

import (
	"math/rand/v2"
	"testing"
)

// TestSparseSet changes a sparse set and an ordinary one in the same random ways: they have the
// same rows.
func TestSparseSet(t *testing.T) {
	l := newLayout(indexOf(t, "GSP").Material(), 1) // each king pair is a unit
	rng := rand.New(rand.NewPCG(3, 3))
	a := newArena()
	defer a.close()
	full, sparse := newSet(l, a), newSparseSet(l, a)
	var s *slice // with boards of 25 rows
	for i := range l.slices {
		if l.slices[i].rows == boardRows {
			s = &l.slices[i]
		}
	}
	const pairs = 4
	for range 20_000 {
		var p place
		p.set(s, rng.IntN(pairs), rng.IntN(boardRows))
		var r row
		r[rng.IntN(rowPairs)] = 1 << rng.IntN(boardRows)
		switch rng.IntN(40) {
		case 0:
			r = row{}
			fallthrough
		case 1, 2, 3, 4:
			full.write(p.address, &r)
			sparse.write(p.address, &r)
		case 5:
			full.clear(unit{s.id, p.pair, p.pair + 1})
			sparse.clear(unit{s.id, p.pair, p.pair + 1})
		case 6:
			full.releaseEmpty(unit{s.id, 0, pairs})
			sparse.releaseEmpty(unit{s.id, 0, pairs})
		default:
			full.create(p.address).or(&r)
			full.flags.flag(p.address, true)
			sparse.create(p.address).or(&r)
			sparse.flags.flag(p.address, true)
		}
		var memory rowsOfBoard
		for pair := range pairs {
			flags := sparse.flags.pair(s, pair)[0]
			if flags != full.flags.pair(s, pair)[0] {
				t.Fatalf("other flags for the king pair %d", pair)
			}
			var whole []row
			if flags != 0 {
				whole = sparse.readBoard(s.id, pair, &memory)
			}
			for r := range boardRows {
				a := s.address(pair, r)
				want := *full.read(a)
				if got := *sparse.read(a); got != want {
					t.Fatalf("king pair %d, row %d: %v, want %v", pair, r, got, want)
				}
				if whole != nil && whole[r] != want {
					t.Fatalf("king pair %d, row %d of the whole board: %v, want %v", pair, r, whole[r], want)
				}
				if flags>>r&1 != 0 && *sparse.readFlagged(a) != want {
					t.Fatalf("king pair %d, flagged row %d: not %v", pair, r, want)
				}
			}
		}
	}
}

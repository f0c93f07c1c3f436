package retro

import (
	"math/rand/v2"
	"testing"
)

// TestThinSet changes a thin set and an ordinary one in the same random ways: they have the same rows.
func TestThinSet(t *testing.T) {
	l := newLayout(indexOf(t, "GSP").Material(), usual.unitRows)
	rng := rand.New(rand.NewPCG(3, 3))
	thick, thin := newSet(l, nil), newSet(l, nil)
	thin.present = newFlags(l)
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
			thick.put(&p, &r)
			thin.put(&p, &r)
		case 5:
			thick.clearPair(s, p.pair)
			thin.clearPair(s, p.pair)
		case 6:
			for i, u := range l.units {
				if u.slice == s.id && u.pair <= p.pair && p.pair < u.ends {
					thick.release(l, i)
					thin.release(l, i)
				}
			}
		default:
			thick.made(s, p.pair, p.r).or(&r)
			thick.flags.put(s, p.pair, p.r, true)
			thin.made(s, p.pair, p.r).or(&r)
			thin.flags.put(s, p.pair, p.r, true)
		}
		var memory [boardRows]row
		for pair := range pairs {
			flags := thin.flags.pair(s, pair)[0]
			if flags != thick.flags.pair(s, pair)[0] {
				t.Fatalf("other flags for the king pair %d", pair)
			}
			var whole []row
			if flags != 0 {
				whole = thin.whole(s.id, pair, &memory)
			}
			for r := range boardRows {
				want := *thick.row(s, pair, r)
				if got := *thin.row(s, pair, r); got != want {
					t.Fatalf("king pair %d, row %d: %v, want %v", pair, r, got, want)
				}
				if whole != nil && whole[r] != want {
					t.Fatalf("king pair %d, row %d of the whole board: %v, want %v", pair, r, whole[r], want)
				}
				if flags>>r&1 != 0 && *thin.flagged(s.id, pair, r) != want {
					t.Fatalf("king pair %d, flagged row %d: not %v", pair, r, want)
				}
			}
		}
	}
}

package rules

import "testing"

// TestPredecessors: whatever move is made, taking moves back finds the position before it, and every position found
// has a move to the one that it was found from.
func TestPredecessors(t *testing.T) {
	made := map[string]int{}
	forRandomPositions(t, 150, func(p *Position) {
		for _, m := range p.Moves(nil) {
			q := *p
			q.Make(m)
			found := false
			for before := range q.Predecessors() {
				found = found || before.Same(p)
				if before.Validate() != nil || !leadsTo(&before, &q) {
					t.Errorf("%s is not before %s", before.SFEN(), q.SFEN())
				}
			}
			if !found {
				t.Errorf("%s %s: not found from %s", p.SFEN(), m, q.SFEN())
			}
			switch captured := p.At(m.To()); {
			case m.IsDrop():
				made["drop"]++
			case captured != NoPiece && captured.Kind().IsPromoted():
				made["capture of a promoted piece"]++
			case captured != NoPiece:
				made["capture"]++
			case m.Promotes():
				made["promotion"]++
			}
		}
	})
	for _, kind := range []string{"drop", "capture of a promoted piece", "capture", "promotion"} {
		if made[kind] < 5 {
			t.Errorf("%d moves of the kind %s", made[kind], kind)
		}
	}
}

func leadsTo(p, q *Position) bool {
	for _, m := range p.Moves(nil) {
		after := *p
		after.Make(m)
		if after.Same(q) {
			return true
		}
	}
	return false
}

// TestPredecessorsEnd: who wants no more gets no more, and the position stays as it is.
func TestPredecessorsEnd(t *testing.T) {
	p := mustParse(t, "2k2/5/2+S2/1+P3/K3G w 2Rbs")
	before, all := p.SFEN(), 0
	for range p.Predecessors() {
		all++
	}
	for stop := 1; stop <= all; stop++ {
		n := 0
		for range p.Predecessors() {
			if n++; n == stop {
				break
			}
		}
		if n != stop {
			t.Fatalf("%d positions, want %d", n, stop)
		}
	}
	if all < 10 || p.SFEN() != before {
		t.Errorf("%d predecessors of %s", all, p.SFEN())
	}
}

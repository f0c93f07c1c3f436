package audit

import (
	"context"

	"gogotb/index"
	"gogotb/rules"
)

// wins checks the won positions against the losses they lead to, and fills in their
// numbers where the table leaves them out. It also finds the placements that are illegal.
func (a *audit) wins(ctx context.Context) error {
	return a.walk(ctx, Wins, func(w *worker) {
		w.place()
		if w.isIllegal() {
			if w.value != 0 && !a.dontCare {
				w.fault(0)
			}
			a.t.clear(w.cursor.Index())
			return
		}
		switch {
		case w.value.Outcome() == rules.Illegal:
			w.fault(w.expected())
		case isWin(w.value):
			expected := w.expected()
			if w.value.Number() == 0 && expected.Outcome() == w.value.Outcome() {
				a.t.setNumber(w.cursor.Index(), expected)
			} else if expected != w.value {
				w.fault(expected)
			}
		}
	}, nil)
}

// others checks the lost and the open positions against all their successors, and counts
// everything.
func (a *audit) others(ctx context.Context, stats *rules.Stats) error {
	return a.walk(ctx, Others, func(w *worker) {
		w.weight += uint64(w.cursor.Weight)
		checked := false
		switch w.value.Outcome() {
		case rules.Illegal:
			return
		case rules.MateWin, rules.PerpetualWin:
		default:
			w.pos = w.cursor.Position()
			if expected := w.expected(); expected != w.value {
				w.fault(expected)
			}
			checked = w.pos.InCheck()
			if w.value.Outcome() != rules.Open && !checked && isLoss(a.t.at(w.otherToMove())) {
				w.tally.MutualZugzwangs += uint64(w.cursor.Weight)
			}
		}
		w.tally.add(w.value, checked, w.cursor.Index(), uint64(w.cursor.Weight))
	}, func(w *worker, _ uint64) {
		a.weight += w.weight
		w.weight = 0
		w.tally.moveTo(stats)
	})
}

// isLoss tells whether the side to move loses.
func isLoss(v rules.Value) bool {
	return v.Outcome() == rules.MateLoss || v.Outcome() == rules.PerpetualLoss
}

// rotatedSlice is the slice that a slice becomes when the other side is to move.
type rotatedSlice struct {
	number int
	from   [index.MaxPieces]int // for each piece on its board, which one of the slice it is
}

func rotatedSlices(x *index.Index) []rotatedSlice {
	list := make([]rotatedSlice, len(x.Slices()))
	for i, s := range x.Slices() {
		states := make([]index.State, len(s.Pieces))
		for n, p := range s.Pieces {
			states[n] = p.State.Rotated()
		}
		t := rotatedSlice{number: x.SliceNumber(states)}
		used := [index.MaxPieces]bool{}
		for d, p := range x.Slices()[t.number].OnBoard() {
			for e, q := range s.OnBoard() {
				if !used[e] && q.Kind == p.Kind && q.State == p.State.Rotated() {
					used[e] = true
					t.from[d] = e
					break
				}
			}
		}
		list[i] = t
	}
	return list
}

// otherToMove returns the index of the cursor's placement with the other side to move.
func (w *worker) otherToMove() uint64 {
	t := &w.rotated[w.cursor.Slice]
	var squares [index.MaxPieces]rules.Square
	for d, e := range t.from {
		squares[d] = w.cursor.Squares[e].Rotate()
	}
	i, err := w.x.EncodeSquares(t.number, w.cursor.Opposing.Rotate(), w.cursor.Own.Rotate(), &squares)
	if err != nil {
		w.err = err
	}
	return i
}

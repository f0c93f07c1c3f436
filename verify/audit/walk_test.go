package audit

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"gogotb/index"
	"gogotb/rules"
)

// TestLimit demands ten faults, the first ones, of a set with many, whatever the
// number of workers.
func TestLimit(t *testing.T) {
	s := changed(solve(t, "P"))
	rng := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		i := rng.Uint64N(s.x.Size())
		s.values[i] = anyValue(rng, s.values[i])
	}
	if all := audited(t, s, Options{Limit: unlimited}); len(all.Faults) < 500 {
		t.Errorf("%d faults without a limit, want 500 at least", len(all.Faults))
	}
	first := audited(t, s, Options{Workers: 1})
	if len(first.Faults) != DefaultLimit {
		t.Fatalf("%d faults, want %d", len(first.Faults), DefaultLimit)
	}
	if first.Checked >= s.x.Size() {
		t.Errorf("the audit went on to the end")
	}
	for _, workers := range []int{2, 5} {
		r := audited(t, s, Options{Workers: workers})
		if fmt.Sprint(r.Faults) != fmt.Sprint(first.Faults) {
			t.Errorf("%d workers: %v\none: %v", workers, r.Faults, first.Faults)
		}
	}
}

// TestFaultText reads the line for a fault.
func TestFaultText(t *testing.T) {
	s := changed(solve(t, "R"))
	i := uint64(0)
	for s.values[i] != rules.MakeValue(rules.MateLoss, 4) {
		i++
	}
	s.values[i] = rules.MakeValue(rules.MateLoss, 6)
	p, err := s.x.Decode(i)
	if err != nil {
		t.Fatal(err)
	}
	f := named(audited(t, s, Options{Limit: unlimited}))[i]
	want := fmt.Sprintf("index %d, %s: found loss in 6, expected loss in 4 (equations)", i, p.SFEN())
	if f.Error() != want {
		t.Errorf("%s\nwant %s", f.Error(), want)
	}
}

// TestCancel stops an audit that has begun.
func TestCancel(t *testing.T) {
	s := solve(t, "P")
	ctx, cancel := context.WithCancel(context.Background())
	_, err := Values(ctx, s.x, s.values, s.stats, Options{Progress: func(Progress) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestProgress demands that every phase goes from the start to the end.
func TestProgress(t *testing.T) {
	s := solve(t, "P")
	last := map[Phase]Progress{}
	audited(t, s, Options{Progress: func(p Progress) {
		if p.Done <= last[p.Phase].Done || p.Done > p.Total {
			t.Errorf("%v: %d of %d after %d", p.Phase, p.Done, p.Total, last[p.Phase].Done)
		}
		last[p.Phase] = p
	}})
	for _, phase := range []Phase{Wins, Others, Undecided} {
		if p := last[phase]; p.Done != p.Total || p.Total == 0 {
			t.Errorf("%v ended at %d of %d", phase, p.Done, p.Total)
		}
	}
}

// TestWrongLength audits values that are too few.
func TestWrongLength(t *testing.T) {
	s := solve(t, "P")
	var e *SizeError
	_, err := Values(t.Context(), s.x, s.values[1:], s.stats, Options{})
	if !errors.As(err, &e) || e.Want != s.x.Size() {
		t.Errorf("error %v", err)
	}
}

// TestPlacementError looks at two pawns on a file, which no index may have.
func TestPlacementError(t *testing.T) {
	board := [rules.Squares]rules.Piece{
		0:  rules.MakePiece(rules.Gote, rules.King),
		24: rules.MakePiece(rules.Sente, rules.King),
		7:  rules.MakePiece(rules.Sente, rules.Pawn),
		12: rules.MakePiece(rules.Sente, rules.Pawn),
	}
	w := &worker{pos: rules.Place(&board, &[2]rules.Hand{}, rules.Sente)}
	var wrong *PlacementError
	if w.isIllegal() || !errors.As(w.err, &wrong) {
		t.Errorf("error %v", w.err)
	}
}

// TestIndexError walks with the cursor of one set over the index of another, as if the
// index were broken.
func TestIndexError(t *testing.T) {
	s, other := solve(t, "G"), solve(t, "S")
	a := &audit{x: s.x, t: newTable(s.x.Size()), rotated: rotatedSlices(s.x)}
	w := &worker{audit: a, cursor: other.x.Cursor(5000)}
	w.place()
	var wrong *index.MaterialError
	if !errors.As(w.err, &wrong) {
		t.Errorf("error %v", w.err)
	}
}

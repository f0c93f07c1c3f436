package retro

import (
	"context"
	"errors"
	"math/bits"
	"os"
	"reflect"
	"testing"

	"gogotb/index"
	"gogotb/rules"
)

// solveIn solves a set with its boards in a scratch file, which gives its memory back all
// the time, and in thin sets as soon as that is possible, and returns the values.
func solveIn(t *testing.T, m index.Material) ([]rules.Value, index.Stats) {
	t.Helper()
	x, err := index.New(m)
	if err != nil {
		t.Fatal(err)
	}
	f, err := openScratch(t.TempDir(), 1<<30, 0)
	if errors.Is(err, errNoScratch) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := newSolver(m, f, Options{})
	s.thinFrom = 0
	if err := s.solve(context.Background()); err != nil {
		t.Fatal(err)
	}
	solution := &Solution{solver: s, index: x}
	defer solution.Close()
	if f.used == 0 {
		t.Fatal("no board is in the scratch file")
	}
	var values []rules.Value
	stats, err := solution.Values(context.Background(), func(v []rules.Value) error {
		values = append(values, v...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return values, stats
}

func TestScratch(t *testing.T) {
	m, err := index.ParseMaterial("GPP")
	if err != nil {
		t.Fatal(err)
	}
	solution, err := Solve(context.Background(), m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer solution.Close()
	values, stats := solveIn(t, m)
	at := 0
	expected, err := solution.Values(context.Background(), func(v []rules.Value) error {
		for i := range v {
			if values[at+i] != v[i] {
				t.Fatalf("index %d: %v, without a scratch file %v", at+i, values[at+i], v[i])
			}
		}
		at += len(v)
		return nil
	})
	if err != nil || at != len(values) {
		t.Fatalf("%d values of %d, %v", at, len(values), err)
	}
	if !reflect.DeepEqual(stats, expected) {
		t.Errorf("statistics %+v, without a scratch file %+v", stats, expected)
	}
}

// TestScratchLeavesNothing: the file has no name, even while it is used.
func TestScratchLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	f, err := openScratch(dir, 1<<20, 0)
	if errors.Is(err, errNoScratch) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("%v, %v in the folder", entries, err)
	}
	board := f.board(boardRows)
	board[24][12] = 7
	f.mapped.forget()
	if board[24][12] != 7 {
		t.Error("forgotten")
	}
	f.release(board)
	if again := f.board(boardRows); &again[0] != &board[0] || again[24][12] != 0 {
		t.Error("a board that was used is not empty, or memory is not used again")
	}
}

// TestScratchGrows takes boards until the file has no room for another.
func TestScratchGrows(t *testing.T) {
	const size uint64 = 2*growth + 3*uint64(boardRows*rowBytes)
	f, err := openScratch(t.TempDir(), size, 0)
	if errors.Is(err, errNoScratch) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	for range size / uint64(boardRows*rowBytes) {
		if b := f.board(boardRows); len(b) != boardRows || !b[0].empty() || !b[boardRows-1].empty() {
			t.Fatal("not an empty board")
		}
	}
	if err := f.failed(); err != nil {
		t.Fatal(err)
	}
	if b := f.board(boardRows); len(b) != boardRows {
		t.Error("no board where the file is full")
	}
	var full *ScratchError
	if err := f.failed(); !errors.As(err, &full) {
		t.Errorf("error %v where the file is full", err)
	}
}

// TestSweepOrder: every unit is taken once, and king pairs that one side's king moves lead
// to lie together.
func TestSweepOrder(t *testing.T) {
	m, err := index.ParseMaterial("GGSS")
	if err != nil {
		t.Fatal(err)
	}
	l := newLayout(m)
	for _, c := range []rules.Color{rules.Sente, rules.Gote} {
		seen := make([]bool, len(l.units))
		var slices, runs int
		at := unit{slice: -1}
		for _, i := range l.sweepOrder(c) {
			u := l.units[i]
			if seen[i] {
				t.Fatalf("unit %d twice", i)
			}
			seen[i] = true
			if u.ends > u.pair+1 {
				continue
			}
			resting := kingPairs[u.pair].king[c.Other()]
			switch {
			case u.slice != at.slice:
				slices++
				runs++
			case resting != kingPairs[at.pair].king[c.Other()]:
				runs++
			}
			at = u
		}
		for i := range seen {
			if !seen[i] {
				t.Fatalf("unit %d is left out", i)
			}
		}
		// Sente's king is on columns up to Gote's: each square is in a pair.
		if runs != slices*bits.OnesCount32(uint32(rules.Board)) {
			t.Errorf("%d runs of one resting king in %d slices", runs, slices)
		}
	}
}

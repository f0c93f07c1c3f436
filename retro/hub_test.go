package retro

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// TestSolveInParts solves sets in parts within the process.
func TestSolveInParts(t *testing.T) {
	for _, c := range []struct {
		set   string
		parts int
	}{{"none", 1}, {"P", 4}, {"SS", 2}, {"BS", 3}, {"R", MaxParts}} {
		x := indexOf(t, c.set)
		solution, err := Solve(t.Context(), x.Material(), Options{Workers: 2, Parts: c.parts})
		if err != nil {
			t.Fatal(err)
		}
		values, stats := valuesOf(t, solution)
		same(t, c.set, values, stats)
	}
	var bad *PartsError
	if _, err := Solve(t.Context(), indexOf(t, "R").Material(), Options{Parts: MaxParts + 1}); !errors.As(err, &bad) {
		t.Errorf("too many parts: %v", err)
	}
}

// TestResumeInParts interrupts an analysis after every few plies or ranks, and goes on with another number of parts
// each time.
func TestResumeInParts(t *testing.T) {
	for _, set := range []string{"P", "SS"} {
		x := indexOf(t, set)
		file := filepath.Join(t.TempDir(), "checkpoint")
		var solution *Solution
		parts := []int{2, 0, 3, 1, 5}
		runs := 0
		for err := context.Canceled; errors.Is(err, context.Canceled); runs++ {
			ctx, cancel := context.WithCancel(t.Context())
			n := 0
			opt := Options{Workers: 2, Checkpoint: file, CheckpointEvery: 1, Parts: parts[runs%len(parts)], Progress: func(p Progress) {
				if n++; n == 5 {
					cancel()
				}
				if p.Decided > p.Legal || p.Legal == 0 {
					t.Errorf("%s: %d of %d positions are decided", set, p.Decided, p.Legal)
				}
			}}
			solution, err = Solve(ctx, x.Material(), opt)
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			cancel()
		}
		if runs <= len(parts) {
			t.Errorf("%s was interrupted %d times", set, runs-1)
		}
		values, stats := valuesOf(t, solution)
		same(t, set, values, stats)
	}
}

// TestRowsOfPairs: rows that were recorded pair by pair are found again in the chunks of a unit that has several.
func TestRowsOfPairs(t *testing.T) {
	const rows = 300 // of a pair: some distances take two bytes
	var whole chunkWriter
	want := map[int][]byte{}
	for _, pair := range []int{0, 2, 3} {
		var own chunkWriter
		for _, n := range []int{pair, 7, 250, rows - 1} {
			r := row{uint64(n + 1)}
			own.end(packRow(own.begin(n), &r))
			whole.end(packRow(whole.begin(pair*rows+n), &r))
		}
		want[pair] = slices.Clone(own.bytes)
	}
	got := map[int][]byte{}
	c := chunk{bytes: whole.bytes}
	c.eachPair(rows, func(pair int, recorded []byte) { got[pair] = recorded })
	if !reflect.DeepEqual(got, want) {
		t.Errorf("rows by pair: %x, want %x", got, want)
	}
	for pair, recorded := range want {
		moved := chunk{bytes: movedRows(recorded, pair*rows)}
		n := 0
		for r := moved.reader(); r.read(); n++ {
			if r.row/rows != pair {
				t.Errorf("a row of pair %d is number %d", pair, r.row)
			}
		}
		if n != 4 {
			t.Errorf("pair %d has %d rows", pair, n)
		}
	}
}

package retro

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestScratch solves a set with its boards in a scratch file that gives its memory back all
// the time.
func TestScratch(t *testing.T) {
	f, err := openScratch(t.TempDir(), 1<<30, 0)
	if err != nil {
		t.Fatal(err)
	}
	values, stats := solveTuned(t, "RB", f, fine)
	if f.used == 0 {
		t.Error("no board was in the scratch file")
	}
	same(t, "RB", values, stats)
}

// TestScratchFull: a scratch file that is too small ends the analysis, in the first ply or in
// the perpetual-check phase, which takes more. It goes on from the checkpoint where there is room.
func TestScratchFull(t *testing.T) {
	const name = "RB"
	x := indexOf(t, name)
	file := filepath.Join(t.TempDir(), "checkpoint")
	begin := func(size int) (*solver, error) {
		f, err := openScratch(t.TempDir(), uint64(size), 0)
		if err != nil {
			t.Fatal(err)
		}
		s := newSolver(x.Material(), f, Options{}, usual)
		s.checkpoint, err = openCheckpoint(file, x.Material(), len(s.layout.slices))
		if err != nil {
			t.Fatal(err)
		}
		return s, s.solveOrSave(context.Background())
	}
	sets := 0 // bytes of a full set
	for _, s := range newLayout(x.Material(), usual.unitRows).slices {
		sets += s.rows * len(kingPairs) * rowBytes
	}
	for _, c := range []struct {
		size  int
		phase Phase
	}{{sets, MatePhase}, {3 * sets, PerpetualPhase}} {
		s, err := begin(c.size)
		var full *ScratchError
		if !errors.As(err, &full) {
			t.Errorf("%d bytes: error %v", c.size, err)
		}
		if got := Phase(s.checkpoint.mark.Phase); got != c.phase {
			t.Errorf("%d bytes: the checkpoint is in the phase %v, want %v", c.size, got, c.phase)
		}
		s.close()
	}
	solution, err := Solve(context.Background(), x.Material(), Options{Checkpoint: file})
	if err != nil {
		t.Fatal(err)
	}
	values, stats := valuesOf(t, solution)
	same(t, name, values, stats)
}

// TestScratchLeavesNothing: the file has no name, even while it is used.
func TestScratchLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	f, err := openScratch(dir, 1<<20, 0)
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

// TestScratchTrims: memory is given back when the process takes more than it may.
func TestScratchTrims(t *testing.T) {
	const size = 64 << 20
	f, err := openScratch(t.TempDir(), size, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	for range size / (boardRows * rowBytes) {
		f.board(boardRows)[0][0] = 1
	}
	before := residentMemory()
	f.trim()
	if after := residentMemory(); after+size/2 > before {
		t.Errorf("%d bytes of memory, %d before", after, before)
	}
}

// TestScratchRoom: the file has its room on the disk at once, for boards up to its size. The
// next one lies elsewhere, and that is told.
func TestScratchRoom(t *testing.T) {
	const boards = 1000
	size := boards * boardRows * rowBytes
	f, err := openScratch(t.TempDir(), uint64(size), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	info, err := f.mapped.file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if room := info.Sys().(*syscall.Stat_t).Blocks * 512; room < int64(size) {
		t.Errorf("room for %d bytes, want %d", room, size)
	}
	for range boards {
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

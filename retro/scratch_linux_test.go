package retro

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// TestScratch solves a set with its boards in a scratch file that gives its memory back all the
// time.
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

// TestScratchFull: a scratch file that is too small ends the analysis, in the first ply or in the
// perpetual-check phase, which takes more. It goes on from the checkpoint where there is room.
func TestScratchFull(t *testing.T) {
	const name = "RB"
	x := indexOf(t, name)
	file := filepath.Join(t.TempDir(), "checkpoint")
	begin := func(size int) (*solver, error) {
		f, err := openScratch(t.TempDir(), uint64(size), 0)
		if err != nil {
			t.Fatal(err)
		}
		s := newSolver(newLayout(x.Material(), defaultTuning.unitRows), f, Options{}, defaultTuning)
		s.checkpoint, err = openCheckpoint(file, x.Material(), len(s.layout.slices), nil)
		if err != nil {
			t.Fatal(err)
		}
		return s, s.solveOrSave(context.Background())
	}
	sets := 0 // bytes of a full set
	for _, s := range newLayout(x.Material(), defaultTuning.unitRows).slices {
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
	f.trim(time.Now())
	if after := residentMemory(); after+size/2 > before {
		t.Errorf("%d bytes of memory, %d before", after, before)
	}
}

// setBack returns the same moment, as a clock tells it that is set back by an hour after t was
// read: only the elapsed time goes on.
func setBack(t *testing.T, now time.Time) time.Time {
	t.Helper()
	wall := (*uint64)(unsafe.Pointer(&now)) // a flag, seconds, and 30 bits of nanoseconds
	before, elapsed := now, now
	*wall -= 3600 << 30
	if back := before.Round(0).Sub(now.Round(0)); back != time.Hour || now.Sub(elapsed) != 0 {
		t.Fatalf("package time has changed: set back by %v, elapsed %v", back, now.Sub(elapsed))
	}
	return now
}

// TestScratchClock: when memory is looked at does not depend on the time of the day.
func TestScratchClock(t *testing.T) {
	const size = 64 << 20
	f, err := openScratch(t.TempDir(), size, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	f.trim(time.Now())
	for range size / (boardRows * rowBytes) {
		f.board(boardRows)[0][0] = 1
	}
	before := residentMemory()
	f.trim(setBack(t, time.Now().Add(time.Second)))
	if after := residentMemory(); after+size/2 > before {
		t.Errorf("a second later, on a clock that is set back: %d bytes of memory, %d before", after, before)
	}
}

// TestScratchLimit: workers that read a row of board after board, which brings whole pages back, do
// not take more memory than they may.
func TestScratchLimit(t *testing.T) {
	const size, room = 1 << 29, 96 << 20
	f, err := openScratch(t.TempDir(), size, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	var boards [][]row
	for range size / (boardRows * rowBytes) {
		boards = append(boards, f.board(boardRows))
	}
	for i := range boards {
		boards[i][0][0] = 1
		if i%1000 == 0 {
			f.mapped.forget()
		}
	}
	f.mapped.forget()
	f.limit = residentMemory() + room
	var most atomic.Uint64
	var wg sync.WaitGroup
	for n := range 4 {
		wg.Go(func() {
			for i := n; i < 8*len(boards); i += 4 {
				if boards[i%len(boards)][0][0] != 1 {
					t.Error("a board has lost what was written")
					return
				}
				f.trim(time.Now())
				if i%64 < 4 {
					for taken, before := residentMemory(), most.Load(); taken > before && !most.CompareAndSwap(before, taken); {
						before = most.Load()
					}
				}
			}
		})
	}
	wg.Wait()
	if most.Load() > f.limit {
		t.Errorf("%d bytes of memory, %d more than allowed", most.Load(), most.Load()-f.limit)
	}
	if most.Load() < f.limit-room/2 {
		t.Errorf("%d bytes of memory, of %d", most.Load(), f.limit)
	}
}

// TestScratchRoom: the file has its room on the disk at once, for boards up to its size. The next
// one lies elsewhere, and that is told.
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

// TestScratchRuns: boards of a unit lie one behind the other, whichever comes first, also where they are copied; they stay
// apart from those that come when the file has no room for all of them.
func TestScratchRuns(t *testing.T) {
	l := newLayout(indexOf(t, "GSP").Material(), defaultTuning.unitRows)
	big := 0
	for i := range l.units {
		if l.slices[l.units[i].slice].rows == boardRows {
			big = i
			break
		}
	}
	u := l.units[big]
	sl := &l.slices[u.slice]
	n := (u.ends - u.pair) * sl.boards
	f, err := openScratch(t.TempDir(), uint64(2*n*boardRows*rowBytes+boardRows*rowBytes), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	first := u.pair * sl.boards
	together := func(s *set) bool {
		for b := first + 1; b < first+n; b++ {
			before, at := s.boards[u.slice][b-1], s.boards[u.slice][b]
			if at == nil || uintptr(unsafe.Pointer(&before[0]))+boardRows*uintptr(rowBytes) != uintptr(unsafe.Pointer(&at[0])) {
				return false
			}
		}
		return true
	}
	var sets [3]*set
	for i := range sets {
		sets[i] = newSet(l, &f.arena)
	}
	a := address{u.slice, first + n/2, 3}
	sets[0].write(a, &row{7})
	sets[0].copyTo(sets[1], u)
	sets[1].write(address{u.slice, first, 4}, &row{8})
	if !together(sets[0]) || !together(sets[1]) {
		t.Error("the boards of a unit do not lie together")
	}
	sets[2].write(a, &row{9})
	if sets[2].boards[u.slice][first] != nil {
		t.Error("more boards than the file has room for")
	}
	for i, want := range []uint64{7, 7, 9} {
		if got := sets[i].read(a)[0]; got != want {
			t.Errorf("set %d has %d, want %d", i, got, want)
		}
	}
}

package retro

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// scratch is memory for boards in a file, for sets of positions that are larger than the memory the
// process may take. The file is mapped: the system writes to it what it has no memory for, and
// reads it again where a pass comes to it. Passes go through the slices king pair by king pair, and the
// boards of a unit lie one behind the other, so what they read lies together: pieces of 2 MiB are read
// and written while most of the file is needed. Every other pass goes backwards, and begins with what
// is still in memory. Before the process takes more than its limit, all of the mapping is
// given back; what is needed returns by itself, at first from the system's cache.
//
// The file has all its room on the disk from the beginning, so that a disk that is too full shows
// at once. It has no name: nothing of it is left, whatever ends the process.
type scratch struct {
	dir    string
	limit  uint64 // bytes of memory that the process may take
	mapped mapping

	opened  time.Time
	look    atomic.Int64 // when to look at the memory of the process, in nanoseconds since opened
	looking sync.Mutex   // held meanwhile
	most    bool         // see expect

	arena
}

const (
	// The mapping is given back when less than trimMargin is left below the limit, or a trimPart of
	// it if that is more.
	trimMargin = 16 << 20
	trimPart   = 16
	// lookEvery is how often the memory is looked at while much is left. When less is left it is
	// looked at before that can be used up. A look at one row brings the pages around it back, too,
	// so memory fills at several times the speed of reading; fillRate, in bytes a nanosecond, is
	// above what was seen.
	lookEvery = 2 * time.Millisecond
	fillRate  = 64
)

// ScratchError says that the scratch file in a folder cannot be made, or is too small.
type ScratchError struct {
	Folder string
	Err    error
}

func (e *ScratchError) Error() string { return fmt.Sprintf("scratch file in %s: %v", e.Folder, e.Err) }
func (e *ScratchError) Unwrap() error { return e.Err }

// openScratch makes a scratch file in dir for size bytes of boards, of a process that may take
// limit bytes of memory.
func openScratch(dir string, size, limit uint64) (*scratch, error) {
	if size > math.MaxInt {
		return nil, &ScratchError{dir, errors.New("too large for this system's addresses")}
	}
	f := &scratch{dir: dir, limit: limit, opened: time.Now()}
	if err := f.mapped.open(dir, int(size)); err != nil {
		return nil, &ScratchError{dir, err}
	}
	f.runs = true
	f.expect(true)
	f.rest, f.more, f.end = f.mapped.bytes, func() []byte { return nil }, f.mapped.close
	return f, nil
}

// expect says whether the next passes come to most of the file, so that large pieces of it are worth reading and writing, or
// to little of it, here and there.
func (f *scratch) expect(most bool) {
	if f.most != most {
		f.most = most
		f.mapped.expect(most)
	}
}

// failed returns an error if a board had no room.
func (f *scratch) failed() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.full {
		return &ScratchError{f.dir, errors.New("more boards than expected")}
	}
	return nil
}

// trim gives the mapping's memory back if the process takes nearly too much. Workers call it after
// every few rows. Whoever comes while another one looks at the memory waits, so that none can fill
// it meanwhile. What counts is the time that has passed, not that of the day, which may be set
// back.
func (f *scratch) trim(now time.Time) {
	if int64(now.Sub(f.opened)) < f.look.Load() {
		return
	}
	f.looking.Lock()
	defer f.looking.Unlock()
	if int64(now.Sub(f.opened)) < f.look.Load() {
		return // another one has looked
	}
	taken := residentMemory()
	if taken+max(trimMargin, f.limit/trimPart) > f.limit {
		f.mapped.forget()
		taken = residentMemory()
	}
	left := max(trimMargin, int64(f.limit)-int64(taken))
	wait := min(lookEvery, time.Duration(left/fillRate))
	f.look.Store(int64(time.Since(f.opened) + wait))
}

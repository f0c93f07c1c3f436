package storage

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
)

// handles are the open files of a Tables: no more of them than a limit, and fewer if the system
// has no room for another one. The least recently used one is closed then, and opened again when it
// is needed.
type handles struct {
	clock  atomic.Uint64 // counts uses
	mu     sync.Mutex
	limit  int
	open   []*handle
	closed bool
}

// maxOpen is enough for both tables of all sets.
const maxOpen = 1 << 10

func newHandles(limit int) *handles { return &handles{limit: max(limit, 2)} }

// handle is a file that may be read by many goroutines, whether it is open at the moment or not.
type handle struct {
	handles *handles
	name    string
	info    os.FileInfo // of the file when it was first opened
	used    atomic.Uint64
	file    atomic.Pointer[os.File] // nil while it is closed
}

// openFile opens a regular file.
func (h *handles) openFile(name string) (*handle, error) {
	f := &handle{handles: h, name: name}
	if _, err := f.opened(); err != nil {
		return nil, err
	}
	return f, nil
}

// ReadAt reads as that of a file does. The file is opened again if need be.
func (f *handle) ReadAt(b []byte, offset int64) (int, error) {
	f.used.Store(f.handles.clock.Add(1))
	for {
		file, err := f.opened()
		if err != nil {
			return 0, err
		}
		n, err := file.ReadAt(b, offset)
		if errors.Is(err, fs.ErrClosed) {
			continue // to make room for another one, just now
		}
		return n, err
	}
}

// errClosed is the error of reading after Close.
var errClosed = errors.New("the tables have been closed")

// errReplaced says that another file has the name of one that was open before.
var errReplaced = errors.New("another file has taken its place")

// opened opens the file unless it is open.
func (f *handle) opened() (*os.File, error) {
	if file := f.file.Load(); file != nil {
		return file, nil
	}
	h := f.handles
	h.mu.Lock()
	defer h.mu.Unlock()
	if file := f.file.Load(); file != nil {
		return file, nil
	}
	if h.closed {
		return nil, errClosed
	}
	for len(h.open) >= h.limit {
		h.closeOne()
	}
	file, info, err := openRegular(f.name)
	for isFull(err) && h.closeOne() {
		file, info, err = openRegular(f.name)
	}
	switch {
	case err != nil:
		return nil, err
	case f.info == nil:
		f.info = info
	case !sameFile(f.info, info):
		file.Close()
		return nil, errReplaced
	}
	f.used.Store(h.clock.Add(1))
	f.file.Store(file)
	h.open = append(h.open, f)
	return file, nil
}

// closeOne closes the file that has not been used for the longest time; false if none is open.
func (h *handles) closeOne() bool {
	if len(h.open) == 0 {
		return false
	}
	oldest := 0
	for i, f := range h.open {
		if f.used.Load() < h.open[oldest].used.Load() {
			oldest = i
		}
	}
	h.drop(oldest)
	return true
}

// drop closes an open file. Whoever reads there ends first.
func (h *handles) drop(i int) error {
	f := h.open[i]
	h.open = slices.Delete(h.open, i, i+1)
	return f.file.Swap(nil).Close()
}

// readFolder reads a folder, with room for that.
func (h *handles) readFolder(dir string) ([]os.DirEntry, error) {
	entries, err := os.ReadDir(dir)
	for isFull(err) {
		h.mu.Lock()
		more := h.closeOne()
		h.mu.Unlock()
		if !more {
			break
		}
		entries, err = os.ReadDir(dir)
	}
	return entries, err
}

// close closes the file; it is opened again if it is read once more.
func (f *handle) close() {
	h := f.handles
	h.mu.Lock()
	defer h.mu.Unlock()
	if i := slices.Index(h.open, f); i >= 0 {
		h.drop(i)
	}
}

// closeAll closes all files for good.
func (h *handles) closeAll() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	var errs []error
	for len(h.open) > 0 {
		name := h.open[0].name
		if err := h.drop(0); err != nil {
			errs = append(errs, &ReadError{name, err})
		}
	}
	return errors.Join(errs...)
}

// isFull tells whether a file could not be opened because too many are.
func isFull(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// sameFile tells whether a file is the one that it was, unchanged.
func sameFile(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// IrregularError says that what has the name of a table is no file: a folder, a pipe, a device, a
// socket. Reading from some of these would never end.
type IrregularError struct {
	Mode fs.FileMode
}

func (e *IrregularError) Error() string {
	switch e.Mode.Type() {
	case fs.ModeDir:
		return "a folder, not a file"
	case fs.ModeNamedPipe:
		return "a named pipe, not a file"
	case fs.ModeSocket:
		return "a socket, not a file"
	}
	return "a device, not a file"
}

// openRegular opens a file, and nothing else, without waiting for anybody: to open a pipe would.
func openRegular(name string) (*os.File, os.FileInfo, error) {
	info, err := os.Stat(name) // first, since merely to open a device may have effects
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, &IrregularError{info.Mode()}
	}
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = &IrregularError{info.Mode()}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

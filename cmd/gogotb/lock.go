package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/gofrs/flock"
)

// lockName is the file in a folder of tables that the process which makes tables there
// holds locked. A process that is killed leaves it behind unlocked, which hinders nobody.
const lockName = "generate.lock"

// folderLock keeps two processes from making tables in one folder.
type folderLock struct{ file *flock.Flock }

// errAtWork says that another process has the lock of a folder.
var errAtWork = errors.New("another gogotb generate is at work in this folder")

// lockFolder takes the lock of a folder. The error wraps errAtWork if another process has it.
func lockFolder(dir string) (*folderLock, error) {
	path := filepath.Join(dir, lockName)
	for {
		l := &folderLock{flock.New(path, flock.SetPermissions(0o644))}
		locked, err := l.file.TryLock()
		if err != nil {
			return nil, err
		}
		if !locked {
			return nil, fmt.Errorf("%s: %w", dir, errAtWork)
		}
		if l.isCurrent() {
			return l, nil
		}
		l.file.Close()
	}
}

// isCurrent tells whether the locked file is still the one of that name: the process before
// may have removed it after it was opened here and before it was locked, and the next
// process would lock another.
func (l *folderLock) isCurrent() bool {
	locked, err := l.file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(l.file.Path())
	return err == nil && os.SameFile(locked, named)
}

// release removes the lock file: while it is locked, so that it is not the lock of the next
// process, but on Windows, where an open file cannot be removed, and where only a file that is
// nobody's lock can be, afterwards.
func (l *folderLock) release() {
	if runtime.GOOS != "windows" {
		os.Remove(l.file.Path())
	}
	l.file.Close()
	if runtime.GOOS == "windows" {
		os.Remove(l.file.Path())
	}
}

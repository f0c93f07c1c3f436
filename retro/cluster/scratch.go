package cluster

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// scratchFolder is a worker's own folder, for checkpoints, tables that are being made and scratch files. While the worker
// lives it holds a lock there.
type scratchFolder struct {
	path string
	lock *flock.Flock
}

// scratchPrefix begins the names of such folders, unlockedPrefix those that are not locked yet.
const (
	scratchPrefix  = "gogotb-worker-"
	unlockedPrefix = "gogotb-new-"
)

// newScratch makes a folder for a worker in another one, and removes those of workers that were killed.
func newScratch(above string) (*scratchFolder, error) {
	if err := os.MkdirAll(above, 0o755); err != nil {
		return nil, err
	}
	left, err := filepath.Glob(filepath.Join(above, scratchPrefix+"*"))
	if err != nil {
		return nil, err
	}
	for _, path := range left {
		l := flock.New(filepath.Join(path, "lock"))
		if locked, err := l.TryLock(); err == nil && locked {
			os.RemoveAll(path)
			l.Close()
		}
	}
	// It gets its name when it is locked, or another would take it for that of a dead worker.
	unlocked, err := os.MkdirTemp(above, unlockedPrefix)
	if err != nil {
		return nil, err
	}
	s := &scratchFolder{filepath.Join(above, scratchPrefix+strings.TrimPrefix(filepath.Base(unlocked), unlockedPrefix)), flock.New(filepath.Join(unlocked, "lock"))}
	if err = s.lock.Lock(); err == nil {
		err = os.Rename(unlocked, s.path)
	}
	if err != nil {
		s.lock.Close()
		os.RemoveAll(unlocked)
		return nil, err
	}
	return s, nil
}

// folder makes an empty folder for a task.
func (s *scratchFolder) folder(t task) (string, error) {
	path := filepath.Join(s.path, t.key())
	if err := os.RemoveAll(path); err != nil {
		return "", err
	}
	return path, os.Mkdir(path, 0o755)
}

// remove removes the folder with all that is in it.
func (s *scratchFolder) remove() {
	os.RemoveAll(s.path)
	s.lock.Close()
}

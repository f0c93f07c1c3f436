package storage

import (
	"os"
	"path/filepath"
)

// MakeFolder makes a folder for tables, and those around it, if they are not there, so
// that a power cut later leaves them there. The error is a *WriteError.
func MakeFolder(dir string) error {
	parent := filepath.Dir(dir)
	_, err := os.Stat(dir)
	isNew := os.IsNotExist(err) && parent != dir
	if isNew {
		if err := MakeFolder(parent); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return &WriteError{dir, err}
	}
	if isNew {
		syncFolder(parent) // what may be written, but not read, cannot be synced
	}
	return nil
}

package bucket

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// Kinds of errors, which an *Error wraps.
var (
	ErrExists   = errors.New("there is an object of that name already")
	ErrNotFound = errors.New("there is no such object")
	ErrDenied   = errors.New("access is denied")
	ErrBadKey   = errors.New("objects cannot have such a name")
)

// Error says what could not be done with which object.
type Error struct {
	Op  string // put, get, list, delete
	Key string // or a prefix
	Err error
}

func (e *Error) Error() string {
	var path *fs.PathError
	if errors.As(e.Err, &path) {
		return fmt.Sprintf("%s %s: %v", e.Op, e.Key, path.Err) // the path says it again
	}
	return fmt.Sprintf("%s %s: %v", e.Op, e.Key, e.Err)
}
func (e *Error) Unwrap() error { return e.Err }

// lasting tells whether an error would come again, however often one tries.
func lasting(err error) bool {
	for _, kind := range []error{ErrExists, ErrNotFound, ErrDenied, ErrBadKey, context.Canceled} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

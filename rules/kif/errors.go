package kif

import "fmt"

// Error is what is wrong with a file, and in which line. Err may be a *rules.MoveError, a
// *rules.IllegalMoveError or a *rules.PositionError.
type Error struct {
	Line int // from 1; 0 if it is about the file as a whole
	Err  error
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return "KIF: " + e.Err.Error()
	}
	return fmt.Sprintf("KIF: line %d: %v", e.Line, e.Err)
}

// Unwrap is Err.
func (e *Error) Unwrap() error { return e.Err }

func errorAt(line int, format string, args ...any) error {
	return &Error{line, fmt.Errorf(format, args...)}
}

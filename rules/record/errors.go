package record

import (
	"errors"
	"fmt"
)

// Error is what is wrong with a game of a file, and in which line. Err may be a *rules.MoveError, a
// *rules.IllegalMoveError, a *rules.PositionError, a *rules.SFENError or a *ForeignError.
type Error struct {
	Format Format
	Line   int // from 1; 0 if it is about the file as a whole
	Err    error
}

func (e *Error) Error() string {
	text := ""
	if e.Format != "" {
		text = string(e.Format) + ": "
	}
	if e.Line > 0 {
		text += fmt.Sprintf("line %d: ", e.Line)
	}
	return text + e.Err.Error()
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Located returns the line of an *Error and what is wrong there; of any other error, nil too, 0 and itself.
func Located(err error) (line int, cause error) {
	var at *Error
	if errors.As(err, &at) {
		return at.Line, at.Err
	}
	return 0, err
}

// ForeignError is about a file in a format that is known but not read.
type ForeignError struct {
	Format string
	What   string // what the format is
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("this is a %s file (%s), which is not read; KIF, CSA, USI and lists of western moves are", e.Format, e.What)
}

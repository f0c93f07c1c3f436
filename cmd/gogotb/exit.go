package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Exit statuses.
const (
	exitDone        = 0
	exitFailed      = 1   // it was understood, and could not be done
	exitUsage       = 2   // the command line says nothing that could be done
	exitInterrupted = 130 // as shells have it for SIGINT
)

// usageError is an error of the one who wrote the command line.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// usagef returns a usageError with a text.
func usagef(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

// errSaid makes the exit status that of a failure where all has been said already: an
// object with "error" among the results, a line on standard error.
var errSaid = errors.New("")

// interruptedError says how far a command had come when it was interrupted.
type interruptedError struct{ text string }

func (e *interruptedError) Error() string { return e.text }
func (e *interruptedError) Unwrap() error { return context.Canceled }

func exitStatus(err error) int {
	var usage *usageError
	switch {
	case errors.As(err, &usage):
		return exitUsage
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	}
	return exitFailed
}

// oneLine keeps an error text, cobra's suggestions for example, on one line.
func oneLine(text string) string {
	return strings.Join(strings.Fields(text), " ")
}

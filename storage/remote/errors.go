package remote

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"gogotb/storage"
)

// Error says why a server did not give what it was asked for. It is storage.ErrUnavailable.
type Error struct {
	What   string // in words
	Status int    // of HTTP, 0 if there was no answer
	Err    error  // what the network said; nil: nothing
	Asked  int    // how many times

	temporary  bool          // it may go better at once
	alone      bool          // it says nothing about other files of the server
	changed    bool          // the file is not the one that was opened
	retryAfter time.Duration // as the server wishes
}

func (e *Error) Error() string {
	text := e.What
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	if e.Asked > 1 {
		text += fmt.Sprintf(" (asked %d times)", e.Asked)
	}
	return text
}

// Is reports that the error is storage.ErrUnavailable.
func (e *Error) Is(target error) bool { return target == storage.ErrUnavailable }
func (e *Error) Unwrap() error        { return e.Err }

func changed(what string) *Error { return &Error{What: what, changed: true, alone: true} }

// networkError returns what a failed request comes to. Addresses are taken out: they may have secrets in them.
func networkError(err error) error {
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	for {
		var request *url.Error
		if !errors.As(err, &request) {
			break
		}
		err = request.Err
	}
	if strings.Contains(err.Error(), "Location") {
		return &Error{What: "a redirect to nowhere"}
	}
	var timeout net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout() {
		return &Error{What: "no answer in time", temporary: true}
	}
	return &Error{What: "no answer", Err: err, temporary: true}
}

// errNotThere is the error of a file that the server does not have.
var errNotThere = fmt.Errorf("the server does not have it: %w", fs.ErrNotExist)

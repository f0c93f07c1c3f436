package main

// #include <stdlib.h>
// #include "gogotb.h"
// #include "internal.h"
import "C"

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage"
)

// argumentError is a call that makes no sense.
type argumentError string

func (e argumentError) Error() string { return string(e) }

const (
	errNull    = argumentError("a null pointer")
	errNotOpen = argumentError("these tables are not open")
)

// Errors that have no type elsewhere.
var (
	errNotCached = errors.New("not in the cache")
	errRoom      = errors.New("there is more to write than room for it")
)

// statusOf returns the code of an error.
func statusOf(err error) C.int {
	switch {
	case err == nil:
		return C.GOGOTB_OK
	case errors.Is(err, storage.ErrNotCovered):
		return C.GOGOTB_NOT_COVERED
	case errors.Is(err, storage.ErrCorrupt):
		return C.GOGOTB_CORRUPT
	case errors.Is(err, storage.ErrUnavailable):
		return C.GOGOTB_UNAVAILABLE
	case is[*storage.VersionError](err):
		return C.GOGOTB_UNSUPPORTED
	case is[*storage.ReadError](err):
		return C.GOGOTB_READ
	case is[*rules.PositionError](err), is[*rules.IllegalMoveError](err):
		return C.GOGOTB_ILLEGAL
	case is[*rules.SFENError](err), is[*rules.MoveError](err), is[*index.SyntaxError](err):
		return C.GOGOTB_TEXT
	case is[argumentError](err), is[*storage.OptionError](err):
		return C.GOGOTB_ARGUMENT
	case err == errNotCached:
		return C.GOGOTB_NOT_CACHED
	case err == errRoom:
		return C.GOGOTB_ROOM
	}
	return C.GOGOTB_INTERNAL
}

// is tells whether an error is of a type, or wraps one that is.
func is[T error](err error) bool {
	var e T
	return errors.As(err, &e)
}

// guard runs a function for a C program: its error becomes a code and this thread's
// message. A panic must not cross into C, where it would end the program.
func guard(f func() error) (status C.int) {
	defer func() {
		if r := recover(); r != nil {
			setMessage(fmt.Sprintf("internal error: %v", r))
			status = C.GOGOTB_INTERNAL
		}
	}()
	err := f()
	if err != nil {
		setMessage(err.Error())
	}
	return statusOf(err)
}

// setMessage sets this thread's message, on one line.
func setMessage(text string) {
	text = strings.ReplaceAll(text, "\n", "; ")
	c := C.CString(text)
	defer C.free(unsafe.Pointer(c))
	C.libgogotb_set_message(c, C.size_t(len(text)))
}

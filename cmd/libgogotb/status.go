package main

// #include <stdlib.h>
// #include "gogotb.h"
// #include "internal.h"
import "C"

import (
	"errors"
	"fmt"
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
	errRoom      = errors.New("more moves than room for them")
)

// statusOf is the code of an error.
func statusOf(err error) C.int {
	var (
		missing  *storage.MissingTableError
		corrupt  *storage.CorruptError
		foreign  *storage.NotATableError
		version  *storage.VersionError
		read     *storage.ReadError
		position *rules.PositionError
		king     *index.KingError
		size     *index.SizeError
		sfen     *rules.SFENError
		argument argumentError
		option   *storage.OptionError
	)
	switch {
	case err == nil:
		return C.GOGOTB_OK
	case errors.As(err, &missing):
		return C.GOGOTB_MISSING
	case errors.As(err, &corrupt), errors.As(err, &foreign):
		return C.GOGOTB_CORRUPT
	case errors.As(err, &version):
		return C.GOGOTB_VERSION
	case errors.As(err, &read):
		return C.GOGOTB_READ
	case errors.As(err, &position), errors.As(err, &king), errors.As(err, &size):
		return C.GOGOTB_POSITION
	case errors.As(err, &sfen):
		return C.GOGOTB_SFEN
	case errors.As(err, &argument), errors.As(err, &option):
		return C.GOGOTB_ARGUMENT
	case err == errNotCached:
		return C.GOGOTB_NOT_CACHED
	case err == errRoom:
		return C.GOGOTB_ROOM
	}
	return C.GOGOTB_INTERNAL
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

func setMessage(text string) {
	c := C.CString(text)
	defer C.free(unsafe.Pointer(c))
	C.libgogotb_set_message(c, C.size_t(len(text)))
}

// Libgogotb is the C library: the probes of package storage for programs in C and in
// languages that can call it. Build it with `make lib`, which leaves libgogotb.so,
// libgogotb.a and gogotb.h in bin; the header documents the functions.
//
//	gogotb.h      what C programs see
//	calls.c       the functions of the header: forwarded to lib.go, refused after fork
//	fork.c        whether the process was forked
//	lib.go        the functions in Go
//	tables.go     open tables and their numbers
//	status.go     errors as codes and messages
//	message.c     where messages are kept
//	signals.c     why the library handles no signal
//	exports.map   what the shared library shows
//	gogotb.pc.in  what pkg-config says
package main

func main() {}

// Libgogotb is the C library: the probes of package storage, legal moves and the search for mates, for programs in C
// and in languages that can call it. Build it with `make lib`, which leaves libgogotb.so, libgogotb.a and gogotb.h
// in bin; the header documents the functions. The folder python has the Python package over it.
//
//	gogotb.h      what C programs see
//	calls.c       the functions of the header: forwarded to Go, refused after fork
//	fork.c        whether the process was forked
//	open.go       the functions in Go: opening tables, what there is
//	addresses.go  tables at addresses, with the tag remote
//	stats.go      statistics of sets
//	positions.go  positions and legal moves
//	probe.go      values
//	solve.go      the search for mates
//	convert.go    positions, moves and values as C has them
//	tables.go     open tables and their numbers
//	status.go     errors as codes and messages
//	message.c     where messages are kept
//	signals.c     why the library handles no signal
//	exports.map   what the shared library shows
//	gogotb.pc.in  what pkg-config says
package main

func main() {}

// Package storage has the table files of gogotb and the library that probes them.
//
// A material set has two tables: outcomes (who wins, and what is won or lost by
// perpetual check) and distances (plies to mate, ranks of perpetual checks). With the
// outcomes alone a program still answers who wins; an engine can hold them in memory.
// FORMAT.md describes every byte of the files, NOTES.md why they are as they are.
//
// # Probing
//
//	tables, err := storage.Open("tables")
//	...
//	defer tables.Close()
//	p, err := rules.ParseSFEN("4k/5/5/5/K4 b RG 1")
//	...
//	result, err := tables.Probe(&p)
//
// Probe gives the value of a position, Outcome who wins alone, Moves the value after
// each legal move, best first, Line best play by both sides. All of them give values
// for fresh history: repetition in a game is the caller's business, and so is what an
// open position is worth (Adjudication). Tables is safe for concurrent use.
//
// Errors have types: *MissingTableError, *CorruptError with file and offset,
// *VersionError, *NotATableError, *ReadError. A damaged file never gives a wrong value:
// everything is covered by a checksum that is verified before it is used.
//
// # Writing
//
// Create begins the two tables of a set, Append takes the values in index order, Commit
// completes the files, gives them their names and keeps SHA256SUMS up to date. Until then
// the files have temporary names, so that a table is there whole or not at all.
//
// # Where things are
//
//	format.go      header and trailer of a file        block.go   blocks before compression
//	statistics.go  the statistics in it                table.go   an open file
//	writer.go      Create, Append, Commit              file.go    temporary files, renames
//	sums.go        SHA256SUMS                          errors.go  errors
//	tables.go      folders, sets, whole blocks         cache.go   unpacked blocks
//	probe.go       values of positions, moves, lines
package storage

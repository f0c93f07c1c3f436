// Package storage has the table files of gogotb and the library that probes them.
//
// A material set has two tables: outcomes (who wins, and what is won or lost by
// perpetual check) and distances (plies to mate, ranks of perpetual checks). With the
// outcomes alone a program still answers who wins; an engine can hold them in memory.
// FORMAT.md describes every byte of the files, NOTES.md why they are as they are, and
// BENCHMARKS.md how fast it all is.
//
// # Probing
//
//	tables, err := storage.Open([]string{"tables"}, nil)
//	...
//	defer tables.Close()
//	p, err := rules.ParseSFEN("4k/5/5/5/K4 b RG 1")
//	...
//	result, err := tables.Probe(&p)
//
// Probe gives the value of a position, Outcome who wins alone, Moves the value after
// each legal move, best first, Line best play by both sides. SoftProbe answers from memory
// alone, for searches that cannot wait, and ProbeRaw takes squares and hands as other
// programs have them. Set.LoadOutcomes takes the outcomes of a set into memory; Set.Values
// decodes all of a set, Set.Block a part. All of them give values for fresh history: repetition in
// a game is the caller's business, and so is what an open position is worth
// (Adjudication). Tables is safe for concurrent use.
//
// Three questions are asked of an error: errors.Is(err, ErrNotCovered), is the position just not
// covered, errors.Is(err, ErrCorrupt), is a table broken, and errors.Is(err, ErrUnavailable), is the server that has it
// away? Types have the details:
// *MissingTableError, *CorruptError with file and offset, *NotATableError, *VersionError,
// *ReadError, and within that *IrregularError; of writing, *WriteError and *ValueError. A damaged file never gives a wrong value:
// everything is covered by a checksum that is verified before it is used, and that says where
// it belongs. Only in files of format 2, which are still read, two blocks could have changed
// places unnoticed.
//
// Where several folders have a set, whole tables are preferred, and take over when others
// prove damaged; Options.Warn is told, and Tables.Damaged remembers.
//
// # Tables elsewhere
//
// Among the folders there may be addresses, https://host/path/ or s3://bucket/prefix, which Options.Source opens: package
// storage/remote does, and this one knows no client. Of files there only the parts are read that are needed, and every one of them is checked
// as if it came from a disk. Opening takes a request for the end of a file, since the checksum of the trailer also tells the header; then
// an outcome takes one for its block, and for the model if that is not known yet. Tables.Within bounds how long is waited.
//
// # Writing
//
// Create begins the two tables of a set, Append takes the values in index order, Commit
// completes the files, gives them their names and keeps SHA256SUMS up to date. Until then
// the files have temporary names, so that a set is there whole or not at all.
//
// # Where things are
//
//	tables.go      Open, and the sets found         list.go        what is there
//	view.go        what the folders hold            choose.go      which files are a set's
//	handles.go     few open files, regular ones     damage.go      damage, and what to use instead
//	limit_*.go     how many files may be open       folder.go      making folders
//	set.go         the two tables of a set          blocks.go      blocks from cache or file
//	probe.go       values of positions              play.go        moves, lines, adjudication
//	table.go       an open file                     decoder.go     reading blocks
//	format.go      header and trailer of a file     statistics.go  the statistics in it
//	strides.go     strides of its blocks            check.go       checking all of it
//	writer.go      Create, Append, Commit           chapter.go     packing a part of a table
//	file.go        temporary files, renames         sums.go        SHA256SUMS
//	cache.go       decoded blocks                   parallel.go    work on all cores
//	estimate.go    how large tables will be         source.go      tables that are in no folder
//	errors.go      errors                           internal/codec how blocks are compressed
//	share.go       files for others to read
//	search         positions by their values        remote         tables from servers
//
// # Why the files are as they are
//
// Blocks are not compressed with zstd but with models of their neighbourhood, which takes
// less space (NOTES.md) and decodes blocks that are small enough for a quick probe; zstd remains
// for the models. A directory and the checksum of the whole stand at the end of a file, not
// in its header, since a file is written once from front to back.
package storage

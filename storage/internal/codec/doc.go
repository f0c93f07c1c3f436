// Package codec compresses the blocks of a table: runs of at most MaxEntries values in
// the order of the perfect index. It knows nothing of files, and of the index only the
// strides: how far apart entries are that differ in the place of one group of pieces.
//
// An entry is predicted from entries before it in the block: those at the distances 1, 4,
// L and P (the strides) and a few sums of these are nearly the same position. Their values
// select a context. A Model says how often each symbol occurs in each context, and a range
// coder (rANS) turns symbols into bits accordingly. Models are made from a few thousand
// blocks and stored with them. FORMAT.md in package storage defines all of it exactly.
//
//	block.go      values as classes; the decoded outcomes of a block
//	outcomes.go   contexts of outcomes, and of what is by perpetual check; encoding
//	distances.go  contexts of distances; encoding
//	decode.go     the same contexts again, for decoding
//	strides.go    good strides for a slice
//	model.go      frequencies of symbols by context, and their bytes
//	rans.go       the range coder
//	check.go      the checksum that a block begins with
//	zstd.go       compression of models
//
// Encoding has two steps. The first turns values into events, a symbol in a context each;
// it needs no model, so that models can be made from the events. The second turns events
// into bytes. Both depend on their input alone, whatever an Encoder did before.
//
// # Why not zstd
//
// zstd would be the usual way to compress blocks. On the table of GSP the best level of
// klauspost/compress takes 0.53 bits per distinct legal position for outcomes and 1.43 for
// distances in blocks of 16 Ki entries, and 0.48 and 1.38 in blocks of 64 Ki, which are too
// long to be decoded for a probe. Contexts take 0.39 and 1.15, models included, in blocks of 4 Ki. zstd
// remains for models. NOTES.md in package storage has the measurements.
package codec

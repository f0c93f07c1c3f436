// Package codec compresses the blocks of a table: runs of at most MaxEntries values in
// the order of the perfect index. It knows nothing of files, and of the index only the
// strides: how far apart entries are that differ in the place of one piece.
//
// An entry is predicted from entries before it in the block. Let P and L be the strides of
// the block: the last piece but one, or the last but two, stands one square further. The
// neighbours at distances 1, 4, L, P and a few sums of these are nearly the same position.
// Their values select a context; a Model says how often each symbol occurs in each context,
// and a range coder (rANS) turns that into bits. Models are made from a few thousand blocks
// and stored with them. FORMAT.md in package storage defines all of it exactly.
//
//	block.go      values as symbols; the decoded outcomes of a block
//	outcomes.go   contexts of outcomes, and of what is by perpetual check: encoding
//	distances.go  contexts of distances: encoding
//	decode.go     the same contexts again, for decoding
//	model.go      frequencies of symbols by context, and their bytes
//	rans.go       the range coder
//
// Encoding has two steps. The first turns values into events, a symbol in a context each;
// it needs no model, so that models can be made from the events. The second turns events
// into bytes.
//
// # Why not zstd
//
// The design had blocks compressed with zstd. For GSP zstd (klauspost, best level) needs
// 0.53 bits per distinct legal position for outcomes and 1.43 for distances in blocks of
// 16 Ki entries, and 0.48 and 1.38 in blocks of 64 Ki, which take too long to decode for
// one probe. Contexts need 0.36 and 1.18 in blocks of 4 Ki. NOTES.md in package storage
// has the measurements. Models are compressed with zstd.
package codec

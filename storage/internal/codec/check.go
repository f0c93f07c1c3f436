package codec

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"
)

// A block begins with a checksum: it is verified before anything is decoded, so that decoding
// may stop at the entry that was asked for. It is the sum of that of the other bytes and of a
// tag, which says which block it is. Two different tags never give the same checksum to
// the same bytes, so blocks that have changed places are told as surely as the tags differ.
const checkBytes = 4

// checksum returns the checksum of a coded block.
func checksum(coded []byte, tag uint32) uint32 { return uint32(xxhash.Sum64(coded)) + tag }

// appendCheck appends the checksum of a coded block.
func appendCheck(dst, coded []byte, tag uint32) []byte {
	return binary.LittleEndian.AppendUint32(dst, checksum(coded, tag))
}

// checked returns the coded part of a block if its checksum is right.
func checked(block []byte, tag uint32) (coded []byte, ok bool) {
	if len(block) < checkBytes || len(block) > maxBytes {
		return nil, false
	}
	coded = block[checkBytes:]
	return coded, checksum(coded, tag) == binary.LittleEndian.Uint32(block)
}

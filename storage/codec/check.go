package codec

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"
)

// A block begins with the checksum of its other bytes: it is verified before anything is
// decoded, so that decoding may stop at the entry that was asked for.
const checkBytes = 4

// appendCheck appends the checksum of a coded block.
func appendCheck(dst, coded []byte) []byte {
	return binary.LittleEndian.AppendUint32(dst, uint32(xxhash.Sum64(coded)))
}

// checked is the coded part of a block if its checksum is right.
func checked(block []byte) (coded []byte, ok bool) {
	if len(block) < checkBytes || len(block) > maxBytes {
		return nil, false
	}
	coded = block[checkBytes:]
	return coded, uint32(xxhash.Sum64(coded)) == binary.LittleEndian.Uint32(block)
}

package codec

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"
)

// The state that a block's encoder starts from is a checksum of what is encoded, so it is
// what its decoder has to end at. That checks the bytes and the decoding at once, in 31
// bits, and costs a byte: any state would have to be stored.

// setCheck puts the check in front of the events of a block.
func setCheck(events []Event, state uint32) {
	events[0], events[1] = Event(state), Event(state>>16)
}

// checkState is the state for a checksum.
func checkState(sum uint64) uint32 {
	return stateLow + uint32(sum%(stateLow<<8-stateLow))
}

// check is the checksum of decoded outcomes: xxHash64 of the words, little endian.
func (o *Outcomes) check(room *[]byte) uint32 {
	b := (*room)[:0]
	for _, w := range o.Classes {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	for _, w := range o.Perpetual {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	*room = b
	return checkState(xxhash.Sum64(b))
}

// checkDistances is the checksum of decoded distances: xxHash64 of the numbers, two bytes
// each, little endian.
func checkDistances(distances []uint16, room *[]byte) uint32 {
	b := (*room)[:0]
	for _, d := range distances {
		b = binary.LittleEndian.AppendUint16(b, d)
	}
	*room = b
	return checkState(xxhash.Sum64(b))
}

package codec

import (
	"encoding/binary"
	"errors"
)

// The range coder is rANS with a state of 31 bits that takes in and gives out bytes
// (J. Duda, "Asymmetric numeral systems", arXiv:1311.2540; F. Giesen, "Interleaved entropy
// coders", arXiv:1402.3392). A symbol with frequency f out of 1<<scaleBits, below which
// symbols with frequencies of sum s come, takes the state x to
//
//	(x / f) << scaleBits + x % f + s
//
// and the way back is the decoder's. What is encoded last is decoded first, so the encoder
// goes through its events backwards and writes its bytes backwards.
const (
	scaleBits = 14
	scale     = 1 << scaleBits
	stateLow  = 1 << 23 // states are stateLow..stateLow<<8 - 1
)

// errDamaged is what every decoder returns for bytes that no encoder made.
var errDamaged = errors.New("the compressed data is damaged")

// symbolRange is where a symbol lies in its context: its frequency and the sum of those
// before it.
type symbolRange struct{ start, frequency uint16 }

// Code appends the bytes of a block to dst. Its events come from Outcomes or Distances,
// the model has counted them.
func (e *Encoder) Code(dst []byte, events []Event, m *Model) []byte {
	if cap(e.bytes) < 2*len(events)+4 { // no event takes more than scaleBits
		e.bytes = make([]byte, 2*len(events)+4)
	}
	out := e.bytes[:cap(e.bytes)]
	at := len(out)
	x := uint32(events[0]) | uint32(events[1])<<16
	for i := len(events) - 1; i >= checkEvents; i-- {
		start, frequency := m.rangeOf(events[i])
		for limit := frequency << (31 - scaleBits); x >= limit; x >>= 8 {
			at--
			out[at] = byte(x)
		}
		x = x/frequency<<scaleBits + x%frequency + start
	}
	at -= 4
	binary.LittleEndian.PutUint32(out[at:], x)
	return append(dst, out[at:]...)
}

// decoder is the state of decoding one block.
type decoder struct {
	x  uint32
	in []byte
	at int
}

func newDecoder(in []byte) (decoder, error) {
	if len(in) < 4 {
		return decoder{}, errDamaged
	}
	x := binary.LittleEndian.Uint32(in)
	if x < stateLow || x >= stateLow<<8 {
		return decoder{}, errDamaged
	}
	return decoder{x: x, in: in, at: 4}, nil
}

// refill takes in bytes until the state is in its range again. Beyond the end it takes in
// zeros, so that damaged input ends somehow; finish finds out.
func (d *decoder) refill(x uint32) uint32 {
	for x < stateLow {
		x <<= 8
		if d.at < len(d.in) {
			x |= uint32(d.in[d.at])
		}
		d.at++
	}
	return x
}

// bit decodes a symbol of a context of two, of which 0 has the frequency given.
func (d *decoder) bit(zero uint32) bool {
	slot := d.x & (scale - 1)
	if slot < zero {
		d.x = zero*(d.x>>scaleBits) + slot
	} else {
		d.x = (scale-zero)*(d.x>>scaleBits) + slot - zero
	}
	if d.x < stateLow {
		d.x = d.refill(d.x)
	}
	return slot >= zero
}

// finish checks that the block ended where its encoder began, at the state check.
func (d *decoder) finish(check uint32) error {
	if d.x != check || d.at != len(d.in) {
		return errDamaged
	}
	return nil
}

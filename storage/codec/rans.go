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
	x   uint32
	at  uint16   // what of the input has been taken in
	end uint16   // its length
	in  *entries // the input, and anything behind it
}

// start begins to decode a block.
func (w *workspace) start(in []byte) (decoder, error) {
	const stateBytes = 4
	if len(in) < stateBytes || len(in) > maxBytes {
		return decoder{}, errDamaged
	}
	d := decoder{binary.LittleEndian.Uint32(in), stateBytes, uint16(len(in)), &w.input}
	if d.x < stateLow || d.x >= stateLow<<8 {
		return decoder{}, errDamaged
	}
	copy(w.input[:], in)
	return d, nil
}

// take takes in a byte. Beyond the end it takes in anything, so that damaged input ends
// somehow; finish finds out.
func (d *decoder) take() {
	d.x = d.x<<8 | uint32(d.in[d.at])
	d.at++
}

// use removes a symbol from the state, whose slot is the lower bits of it.
func (d *decoder) use(start, next uint32) {
	d.x = (next-start)*(d.x>>scaleBits) + d.x&(scale-1) - start
	for d.x < stateLow {
		d.take()
	}
}

// bit decodes a symbol of a context of two, of which 0 has the frequency given.
func (d *decoder) bit(zero uint32) bool {
	if d.x&(scale-1) < zero {
		d.use(0, zero)
		return false
	}
	d.use(zero, scale)
	return true
}

// finish checks that the block ended where its encoder began, at the state check.
func (d *decoder) finish(check uint32) error {
	if d.x != check || d.at != d.end {
		return errDamaged
	}
	return nil
}

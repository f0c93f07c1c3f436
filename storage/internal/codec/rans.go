package codec

import (
	"errors"
	"math/bits"
	"slices"
)

// The range coder is rANS with a state of 31 bits that takes in and gives out bytes
// (J. Duda, "Asymmetric numeral systems", arXiv:1311.2540; F. Giesen, "Interleaved entropy
// coders", arXiv:1402.3392). A symbol with frequency f out of 1<<scaleBits, below which
// symbols with frequencies of sum s come, takes the state x to
//
//	(x / f) << scaleBits + x % f + s
//
// and the way back is the decoder's. What is encoded last is decoded first, so the encoder
// goes through its events backwards and writes its bytes backwards. It begins at 0: as long
// as the state is small no byte comes out, and the decoder, which takes in bytes while the state is
// small, finds none left.
const (
	scaleBits = 14
	scale     = 1 << scaleBits
	stateLow  = 1 << 23 // states are stateLow..stateLow<<8 - 1, but for the last ones

	stateBytes = 4
)

// errDamaged is what every decoder returns for bytes that no encoder made.
var errDamaged = errors.New("the compressed data is damaged")

// symbolRange is where a symbol lies in its context: its frequency and the sum of those
// before it.
type symbolRange struct{ start, frequency uint16 }

// reciprocals are 2^63 divided by each frequency, rounded up: x/f is the integral part of
// x * reciprocals[f] / 2^63, since the error of that, less than x/2^63, is less than 1/f.
var reciprocals = func() (r [scale + 1]uint64) {
	for f := uint64(1); f <= scale; f++ {
		r[f] = (1<<63-1)/f + 1
	}
	return r
}()

// quotient returns x/f, for x below 1<<31 and a frequency f.
func quotient(x, f uint32) uint32 {
	q, _ := bits.Mul64(uint64(x)<<1, reciprocals[f])
	return uint32(q)
}

// Code appends the bytes of a block to dst. Its events come from Outcomes or Distances,
// the model has counted them. The tag says which block it is: decoding needs the same.
func (e *Encoder) Code(dst []byte, events []Event, m *Model, tag uint32) []byte {
	if cap(e.bytes) < 2*len(events)+stateBytes { // no event takes more than scaleBits
		e.bytes = make([]byte, 2*len(events)+stateBytes)
	}
	out := e.bytes[:cap(e.bytes)]
	at := len(out)
	x := uint32(0)
	for i := len(events) - 1; i >= 0; i-- {
		start, frequency := m.rangeOf(events[i])
		for limit := frequency << (31 - scaleBits); x >= limit; x >>= 8 {
			at--
			out[at] = byte(x)
		}
		x += quotient(x, frequency)*(scale-frequency) + start
	}
	for ; x > 0; x >>= 8 {
		at--
		out[at] = byte(x)
	}
	dst = slices.Grow(dst, checkBytes+len(out)-at)
	return append(appendCheck(dst, out[at:], tag), out[at:]...)
}

// decoder is the state of decoding one block.
type decoder struct {
	x   uint32
	at  uint16   // what of the input has been taken in
	end uint16   // its length
	in  *entries // the input, and anything behind it
}

// start begins to decode a block.
func (w *workspace) start(block []byte, tag uint32) (decoder, error) {
	coded, ok := checked(block, tag)
	if !ok {
		return decoder{}, errDamaged
	}
	d := decoder{0, 0, uint16(len(coded)), &w.input}
	copy(w.input[:], coded)
	d.refill()
	return d, nil
}

// refill takes in bytes until the state is in its range, or none are left.
func (d *decoder) refill() {
	for d.x < stateLow && d.at < d.end {
		d.x = d.x<<8 | uint32(d.in[d.at])
		d.at++
	}
}

// use removes a symbol from the state, whose slot is the lower bits of it.
func (d *decoder) use(start, next uint32) {
	d.x = (next-start)*(d.x>>scaleBits) + d.x&(scale-1) - start
	d.refill()
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

// finish checks that the block ended where its encoder began.
func (d *decoder) finish() error {
	if d.x != 0 || d.at != d.end {
		return errDamaged
	}
	return nil
}

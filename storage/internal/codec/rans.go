package codec

import (
	"encoding/binary"
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

// surplus returns how many bytes, 0 to 2, have to leave the state x before a symbol of a frequency. Nobody could
// foresee it, so there is no branch: the two lowest bytes are written, and one or both written over next time.
func surplus(x, frequency uint32) uint32 {
	limit := frequency<<(31-scaleBits) - 1
	return (limit-x)>>31 + (limit-x>>8)>>31
}

// past returns the state after a symbol, when n bytes have left x.
func past(x, n, start, frequency uint32) uint32 {
	x >>= 8 * n & 31
	return x + quotient(x, frequency)*(scale-frequency) + start
}

// memory returns the memory for the bytes of a block: k is 1 for the second one of two.
func (e *Encoder) memory(k, events int) []byte {
	if room := 2*events + 2*stateBytes; cap(e.bytes[k]) < room { // no event takes more than scaleBits
		e.bytes[k] = make([]byte, room)
	}
	return e.bytes[k][:cap(e.bytes[k])]
}

// Code appends the bytes of a block to dst. Its events come from Outcomes or Distances,
// the model has counted them. The tag says which block it is: decoding needs the same.
func (e *Encoder) Code(dst []byte, events []Event, m *Model, tag uint32) []byte {
	out := e.memory(0, len(events))
	return finish(dst, events, m, out, len(out), 0, tag)
}

// finish does what Code does with the events that are left when the state is x and the bytes written begin at at.
func finish(dst []byte, events []Event, m *Model, out []byte, at int, x, tag uint32) []byte {
	for i := len(events) - 1; i >= 0; i-- {
		start, frequency := m.rangeOf(events[i])
		binary.BigEndian.PutUint16(out[at-2:], uint16(x))
		n := surplus(x, frequency)
		at, x = at-int(n), past(x, n, start, frequency)
	}
	for ; x > 0; x >>= 8 {
		at--
		out[at] = byte(x)
	}
	dst = slices.Grow(dst, checkBytes+len(out)-at)
	return append(appendCheck(dst, out[at:], tag), out[at:]...)
}

// CodeTwo returns what Code does for two blocks. Each event has to wait for the one before, but not for those of
// another block, so that two blocks take little longer than one.
func (e *Encoder) CodeTwo(a, b []Event, m *Model, tagA, tagB uint32) (codedA, codedB []byte) {
	outA, outB := e.memory(0, len(a)), e.memory(1, len(b))
	atA, atB, xA, xB := len(outA), len(outB), uint32(0), uint32(0)
	for len(a) > 0 && len(b) > 0 {
		startA, frequencyA := m.rangeOf(a[len(a)-1])
		startB, frequencyB := m.rangeOf(b[len(b)-1])
		a, b = a[:len(a)-1], b[:len(b)-1]
		binary.BigEndian.PutUint16(outA[atA-2:], uint16(xA))
		binary.BigEndian.PutUint16(outB[atB-2:], uint16(xB))
		nA, nB := surplus(xA, frequencyA), surplus(xB, frequencyB)
		atA, xA = atA-int(nA), past(xA, nA, startA, frequencyA)
		atB, xB = atB-int(nB), past(xB, nB, startB, frequencyB)
	}
	return finish(nil, a, m, outA, atA, xA, tagA), finish(nil, b, m, outB, atB, xB, tagB)
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

package storage

import (
	"fmt"
	"sync"

	"gogotb/rules"
	"gogotb/storage/internal/codec"
)

// maxDistance is the largest distance in a table.
const maxDistance = rules.MaxNumber / 2

// decoder reads and unpacks blocks, one at a time.
type decoder struct {
	codec  *codec.Decoder
	packed []byte
	room   codec.Outcomes
	losses []uint16
}

func newDecoder() *decoder { return &decoder{codec: codec.NewDecoder()} }

// decoders are lent to whoever needs one.
var decoders = sync.Pool{New: func() any { return newDecoder() }}

// outcomes unpacks a block of outcomes to o, whose memory it uses where it suffices.
func (d *decoder) outcomes(o *codec.Outcomes, t *table, block uint64) error {
	return d.firstOutcomes(o, t, block, t.header.blockEntries(block))
}

// firstOutcomes unpacks at least the first wanted entries of a block.
func (d *decoder) firstOutcomes(o *codec.Outcomes, t *table, block uint64, want int) error {
	m, err := t.model(block)
	if err != nil {
		return err
	}
	if d.packed, err = t.packed(t.blocks.of(block), d.packed); err != nil {
		return err
	}
	n := t.header.blockEntries(block)
	if err := d.codec.FirstOutcomes(o, d.packed, t.tag(block), n, want, t.strides.of(block<<t.header.blockShift, n), m); err != nil {
		return t.corruptBlock(block, "cannot be decoded, or does not match its checksum")
	}
	return nil
}

// distances unpacks a block of distances, one for each loss of o. They are valid until the
// next call.
func (d *decoder) distances(t *table, block uint64, o *codec.Outcomes) ([]uint16, error) {
	return d.firstDistances(t, block, o, o.Entries)
}

// firstDistances unpacks those of the losses among the first entries.
func (d *decoder) firstDistances(t *table, block uint64, o *codec.Outcomes, entries int) ([]uint16, error) {
	m, err := t.model(block)
	if err != nil {
		return nil, err
	}
	if d.packed, err = t.packed(t.blocks.of(block), d.packed); err != nil {
		return nil, err
	}
	s := t.strides.of(block<<t.header.blockShift, o.Size)
	if d.losses, err = d.codec.FirstDistances(d.losses, d.packed, t.tag(block), o, entries, s, m); err != nil {
		return nil, t.corruptBlock(block, "cannot be decoded, or does not match its checksum")
	}
	for _, distance := range d.losses {
		if distance > maxDistance {
			return nil, t.corruptBlock(block, fmt.Sprintf("has a distance of %d, more than any position's", distance))
		}
	}
	return d.losses, nil
}

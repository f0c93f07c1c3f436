package storage

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
func (d *decoder) outcomes(ctx context.Context, o *codec.Outcomes, t *table, block uint64) error {
	return d.firstOutcomes(ctx, o, t, block, t.header.blockEntries(block))
}

// firstOutcomes unpacks at least the first wanted entries of a block.
func (d *decoder) firstOutcomes(ctx context.Context, o *codec.Outcomes, t *table, block uint64, want int) error {
	return d.unpack(ctx, t, block, func(m *codec.Model) error {
		n := t.header.blockEntries(block)
		if err := d.codec.FirstOutcomes(o, d.packed, t.tag(block), n, want, t.strides.of(block<<t.header.blockShift, n), m); err != nil {
			return t.corruptBlock(block, "cannot be decoded, or does not match its checksum")
		}
		return nil
	})
}

// distances unpacks a block of distances, one for each loss of o. They are valid until the
// next call.
func (d *decoder) distances(ctx context.Context, t *table, block uint64, o *codec.Outcomes) ([]uint16, error) {
	return d.firstDistances(ctx, t, block, o, o.Entries)
}

// firstDistances unpacks those of the losses among the first entries.
func (d *decoder) firstDistances(ctx context.Context, t *table, block uint64, o *codec.Outcomes, entries int) ([]uint16, error) {
	err := d.unpack(ctx, t, block, func(m *codec.Model) (err error) {
		s := t.strides.of(block<<t.header.blockShift, o.Size)
		if d.losses, err = d.codec.FirstDistances(d.losses, d.packed, t.tag(block), o, entries, s, m); err != nil {
			return t.corruptBlock(block, "cannot be decoded, or does not match its checksum")
		}
		for _, distance := range d.losses {
			if distance > maxDistance {
				return t.corruptBlock(block, fmt.Sprintf("has a distance of %d, more than any position's", distance))
			}
		}
		return nil
	})
	return d.losses, err
}

// unpack reads a block and its model, and decodes it. What comes from afar, and proves damaged, is asked for once more: it may
// have been the way, or a cache.
func (d *decoder) unpack(ctx context.Context, t *table, block uint64, decode func(*codec.Model) error) error {
	for again := false; ; again = true {
		m, err := d.read(ctx, t, block)
		if err == nil {
			err = decode(m)
		}
		var corrupt *CorruptError
		if err == nil || again || t.far == nil || !errors.As(err, &corrupt) {
			return err
		}
		for _, p := range [...]place{t.models[t.header.chapterOf(block)].place, t.blocks.of(block)} {
			t.far.Discard(p.offset, int64(p.length))
		}
	}
}

// read reads a block, and returns its model.
func (d *decoder) read(ctx context.Context, t *table, block uint64) (*codec.Model, error) {
	p := t.blocks.of(block)
	d.packed = slices.Grow(d.packed[:0], int(p.length))[:p.length]
	if t.far == nil {
		m, err := t.model(ctx, block)
		if err != nil {
			return nil, err
		}
		return m, t.read(ctx, d.packed, p.offset)
	}
	chapter := t.header.chapterOf(block)
	model := &t.models[chapter]
	if m := model.parsed.Load(); m != nil {
		return m, t.read(ctx, d.packed, p.offset)
	}
	bytes := make([]byte, model.place.length) // both are asked for together
	if err := t.readParts(ctx, Part{model.place.offset, bytes}, Part{p.offset, d.packed}); err != nil {
		return nil, err
	}
	return t.parseModel(chapter, bytes)
}

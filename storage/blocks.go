package storage

import (
	"context"
	"errors"
	"slices"

	"gogotb/rules"
	"gogotb/storage/internal/codec"
)

// access tells where blocks may be taken from: from files, too, as long as the context lasts, or from memory alone.
type access struct{ ctx context.Context }

// fromMemory has errNotInMemory where a file would have to be read.
var fromMemory *access

var errNotInMemory = errors.New("the block is not in memory")

// A block that is not in memory is decoded as far as the entry that is wanted, which is half
// of it on average. When an entry behind that is wanted, too, the rest follows.

// outcomeBlock returns a block of outcomes, as far as the entry number at: one that was loaded,
// from the cache, or from the file.
func (t *pair) outcomeBlock(block uint64, at int, a *access) (*codec.Outcomes, error) {
	if loaded := t.loaded.Load(); loaded != nil {
		return &(*loaded)[block], nil
	}
	key, want := blockKey{t.outcomes.number, block}, at+1
	if b := t.set.tables.cache.get(key); b != nil {
		if at < b.outcomes.Entries {
			return b.outcomes, nil
		}
		want = b.outcomes.Size
	}
	if a == fromMemory {
		return nil, errNotInMemory
	}
	d := decoders.Get().(*decoder)
	defer decoders.Put(d)
	o := new(codec.Outcomes)
	if err := d.firstOutcomes(a.ctx, o, t.outcomes, block, want); err != nil {
		return nil, err
	}
	t.set.tables.cache.put(&cachedBlock{key: key, outcomes: o})
	return o, nil
}

// distance returns the distance of the loss that is entry number at of a block, of which o are
// the outcomes.
func (t *pair) distance(block uint64, at int, o *codec.Outcomes, a *access) (uint16, error) {
	key, entries, loss := blockKey{t.distances.number, block}, at+1, o.LossesBefore(at)
	if b := t.set.tables.cache.get(key); b != nil {
		if loss < len(b.distances) {
			return b.distances[loss], nil
		}
		entries = o.Entries
	}
	if a == fromMemory {
		return 0, errNotInMemory
	}
	d := decoders.Get().(*decoder)
	defer decoders.Put(d)
	losses, err := d.firstDistances(a.ctx, t.distances, block, o, entries)
	if err != nil {
		return 0, err
	}
	t.set.tables.cache.put(&cachedBlock{key: key, distances: slices.Clone(losses)})
	return losses[loss], nil
}

// locate finds an index: its block of outcomes, as far as it goes, and its place there.
func (t *pair) locate(i uint64, a *access) (o *codec.Outcomes, at int, err error) {
	block := t.blockOf(i)
	at = int(i - block<<t.outcomes.header.blockShift)
	o, err = t.outcomeBlock(block, at, a)
	return o, at, err
}

// lossValue returns the value of a lost position with a stored distance: half the plies to
// mate, or the rank.
func lossValue(o rules.Outcome, distance uint16) rules.Value {
	if o == rules.MateLoss {
		distance *= 2
	}
	return rules.MakeValue(o, int(distance))
}

package storage

import (
	"errors"
	"slices"

	"gogotb/rules"
	"gogotb/storage/codec"
)

// access tells where blocks may be taken from.
type access uint8

const (
	fromAnywhere access = iota
	fromMemory          // otherwise the error is errNotInMemory
)

var errNotInMemory = errors.New("the block is not in memory")

// outcomeBlock is a block of outcomes: one that was loaded, from the cache, or from the
// file.
func (s *Set) outcomeBlock(block uint64, a access) (*codec.Outcomes, error) {
	if loaded := s.loaded.Load(); loaded != nil {
		return &(*loaded)[block], nil
	}
	key := blockKey{s.outcomes.number, block}
	if b := s.tables.cache.get(key); b != nil {
		return b.outcomes, nil
	}
	if a == fromMemory {
		return nil, errNotInMemory
	}
	d := decoders.Get().(*decoder)
	defer decoders.Put(d)
	o := new(codec.Outcomes)
	if err := d.outcomes(o, s.outcomes, block); err != nil {
		return nil, err
	}
	s.tables.cache.put(&cachedBlock{key: key, outcomes: o})
	return o, nil
}

// distanceBlock is the distances of a block of which o are the outcomes.
func (s *Set) distanceBlock(block uint64, o *codec.Outcomes, a access) ([]uint16, error) {
	key := blockKey{s.distances.number, block}
	if b := s.tables.cache.get(key); b != nil {
		return b.distances, nil
	}
	if a == fromMemory {
		return nil, errNotInMemory
	}
	d := decoders.Get().(*decoder)
	defer decoders.Put(d)
	losses, err := d.distances(s.distances, block, o)
	if err != nil {
		return nil, err
	}
	losses = slices.Clone(losses)
	s.tables.cache.put(&cachedBlock{key: key, distances: losses})
	return losses, nil
}

// locate finds an index: its block of outcomes, and its place there.
func (s *Set) locate(i uint64, a access) (o *codec.Outcomes, at int, err error) {
	block := s.blockOf(i)
	o, err = s.outcomeBlock(block, a)
	return o, int(i - block<<s.outcomes.header.blockShift), err
}

// lost tells whether a position with the outcome has a stored distance.
func lost(o rules.Outcome) bool { return o == rules.MateLoss || o == rules.PerpetualLoss }

// lossValue is the value of a lost position with a stored distance: half the plies to
// mate, or the rank.
func lossValue(o rules.Outcome, distance uint16) rules.Value {
	if o == rules.MateLoss {
		distance *= 2
	}
	return rules.MakeValue(o, int(distance))
}

package storage

import (
	"errors"
	"sync/atomic"

	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage/codec"
)

// Set is the open tables of one material set. It is as safe for many goroutines as its
// Tables, and is closed with them.
type Set struct {
	tables    *Tables
	index     *index.Index
	outcomes  *table
	distances *table                           // nil if it is not installed
	loaded    atomic.Pointer[[]codec.Outcomes] // all outcome blocks, if they were loaded
}

// files are the open tables of the set.
func (s *Set) files() []*table {
	if s.distances == nil {
		return []*table{s.outcomes}
	}
	return []*table{s.outcomes, s.distances}
}

func (s *Set) close() error {
	var errs []error
	for _, t := range s.files() {
		errs = append(errs, t.close())
	}
	return errors.Join(errs...)
}

// Index is the perfect index of the set.
func (s *Set) Index() *index.Index { return s.index }

// HasDistances tells whether the table of distances is installed.
func (s *Set) HasDistances() bool { return s.distances != nil }

// Format is the version of the file format of the tables.
func (s *Set) Format() int { return s.outcomes.header.version }

// Stats are the statistics kept in the tables.
func (s *Set) Stats() index.Stats { return cloneStatistics(s.outcomes.stats) }

// Bytes are the sizes of the files, 0 for one that is not installed.
func (s *Set) Bytes() (outcomes, distances int64) {
	if s.distances != nil {
		distances = s.distances.size
	}
	return s.outcomes.size, distances
}

// LoadOutcomes unpacks the whole table of outcomes into memory, a quarter of a byte an
// entry, half as much again where there are perpetual checks. Probes then need neither
// file nor cache for outcomes. It works on all cores.
func (s *Set) LoadOutcomes() error {
	blocks := make([]codec.Outcomes, s.Blocks())
	err := parallel(0, len(blocks), newDecoder, func(d *decoder, block int) error {
		return d.outcomes(&blocks[block], s.outcomes, uint64(block))
	})
	if err != nil {
		return err
	}
	s.loaded.Store(&blocks)
	return nil
}

// Blocks is the number of blocks that Values gives.
func (s *Set) Blocks() uint64 { return s.outcomes.header.blocks() }

// blockOf is the block of an index.
func (s *Set) blockOf(i uint64) uint64 { return i >> s.outcomes.header.blockShift }

// Values decodes a block into values, which it uses as room: those of the entries from
// first on. Illegal placements have arbitrary values. The numbers of wins are not stored,
// they are 0 here; without the table of distances those of losses are 0, too.
func (s *Set) Values(block uint64, room []rules.Value) (first uint64, values []rules.Value, err error) {
	d := decoders.Get().(*decoder)
	defer decoders.Put(d)
	o := &d.room
	if err := d.outcomes(o, s.outcomes, block); err != nil {
		return 0, nil, err
	}
	var numbers []uint16 // of the losses to come
	if s.distances != nil {
		if numbers, err = d.distances(s.distances, block, o); err != nil {
			return 0, nil, err
		}
	}
	values = room[:0]
	for i := range o.Entries {
		v := rules.MakeValue(o.At(i), 0)
		if lost(o.At(i)) && s.distances != nil {
			v = lossValue(o.At(i), numbers[0])
			numbers = numbers[1:]
		}
		values = append(values, v)
	}
	return block << s.outcomes.header.blockShift, values, nil
}

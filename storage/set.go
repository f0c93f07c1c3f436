package storage

import (
	"context"
	"iter"
	"sync/atomic"

	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage/internal/codec"
)

// Set is the open tables of one material set. It is as safe for many goroutines as its
// Tables, and is closed with them.
type Set struct {
	*openFiles
	from access // what its blocks are read from
}

// openFiles are the open files of a set.
type openFiles struct {
	tables *library
	index  *index.Index
	pair   atomic.Pointer[pair] // the tables in use; others take their place if they fail
}

// whole returns the tables in use, the distances among them if there are any: they have not been looked for yet where
// only outcomes were asked for.
func (s *Set) whole() (*pair, error) {
	if p := s.pair.Load(); !p.unsought {
		return p, nil
	}
	return s.seekDistances()
}

// known returns the tables in use, even if the distances cannot be looked for.
func (s *Set) known() *pair {
	if p, err := s.whole(); err == nil {
		return p
	}
	return s.pair.Load()
}

// files returns the tables of the pair.
func (t *pair) files() []*table {
	if t.distances == nil {
		return []*table{t.outcomes}
	}
	return []*table{t.outcomes, t.distances}
}

// Index returns the perfect index of the set.
func (s *Set) Index() *index.Index { return s.index }

// HasDistances tells whether the table of distances is installed. At an address that is away it is not, as far as is known.
func (s *Set) HasDistances() bool { return s.known().distances != nil }

// Format returns the version of the file format of the tables.
func (s *Set) Format() int { return s.pair.Load().outcomes.header.version }

// Stats returns the statistics kept in the tables.
func (s *Set) Stats() rules.Stats { return cloneStatistics(s.pair.Load().outcomes.stats) }

// Bytes returns the sizes of the files, 0 for one that is not installed.
func (s *Set) Bytes() (outcomes, distances int64) {
	p := s.known()
	if p.distances != nil {
		distances = p.distances.size
	}
	return p.outcomes.size, distances
}

// LoadOutcomes unpacks the whole table of outcomes into memory, a quarter of a byte an
// entry, half as much again where there are perpetual checks. Probes then need neither
// file nor cache for outcomes, until other tables take over. It works on all cores.
func (s *Set) LoadOutcomes() error {
	blocks := make([]codec.Outcomes, s.BlockCount())
	for p := s.pair.Load(); ; {
		err := parallel(0, len(blocks), newDecoder, func(d *decoder, block int) error {
			return d.outcomes(s.from.ctx, &blocks[block], p.outcomes, uint64(block))
		})
		if err == nil {
			p.loaded.Store(&blocks)
			return nil
		}
		if p = s.another(p, err); p == nil {
			return err
		}
	}
}

// Block is a part of a set that is decoded at once: the values of entries that follow each other in the
// index. Illegal placements have arbitrary values. The numbers of wins are not stored, they are 0
// here; without the table of distances those of losses are 0, too.
type Block struct {
	First  uint64 // index of the first entry
	Values []rules.Value
}

// Values decodes the set from the first entry to the last, block by block. The values of a block are
// overwritten by the next. An error ends it.
func (s *Set) Values() iter.Seq2[Block, error] {
	return func(yield func(Block, error) bool) {
		var b Block
		for n := range s.BlockCount() {
			var err error
			if b, err = s.Block(n, b.Values); !yield(b, err) || err != nil {
				return
			}
		}
	}
}

// BlockCount returns the number of blocks. All of them but the last have the same number of entries.
func (s *Set) BlockCount() uint64 { return s.known().outcomes.header.blocks() }

// blockOf returns the block of an index.
func (t *pair) blockOf(i uint64) uint64 { return i >> t.outcomes.header.blockShift }

// Block decodes block number n, less than BlockCount. Its values take the place of what is in room, if that
// is large enough.
func (s *Set) Block(n uint64, room []rules.Value) (Block, error) {
	p, err := s.whole()
	if err != nil {
		return Block{}, err
	}
	for {
		values, err := p.values(s.from.ctx, n, room)
		if err == nil {
			return Block{n << p.outcomes.header.blockShift, values}, nil
		}
		if p = s.another(p, err); p == nil {
			return Block{}, err
		}
	}
}

// values decodes a block into room.
func (t *pair) values(ctx context.Context, block uint64, room []rules.Value) ([]rules.Value, error) {
	d := decoders.Get().(*decoder)
	defer decoders.Put(d)
	o := &d.room
	if err := d.outcomes(ctx, o, t.outcomes, block); err != nil {
		return nil, err
	}
	var numbers []uint16 // of the losses to come
	if t.distances != nil {
		var err error
		if numbers, err = d.distances(ctx, t.distances, block, o); err != nil {
			return nil, err
		}
	}
	values := room[:0]
	for i := range o.Entries {
		v := rules.MakeValue(o.At(i), 0)
		if o.At(i).Loses() && t.distances != nil {
			v = lossValue(o.At(i), numbers[0])
			numbers = numbers[1:]
		}
		values = append(values, v)
	}
	return values, nil
}

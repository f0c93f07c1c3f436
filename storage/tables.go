package storage

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"

	"gogotb/index"
	"gogotb/rules"
)

// Options of Tables; the zero value is good.
type Options struct {
	// CacheBytes is the size of the cache of unpacked blocks; 0: 64 MiB.
	CacheBytes int64
}

const defaultCacheBytes = 64 << 20

// Tables are the tables found in some folders. Files are opened when they are first
// needed; tables that appear later are found, too. All methods may be called by many
// goroutines at once, Close excepted.
type Tables struct {
	dirs    []string
	cache   *cache
	decoder *zstd.Decoder

	mu     sync.Mutex // for opening sets
	sets   [materials]atomic.Pointer[Set]
	tables uint32 // numbers given to open tables
}

// materials is the number of material sets: none to two of each kind.
const materials = 3 * 3 * 3 * 3 * 3

func materialNumber(m index.Material) (n int) {
	for _, c := range m {
		n = 3*n + int(c)
	}
	return n
}

// Open looks for tables in the folders, in this order. Folders need not be there yet.
func Open(dirs ...string) (*Tables, error) { return Options{}.Open(dirs...) }

// Open is the function Open with options.
func (o Options) Open(dirs ...string) (*Tables, error) {
	if o.CacheBytes <= 0 {
		o.CacheBytes = defaultCacheBytes
	}
	d, err := newDecoder()
	if err != nil {
		return nil, err
	}
	return &Tables{dirs: slices.Clone(dirs), cache: newCache(o.CacheBytes), decoder: d}, nil
}

// Close closes all files. No other method may be running, or be called later.
func (t *Tables) Close() error {
	for i := range t.sets {
		if s := t.sets[i].Swap(nil); s != nil {
			s.close()
		}
	}
	t.decoder.Close()
	return nil
}

// CacheStats tells how the cache has served.
func (t *Tables) CacheStats() CacheStats { return t.cache.stats() }

// Set is the open tables of one material set. It is as safe for many goroutines as its
// Tables, and is closed with them.
type Set struct {
	tables    *Tables
	index     *index.Index
	outcomes  *table
	distances *table                   // nil if it is not installed
	loaded    atomic.Pointer[[][]byte] // all outcome blocks, if they were loaded
}

// Set opens the tables of a material set. The error is a *MissingTableError if there is
// no table of outcomes; that of distances may be missing.
func (t *Tables) Set(m index.Material) (*Set, error) {
	slot := &t.sets[materialNumber(m)]
	if s := slot.Load(); s != nil {
		return s, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := slot.Load(); s != nil {
		return s, nil
	}
	s, err := t.open(m)
	if err != nil {
		return nil, err
	}
	slot.Store(s)
	return s, nil
}

func (t *Tables) open(m index.Material) (*Set, error) {
	for _, dir := range t.dirs {
		outcomes, err := t.openIn(dir, m, Outcomes)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		s := &Set{tables: t, outcomes: outcomes}
		if s.index, err = index.New(m); err == nil && outcomes.header.entries != s.index.Size() {
			err = &CorruptError{outcomes.name, 24, "not as many entries as the index of the set"}
		}
		if err == nil {
			err = s.openDistances(dir)
		}
		if err != nil {
			s.close()
			return nil, err
		}
		return s, nil
	}
	return nil, &MissingTableError{m, Outcomes, t.dirs}
}

// openDistances opens the table of distances in the folder of the outcomes, if it is there.
func (s *Set) openDistances(dir string) error {
	d, err := s.tables.openIn(dir, s.outcomes.header.material, Distances)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	s.distances = d
	if d.header.entries != s.outcomes.header.entries || d.header.shift != s.outcomes.header.shift ||
		d.trailer.statisticsSum != s.outcomes.trailer.statisticsSum {
		return &CorruptError{d.name, 0, "the two tables of the set do not belong together"}
	}
	return nil
}

func (t *Tables) openIn(dir string, m index.Material, kind Kind) (*table, error) {
	table, err := openTable(filepath.Join(dir, FileName(m, kind)), m, kind)
	if err == nil {
		t.tables++
		table.number = t.tables
	}
	return table, err
}

func (s *Set) close() {
	for _, t := range []*table{s.outcomes, s.distances} {
		if t != nil {
			t.file.Close()
		}
	}
}

// Index is the perfect index of the set.
func (s *Set) Index() *index.Index { return s.index }

// HasDistances tells whether the table of distances is installed.
func (s *Set) HasDistances() bool { return s.distances != nil }

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
// entry. Probes then need neither file nor cache for outcomes.
func (s *Set) LoadOutcomes() error {
	blocks := make([][]byte, s.outcomes.header.blocks())
	for i := range blocks {
		b, err := s.readOutcomes(uint64(i))
		if err != nil {
			return err
		}
		blocks[i] = slices.Clip(b)
	}
	s.loaded.Store(&blocks)
	return nil
}

// outcomeBlock is a block of outcomes, from memory if it is there.
func (s *Set) outcomeBlock(block uint64) (outcomeBlock, error) {
	if loaded := s.loaded.Load(); loaded != nil {
		return (*loaded)[block], nil
	}
	key := blockKey{s.outcomes.number, block}
	if b, ok := s.tables.cache.get(key); ok {
		return b, nil
	}
	b, err := s.readOutcomes(block)
	if err != nil {
		return nil, err
	}
	s.tables.cache.put(key, b)
	return b, nil
}

func (s *Set) readOutcomes(block uint64) (outcomeBlock, error) {
	t := s.outcomes
	b, err := t.unpack(block, s.tables.decoder)
	if err == nil && !outcomeBlock(b).whole(t.header.blockEntries(block)) {
		err = t.corruptBlock(block, "has the wrong length")
	}
	return b, err
}

// distanceBlock is a block of distances, whose outcomes are given.
func (s *Set) distanceBlock(block uint64, outcomes outcomeBlock) (distanceBlock, error) {
	t := s.distances
	key := blockKey{t.number, block}
	if b, ok := s.tables.cache.get(key); ok {
		return b, nil
	}
	b, err := t.unpack(block, s.tables.decoder)
	if err != nil {
		return nil, err
	}
	mate, perpetual := outcomes.losses(t.header.blockEntries(block))
	if !distanceBlock(b).whole(mate + perpetual) {
		return nil, t.corruptBlock(block, "does not fit the outcomes of the set")
	}
	s.tables.cache.put(key, b)
	return b, nil
}

// packedBytes lends buffers for packed blocks.
var packedBytes = sync.Pool{New: func() any { return new([]byte) }}

// unpack reads and unpacks a block.
func (t *table) unpack(block uint64, d *zstd.Decoder) ([]byte, error) {
	buf := packedBytes.Get().(*[]byte)
	defer packedBytes.Put(buf)
	unpacked, scratch, err := t.block(block, d, *buf)
	*buf = scratch
	return unpacked, err
}

// Blocks is the number of blocks that Values gives.
func (s *Set) Blocks() uint64 { return s.outcomes.header.blocks() }

// Values decodes a block into values, which it uses as room: those of the entries from
// first on. Illegal placements have arbitrary values. The numbers of wins are not stored,
// they are 0 here; without the table of distances those of losses are 0, too.
func (s *Set) Values(block uint64, room []rules.Value) (first uint64, values []rules.Value, err error) {
	h := &s.outcomes.header
	first = block << h.shift
	n := h.blockEntries(block)
	outcomes, err := s.readOutcomes(block)
	if err != nil {
		return 0, nil, err
	}
	var distances distanceBlock
	mate, perpetual := 0, 0 // the next number of either list
	if s.distances != nil {
		if distances, err = s.distances.unpack(block, s.tables.decoder); err != nil {
			return 0, nil, err
		}
		byMate, byPerpetual := outcomes.losses(n)
		perpetual = byMate
		if !distances.whole(byMate + byPerpetual) {
			return 0, nil, s.distances.corruptBlock(block, "does not fit the outcomes of the set")
		}
	}
	values = room[:0]
	listed := 0
	number := func(next *int) int {
		if s.distances == nil {
			return 0
		}
		*next++
		return distances.number(*next - 1)
	}
	for i := range n {
		var v rules.Value
		switch outcomes.code(i) {
		case codeLoss:
			v = rules.MakeValue(rules.MateLoss, 2*number(&mate))
		case codeWin:
			v = rules.MakeValue(rules.MateWin, 0)
		case codeOpen:
			v = rules.MakeValue(rules.Open, 0)
		default:
			v = rules.MakeValue(rules.PerpetualWin, 0)
			if outcomes.listed(n, listed) {
				v = rules.MakeValue(rules.PerpetualLoss, number(&perpetual))
			}
			listed++
		}
		values = append(values, v)
	}
	return first, values, nil
}

// TableInfo describes a table file that List has found.
type TableInfo struct {
	Material index.Material
	Kind     Kind
	Path     string
	Bytes    int64
	Entries  uint64 // of the index; 0 if the file cannot be read
	Err      error  // why it cannot be used; nil if it can
}

// List finds all tables in the folders, in the order of the folders, then of
// index.Sets. Their blocks are not looked at.
func (t *Tables) List() ([]TableInfo, error) {
	var list []TableInfo
	for _, dir := range t.dirs {
		names, err := tableNames(dir)
		if err != nil {
			return nil, err
		}
		var found []TableInfo
		for _, name := range names {
			m, kind, _ := parseFileName(name)
			info := TableInfo{Material: m, Kind: kind, Path: filepath.Join(dir, name)}
			if stat, err := os.Stat(info.Path); err == nil {
				info.Bytes = stat.Size()
			}
			table, err := openTable(info.Path, m, kind)
			if info.Err = err; err == nil {
				info.Entries = table.header.entries
				table.file.Close()
			}
			found = append(found, info)
		}
		slices.SortStableFunc(found, func(a, b TableInfo) int {
			if d := a.Material.Pieces() - b.Material.Pieces(); d != 0 {
				return d
			}
			if d := materialNumber(b.Material) - materialNumber(a.Material); d != 0 {
				return d
			}
			return int(a.Kind) - int(b.Kind)
		})
		list = append(list, found...)
	}
	return list, nil
}

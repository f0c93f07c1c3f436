package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"gogotb/index"
)

// Options of Open; nil and the zero value are good.
type Options struct {
	// CacheBytes is the size of the cache of unpacked blocks; 0: 64 MiB. Much less than
	// a MiB holds hardly a block.
	CacheBytes int64
}

const defaultCacheBytes = 64 << 20

// Tables are the tables found in some folders. Files are opened when they are first
// needed, and then stay open; sets that appear later are found, too. All methods may be
// called by many goroutines at once, Close excepted.
type Tables struct {
	dirs  []string
	cache *cache

	mu     sync.Mutex // for opening sets
	sets   [materials]atomic.Pointer[Set]
	tables uint32 // numbers given to open tables
}

// materials is the number of material sets: none to two of each kind.
const materials = 3 * 3 * 3 * 3 * 3

// materialNumber numbers the material sets that can have tables.
func materialNumber(m index.Material) (n int, ok bool) {
	for _, c := range m {
		n = 3*n + int(c)
	}
	return n, slices.Max(m[:]) <= 2 && m.Pieces() <= index.MaxPieces
}

// Open gives the tables in the folders, which are looked through in this order. Folders need
// not be there yet. The error is an *OptionError.
func Open(dirs []string, opt *Options) (*Tables, error) {
	var o Options
	if opt != nil {
		o = *opt
	}
	switch {
	case len(dirs) == 0:
		return nil, &OptionError{"no folder of tables is named"}
	case slices.Contains(dirs, ""):
		return nil, &OptionError{"the name of a folder of tables is empty"}
	case o.CacheBytes < 0:
		return nil, &OptionError{fmt.Sprintf("a cache of %d bytes", o.CacheBytes)}
	case o.CacheBytes == 0:
		o.CacheBytes = defaultCacheBytes
	}
	return &Tables{dirs: slices.Clone(dirs), cache: newCache(o.CacheBytes)}, nil
}

// Close closes all files. No other method may be running, or be called later. The error is
// that of the files that the operating system could not close.
func (t *Tables) Close() error {
	var errs []error
	for i := range t.sets {
		if s := t.sets[i].Swap(nil); s != nil {
			errs = append(errs, s.close())
		}
	}
	return errors.Join(errs...)
}

// CacheStats tells how the cache has served.
func (t *Tables) CacheStats() CacheStats { return t.cache.stats() }

// Set opens the tables of a material set, which are those of the first folder that has
// its outcomes. The error is a *MissingTableError if none has; the distances may be
// missing.
func (t *Tables) Set(m index.Material) (*Set, error) {
	n, ok := materialNumber(m)
	if !ok {
		return nil, &MissingTableError{m, Outcomes, t.dirs}
	}
	slot := &t.sets[n]
	if s := slot.Load(); s != nil {
		return s, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := slot.Load(); s != nil {
		return s, nil
	}
	for _, dir := range t.dirs {
		s, err := t.openSet(dir, m)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		slot.Store(s)
		return s, nil
	}
	return nil, &MissingTableError{m, Outcomes, t.dirs}
}

// opened is the set if it is open already.
func (t *Tables) opened(m index.Material) *Set {
	if n, ok := materialNumber(m); ok {
		return t.sets[n].Load()
	}
	return nil
}

// openSet opens the tables of a set in a folder. If a Writer replaces them at that
// moment, the two files may be of different makings; then it looks again.
func (t *Tables) openSet(dir string, m index.Material) (*Set, error) {
	const attempts = 5
	for i := 1; ; i++ {
		outcomes, err := openTable(filepath.Join(dir, FileName(m, Outcomes)), m, Outcomes)
		if err != nil {
			return nil, err
		}
		s := &Set{tables: t, index: outcomes.index, outcomes: outcomes}
		err = s.openDistances(dir)
		if s.distances == nil && outcomes.replaced() && i < attempts {
			s.close()
			continue
		}
		if err != nil {
			s.close()
			return nil, err
		}
		t.number(s)
		return s, nil
	}
}

// openDistances opens the distances that belong to the set's outcomes, if they are there.
func (s *Set) openDistances(dir string) error {
	m := s.index.Material()
	d, err := openTable(filepath.Join(dir, FileName(m, Distances)), m, Distances)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !d.belongsTo(s.outcomes) {
		d.file.Close()
		return &CorruptError{d.name, d.size - trailerSize, "these distances do not belong to the outcomes of the set"}
	}
	s.distances = d
	return nil
}

// belongsTo tells whether a table of distances was made together with the outcomes.
func (t *table) belongsTo(outcomes *table) bool {
	return t.trailer.outcomesSum == outcomes.trailer.fileSum && t.header.shape == outcomes.header.shape
}

// replaced tells whether the table's file is no longer what its name stands for.
func (t *table) replaced() bool {
	open, err := t.file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(t.name)
	return err != nil || !os.SameFile(open, named)
}

// number gives the tables of a set their numbers in the cache.
func (t *Tables) number(s *Set) {
	for _, table := range s.files() {
		t.tables++
		table.number = t.tables
	}
}

package storage

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gogotb/index"
)

// Options of Open; nil and the zero value are good.
type Options struct {
	// CacheBytes is the size of the cache of unpacked blocks; 0: 64 MiB. Much less than
	// a MiB holds hardly a block.
	CacheBytes int64
	// Warn is told of files that are not used because another folder has better ones, once for
	// each; nil: nobody is. Several goroutines may call it.
	Warn func(Warning)
}

const defaultCacheBytes = 64 << 20

// Tables are the tables found in some folders. All methods may be called by many goroutines at
// once, Close excepted.
//
// Of each set, the first folder's tables are used that are whole. The distances may be in another
// folder than the outcomes that they belong to. If there are no whole tables, outcomes alone
// are used. If a block proves damaged when it is read, or a file cannot be read any more, other
// whole tables of the set take over.
//
// Files are opened when they are first needed. They stay open as long as they are not more than half of what
// the process may have open; beyond that, the least recently used one is closed, and opened again
// when it is needed.
//
// The folders are looked through when a set is asked for that is not open, but no more than once a second. So a set
// that has appeared is found by whatever is asked a second later, or after that. Until then the answer that it is
// missing needs neither the system nor a lock.
type Tables struct {
	dirs      []string
	cache     *cache
	files     *handles
	warn      func(Warning)
	lookAgain time.Duration

	seen    atomic.Pointer[view]
	looking sync.Mutex // for making a view

	sets [materials]atomic.Pointer[Set]

	mu     sync.Mutex // for choosing the files of a set; guards the next two
	tables uint32     // numbers given to open tables
	warned map[string]bool

	damageMu sync.Mutex
	damaged  map[string]damage // by file
}

// Open returns the tables in the folders, which are looked through in this order. It opens no file yet, and folders
// need not be there yet. The error is an *OptionError.
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
	return &Tables{
		dirs: slices.Clone(dirs), cache: newCache(o.CacheBytes), files: newHandles(openLimit()), warn: o.Warn,
		lookAgain: lookAgain, warned: map[string]bool{}, damaged: map[string]damage{},
	}, nil
}

// Close closes all files. No other method may be running, or be called later. The error is
// that of the files that the operating system could not close.
func (t *Tables) Close() error { return t.files.closeAll() }

// CacheStats tells how the cache has served.
func (t *Tables) CacheStats() CacheStats { return t.cache.stats() }

// Set opens the tables of a material set. The error is ErrNotCovered if no folder has
// its outcomes; the distances may be missing.
func (t *Tables) Set(m index.Material) (*Set, error) {
	n, ok := materialNumber(m)
	if !ok {
		return nil, &MissingTableError{m, Outcomes, t.dirs}
	}
	if s := t.sets[n].Load(); s != nil {
		return s, nil
	}
	v := t.view()
	if !v.there[n] {
		return nil, &MissingTableError{m, Outcomes, t.dirs}
	}
	if err := v.failed[n].Load(); err != nil {
		return nil, *err
	}
	s, warnings, err := t.openSet(m, n, v)
	t.say(warnings)
	return s, err
}

// openSet opens the tables of set number n, or notes in the view why not.
func (t *Tables) openSet(m index.Material, n int, v *view) (*Set, []Warning, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.sets[n].Load(); s != nil {
		return s, nil, nil
	}
	p, warnings, err := t.choose(m)
	if err != nil {
		if !isFull(err) {
			v.failed[n].Store(&err)
		}
		return nil, nil, err
	}
	s := &Set{tables: t, index: p.outcomes.index}
	p.set = s
	s.pair.Store(p)
	t.sets[n].Store(s)
	return s, warnings, nil
}

// opened returns the set if it is open already.
func (t *Tables) opened(m index.Material) *Set {
	if n, ok := materialNumber(m); ok {
		return t.sets[n].Load()
	}
	return nil
}

package storage

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
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
	// Source opens the places among the folders that are addresses, "https://host/tables/", see IsAddress; nil: none
	// can be used. Package storage/remote has it.
	Source func(address string) (Source, error)
}

const defaultCacheBytes = 64 << 20

// Tables are the tables found in some folders, or at addresses. All methods may be called by many goroutines at
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
//
// What an address has is asked for only when it is needed: if there are addresses among the folders, Outcome looks for
// no distances, and is content with the first outcomes that it finds.
type Tables struct {
	*library
	ctx     context.Context // ends reading
	bounded bool            // it may
}

// library is what a Tables and those made of it by Within have in common.
type library struct {
	folders   []folder
	far       bool // some folder is an address
	cache     *cache
	files     *handles
	warn      func(Warning)
	lookAgain time.Duration

	seen    atomic.Pointer[view]
	looking sync.Mutex // for making a view

	sets     [materials]atomic.Pointer[Set]
	choosing [materials]gate // for choosing the files of a set

	mu     sync.Mutex // guards the next two
	tables uint32     // numbers given to open tables
	warned map[string]bool

	damageMu sync.Mutex
	damaged  map[string]damage // by file
}

// folder is a folder of tables, or another place that has some.
type folder struct {
	name   string
	source Source // nil: a folder of this machine
}

// file returns what a file there is called.
func (f folder) file(name string) string {
	if f.source != nil {
		return f.name + name
	}
	return filepath.Join(f.name, name)
}

// gate is a lock that nobody waits for longer than a context lasts.
type gate chan struct{}

func (g gate) lock(ctx context.Context) error {
	select {
	case g <- struct{}{}:
		return nil
	default:
	}
	select {
	case g <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g gate) unlock() { <-g }

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
	l := &library{
		cache: newCache(o.CacheBytes), files: newHandles(openLimit()), warn: o.Warn,
		lookAgain: lookAgain, warned: map[string]bool{}, damaged: map[string]damage{},
	}
	for _, dir := range dirs {
		f, err := openFolder(dir, o.Source)
		if err != nil {
			l.close()
			return nil, err
		}
		l.folders = append(l.folders, f)
		l.far = l.far || f.source != nil
	}
	for n := range l.choosing {
		l.choosing[n] = make(gate, 1)
	}
	return &Tables{l, context.Background(), false}, nil
}

// openFolder opens a place that has tables. Addresses may have secrets in them, so no error repeats one.
func openFolder(dir string, open func(string) (Source, error)) (folder, error) {
	switch {
	case !IsAddress(dir):
		return folder{name: dir}, nil
	case open == nil:
		return folder{}, &OptionError{"tables at addresses (" + scheme.FindString(dir) + "...) cannot be read: this program was built without"}
	}
	s, err := open(dir)
	if err != nil {
		return folder{}, &OptionError{err.Error()}
	}
	return folder{s.Name(), s}, nil
}

// Within returns the same tables; what is read for them from an address is waited for no longer than the context
// lasts, whose error it is then. They are closed with the others.
func (t *Tables) Within(ctx context.Context) *Tables {
	if !t.far {
		return t
	}
	return &Tables{t.library, ctx, true}
}

// Dirs returns the folders, addresses as people may see them.
func (l *library) Dirs() []string {
	names := make([]string, len(l.folders))
	for i, f := range l.folders {
		names[i] = f.name
	}
	return names
}

// Close closes all files. No other method may be running, or be called later. The error is
// that of the files that the operating system could not close.
func (t *Tables) Close() error { return t.close() }

func (l *library) close() error {
	var errs []error
	for _, f := range l.folders {
		if f.source != nil {
			errs = append(errs, f.source.Close())
		}
	}
	return errors.Join(append(errs, l.files.closeAll())...)
}

// CacheStats tells how the cache has served.
func (t *Tables) CacheStats() CacheStats { return t.cache.stats() }

// Set opens the tables of a material set. The error is ErrNotCovered if no folder has
// its outcomes; the distances may be missing.
func (t *Tables) Set(m index.Material) (*Set, error) {
	n, ok := materialNumber(m)
	if !ok {
		return nil, &MissingTableError{m, Outcomes, t.Dirs()}
	}
	if s := t.sets[n].Load(); s != nil {
		return t.within(s), nil
	}
	v := t.view()
	if !v.there[n] {
		return nil, &MissingTableError{m, Outcomes, t.Dirs()}
	}
	if err := v.failed[n].Load(); err != nil {
		return nil, *err
	}
	s, warnings, err := t.openSet(m, n, v)
	t.say(warnings)
	if err != nil {
		return nil, err
	}
	return t.within(s), nil
}

// within returns a set whose reading ends when that of these tables does.
func (t *Tables) within(s *Set) *Set {
	if !t.bounded {
		return s
	}
	return &Set{s.openFiles, access{t.ctx}}
}

// openSet opens the tables of set number n, or notes in the view why not.
func (t *Tables) openSet(m index.Material, n int, v *view) (*Set, []Warning, error) {
	if err := t.choosing[n].lock(t.ctx); err != nil {
		return nil, nil, err
	}
	defer t.choosing[n].unlock()
	if s := t.sets[n].Load(); s != nil {
		return s, nil, nil
	}
	p, warnings, err := t.choose(t.ctx, m, t.far)
	if err != nil {
		if !isFull(err) && t.ctx.Err() == nil {
			v.failed[n].Store(&err)
		}
		return nil, nil, err
	}
	s := &Set{&openFiles{tables: t.library, index: p.outcomes.index}, access{context.Background()}}
	p.set = s.openFiles
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

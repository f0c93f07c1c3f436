package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"gogotb/index"
	"gogotb/storage/internal/codec"
)

// pair is the two tables of a set that belong together, from one folder or two.
type pair struct {
	set       *openFiles
	outcomes  *table
	distances *table                           // nil if there are none
	unsought  bool                             // distances were not looked for
	loaded    atomic.Pointer[[]codec.Outcomes] // all outcome blocks, if they were loaded
	tried     time.Time                        // when other tables were last sought in its place
	renewed   time.Time                        // when it took the place of one that was not damaged
}

// choice is the search for the tables of a set in all folders.
type choice struct {
	*library
	ctx       context.Context
	material  index.Material
	lazy      bool // the first outcomes will do, and distances that cost nothing to look for
	outcomes  []*table
	distances []opening // by folder
	flaws     []flaw    // files that are not used
	first     error     // of the first folder in which something is wrong
}

// opening is the attempt to open a table of distances.
type opening struct {
	tried bool
	table *table // nil if it failed
	err   error
}

// flaw is a file, or a folder, and why it is not used.
type flaw struct {
	file string
	err  error
	info os.FileInfo // of the file; nil: as it is now
}

// errHalf is what is wrong with outcomes that are whole themselves.
var errHalf = errors.New("the distances that belong to it are in none of the folders")

// choose opens the tables of a set. A whole set is better than outcomes alone, and these are better
// than what is damaged; otherwise the first folder decides. Distances may be in any folder. The
// warnings are for the caller to pass on. If it is lazy, the first outcomes that are whole are used, and distances are
// looked for only beside them, and only in a folder of this machine.
func (l *library) choose(ctx context.Context, m index.Material, lazy bool) (*pair, []Warning, error) {
	const attempts = 5
	for i := 1; ; i++ {
		c := &choice{library: l, ctx: ctx, material: m, lazy: lazy, distances: make([]opening, len(l.folders))}
		p := c.choose()
		// If a Writer replaces files at that moment, they may be of different makings.
		again := (p == nil || p.distances == nil && !p.unsought) && c.replaced() && i < attempts
		if again {
			p = nil
		}
		c.closeBut(p)
		switch {
		case again:
			continue
		case p == nil && c.first == nil:
			return nil, nil, &MissingTableError{m, Outcomes, l.Dirs()}
		case p == nil:
			l.note(c.flaws)
			return nil, nil, c.first
		}
		l.note(c.flaws)
		return p, l.enter(p, c.flaws), nil
	}
}

func (c *choice) choose() *pair {
	var half *pair
	for i, f := range c.folders {
		o, err := c.open(f, Outcomes)
		if err != nil {
			c.fail(f, Outcomes, err)
			continue
		}
		c.outcomes = append(c.outcomes, o)
		if c.lazy {
			p := &pair{outcomes: o, unsought: true}
			if f.source == nil {
				if d := c.openDistances(i).table; d != nil && d.belongsTo(o) {
					p.distances, p.unsought = d, false
				}
			}
			return p
		}
		d, err := c.partner(i, o)
		switch {
		case d != nil:
			return &pair{outcomes: o, distances: d}
		case err != nil:
			c.fail(f, Distances, err)
		case half == nil:
			half = &pair{outcomes: o}
			c.flaws = append(c.flaws, flaw{file: o.name, err: errHalf})
		}
	}
	return half
}

// partner finds the distances that belong to the outcomes of folder i. The error is that of distances in
// the same folder; others are flaws, or belong to other outcomes.
func (c *choice) partner(i int, o *table) (*table, error) {
	own := c.openDistances(i)
	if own.table != nil && own.table.belongsTo(o) {
		return own.table, nil
	}
	for k, f := range c.folders {
		if k == i {
			continue
		}
		tried := c.distances[k].tried
		switch d := c.openDistances(k); {
		case d.table != nil && d.table.belongsTo(o):
			if own.table != nil {
				c.fail(c.folders[i], Distances, misplaced(own.table))
			} else if own.err != nil {
				c.fail(c.folders[i], Distances, own.err)
			}
			return d.table, nil
		case d.err != nil && !tried:
			c.flaw(f, Distances, d.err)
		}
	}
	if own.table != nil {
		return nil, misplaced(own.table)
	}
	if errors.Is(own.err, fs.ErrNotExist) {
		return nil, nil
	}
	return nil, own.err
}

// misplaced returns the error of distances in the folder of outcomes that they do not belong to. They may
// belong to others.
func misplaced(d *table) error {
	return &CorruptError{d.name, d.size - trailerSize, misplacedText}
}

const misplacedText = "these distances do not belong to the outcomes of the set"

// openDistances opens those of folder k, once.
func (c *choice) openDistances(k int) opening {
	if d := &c.distances[k]; !d.tried {
		d.table, d.err = c.open(c.folders[k], Distances)
		d.tried = true
	}
	return c.distances[k]
}

// open opens a table, unless it is known to be damaged.
func (c *choice) open(f folder, kind Kind) (*table, error) {
	if err := c.damage(f.file(FileName(c.material, kind))); err != nil {
		return nil, err
	}
	return f.openTable(c.ctx, c.files, c.material, kind)
}

// fail notes a flaw, as flaw does, that makes the tables of a folder unusable.
func (c *choice) fail(f folder, kind Kind, err error) {
	if err = c.flaw(f, kind, err); c.first == nil {
		c.first = err
	}
}

// flaw notes why a file is not used, if it is there, or its whole folder. It returns the reason.
func (c *choice) flaw(place folder, kind Kind, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	f := flaw{file: place.file(FileName(c.material, kind)), err: err}
	if place.source == nil {
		switch info, err := os.Stat(place.name); {
		case err != nil:
			f = flaw{file: place.name, err: &ReadError{place.name, err}}
		case !info.IsDir():
			f = flaw{file: place.name, err: &ReadError{place.name, syscall.ENOTDIR}}
		}
	}
	c.flaws = append(c.flaws, f)
	return f.err
}

// tables returns all tables that are open.
func (c *choice) tables() (list []*table) {
	list = append(list, c.outcomes...)
	for _, d := range c.distances {
		if d.table != nil {
			list = append(list, d.table)
		}
	}
	return list
}

// replaced tells whether the file of a table is no longer what its name stands for.
func (c *choice) replaced() bool {
	for _, t := range c.tables() {
		if t.far != nil {
			continue // it says so itself, when it is read
		}
		if named, err := os.Stat(t.name); err != nil || !sameFile(t.file.info, named) {
			return true
		}
	}
	return false
}

// closeBut closes all tables but those of a pair.
func (c *choice) closeBut(p *pair) {
	for _, t := range c.tables() {
		if p == nil || t != p.outcomes && t != p.distances {
			t.close()
		}
	}
}

// belongsTo tells whether a table of distances was made together with the outcomes.
func (t *table) belongsTo(outcomes *table) bool {
	return t.trailer.outcomesSum == outcomes.trailer.fileSum && t.header.shape == outcomes.header.shape
}

// enter numbers the tables of a pair in the cache, and returns those of the flaws that nobody was told of. The pair is
// used instead.
func (l *library) enter(p *pair, flaws []flaw) []Warning {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, table := range p.files() {
		l.tables++
		table.number = l.tables
	}
	return l.warnings(flaws, p)
}

// Warning tells of a file that is not used, although its folder comes first, because another one is
// better. Open's Options say who is told.
type Warning struct {
	File    string
	Err     error  // what is wrong with it
	Instead string // the file that is used; empty: the outcomes are used without distances
}

func (w Warning) String() string {
	text := w.Err.Error()
	if !strings.HasPrefix(text, w.File) {
		text = w.File + ": " + text
	}
	if w.Instead == "" {
		return text + "; the outcomes are used without distances"
	}
	return fmt.Sprintf("%s; %s is used", text, w.Instead)
}

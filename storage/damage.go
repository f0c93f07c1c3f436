package storage

import (
	"cmp"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// damage is what is known to be wrong with a file, as long as the file stays the same. At an address that would be asked
// for too often, so it is forgotten after a while.
type damage struct {
	err   error
	info  os.FileInfo // nil: at an address
	until time.Time   // then
}

// farDamage is how long damage at an address is known.
const farDamage = time.Minute

// Damaged returns the tables that have turned out to be damaged, when they were listed, when they were
// opened or when one of their blocks was read, in the order of their names. A file that has been replaced is no longer among them.
func (t *Tables) Damaged() []TableInfo {
	t.damageMu.Lock()
	names := slices.Sorted(maps.Keys(t.damaged))
	t.damageMu.Unlock()
	var list []TableInfo
	for _, name := range names {
		if err := t.damage(name); err != nil {
			m, kind, _ := parseFileName(filepath.Base(name))
			info := TableInfo{Material: m, Kind: kind, Path: name, Err: err}
			if d := t.damageOf(name); d.info != nil {
				info.Bytes = d.info.Size()
			}
			list = append(list, info)
		}
	}
	return list
}

func (l *library) damageOf(name string) damage {
	l.damageMu.Lock()
	defer l.damageMu.Unlock()
	return l.damaged[name]
}

// damage returns the error of a file that is known to be damaged.
func (l *library) damage(name string) error {
	d := l.damageOf(name)
	if d.err == nil {
		return nil
	}
	old := time.Now().After(d.until)
	if d.info != nil {
		info, err := os.Stat(name)
		old = err != nil || !sameFile(d.info, info)
	}
	if old {
		l.damageMu.Lock()
		delete(l.damaged, name)
		l.damageMu.Unlock()
		return nil
	}
	return d.err
}

// isDamage tells whether an error comes from what is in the file, and so will be the same the next time.
func isDamage(err error) bool {
	var corrupt *CorruptError
	var foreign *NotATableError
	return errors.As(err, &corrupt) && corrupt.What != misplacedText || errors.As(err, &foreign) || errors.Is(err, syscall.EIO)
}

// note remembers which files are damaged.
func (l *library) note(flaws []flaw) {
	for _, f := range flaws {
		if !isDamage(f.err) || l.damage(f.file) != nil {
			continue
		}
		if f.info == nil && !IsAddress(f.file) {
			var err error
			if f.info, err = os.Stat(f.file); err != nil {
				continue
			}
		}
		l.damageMu.Lock()
		l.damaged[f.file] = damage{f.err, f.info, time.Now().Add(farDamage)}
		l.damageMu.Unlock()
	}
}

// warnings returns those of the flaws that nobody was told of. The pair is used instead.
func (l *library) warnings(flaws []flaw, p *pair) []Warning {
	var list []Warning
	for _, f := range flaws {
		_, kind, _ := parseFileName(filepath.Base(f.file))
		instead := p.outcomes.name
		switch {
		case kind == Distances && p.distances != nil:
			instead = p.distances.name
		case kind == Distances:
			instead = ""
		}
		if said := f.file + ": " + f.err.Error(); f.file != instead && !l.warned[said] {
			l.warned[said] = true
			list = append(list, Warning{f.file, f.err, instead})
		}
	}
	return list
}

// say passes warnings on. No lock may be held: whoever is told may ask these Tables.
func (l *library) say(list []Warning) {
	if l.warn == nil {
		return
	}
	for _, w := range list {
		l.warn(w)
	}
}

// another gives the pair to try next after a pair has failed, nil if there is none, or
// if the error is no fault of the files.
func (s *Set) another(failed *pair, err error) *pair {
	var corrupt *CorruptError
	var read *ReadError
	if !errors.As(err, &corrupt) && !errors.As(err, &read) || isFull(err) {
		return nil
	}
	p, warnings := s.replace(failed, err, cmp.Or(fileOf(corrupt, read), failed.outcomes.name))
	s.tables.say(warnings)
	return p
}

// fileOf returns the file that an error names.
func fileOf(corrupt *CorruptError, read *ReadError) string {
	if corrupt != nil {
		return corrupt.File
	}
	return read.File
}

// replace chooses other tables for the set than those that failed.
func (s *Set) replace(failed *pair, err error, file string) (*pair, []Warning) {
	l := s.tables
	gate := s.gate()
	if gate.lock(s.from.ctx) != nil {
		return nil, nil
	}
	defer gate.unlock()
	if now := s.pair.Load(); now != failed {
		return now, nil
	}
	if time.Since(failed.tried) < l.lookAgain || !isDamage(err) && time.Since(failed.renewed) < l.lookAgain {
		return nil, nil
	}
	failed.tried = time.Now()
	flaws := []flaw{{file: file, err: err}}
	for _, table := range failed.files() {
		if table.name == file && table.file != nil {
			flaws[0].info = table.file.info
		}
	}
	l.note(flaws)
	p, warnings, _ := l.choose(s.from.ctx, s.index.Material(), failed.unsought)
	if p == nil {
		return nil, nil
	}
	if p.outcomes.header.shape != failed.outcomes.header.shape || p.distances == nil && failed.distances != nil {
		for _, table := range p.files() {
			table.close()
		}
		return nil, nil
	}
	p.set = s.openFiles
	if !isDamage(err) {
		p.renewed = time.Now() // these may be the same files
	}
	if p.outcomes.trailer.fileSum == failed.outcomes.trailer.fileSum {
		p.loaded.Store(failed.loaded.Load())
	}
	s.pair.Store(p)
	l.mu.Lock()
	defer l.mu.Unlock()
	return p, append(l.warnings(flaws, p), warnings...)
}

// gate returns the lock for choosing the files of the set.
func (s *openFiles) gate() gate {
	n, _ := materialNumber(s.index.Material())
	return s.tables.choosing[n]
}

// seekDistances looks for the distances that belong to the outcomes in use, or for a whole set in their place.
func (s *Set) seekDistances() (*pair, error) {
	p, warnings, err := s.choosePair()
	s.tables.say(warnings)
	return p, err
}

func (s *Set) choosePair() (*pair, []Warning, error) {
	gate := s.gate()
	if err := gate.lock(s.from.ctx); err != nil {
		return nil, nil, err
	}
	defer gate.unlock()
	half := s.pair.Load()
	if !half.unsought {
		return half, nil, nil
	}
	p, warnings, err := s.tables.choose(s.from.ctx, s.index.Material(), false)
	if err != nil {
		return nil, nil, err
	}
	if o := p.outcomes; o.name == half.outcomes.name && o.size == half.outcomes.size && o.trailer == half.outcomes.trailer {
		o.close()
		p.outcomes = half.outcomes // the cache knows it
		p.loaded.Store(half.loaded.Load())
	}
	p.set = s.openFiles
	s.pair.Store(p)
	return p, warnings, nil
}

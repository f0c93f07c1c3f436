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

// damage is what is known to be wrong with a file, as long as the file stays the same.
type damage struct {
	err  error
	info os.FileInfo
}

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
			list = append(list, TableInfo{Material: m, Kind: kind, Path: name, Bytes: t.damageOf(name).info.Size(), Err: err})
		}
	}
	return list
}

func (t *Tables) damageOf(name string) damage {
	t.damageMu.Lock()
	defer t.damageMu.Unlock()
	return t.damaged[name]
}

// damage returns the error of a file that is known to be damaged.
func (t *Tables) damage(name string) error {
	d := t.damageOf(name)
	if d.err == nil {
		return nil
	}
	if info, err := os.Stat(name); err != nil || !sameFile(d.info, info) {
		t.damageMu.Lock()
		delete(t.damaged, name)
		t.damageMu.Unlock()
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
func (t *Tables) note(flaws []flaw) {
	for _, f := range flaws {
		if !isDamage(f.err) || t.damage(f.file) != nil {
			continue
		}
		if f.info == nil {
			var err error
			if f.info, err = os.Stat(f.file); err != nil {
				continue
			}
		}
		t.damageMu.Lock()
		t.damaged[f.file] = damage{f.err, f.info}
		t.damageMu.Unlock()
	}
}

// warnings returns those of the flaws that nobody was told of. The pair is used instead.
func (t *Tables) warnings(flaws []flaw, p *pair) []Warning {
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
		if said := f.file + ": " + f.err.Error(); f.file != instead && !t.warned[said] {
			t.warned[said] = true
			list = append(list, Warning{f.file, f.err, instead})
		}
	}
	return list
}

// say passes warnings on. No lock may be held: whoever is told may ask these Tables.
func (t *Tables) say(list []Warning) {
	if t.warn == nil {
		return
	}
	for _, w := range list {
		t.warn(w)
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
	t := s.tables
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := s.pair.Load(); now != failed {
		return now, nil
	}
	if time.Since(failed.tried) < t.lookAgain || !isDamage(err) && time.Since(failed.renewed) < t.lookAgain {
		return nil, nil
	}
	failed.tried = time.Now()
	flaws := []flaw{{file: file, err: err}}
	for _, table := range failed.files() {
		if table.name == file {
			flaws[0].info = table.file.info
		}
	}
	t.note(flaws)
	p, warnings, _ := t.choose(s.index.Material())
	if p == nil {
		return nil, nil
	}
	if p.outcomes.header.shape != failed.outcomes.header.shape || p.distances == nil && failed.distances != nil {
		for _, table := range p.files() {
			table.file.close()
		}
		return nil, nil
	}
	p.set = s
	if !isDamage(err) {
		p.renewed = time.Now() // these may be the same files
	}
	if p.outcomes.trailer.fileSum == failed.outcomes.trailer.fileSum {
		p.loaded.Store(failed.loaded.Load())
	}
	s.pair.Store(p)
	return p, append(t.warnings(flaws, p), warnings...)
}

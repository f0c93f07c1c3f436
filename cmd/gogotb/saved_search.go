package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"gogotb/rules"
	"gogotb/verify/mate"
)

// saveEvery is how often a search is saved while it goes on.
const saveEvery = 10 * time.Minute

// savedSearch is the file that keeps a search.
type savedSearch struct {
	path   string // empty: none
	solver *mate.Solver
	last   time.Time // when it was written, or tried to be
}

// openSavedSearch lets a solver go on with the search in a file, if it is there.
func openSavedSearch(path string, solver *mate.Solver, p *rules.Position, tsume bool) (*savedSearch, error) {
	s := &savedSearch{path, solver, time.Now()}
	if path == "" {
		return s, nil
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		file, err := s.create() // better an error now than after days
		if err != nil {
			return nil, err
		}
		return s, cmp.Or(file.Close(), os.Remove(file.Name()))
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: no regular file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := solver.Load(file, p, tsume); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// create begins a new file beside the old one. What a killed process has left there is overwritten.
func (s *savedSearch) create() (*os.File, error) { return os.Create(s.path + ".tmp") }

// write replaces the file by what is proved now: whole, or not at all.
func (s *savedSearch) write() error {
	s.last = time.Now()
	if s.path == "" {
		return nil
	}
	file, err := s.create()
	if err != nil {
		return err
	}
	err = cmp.Or(s.solver.Save(file), file.Sync())
	err = cmp.Or(err, file.Close())
	if err == nil {
		err = os.Rename(file.Name(), s.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

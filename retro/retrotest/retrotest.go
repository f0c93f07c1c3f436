// Package retrotest gives tests whole material sets to compare with.
package retrotest

import (
	"context"
	"sync"
	"testing"

	"gogotb/index"
	"gogotb/retro"
	"gogotb/rules"
)

// Set is a solved material set.
type Set struct {
	Index  *index.Index
	Values []rules.Value // in the order of the index
	Stats  rules.Stats
}

var sets sync.Map // by material: functions that give a *Set

// Solve solves a set like "GP". Sets of up to two pieces are solved once for all tests of a
// package, which are not to change them; larger ones take too much memory to keep them.
func Solve(tb testing.TB, name string) *Set {
	tb.Helper()
	m, err := index.ParseMaterial(name)
	if err != nil {
		tb.Fatal(err)
	}
	once := sync.OnceValues(func() (*Set, error) { return solve(m) })
	if m.PieceCount() <= 2 {
		kept, _ := sets.LoadOrStore(m, once)
		once = kept.(func() (*Set, error))
	}
	s, err := once()
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	return s
}

func solve(m index.Material) (*Set, error) {
	solution, err := retro.Solve(context.Background(), m, retro.Options{})
	if err != nil {
		return nil, err
	}
	defer solution.Close()
	s := &Set{Index: solution.Index(), Values: make([]rules.Value, 0, solution.Index().Size())}
	s.Stats, err = solution.Values(context.Background(), func(part []rules.Value) error {
		s.Values = append(s.Values, part...)
		return nil
	})
	return s, err
}

// Value returns the value of a position, with either side to move, if it is one of the set.
func (s *Set) Value(p *rules.Position) (rules.Value, bool) {
	i, err := s.Index.Encode(p)
	if err != nil {
		return 0, false
	}
	return s.Values[i], true
}

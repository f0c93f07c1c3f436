// Package atlas has the statistics of material sets that the program brings along, so that they can be looked at where the tables
// are not installed. `make atlas` makes them from tables: stats.jsonl has a line for each set, as `gogotb stats --json`
// prints it, and ATLAS.md the same for people.
package atlas

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"gogotb/cmd/internal/answer"
	"gogotb/index"
)

//go:embed stats.jsonl
var embedded []byte

// Atlas is the statistics of sets.
type Atlas struct {
	sets  []answer.Stats // in the order of index.Sets
	bySet map[string]int // index in sets, by name
}

// Embedded returns the atlas that the program brings along.
var Embedded = sync.OnceValues(func() (*Atlas, error) { return Parse(embedded) })

// Parse reads an atlas: a JSON object a line. The error says which line is wrong.
func Parse(text []byte) (*Atlas, error) {
	byName := map[string]answer.Stats{}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		var s answer.Stats
		if err := json.Unmarshal(line, &s); err != nil {
			return nil, fmt.Errorf("atlas, line %d: %w", number, err)
		}
		m, err := index.ParseMaterial(s.Material)
		if err != nil {
			return nil, fmt.Errorf("atlas, line %d: %w", number, err)
		}
		byName[m.String()] = s
	}
	return New(byName), nil
}

// New makes an atlas of statistics by the names of their sets.
func New(byName map[string]answer.Stats) *Atlas {
	a := &Atlas{bySet: map[string]int{}}
	for _, m := range index.Sets(index.MaxPieces) {
		if s, ok := byName[m.String()]; ok {
			a.bySet[m.String()] = len(a.sets)
			a.sets = append(a.sets, s)
		}
	}
	return a
}

// Sets returns the statistics of all sets that it has, in the order of index.Sets. The caller does not change them.
func (a *Atlas) Sets() []answer.Stats { return a.sets }

// Stats returns the statistics of a set, and whether it has them.
func (a *Atlas) Stats(m index.Material) (answer.Stats, bool) {
	i, ok := a.bySet[m.String()]
	if !ok {
		return answer.Stats{}, false
	}
	return a.sets[i], true
}

// Merge returns an atlas of its own sets and those of b, whose statistics take the place of its own.
func (a *Atlas) Merge(b *Atlas) *Atlas {
	byName := map[string]answer.Stats{}
	for _, s := range slices.Concat(a.sets, b.sets) {
		byName[s.Material] = s
	}
	return New(byName)
}

// Lines returns what Parse reads.
func (a *Atlas) Lines() ([]byte, error) {
	var b bytes.Buffer
	for _, s := range a.sets {
		line, err := json.Marshal(s)
		if err != nil {
			return nil, err
		}
		b.Write(append(line, '\n'))
	}
	return b.Bytes(), nil
}

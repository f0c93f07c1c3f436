package storage

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"gogotb/index"
	"gogotb/retro/retrotest"
	"gogotb/rules"
)

// solved is a set with its values.
type solved struct {
	index  *index.Index
	values []rules.Value
	stats  rules.Stats
}

// solve solves a set. What it returns is not to be changed.
func solve(t testing.TB, name string) solved {
	t.Helper()
	s := retrotest.Solve(t, name)
	return solved{s.Index, s.Values, s.Stats}
}

// write writes the tables of a set.
func (s solved) write(t testing.TB, dir string) {
	t.Helper()
	s.writeAs(t, dir, shape{blockShift, chapterShift}, WriterOptions{})
}

// writeAs writes them with blocks and chapters of other sizes.
func (s solved) writeAs(t testing.TB, dir string, shape shape, opt WriterOptions) {
	t.Helper()
	w, err := create(dir, s.index, opt, shape)
	if err != nil {
		t.Fatal(err)
	}
	for rest := s.values; len(rest) > 0; {
		n := min(len(rest), 12345)
		if err := w.Append(rest[:n]); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
	}
	if err := w.Commit(s.stats); err != nil {
		t.Fatal(err)
	}
}

// written is a folder with the tables of the sets.
func written(t testing.TB, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		solve(t, name).write(t, dir)
	}
	return dir
}

// open opens the tables of some folders.
func open(t testing.TB, dirs ...string) *Tables {
	t.Helper()
	tables, err := Open(dirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tables.Close() })
	return tables
}

// openSet opens the tables of a set.
func openSet(t testing.TB, name string, dirs ...string) *Set {
	t.Helper()
	s, err := open(t, dirs...).Set(material(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func material(t testing.TB, name string) index.Material {
	t.Helper()
	m, err := index.ParseMaterial(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// position reads an SFEN.
func position(t testing.TB, sfen string) rules.Position {
	t.Helper()
	p, err := rules.ParseSFEN(sfen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// stripped is a value without its number, if the number is not stored.
func stripped(v rules.Value, distances bool) rules.Value {
	if distances && v.Outcome().Loses() {
		return v
	}
	return rules.MakeValue(v.Outcome(), 0)
}

// compareBlocks reads a set block by block and compares it with the truth. The error is
// one of reading.
func compareBlocks(t testing.TB, set *Set, values []rules.Value) error {
	t.Helper()
	n := 0
	for b, err := range set.Values() {
		if err != nil {
			return err
		}
		if b.First != uint64(n) {
			t.Fatalf("a block begins at %d, want %d", b.First, n)
		}
		for i, v := range b.Values {
			if want := values[n+i]; want != 0 && v != stripped(want, set.HasDistances()) {
				t.Fatalf("index %d: got %v, want %v", n+i, v, want)
			}
		}
		n += len(b.Values)
	}
	if n != len(values) {
		t.Errorf("%d values in all blocks, want %d", n, len(values))
	}
	return nil
}

// read reads a file.
func read(t testing.TB, path ...string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// put writes a file.
func put(t testing.TB, content []byte, path ...string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(path...), content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// anywhere lets blocks be read from files.
var anywhere = &access{context.Background()}

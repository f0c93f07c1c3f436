package storage

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
)

// elsewhere is a Source that is a folder, and counts what it is asked for.
type elsewhere struct {
	dir          string
	opens, reads atomic.Int64
	failure      atomic.Pointer[error] // of everything
	closed       atomic.Bool
}

type elsewhereFile struct {
	place *elsewhere
	bytes []byte
}

func (p *elsewhere) Name() string { return "test://place/" }

func (p *elsewhere) fail() error {
	if err := p.failure.Load(); err != nil {
		return *err
	}
	return nil
}

func (p *elsewhere) Open(_ context.Context, name string, _ int64) (SourceFile, error) {
	p.opens.Add(1)
	if err := p.fail(); err != nil {
		return nil, err
	}
	b, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		return nil, err
	}
	return &elsewhereFile{p, b}, nil
}

func (p *elsewhere) List(context.Context) ([]string, error) {
	if err := p.fail(); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(p.dir)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names, err
}

func (p *elsewhere) Close() error {
	p.closed.Store(true)
	return nil
}

func (f *elsewhereFile) Size() int64          { return int64(len(f.bytes)) }
func (f *elsewhereFile) Discard(int64, int64) {}

func (f *elsewhereFile) Read(ctx context.Context, parts ...Part) error {
	f.place.reads.Add(1)
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := f.place.fail(); err != nil {
		return err
	}
	for _, p := range parts {
		copy(p.Bytes, f.bytes[p.Offset:])
	}
	return nil
}

// openPlace opens tables in a folder as a Source has them, and perhaps in folders.
func openPlace(t testing.TB, dirs ...string) (*Tables, *elsewhere) {
	t.Helper()
	p := &elsewhere{dir: dirs[0]}
	tables, err := Open(append([]string{"test://place"}, dirs[1:]...), &Options{Source: func(string) (Source, error) { return p, nil }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tables.Close() })
	return tables, p
}

// TestSource probes whole sets that no folder has, in format 3 and in others, and compares with the truth.
func TestSource(t *testing.T) {
	for _, name := range []string{"none", "R", "GP"} {
		s := solve(t, name)
		tables, p := openPlace(t, written(t, name))
		if err := probeAll(t, tables, s); err != nil {
			t.Fatal(err)
		}
		set, err := tables.Set(s.index.Material())
		if err != nil || !set.HasDistances() {
			t.Fatal(err)
		}
		if err := compareBlocks(t, set, s.values); err != nil {
			t.Error(err)
		}
		if err := set.LoadOutcomes(); err != nil {
			t.Error(err)
		}
		list, err := tables.List()
		if err != nil || len(list) != 2 || list[0].Path != "test://place/"+name+".gbo" || list[0].Dir != "test://place/" || list[0].Err != nil || list[0].Making != list[1].Making {
			t.Errorf("%+v, %v", list, err)
		}
		if files, err := tables.Check(t.Context(), s.index.Material()); err != nil || len(files) != 2 {
			t.Errorf("%v, %v", files, err)
		}
		if tables.Close(); !p.closed.Load() {
			t.Error("the source is not closed")
		}
	}
	// other shapes than a Writer's, and format 2: headers are read
	s, dir := solve(t, "R"), t.TempDir()
	s.writeAs(t, dir, shape{8, 3}, WriterOptions{})
	tables, _ := openPlace(t, dir)
	if err := probeAll(t, tables, s); err != nil {
		t.Error(err)
	}
	tables, _ = openPlace(t, filepath.Join("testdata", "format2"))
	old, err := tables.List()
	if err != nil || len(old) == 0 {
		t.Fatal(old, err)
	}
	for _, f := range old {
		if f.Err != nil || f.Format != 2 {
			t.Errorf("%+v", f)
		}
	}
}

// TestOutcomeAlone: an outcome needs one file of a Source, opened once, and two reads, of which one is the block.
func TestOutcomeAlone(t *testing.T) {
	s := solve(t, "RB")
	tables, p := openPlace(t, written(t, "RB"))
	q, err := s.index.Decode(s.index.Size() / 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tables.Outcome(&q); err != nil {
		t.Fatal(err)
	}
	// trailer, directory, statistics, and then model and block in one
	if o, r := p.opens.Load(), p.reads.Load(); o != 1 || r != 4 {
		t.Errorf("%d files opened, %d reads", o, r)
	}
	set, err := tables.Set(s.index.Material())
	if err != nil || !set.HasDistances() || p.opens.Load() != 3 {
		t.Errorf("with the distances: %d files opened, %v", p.opens.Load(), err)
	}
}

// TestAway: tables that are away are neither missing nor corrupt; a folder takes over, and what was ended by a context is that.
func TestAway(t *testing.T) {
	s := solve(t, "R")
	whole, half := written(t, "R"), written(t, "R")
	if err := os.Remove(filepath.Join(half, "R.gbd")); err != nil {
		t.Fatal(err)
	}
	away := errors.Join(ErrUnavailable, errors.New("no answer"))
	q := position(t, "4k/5/5/5/K4 b R 1")

	tables, p := openPlace(t, whole)
	tables.lookAgain = 0
	p.failure.Store(&away)
	for _, err := range []error{
		second(tables.Outcome(&q)), second(tables.Probe(&q)), second(tables.Moves(&q, Adjudication{})), second(tables.List()),
		second(tables.Stats(s.index.Material())), second(tables.Check(t.Context(), s.index.Material())),
	} {
		if !errors.Is(err, ErrUnavailable) || errors.Is(err, ErrNotCovered) || errors.Is(err, ErrCorrupt) || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("away: %v", err)
		}
	}
	if len(tables.Damaged()) > 0 {
		t.Errorf("damaged are %v", tables.Damaged())
	}
	p.failure.Store(nil)
	if err := probeAll(t, tables, s); err != nil {
		t.Errorf("back: %v", err)
	}

	both, p := openPlace(t, whole, whole)
	both.lookAgain = 0
	p.failure.Store(&away)
	if err := probeAll(t, both, s); err != nil {
		t.Errorf("away, with a folder: %v", err)
	}

	// outcomes here, distances there, and they go away
	divided, p := openPlace(t, whole, half)
	divided.folders[0], divided.folders[1] = divided.folders[1], divided.folders[0]
	p.failure.Store(&away)
	if _, err := divided.Outcome(&q); err != nil {
		t.Errorf("an outcome of the folder, while distances are away: %v", err)
	}
	p.failure.Store(nil)
	if err := probeAll(t, divided, s); err != nil {
		t.Error(err)
	}

	tables, _ = openPlace(t, whole)
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tables.Within(done).Probe(&q); err != context.Canceled {
		t.Errorf("ended by a context: %v", err)
	}
	if err := probeAll(t, tables, s); err != nil {
		t.Errorf("after that: %v", err)
	}
}

// TestDirs: addresses need somebody who opens them, and are not repeated where they cannot be.
func TestDirs(t *testing.T) {
	var option *OptionError
	if _, err := Open([]string{"https://user:secret@host/"}, nil); !errors.As(err, &option) || slices.Contains([]string{"", "https://user:secret@host/"}, err.Error()) {
		t.Errorf("an address: %v", err)
	}
	tables, _ := openPlace(t, "x", "y")
	if got := tables.Dirs(); !slices.Equal(got, []string{"test://place/", "y"}) {
		t.Errorf("the folders are %q", got)
	}
}

// TestSplitList splits lists that have addresses.
func TestSplitList(t *testing.T) {
	if filepath.ListSeparator != ':' {
		return // there nothing is to be told apart
	}
	for list, want := range map[string][]string{
		"":                                   nil,
		"tables:/srv/x":                      {"tables", "/srv/x"},
		"https://host/t":                     {"https://host/t"},
		"https://host/t:tables":              {"https://host/t", "tables"},
		"a:https://host:8055/t/:s3://b/p:c":  {"a", "https://host:8055/t/", "s3://b/p", "c"},
		"https://host:/srv/x":                {"https://host", "/srv/x"},
		"https://host:8055":                  {"https://host:8055"},
		"https://host:8055:tables":           {"https://host:8055", "tables"},
		"http://u:p@[::1]:80/x:b":            {"http://u:p@[::1]:80/x", "b"},
		"http://[::1]/x:":                    {"http://[::1]/x", ""},
		"s3://bucket:s3://other/with/prefix": {"s3://bucket", "s3://other/with/prefix"},
	} {
		if got := SplitList(list); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", list, got, want)
		}
	}
}

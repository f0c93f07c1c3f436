package storage

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gogotb/rules"
)

// files are the names in a folder, sorted.
func files(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestDeterminism compares files of any number of workers, and of values that come in
// other portions.
func TestDeterminism(t *testing.T) {
	s := solve(t, "SS")
	var want [2][]byte
	for _, workers := range []int{1, 2, 3, 8} {
		dir := t.TempDir()
		w, err := create(dir, s.index, WriterOptions{Workers: workers}, shape{10, 5})
		if err != nil {
			t.Fatal(err)
		}
		for rest := s.values; len(rest) > 0; {
			n := min(len(rest), workers*7919)
			if err := w.Append(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := w.Commit(s.stats); err != nil {
			t.Fatal(err)
		}
		for i, kind := range []Kind{Outcomes, Distances} {
			got := read(t, dir, FileName(s.index.Material(), kind))
			if want[i] == nil {
				want[i] = got
			}
			if !bytes.Equal(got, want[i]) {
				t.Errorf("%v: %d workers write another file than one", kind, workers)
			}
		}
	}
}

// TestFolder looks at what is in the folder before, while and after tables are written.
func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b") // is made
	s := solve(t, "G")
	w, err := Create(dir, s.index, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := files(t, dir); !slices.Equal(got, []string{"G.gbd.tmp", "G.gbo.tmp"}) {
		t.Errorf("while writing: %v", got)
	}
	if list, err := open(t, dir).List(); len(list) != 0 || err != nil {
		t.Errorf("while writing, List finds %v, %v", list, err)
	}
	if err := w.Append(s.values); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(s.stats); err != nil {
		t.Fatal(err)
	}
	want := []string{"G.gbd", "G.gbo", "SHA256SUMS"}
	if got := files(t, dir); !slices.Equal(got, want) {
		t.Errorf("afterwards: %v", got)
	}
	w.Abort() // does nothing now
	if got := files(t, dir); !slices.Equal(got, want) {
		t.Errorf("after Abort: %v", got)
	}
	if err := w.Append(s.values[:1]); err == nil {
		t.Error("Append after Commit: no error")
	}
	if err := w.Commit(s.stats); err == nil {
		t.Error("a second Commit: no error")
	}

	w, err = Create(dir, s.index, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Append(s.values[:10_000]); err != nil {
		t.Fatal(err)
	}
	w.Abort()
	w.Abort()
	if got := files(t, dir); !slices.Equal(got, want) {
		t.Errorf("after Abort: %v", got)
	}
	if err := w.Append(s.values[10_000:]); err == nil {
		t.Error("Append after Abort: no error")
	}
	if err := w.Commit(s.stats); err == nil {
		t.Error("Commit after Abort: no error")
	}
	if err := readAll(t, dir, s); err != nil {
		t.Error(err)
	}
}

// TestImpossibleValues hands a Writer what no position can have.
func TestImpossibleValues(t *testing.T) {
	s := solve(t, "none")
	for _, test := range []struct {
		value rules.Value
		what  string
	}{
		{rules.MakeValue(rules.Illegal, 3), "illegal with the number 3"},
		{rules.MakeValue(rules.Open, 1), "open with the number 1"},
		{rules.MakeValue(rules.MateWin, 0), "a mate in 0 plies for the side to move"},
		{rules.MakeValue(rules.MateWin, 12), "a mate in 12 plies for the side to move"},
		{rules.MakeValue(rules.MateLoss, 7), "a mate in 7 plies against the side to move"},
		{rules.MakeValue(rules.PerpetualWin, 0), "a perpetual check of rank 0"},
		{rules.MakeValue(rules.PerpetualLoss, 2048), "a perpetual check of rank 2048"},
		{rules.MakeValue(9, 1), "unknown outcome 9"},
	} {
		dir := t.TempDir()
		w, err := Create(dir, s.index, WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		values := slices.Clone(s.values)
		values[100] = test.value
		if err := w.Append(values[:50]); err != nil {
			t.Fatal(err)
		}
		var wrong *ValueError
		if err := w.Append(values[50:]); !errors.As(err, &wrong) || *wrong != (ValueError{100, test.what}) {
			t.Errorf("%#x: %v, want %q", uint16(test.value), err, test.what)
		}
		if err := w.Commit(s.stats); !errors.As(err, &wrong) {
			t.Errorf("%#x: Commit says %v", uint16(test.value), err)
		}
		if got := files(t, dir); len(got) != 0 {
			t.Errorf("%#x: left in the folder: %v", uint16(test.value), got)
		}
	}
}

// TestPossible tells of all values which a position can have.
func TestPossible(t *testing.T) {
	for v := range 1 << 16 {
		n, want := rules.Value(v).Number(), false
		switch rules.Value(v).Outcome() {
		case rules.Illegal, rules.Open:
			want = n == 0
		case rules.MateWin:
			want = n%2 == 1
		case rules.MateLoss:
			want = n%2 == 0
		case rules.PerpetualWin, rules.PerpetualLoss:
			want = n >= 1 && n <= rules.MaxNumber/2
		}
		if got := possible[v>>6]>>(v&63)&1 == 1; got != want {
			t.Errorf("%#x: got %v, want %v", v, got, want)
		}
	}
}

func TestWrongNumberOfValues(t *testing.T) {
	s := solve(t, "none")
	for name, values := range map[string][]rules.Value{
		"none": nil, "too few": s.values[1:], "too many": append(slices.Clone(s.values), s.values[0]),
	} {
		dir := t.TempDir()
		w, err := Create(dir, s.index, WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		appended := w.Append(values)
		err = w.Commit(s.stats)
		var wrong *ValueError
		if !errors.As(err, &wrong) || (appended != nil) != (name == "too many") {
			t.Errorf("%s: Append says %v, Commit %v", name, appended, err)
		}
		if got := files(t, dir); len(got) != 0 {
			t.Errorf("%s: left in the folder: %v", name, got)
		}
	}
}

// TestUnwritable has files where folders should be, and a folder where a file should be.
func TestUnwritable(t *testing.T) {
	s := solve(t, "none")
	base := t.TempDir()
	put(t, nil, base, "file")
	for _, dir := range []string{filepath.Join(base, "file"), filepath.Join(base, "file", "below")} {
		var failed *WriteError
		if _, err := Create(dir, s.index, WriterOptions{}); !errors.As(err, &failed) || failed.File != dir {
			t.Errorf("Create in %s: %v", dir, err)
		}
	}
	for _, name := range []string{"none.gbo", "none.gbd"} {
		dir := filepath.Join(base, name)
		inTheWay := filepath.Join(dir, name, "something")
		if err := os.MkdirAll(inTheWay, 0o777); err != nil {
			t.Fatal(err)
		}
		w, err := Create(dir, s.index, WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Append(s.values); err != nil {
			t.Fatal(err)
		}
		var failed *WriteError
		if err := w.Commit(s.stats); !errors.As(err, &failed) || failed.File != filepath.Join(dir, name) {
			t.Errorf("Commit over a folder: %v", err)
		}
		if got := files(t, dir); !slices.Equal(got, []string{name}) {
			t.Errorf("left: %v", got)
		}
	}
}

// TestReplace writes tables over tables, while a reader has the old ones open.
func TestReplace(t *testing.T) {
	s := solve(t, "G")
	dir := written(t, "G")
	old := openSet(t, "G", dir)
	other := solved{s.index, make([]rules.Value, len(s.values)), rules.Stats{}}
	for i := range other.values {
		other.values[i] = rules.MakeValue(rules.MateLoss, 4)
	}
	other.write(t, dir)
	checkSums(t, dir)
	if err := readAll(t, dir, other); err != nil {
		t.Error(err)
	}
	if err := compareBlocks(t, old, s.values); err != nil {
		t.Errorf("from the tables that were open: %v", err)
	}
}

// TestFolderVanishes takes the folder away before the tables have their names, which fails, and after that.
func TestFolderVanishes(t *testing.T) {
	s := solve(t, "none")
	for _, named := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "tables")
		if err := MakeFolder(dir); err != nil {
			t.Fatal(err)
		}
		w, err := Create(dir, s.index, WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Append(s.values); err != nil {
			t.Fatal(err)
		}
		w.finish(&s.stats)
		if named {
			err = w.publish()
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if !named {
			err = w.publish()
		}
		if err == nil {
			err = w.enter()
		}
		w.Abort()
		if (err == nil) != named {
			t.Errorf("named %v: %v", named, err)
		}
	}
}

package inventory

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gogotb/cmd/internal/tabletest"
	"gogotb/storage"
)

// folderOf is a folder with tables of the sets, below the working folder of the test.
func folderOf(t *testing.T, name string, sets ...string) string {
	t.Helper()
	if err := os.MkdirAll(name, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := tabletest.Write(name, sets...); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestSets(t *testing.T) {
	t.Chdir(t.TempDir())
	absolute := t.TempDir()
	empty, kings, one := folderOf(t, "empty"), folderOf(t, "kings", "none"), folderOf(t, "one", "GG")
	two, same := folderOf(t, "./two", "R", "none"), folderOf(t, filepath.Join(absolute, "same"), "R")
	for _, test := range []struct {
		dirs []string
		want string
	}{
		{[]string{empty}, "no tables in ./empty"},
		{[]string{empty, "nowhere"}, "no tables in ./empty, ./nowhere"},
		{[]string{kings}, "1 set, that of the two kings alone, in ./kings"},
		{[]string{one}, "1 set of 2 pieces in ./one"},
		{[]string{same}, "1 set of 1 piece in " + same},
		{[]string{two}, "2 sets of up to 1 piece in ./two"},
		{[]string{two, same}, "2 sets of up to 1 piece in ./two, " + same},
		{[]string{two, one, empty}, "3 sets of up to 2 pieces in ./two, ./one, ./empty"},
	} {
		tables, err := storage.Open(test.dirs, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer tables.Close()
		if got, flaws := Sets(tables); got != test.want || len(flaws) > 0 {
			t.Errorf("%q, %v, want %q", got, flaws, test.want)
		}
	}
}

// A file that cannot be used does not count, and is named.
func TestFlaws(t *testing.T) {
	t.Chdir(t.TempDir())
	dirs := []string{folderOf(t, "tables", "R", "none")}
	if err := os.Truncate("tables/R.gbo", 100); err != nil {
		t.Fatal(err)
	}
	tables, err := storage.Open(dirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	got, flaws := Sets(tables)
	if want := "1 set, that of the two kings alone, in ./tables"; got != want || len(flaws) != 1 || !strings.HasPrefix(flaws[0].Error(), "tables/R.gbo: corrupt") {
		t.Errorf("%q, %v, want %q and R.gbo named", got, flaws, want)
	}
}

func TestFolders(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("file", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		dirs []string
		want string
	}{
		{[]string{"."}, ""},
		{[]string{".", "nowhere"}, "there is no folder ./nowhere"},
		{[]string{"file"}, "./file is not a folder"},
	} {
		got := ""
		if err := Folders(test.dirs); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%q: %q, want %q", test.dirs, got, test.want)
		}
	}
}

//go:build unix

package storage

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// contents of files in the folders of a test
const (
	whole  = "whole"
	older  = "older"  // of format 2: whole, but it does not belong to whole ones
	broken = "broken" // its trailer does not match
	future = "future" // of a format that nobody knows
	pipe   = "pipe"
	zero   = "zero"   // a link to /dev/zero
	circle = "circle" // a link to itself
	socket = "socket"
	nested = "nested" // a folder
)

// lay puts a file of G into a folder. The sources are folders with whole ones and older ones.
func lay(t *testing.T, sources [2]string, dir string, kind Kind, content string) {
	t.Helper()
	name := "G" + kind.Extension()
	path := filepath.Join(dir, name)
	b := read(t, sources[0], name)
	var err error
	switch content {
	case "":
	case whole:
		put(t, b, path)
	case older:
		put(t, read(t, sources[1], name), path)
	case broken:
		b[len(b)-1] ^= 1
		put(t, b, path)
	case future:
		b[8] = 9
		put(t, b, path)
	case pipe:
		err = syscall.Mkfifo(path, 0o666)
	case zero:
		err = os.Symlink("/dev/zero", path)
	case circle:
		err = os.Symlink(name, path)
	case socket:
		err = listenAt(t, path)
	case nested:
		err = os.Mkdir(path, 0o777)
	default:
		t.Fatal(content)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// listenAt makes a socket.
func listenAt(t *testing.T, path string) error {
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	t.Cleanup(func() { syscall.Close(fd) })
	return syscall.Bind(fd, &syscall.SockaddrUnix{Name: path})
}

// TestChoice has the files of a set in two folders, in every state, and says which are used, and
// which a warning names.
func TestChoice(t *testing.T) {
	format2, err := filepath.Abs("testdata/format2")
	if err != nil {
		t.Fatal(err)
	}
	sources := [2]string{written(t, "G"), format2}
	type layout [2][2]string // by folder, outcomes and distances
	for _, test := range []struct {
		layout   layout
		want     string // the files used, or a part of the error
		warnings string // the files named
	}{
		{layout{{whole, whole}, {whole, whole}}, "a/G.gbo a/G.gbd", ""},
		{layout{{"", ""}, {whole, whole}}, "b/G.gbo b/G.gbd", ""},
		// the two files in different folders
		{layout{{whole, ""}, {"", whole}}, "a/G.gbo b/G.gbd", ""},
		{layout{{"", whole}, {whole, ""}}, "b/G.gbo a/G.gbd", ""},
		{layout{{whole, ""}, {whole, whole}}, "a/G.gbo b/G.gbd", ""},
		{layout{{older, ""}, {"", older}}, "a/G.gbo b/G.gbd", ""},
		// half a set before a whole one
		{layout{{older, ""}, {whole, whole}}, "b/G.gbo b/G.gbd", "a/G.gbo"},
		{layout{{whole, ""}, {older, older}}, "b/G.gbo b/G.gbd", "a/G.gbo"},
		{layout{{whole, ""}, {"", older}}, "a/G.gbo", ""},
		{layout{{whole, ""}, {"", ""}}, "a/G.gbo", ""},
		// a damaged one before a whole one
		{layout{{broken, whole}, {whole, whole}}, "b/G.gbo b/G.gbd", "a/G.gbo"},
		{layout{{broken, whole}, {whole, ""}}, "b/G.gbo a/G.gbd", "a/G.gbo"},
		{layout{{whole, broken}, {whole, whole}}, "a/G.gbo b/G.gbd", "a/G.gbd"},
		{layout{{whole, older}, {whole, whole}}, "a/G.gbo b/G.gbd", "a/G.gbd"},
		{layout{{whole, broken}, {older, older}}, "b/G.gbo b/G.gbd", "a/G.gbd"},
		{layout{{future, whole}, {whole, whole}}, "b/G.gbo b/G.gbd", "a/G.gbo"},
		{layout{{whole, broken}, {whole, ""}}, "b/G.gbo", "a/G.gbd"},
		{layout{{broken, broken}, {whole, ""}}, "b/G.gbo", "a/G.gbd a/G.gbo"},
		{layout{{broken, ""}, {older, whole}}, "a/G.gbo: corrupt", ""},
		// no whole one at all
		{layout{{whole, broken}, {"", ""}}, "a/G.gbd: corrupt", ""},
		{layout{{whole, older}, {"", ""}}, "a/G.gbd: corrupt at byte", ""},
		{layout{{broken, whole}, {broken, whole}}, "a/G.gbo: corrupt", ""},
		{layout{{"", ""}, {future, whole}}, "b/G.gbo: format version 9", ""},
		{layout{{"", whole}, {"", ""}}, "outcomes for G: none of the folders", ""},
		// what is no file
		{layout{{pipe, whole}, {whole, whole}}, "b/G.gbo b/G.gbd", "a/G.gbo"},
		{layout{{whole, pipe}, {whole, whole}}, "a/G.gbo b/G.gbd", "a/G.gbd"},
		{layout{{zero, zero}, {whole, whole}}, "b/G.gbo b/G.gbd", "a/G.gbo"},
		{layout{{circle, circle}, {whole, whole}}, "b/G.gbo b/G.gbd", "a/G.gbo"},
		{layout{{socket, ""}, {whole, whole}}, "b/G.gbo b/G.gbd", "a/G.gbo"},
		{layout{{nested, nested}, {whole, whole}}, "b/G.gbo b/G.gbd", "a/G.gbo"},
		{layout{{pipe, pipe}, {"", ""}}, "a/G.gbo: a named pipe, not a file", ""},
		{layout{{"", ""}, {zero, ""}}, "b/G.gbo: a device, not a file", ""},
		{layout{{socket, ""}, {"", ""}}, "a/G.gbo: a socket, not a file", ""},
	} {
		t.Chdir(t.TempDir())
		for i, dir := range []string{"a", "b"} {
			if err := os.Mkdir(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			for k, kind := range []Kind{Outcomes, Distances} {
				lay(t, sources, dir, kind, test.layout[i][k])
			}
		}
		var warnings []string
		tables, err := Open([]string{"a", "b"}, &Options{Warn: func(w Warning) {
			warnings = append(warnings, w.File)
			if text := w.String(); !strings.HasPrefix(text, w.File+": ") || !strings.HasSuffix(text, " is used") && !strings.HasSuffix(text, " without distances") {
				t.Errorf("%v: %q", test.layout, text)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for range 2 { // the second time nothing is said again
			set, err := tables.Set(material(t, "G"))
			if err != nil {
				got = err.Error()
				continue
			}
			var used []string
			for _, file := range set.pair.Load().files() {
				used = append(used, file.name)
			}
			got = strings.Join(used, " ")
			if err := compareBlocks(t, set, solve(t, "G").values); err != nil {
				t.Errorf("%v: %v", test.layout, err)
			}
		}
		slices.Sort(warnings)
		if said := strings.Join(warnings, " "); got != test.want && (strings.HasSuffix(test.want, "gbo") || !strings.Contains(got, test.want)) || said != test.warnings {
			t.Errorf("%v: %q, warnings %q, want %q, %q", test.layout, got, said, test.want, test.warnings)
		}
		// everything is listed, and nothing waits
		list, err := tables.List()
		files := 0
		for _, folder := range test.layout {
			for _, content := range folder {
				if content != "" {
					files++
				}
			}
		}
		if err != nil || len(list) != files {
			t.Errorf("%v: %d files listed, %v, want %d", test.layout, len(list), err, files)
		}
		for i, f := range list {
			if content := test.layout[slices.Index([]string{"a", "b"}, filepath.Dir(f.Path))][f.Kind-Outcomes]; (f.Err == nil) != (content == whole || content == older) {
				t.Errorf("%v: file %d is listed with %v", test.layout, i, f.Err)
			}
			if f.Err != nil {
				if err := CheckFile(t.Context(), f.Path); err == nil {
					t.Errorf("%v: %s is checked without an error", test.layout, f.Path)
				}
			}
		}
		if err := Tidy("a"); err != nil {
			t.Errorf("%v: Tidy: %v", test.layout, err)
		}
		tables.Close()
	}
}

// TestFolderInCircles has a folder that is a link to itself, and one that is a file, before one with tables.
func TestFolderInCircles(t *testing.T) {
	good := written(t, "none", "G")
	t.Chdir(t.TempDir())
	if err := os.Symlink("circle", "circle"); err != nil {
		t.Fatal(err)
	}
	put(t, nil, "file")
	warned := map[string]int{}
	tables, err := Open([]string{"circle", "file", "nowhere", good}, &Options{Warn: func(w Warning) { warned[w.File]++ }})
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	for _, name := range []string{"none", "G"} {
		set, err := tables.Set(material(t, name))
		if err != nil || !set.HasDistances() {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(warned) != 2 || warned["circle"] != 1 || warned["file"] != 1 {
		t.Errorf("warned of %v", warned)
	}
	var unreadable *ReadError
	if _, err := tables.Set(material(t, "R")); !errors.As(err, &unreadable) || unreadable.File != "circle" {
		t.Errorf("a set that is nowhere: %v", err)
	}
	list, err := tables.List()
	if len(list) != 4 || !errors.As(err, &unreadable) {
		t.Errorf("%d files listed, %v", len(list), err)
	}
}

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNothingToDo: where all sets are there and whole, generate succeeds in a folder in which it cannot write.
// Users who are allowed everything are stopped by a folder in the place of the lock file.
func TestNothingToDo(t *testing.T) {
	dir := copyTables(t, "R", "G")
	lock := filepath.Join(dir, lockName)
	if err := os.Mkdir(lock, 0o755); err != nil {
		t.Fatal(err)
	}
	before := names(t, dir)
	args := []string{"generate", "--dir", dir, "R", "G"}
	if r := gogotb(t, args...); r.status != exitDone || r.stdout != "" || r.stderr != "already there: 2 of 2 sets\n" {
		t.Errorf("%+v", r)
	}
	// What has something to write fails, and says why.
	for _, more := range [][]string{{"P"}, {"--force"}} {
		refuse(t, exitFailed, []string{lock}, append(args, more...)...)
	}
	if after := names(t, dir); !slices.Equal(before, after) {
		t.Errorf("the folder has %v, had %v", after, before)
	}
	// A set of which a table is missing or damaged is not there.
	gone := filepath.Join(dir, "G.gbd")
	if err := os.Truncate(gone, 100); err != nil {
		t.Fatal(err)
	}
	refuse(t, exitFailed, []string{lock}, args...)
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	refuse(t, exitFailed, []string{lock}, args...)
}

// TestVanishedFolder: tables that were made, and that somebody has taken away before generate could end, are no failure.
func TestVanishedFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	g := generation{dir: dir}
	bytesOf, err := g.tidyUp(material(t, "R"))
	if err != nil || bytesOf != 0 {
		t.Fatalf("%d bytes, %v", bytesOf, err)
	}
	// A checkpoint that cannot be removed is one.
	if err := os.MkdirAll(filepath.Join(checkpointFile(dir, material(t, "R")), "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := g.tidyUp(material(t, "R")); err == nil {
		t.Error("what has the name of a checkpoint, and is none, was removed")
	}
	there := copyTables(t, "R")
	whole, err := (&generation{dir: there}).tidyUp(material(t, "R"))
	if err != nil || whole == 0 {
		t.Fatalf("%d bytes, %v", whole, err)
	}
	var table bytes.Buffer
	printMade(&table, []madeSet{{material: material(t, "R"), distinct: 8 * whole, bytes: whole}, {material: material(t, "G"), distinct: 1}})
	lines := strings.Split(table.String(), "\n")
	for i, bits := range []string{"1.00", "-", "1.00"} {
		if f := strings.Fields(lines[1+i]); !slices.Contains(f, bits) {
			t.Errorf("want %s in %q", bits, lines[1+i])
		}
	}
}

package storage

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// checkSums wants SHA256SUMS to list all other files of a folder with their sums, and nothing
// else.
func checkSums(t testing.TB, dir string) {
	t.Helper()
	var want strings.Builder
	for _, name := range files(t, dir) {
		if name != SumsFile {
			fmt.Fprintf(&want, "%x  %s\n", sha256.Sum256(read(t, dir, name)), name)
		}
	}
	if got := string(read(t, dir, SumsFile)); got != want.String() {
		t.Errorf("%s has\n%swant\n%s", SumsFile, got, want.String())
	}
}

// TestSums keeps SHA256SUMS up to date through everything that happens to a folder.
func TestSums(t *testing.T) {
	dir := written(t, "none", "R")
	checkSums(t, dir)
	solve(t, "G").write(t, dir)
	checkSums(t, dir)
	solve(t, "R").writeAs(t, dir, shape{9, 1}, WriterOptions{}) // replaced by other bytes
	checkSums(t, dir)
	before := read(t, dir, SumsFile)
	solve(t, "G").write(t, dir) // by the same
	if !bytes.Equal(read(t, dir, SumsFile), before) {
		t.Error("the same tables written again have other sums")
	}

	// a table goes away, another is copied here, the list is lost
	if err := os.Remove(filepath.Join(dir, "none.gbd")); err != nil {
		t.Fatal(err)
	}
	put(t, read(t, written(t, "B"), "B.gbo"), dir, "B.gbo")
	if err := Tidy(dir); err != nil {
		t.Fatal(err)
	}
	checkSums(t, dir)
	if err := os.Remove(filepath.Join(dir, SumsFile)); err != nil {
		t.Fatal(err)
	}
	if err := Tidy(dir); err != nil {
		t.Fatal(err)
	}
	checkSums(t, dir)

	// lines that are not ours
	put(t, append([]byte("# a comment\nabc  R.gbo\n\n"), read(t, dir, SumsFile)...), dir, SumsFile)
	if err := Tidy(dir); err != nil {
		t.Fatal(err)
	}
	checkSums(t, dir)
}

// TestTidy: temporary files of ours go, and only those; a folder without tables gets no list.
func TestTidy(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"G.gbo.tmp", "G.gbd.tmp", "SHA256SUMS.tmp", "G.checkpoint", "X.gbo.tmp", "notes.tmp"} {
		put(t, []byte("half of it"), dir, name)
	}
	if err := Tidy(dir); err != nil {
		t.Fatal(err)
	}
	if got, want := files(t, dir), []string{"G.checkpoint", "X.gbo.tmp", "notes.tmp"}; !slices.Equal(got, want) {
		t.Errorf("in the folder: %v, want %v", got, want)
	}
	if err := Tidy(filepath.Join(dir, "nowhere")); err != nil {
		t.Error(err)
	}
}

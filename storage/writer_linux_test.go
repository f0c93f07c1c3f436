package storage

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// TestFullDisk lets writes fail as on a full disk: one of the temporary files is a link to
// /dev/full. The tables that were there stay.
func TestFullDisk(t *testing.T) {
	for _, full := range []string{"SS.gbo", "SS.gbd"} {
		dir := written(t, "G", "SS")
		s := solve(t, "SS")
		before := files(t, dir)
		if err := os.Symlink("/dev/full", filepath.Join(dir, full+temporarySuffix)); err != nil {
			t.Fatal(err)
		}
		w, err := Create(dir, s.index, WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Append(s.values); err != nil {
			t.Fatal(err)
		}
		err = w.Commit(s.stats)
		var failed *WriteError
		if !errors.As(err, &failed) || failed.File != filepath.Join(dir, full) || !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: %v", full, err)
		}
		if want := filepath.Join(dir, full) + ": no space left on device"; err != nil && err.Error() != want {
			t.Errorf("it says %q, want %q", err, want)
		}
		if got := files(t, dir); !slices.Equal(got, before) {
			t.Errorf("%s: the folder has %v, before %v", full, got, before)
		}
		if err := readAll(t, dir, s); err != nil {
			t.Error(err)
		}
		checkSums(t, dir)
	}
}

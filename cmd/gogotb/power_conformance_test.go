//go:build conformance && linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPowerLoss has strace write down what a run of generate asks of the system, and goes through
// it call by call. What a disk holds after a power cut is between what was synced by then and what
// was written: at many moments the folder is made in several ways that may be. In each of them the
// set is there whole or not at all, no finished checkpoint is lost, and the same command makes
// the same tables.
func TestPowerLoss(t *testing.T) {
	whole := copyTables(t, "GG")
	d := newDisk(t.TempDir())
	log := filepath.Join(t.TempDir(), "log")
	trace := exec.CommandContext(t.Context(), "strace", "-f", "-qq", "-xx", "-s", "100000000", "-o", log,
		"-e", "trace=openat,close,write,pwrite64,ftruncate,fsync,unlinkat,?renameat,?renameat2",
		program, "generate", "--dir", d.tables, "--jobs", "1", "--checkpoint-every", "1ms", "GG")
	if r := finish(t, trace); r.status != exitDone || r.stderr != "" {
		t.Fatalf("%+v", r)
	}
	sameTables(t, d.tables, whole, "GG")
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	n, cuts, resumed := 0, 0, 0
	for _, c := range systemCalls(t, string(text)) {
		if !d.do(t, c) {
			continue
		}
		n++
		solving := d.names["GG.gbo.tmp"] == nil && d.names["GG.gbo"] == nil
		if solving && n%31 != 0 || !solving && c.name == "write" {
			continue
		}
		cuts++
		for _, left := range []struct {
			what  string
			files map[string][]byte
		}{
			{"what was synced", d.certainly()},
			{"all names, what was synced in the files", d.contents(func(f *file) []byte { return f.synced })},
			{"half of what was not synced", d.contents(torn)},
			{"everything", d.contents(func(f *file) []byte { return f.written })},
		} {
			if restart(t, fmt.Sprintf("%s after call %d (%s)", left.what, n, c.name), left.files, d.commit(), whole) {
				resumed++
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d calls, power cuts after %d of them, gone on from a checkpoint after %d", n, cuts, resumed)
	if cuts < 12 || resumed < 24 {
		t.Error("these are too few to tell anything")
	}
}

// restart has the program go on in a folder with such files, if it is not nil, in which there
// must be the checkpoint of a ply or a rank, or later ones, or the tables, unless it is "". It
// tells whether the program has gone on from a checkpoint.
func restart(t *testing.T, what string, files map[string][]byte, commit, whole string) (resumed bool) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tables")
	if files != nil {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	there := files["GG.gbo"] != nil
	if there {
		succeed(t, "verify", "--dir", dir, "--checksums", "GG")
	} else if r := gogotb(t, "stats", "--dir", dir, "GG"); r.status != exitFailed {
		t.Errorf("%s: stats: %+v", what, r)
	}
	r := gogotb(t, "generate", "--dir", dir, "--jobs", "1", "GG")
	resumed = strings.Contains(r.stderr, "GG goes on where it was: ")
	switch {
	case r.status != exitDone, there != strings.Contains(r.stderr, "already there"):
		t.Errorf("%s: %+v", what, r)
	case commit != "" && !there && !resumed,
		strings.HasPrefix(what, "what was synced") && resumed && !strings.Contains(r.stderr, ": "+commit):
		t.Errorf("%s: the checkpoint of %s was finished, but %q", what, commit, r.stderr)
	}
	sameTables(t, dir, whole, "GG")
	return resumed
}

//go:build conformance && linux

package main

import (
	"encoding/binary"
	"fmt"
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
	dir := filepath.Join(d.root, "tables")
	n, cuts, resumed := 0, 0, 0
	for _, c := range trace(t, program, "generate", "--dir", dir, "--jobs", "1", "--checkpoint-every", "1ms", "GG") {
		if !d.do(t, c) {
			continue
		}
		n++
		solving := d.names["tables/GG.gbo.tmp"] == nil && d.names["tables/GG.gbo"] == nil
		if solving && n%31 != 0 || !solving && c.name == "write" {
			continue
		}
		cuts++
		for _, left := range d.cuts("tables") {
			left.what = fmt.Sprintf("%s after call %d (%s)", left.what, n, c.name)
			if restart(t, left, d.commit(), whole) {
				resumed++
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d calls, power cuts after %d of them, gone on from a checkpoint after %d", n, cuts, resumed)
	sameTables(t, dir, whole, "GG")
	if cuts < 12 || resumed < 24 {
		t.Error("these are too few to tell anything")
	}
}

// restart has the program go on in a folder that may be there after a power cut, in which there
// must be the checkpoint of a ply or a rank, or later ones, or the tables, unless it is "". It
// tells whether the program has gone on from a checkpoint.
func restart(t *testing.T, left cut, commit, whole string) (resumed bool) {
	t.Helper()
	what, files := left.what, left.files
	dir := filepath.Join(t.TempDir(), "tables")
	left.restore(t, dir)
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

// commit is the ply or rank up to which the results are certain to be in the checkpoint, in the
// program's words; "" if there are none.
func (d *disk) commit() (standing string) {
	f := d.certain["tables/GG.checkpoint"]
	if f == nil {
		return ""
	}
	for b := f.synced; len(b) > 0; { // the records are described in package retro
		body := b[16:][:binary.LittleEndian.Uint32(b[4:])]
		if b[0] == 3 {
			phases := [...]string{"ply %d", "perpetual check, rank %d", "solved"}
			standing = fmt.Sprintf(phases[binary.LittleEndian.Uint64(body)], binary.LittleEndian.Uint64(body[8:]))
		}
		b = b[16+len(body):]
	}
	return standing
}

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// nobody is a user without any rights of its own, for tests that are run as root.
const nobody = 65534

// TestUnwritableFolder: one line names the folder, and nothing is left.
func TestUnwritableFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	for _, into := range []string{dir, filepath.Join(dir, "new")} {
		args := []string{"generate", "--dir", into, "R"}
		cmd := command(t, args...)
		if os.Getuid() == 0 { // may write everywhere
			cmd.Dir = "/"
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
			for path := filepath.Dir(program); path != os.TempDir() && path != "/"; path = filepath.Dir(path) {
				allowPassage(t, path)
			}
			for path := dir; path != os.TempDir() && path != "/"; path = filepath.Dir(path) {
				allowPassage(t, path)
			}
		}
		checkRefusal(t, finish(t, cmd), exitFailed, []string{dir, "permission denied"}, args)
		if got := names(t, dir); len(got) > 0 {
			t.Errorf("the folder has %v", got)
		}
	}
}

// allowPassage lets everybody through a folder of this test.
func allowPassage(t *testing.T, path string) {
	info, err := os.Stat(path)
	if err == nil {
		err = os.Chmod(path, info.Mode().Perm()|0o555)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestFullDisk: when there is no room one line says where, and what is left is the
// checkpoint, from which the set is made when there is room. Room is what the shell's limit for
// the size of files leaves, in units of 512 bytes: for nothing, for no ply, for some plies, for tables
// that come before the first checkpoint.
func TestFullDisk(t *testing.T) {
	whole := copyTables(t, "GS")
	dir := t.TempDir()
	for _, c := range []struct {
		room  int
		every string
		file  string
	}{
		{0, "1ns", "GS.checkpoint"},
		{1, "1ns", "GS.checkpoint"},
		{80, "1h", "GS.gb"},
		{300, "1ns", "GS.checkpoint"},
	} {
		cmd := command(t, "generate", "--dir", dir, "--checkpoint-every", c.every, "GS")
		limited := exec.CommandContext(t.Context(), "sh", append([]string{"-c", fmt.Sprintf(`ulimit -f %d; exec "$0" "$@"`, c.room)}, cmd.Args...)...)
		limited.Dir = cmd.Dir
		checkRefusal(t, finish(t, limited), exitFailed, []string{filepath.Join(dir, c.file), "file too large"}, cmd.Args[1:])
		if got := names(t, dir); !slices.Equal(got, []string{"GS.checkpoint"}) {
			t.Errorf("room for %d blocks: the folder has %v", c.room, got)
		}
	}
	if r := gogotb(t, "generate", "--dir", dir, "GS"); r.status != exitDone || !strings.HasPrefix(r.stderr, "GS goes on where it was: ply ") {
		t.Errorf("with room: %+v", r)
	}
	sameTables(t, dir, whole, "GS")
}

// TestDamagedCheckpoint: a damaged record of a checkpoint costs what comes after it, which the program
// says, and nothing else. What was behind it is kept until the set is made.
func TestDamagedCheckpoint(t *testing.T) {
	whole := copyTables(t, "GS")
	dir := t.TempDir()
	cmd := command(t, "generate", "--dir", dir, "--checkpoint-every", "1ns", "GS")
	limited := exec.CommandContext(t.Context(), "sh", append([]string{"-c", `ulimit -f 300; exec "$0" "$@"`}, cmd.Args...)...)
	if r := finish(t, limited); r.status != exitFailed {
		t.Fatalf("with room for a part of the results: %+v", r)
	}
	file := filepath.Join(dir, "GS.checkpoint")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	r := gogotb(t, "generate", "--dir", dir, "GS")
	said := strings.SplitN(r.stderr, "\n", 2)
	if r.status != exitDone || !strings.HasPrefix(said[0], "warning: "+file+" is damaged at byte ") ||
		!strings.HasSuffix(said[0], " is lost and will be found again; the damaged part is kept in "+file+".damaged") ||
		len(said) != 2 || !strings.HasPrefix(said[1], "GS goes on where it was: ply ") {
		t.Errorf("with a damaged checkpoint: %+v", r)
	}
	sameTables(t, dir, whole, "GS")
	if got := names(t, dir); !slices.Equal(got, []string{"GS.gbd", "GS.gbo", "SHA256SUMS"}) {
		t.Errorf("the folder has %v", got)
	}
}

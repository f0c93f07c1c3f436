package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
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

// TestFullDisk: one line names the file, and nothing is left. The temporary name of the
// table leads to a device that is always full.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("/dev/full", filepath.Join(dir, "RB.gbo.tmp")); err != nil {
		t.Fatal(err)
	}
	refuse(t, exitFailed, []string{filepath.Join(dir, "RB.gbo"), "no space left on device"}, "generate", "--dir", dir, "RB")
	if got := names(t, dir); len(got) > 0 {
		t.Errorf("the folder has %v", got)
	}
}

// TestInterrupt: Ctrl-C and SIGTERM end generate with the status of an interrupted
// program, whenever they come. Sets that are done stay, and nothing else.
func TestInterrupt(t *testing.T) {
	for i, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, os.Interrupt} {
		dir := filepath.Join(t.TempDir(), "tables")
		args := []string{"generate", "--dir", dir, "R", "GSP"}
		cmd := command(t, args...)
		time.AfterFunc(time.Duration(100+700*i)*time.Millisecond, func() { cmd.Process.Signal(sig) })
		r := finish(t, cmd)
		if r.status != exitInterrupted || strings.Count(r.stderr, "\n") != 1 || !strings.Contains(r.stderr, "interrupted") {
			t.Errorf("%v: status %d, standard error %q", sig, r.status, r.stderr)
		}
		if strings.Contains(r.stdout, "\nR ") {
			checkSums(t, dir)
		}
		for _, name := range names(t, dir) {
			if !slices.Contains([]string{"R.gbo", "R.gbd", "SHA256SUMS"}, name) {
				t.Errorf("%v: %s is left", sig, name)
			}
		}
	}
}

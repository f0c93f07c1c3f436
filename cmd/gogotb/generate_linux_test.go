package main

import (
	"bytes"
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

// TestFullDisk: one line names the file, and only the checkpoint is left, with which the set
// is made when there is room. The temporary name of the table leads to a device that is
// always full.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("/dev/full", filepath.Join(dir, "RB.gbo.tmp")); err != nil {
		t.Fatal(err)
	}
	refuse(t, exitFailed, []string{filepath.Join(dir, "RB.gbo"), "no space left on device"}, "generate", "--dir", dir, "RB")
	if got := names(t, dir); !slices.Equal(got, []string{"RB.checkpoint"}) {
		t.Errorf("the folder has %v", got)
	}
	succeed(t, "generate", "--dir", dir, "RB")
	checkSums(t, dir)
}

// interrupt runs generate on a folder and sends it a signal after some time; done tells
// whether it was ready before. If the signal comes before the program has begun, which
// kills it, it is run again with more time.
func interrupt(t *testing.T, dir string, sig os.Signal, after time.Duration, sets ...string) (done bool) {
	t.Helper()
	cmd := command(t, append([]string{"generate", "--dir", dir}, sets...)...)
	r := finishMeanwhile(t, cmd, func() {
		timer := time.AfterFunc(after, func() { cmd.Process.Signal(sig) })
		t.Cleanup(func() { timer.Stop() })
	})
	if r.status == exitDone {
		return true
	}
	if cmd.ProcessState.Sys().(syscall.WaitStatus).Signaled() && r.stdout+r.stderr == "" {
		return interrupt(t, dir, sig, 2*after, sets...)
	}
	if r.status != exitInterrupted || strings.Count(r.stderr, "\n") != 1 || !strings.Contains(r.stderr, "interrupted") {
		t.Fatalf("%v: status %d, standard error %q", sig, r.status, r.stderr)
	}
	return false
}

// TestInterrupt: Ctrl-C and SIGTERM end generate with the status of an interrupted
// program, whenever they come. Sets that are done stay, and of the one that was not a checkpoint.
func TestInterrupt(t *testing.T) {
	for i, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, os.Interrupt} {
		dir := filepath.Join(t.TempDir(), "tables")
		if interrupt(t, dir, sig, time.Duration(100+700*i)*time.Millisecond, "R", "GSP") {
			t.Fatal("GSP was ready too soon")
		}
		for _, name := range names(t, dir) {
			if !slices.Contains([]string{"R.gbo", "R.gbd", "SHA256SUMS", "R.checkpoint", "GSP.checkpoint"}, name) {
				t.Errorf("%v: %s is left", sig, name)
			}
		}
	}
}

// TestResume: a set that is interrupted again and again is made in the end, the same to
// the byte, and nothing but its tables is left.
func TestResume(t *testing.T) {
	want := copyTables(t, "RB")
	dir := t.TempDir()
	after := 100 * time.Millisecond
	times := 0
	for !interrupt(t, dir, os.Interrupt, after, "RB") {
		if got := names(t, dir); times == 0 && !slices.Equal(got, []string{"RB.checkpoint"}) {
			t.Errorf("the folder has %v", got)
		}
		times++
		after *= 2
	}
	if times < 2 {
		t.Errorf("interrupted %d times", times)
	}
	checkSums(t, dir)
	for _, name := range []string{"RB.gbo", "RB.gbd"} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		whole, err := os.ReadFile(filepath.Join(want, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, whole) {
			t.Errorf("%s differs", name)
		}
	}
}

// TestForeignCheckpoint: a checkpoint of something else is refused, and stays.
func TestForeignCheckpoint(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "RB.checkpoint")
	if err := os.WriteFile(file, []byte("my notes on rooks and bishops, in a bad place"), 0o644); err != nil {
		t.Fatal(err)
	}
	refuse(t, exitFailed, []string{file, "no checkpoint"}, "generate", "--dir", dir, "RB")
	if got := names(t, dir); !slices.Equal(got, []string{"RB.checkpoint"}) {
		t.Errorf("the folder has %v", got)
	}
}

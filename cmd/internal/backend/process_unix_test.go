//go:build unix

package backend

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"gogotb/cmd/internal/enginetest"
)

// An engine that a shell has started ends with the shell. Both have a FIFO open for writing, whose end is read when
// both have ended.
func TestChildrenEnd(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	fifo, script := filepath.Join(dir, "fifo"), filepath.Join(dir, "engine")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	text := "#!/bin/sh\nexec 3>'" + fifo + "'\n'" + program + "'\necho ended\n"
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		f, err := os.Open(fifo)
		if err == nil {
			defer f.Close()
			_, err = io.ReadAll(f)
		}
		ended <- err
	}()
	t.Setenv(enginetest.Behaviour, enginetest.Asleep)
	e, err := Start(t.Context(), script, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.process.send("%s", "go"); err != nil { // from where it does not come back
		t.Fatal(err)
	}
	e.Close()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Error("the engine lives on after its shell")
	}
}

// An engine that was closed has been waited for, so that no zombie is left.
func TestNoZombie(t *testing.T) {
	e, err := start(t, enginetest.Good)
	if err != nil {
		t.Fatal(err)
	}
	e.Close()
	if err := e.process.cmd.Process.Signal(syscall.Signal(0)); !errors.Is(err, os.ErrProcessDone) {
		t.Errorf("after Close: %v", err)
	}
}

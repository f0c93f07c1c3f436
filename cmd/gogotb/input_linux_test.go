package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestNoFile: what is no file, and may have no end, is refused at once and costs no other file; what the shell has
// opened is read.
func TestNoFile(t *testing.T) {
	dir := t.TempDir()
	fifo, zero := filepath.Join(dir, "fifo"), filepath.Join(dir, "zero.kif")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", zero); err != nil {
		t.Fatal(err)
	}
	good := filepath.Join(dir, "good.sfen")
	const mate = "4k/5/4K/5/5 b G 1 moves G*1b ; plies 1\n"
	if err := os.WriteFile(good, []byte(mate), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{fifo: "no regular file", zero: "no regular file", "/dev/zero": "no regular file", dir: "a folder", dir + "/none": "no such file"} {
		r := gogotb(t, "puzzle", "--tolerate", "last", name, good)
		if r.status != exitFailed || r.stderr != "gogotb puzzle: "+name+": "+strings.TrimPrefix(r.stderr, "gogotb puzzle: "+name+": ") ||
			!strings.Contains(r.stderr, want) || !strings.Contains(r.stdout, "good.sfen, line 1") {
			t.Errorf("%s: %+v", name, r)
		}
		refuse(t, exitFailed, []string{name, want}, "serve", "--addr", "127.0.0.1:0", "--puzzles", name)
	}

	// As in gogotb puzzle <(find ...)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := w.WriteString(mate); err != nil {
		t.Fatal(err)
	}
	w.Close()
	cmd := command(t, "puzzle", "/dev/fd/3")
	cmd.ExtraFiles = []*os.File{r}
	if got := finish(t, cmd); !strings.Contains(got.stdout, "/dev/fd/3, line 1") || got.stderr != "" {
		t.Errorf("a pipe of the shell's: %+v", got)
	}

	endless, err := os.Open("/dev/zero")
	if err != nil {
		t.Fatal(err)
	}
	defer endless.Close()
	cmd = command(t, "puzzle", "-")
	cmd.Stdin = endless
	if got := finish(t, cmd); got.status != exitFailed || !strings.Contains(got.stderr, "standard input: it is longer than 64 MiB") {
		t.Errorf("input without an end: %+v", got)
	}
}

package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fullPipe is a pipe into which nothing more can be written, and which nobody reads.
func fullPipe(t testing.TB) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	raw, err := w.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	// Go has made the pipe one that does not block; whoever inherits it should wait.
	err = raw.Control(func(fd uintptr) {
		for page := make([]byte, os.Getpagesize()); len(page) > 0; {
			if _, err := syscall.Write(int(fd), page); errors.Is(err, syscall.EAGAIN) {
				page = page[:len(page)/2]
			} else if err != nil {
				t.Error(err)
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Fd() // which makes it block
	return w
}

// endless is what keeps a command from coming to an end by itself.
type endless uint8

const (
	atWork    endless = iota
	atInput           // it waits for standard input
	atOutput          // nobody reads its results
	listening         // it serves
)

// interruptions are commands that would go on for long, at least one each.
var interruptions = []struct {
	why  endless
	args []string
}{
	{atWork, []string{"generate", "--dir", "new", "GSP"}},
	{atOutput, []string{"generate", "--estimate", "R"}},
	{atOutput, []string{"generate", "--dir", "new", "none"}},
	{atInput, []string{"probe", "-"}},
	{atInput, []string{"probe", "--json", "4k/5/5/5/K4 b R 1", "-"}},
	{atOutput, []string{"probe", "4k/5/5/5/K4 b R 1"}},
	{atOutput, []string{"find", "RB"}},
	{atOutput, []string{"find", "--dtm", "5", "--json", "RB"}},
	{atOutput, []string{"stats", "R"}},
	{atOutput, []string{"stats", "--plot", "r.svg", "R"}},
	{atOutput, []string{"list"}},
	{atOutput, []string{"index", "R", "1"}},
	{atWork, []string{"verify", "RB", "RR", "BB", "GG", "SS", "RG", "RS", "BG", "BS", "GS"}},
	{atOutput, []string{"verify", "R"}},
	{atOutput, []string{"verify", "--checksums", "R", "RB", "G"}},
	{atOutput, []string{"verify", "--sample", "10", "--json", "R"}},
	{listening, []string{"serve", "--addr", "127.0.0.1:0"}},
	{listening, []string{"cluster", "serve", "--listen", "127.0.0.1:0"}},
	{atWork, []string{"cluster", "generate", "--dir", "new", "GSP"}},
	{atOutput, []string{"cluster", "generate", "--dir", "new", "P"}},
	{atOutput, []string{"game", "startpos", "1e1d"}},
	{atInput, []string{"game", "-"}},
	{atInput, []string{"review", "-"}},
	{atWork, []string{"review", "--nodes", "10000000000", "starts.sfen"}},
	{atOutput, []string{"review", "--nodes", "1000", "starts.sfen"}},
	{atOutput, []string{"moves", "startpos"}},
	{atWork, []string{"perft", "30"}},
	{atOutput, []string{"perft", "1"}},
	{atInput, []string{"usi"}},
	{atInput, []string{"xboard"}},
	{atInput, []string{"puzzle", "-"}},
	{atWork, []string{"puzzle", "--max-plies", "99", "--nodes", "10000000000", "starts.sfen"}},
	{atWork, []string{"puzzle", "--from", "game.sfen", "--plies", "31", "--nodes", "10000000000"}},
	{atOutput, []string{"puzzle", "mate.sfen"}},
	{atOutput, []string{"puzzle", "--make", "3", "--plies", "3", "RB"}},
	{atWork, []string{"solve", "startpos"}},
	{atOutput, []string{"solve", "4k/5/5/5/K4 b R 1"}},
}

// TestCtrlC: there is no command that does not end, with status 130, at the first Ctrl-C or SIGTERM, whatever it is
// doing or waiting for.
func TestCtrlC(t *testing.T) {
	tables := smallTables(t)
	tried := map[string]bool{}
	for i, c := range interruptions {
		tried[c.args[0]] = true
		sig := []os.Signal{os.Interrupt, syscall.SIGTERM}[i%2]
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			t.Parallel()
			want := exitInterrupted
			if c.why == listening {
				want = exitDone // that is how a server ends
			}
			// The signal may come before the program has begun, which ends it in another way.
			for delay := 200 * time.Millisecond; ; delay *= 2 {
				switch status := interrupted(t, c.why, delay, sig, tables, c.args); {
				case status == want:
					return
				case status != -1 || delay > 10*time.Second:
					t.Fatalf("%v after %v: status %d", sig, delay, status)
				}
			}
		})
	}
	for _, c := range commands() {
		if !tried[c.Name()] {
			t.Errorf("%s is not tried", c.Name())
		}
	}
}

// interrupted is the status of a command that gets a signal after some time; -1 if the signal killed it.
func interrupted(t *testing.T, why endless, delay time.Duration, sig os.Signal, tables string, args []string) int {
	t.Helper()
	if !strings.Contains(strings.Join(args, " "), "--dir") {
		args = append(args, "--dir", tables)
	}
	cmd := command(t, args...)
	for name, text := range map[string]string{
		"starts.sfen": "rbsgk/4p/5/P4/KGSBR b - 1\n",
		"game.sfen":   "startpos moves 5d5c\n",
		"mate.sfen":   "4k/5/5/5/K4 b RG 1 ; plies 3\n",
	} {
		if err := os.WriteFile(filepath.Join(cmd.Dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.Discard, &said
	switch why {
	case atInput:
		input, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		defer input.Close()
	case atOutput:
		cmd.Stdout = fullPipe(t)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(delay)
	if err := cmd.Process.Signal(sig); err != nil {
		t.Errorf("it had ended before: %v, %s", cmd.Wait(), &said)
		return 0
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

//go:build unix

package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSolveSave: a search that is interrupted, or killed, again and again comes to its end; what the file holds is then the
// answer.
func TestSolveSave(t *testing.T) {
	file := filepath.Join(t.TempDir(), "search")
	args := []string{"solve", "--hash", "64MB", "--save", file, "r1s1k/1g3/4S/P4/KG1BR b P 6"}
	const answer = "Sente mates in 13 plies."
	rnd := rand.New(rand.NewPCG(14, 1))
	for run := 0; ; run++ {
		cmd := command(t, args...)
		signal := []os.Signal{os.Interrupt, syscall.SIGKILL}[run%2]
		r := finishMeanwhile(t, cmd, func() {
			wait := time.AfterFunc(time.Duration(200+rnd.IntN(400))*time.Millisecond, func() { cmd.Process.Signal(signal) })
			t.Cleanup(func() { wait.Stop() })
		})
		if r.status == exitDone {
			if !strings.Contains(r.stdout, answer) {
				t.Fatalf("%s", r.stdout)
			}
			break
		}
		if signal == os.Interrupt && r.status != exitInterrupted && r.status != -1 || run > 200 {
			t.Fatalf("run %d: status %d, %q", run, r.status, r.stderr)
		}
	}
	// The answer is in the file: little is left to do.
	if out := succeed(t, append(args, "--nodes", "1000000")...); !strings.Contains(out, answer) {
		t.Errorf("%s", out)
	}

	refuse(t, exitFailed, []string{file, "it is about"}, "solve", "--save", file, "4k/5/5/P4/KGSBR w - 1")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	refuse(t, exitFailed, []string{file, "damaged"}, args...)
	if err := os.WriteFile(file, []byte("a shopping list\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	refuse(t, exitFailed, []string{file, "no saved search"}, args...)
	if left, err := os.ReadFile(file); err != nil || string(left) != "a shopping list\n" {
		t.Errorf("%q, %v", left, err)
	}
	refuse(t, exitFailed, []string{"no regular file"}, "solve", "--save", t.TempDir(), args[len(args)-1])
	refuse(t, exitFailed, []string{"no-such-folder"}, "solve", "--save", "no-such-folder/search", args[len(args)-1])
}

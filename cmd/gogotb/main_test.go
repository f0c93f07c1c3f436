package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// program is the binary under test, as people run it.
var program string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	flag.Parse()
	dir, err := os.MkdirTemp("", "gogotb-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "gogotb")
	if worker := flag.Lookup("test.fuzzworker"); worker != nil && worker.Value.String() == "true" {
		return m.Run() // which never runs the program
	}
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
	os.Unsetenv(dirVariable)
	return m.Run()
}

// result is what a run of the program left.
type result struct {
	status         int
	stdout, stderr string
}

// command is a run of the program that has not begun.
func command(t testing.TB, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = t.TempDir() // whatever it writes without being told where is not written here
	return cmd
}

// finish runs a command to its end.
func finish(t testing.TB, cmd *exec.Cmd) result {
	t.Helper()
	return finishMeanwhile(t, cmd, func() {})
}

// finishMeanwhile does that, and something else as soon as the command has started.
func finishMeanwhile(t testing.TB, cmd *exec.Cmd, started func()) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &stdout
	}
	if cmd.Stderr == nil {
		cmd.Stderr = &stderr
	}
	err := cmd.Start()
	if err == nil {
		started()
		err = cmd.Wait()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// gogotb runs the program.
func gogotb(t testing.TB, args ...string) result {
	t.Helper()
	return finish(t, command(t, args...))
}

// succeed runs the program, which has to say nothing on standard error, and returns
// what it says on standard output.
func succeed(t testing.TB, args ...string) string {
	t.Helper()
	r := gogotb(t, args...)
	if r.status != exitDone || r.stderr != "" {
		t.Fatalf("gogotb %s: status %d, standard error %q", strings.Join(args, " "), r.status, r.stderr)
	}
	return r.stdout
}

// refuse runs the program, which has to fail with one line that contains each of the
// texts.
func refuse(t testing.TB, status int, texts []string, args ...string) {
	t.Helper()
	checkRefusal(t, gogotb(t, args...), status, texts, args)
}

func checkRefusal(t testing.TB, r result, status int, texts, args []string) {
	t.Helper()
	call := "gogotb " + strings.Join(args, " ")
	if r.status != status {
		t.Errorf("%s: status %d, want %d", call, r.status, status)
	}
	if r.stdout != "" {
		t.Errorf("%s: standard output %q, want none", call, r.stdout)
	}
	if strings.Count(r.stderr, "\n") != 1 || !strings.HasPrefix(r.stderr, "gogotb") {
		t.Errorf("%s: standard error %q, want one line that begins with the command", call, r.stderr)
	}
	for _, text := range texts {
		if !strings.Contains(r.stderr, text) {
			t.Errorf("%s: standard error %q, want %q in it", call, r.stderr, text)
		}
	}
}

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/spf13/cobra"
)

func main() {
	out := &checkedWriter{w: os.Stdout}
	endOnSignal(out)
	os.Exit(run(os.Args[1:], os.Stdin, out, os.Stderr))
}

// run does all that the program does but for the process, and returns the exit status.
func run(args []string, stdin io.Reader, out *checkedWriter, stderr io.Writer) int {
	root := newRootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(stderr)
	understood := false
	root.PersistentPreRun = func(*cobra.Command, []string) { understood = true }

	cmd, err := root.ExecuteC()
	if err == nil {
		err = out.err
	}
	if err == nil {
		return exitDone
	}
	switch {
	case !understood:
		err = &usageError{err}
	case err == context.Canceled:
		err = &interruptedError{"interrupted"}
	}
	if text := err.Error(); text != "" {
		fmt.Fprintf(stderr, "%s: %s\n", cmd.CommandPath(), oneLine(text))
	}
	return exitStatus(err)
}

// checkedWriter remembers that writing failed, so that no result is lost in silence,
// whoever writes it.
type checkedWriter struct {
	w     io.Writer
	err   error
	calls atomic.Uint64 // of Write, begun and ended: odd while something is being written
}

func (c *checkedWriter) Write(b []byte) (int, error) {
	c.calls.Add(1)
	defer c.calls.Add(1)
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.w.Write(b)
	if err != nil {
		c.err = fmt.Errorf("standard output: %w", err)
	}
	return n, c.err
}

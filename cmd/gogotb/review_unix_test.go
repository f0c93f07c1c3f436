//go:build unix

package main

import (
	"bufio"
	"io"
	"os"
	"strings"
	"testing"
)

// TestReviewInterrupted: a review that is interrupted leaves the moves that it has judged, whole lines, and what they come to.
func TestReviewInterrupted(t *testing.T) {
	// The first two positions are soon found to be mates, and the game goes on in one that takes for ever.
	file := write(t, "a.usi", "sfen 4k/5/4K/5/5 b GS 1 moves G*1b\n"+"startpos moves 5e4d 1a2b 4d5e 2b1a 5e5d")
	for _, format := range []string{"", "--json", "--kif"} {
		cmd := command(t, append([]string{"review", "--nodes", "100000000000", file}, strings.Fields(format)...)...)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		read := bufio.NewReader(out)
		var text strings.Builder
		end := map[string]string{"": "Positions: 0 by table, 1 by search", "--json": `"summary"`, "--kif": "１二金打"}[format]
		for !strings.Contains(text.String(), end) { // the first game
			line, err := read.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			text.WriteString(line)
		}
		cmd.Process.Signal(os.Interrupt)
		rest, err := io.ReadAll(read)
		if err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		last := map[string]string{"": "\n0 plies.", "--json": `"whole":false`, "--kif": "手数----"}[format]
		if status := cmd.ProcessState.ExitCode(); status != exitInterrupted || !strings.Contains(string(rest), last) || !strings.HasSuffix(string(rest), "\n") {
			t.Errorf("%s: status %d, the rest is %q", format, status, rest)
		}
	}
}

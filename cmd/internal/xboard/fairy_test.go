//go:build conformance

package xboard

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// XBoard is told the same of the variant by Fairy-Stockfish (Debian's package fairy-stockfish).
func TestSetupIsFairyStockfishs(t *testing.T) {
	path, err := exec.LookPath("fairy-stockfish")
	if err != nil {
		path, err = exec.LookPath("/usr/games/fairy-stockfish")
	}
	if err != nil {
		t.Fatal("fairy-stockfish is not installed (Debian: apt-get install fairy-stockfish)")
	}
	const commands = "xboard\nprotover 2\nnew\nvariant minishogi\nquit\n"
	cmd := exec.CommandContext(t.Context(), path)
	cmd.Stdin = strings.NewReader(commands)
	theirs, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var ours strings.Builder
	if err := New("test", nil, &ours).Run(strings.NewReader(commands)); err != nil {
		t.Fatal(err)
	}
	want, got := setupLines(string(theirs)), setupLines(ours.String())
	if len(want) < 13 || !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// setupLines are the lines about the variant: the board, and the pieces in any order.
func setupLines(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "setup ") || strings.HasPrefix(line, "piece ") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	slices.Sort(lines)
	return lines
}

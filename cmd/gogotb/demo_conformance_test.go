//go:build conformance

package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDemo: make demo runs through, whatever the folder of its tables is called.
func TestDemo(t *testing.T) {
	for _, name := range []string{"my tables", `it's "mine" & $HOME`} {
		dir := filepath.Join(t.TempDir(), name)
		cmd := exec.CommandContext(t.Context(), "make", "-C", filepath.Join("..", ".."), "demo",
			"GOGOTB="+program, "TABLES="+strings.ReplaceAll(dir, "$", "$$"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("make demo in %s: %v\n%s", dir, err, out)
		}
		checkSums(t, dir)
		for _, want := range []string{"\n21 sets ", "Sente mates in ", "(rank ", "a draw."} {
			if !strings.Contains(string(out), want) {
				t.Errorf("make demo does not say %q:\n%s", want, out)
			}
		}
	}
}

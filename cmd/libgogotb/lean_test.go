package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The library brings no server, no client, no other engine and no solver into the programs that link it.
func TestLean(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	if !slices.Contains(linked, "gogotb/cmd/libgogotb") {
		t.Fatalf("go list says %q", out)
	}
	for _, heavy := range []string{"net", "net/http", "os/exec", "os/user", "gogotb/retro", "gogotb/cmd/internal/engine"} {
		if slices.Contains(linked, heavy) {
			t.Errorf("the library links %s", heavy)
		}
	}
}

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
	if i := slices.IndexFunc(linked, func(p string) bool { return strings.Contains(p, "minio") || strings.Contains(p, "nats") }); i >= 0 {
		t.Errorf("the library links %s", linked[i])
	}
	for _, heavy := range []string{"net", "net/http", "os/exec", "os/user", "gogotb/storage/remote", "gogotb/retro", "gogotb/cmd/internal/engine"} {
		if slices.Contains(linked, heavy) {
			t.Errorf("the library links %s", heavy)
		}
	}
}

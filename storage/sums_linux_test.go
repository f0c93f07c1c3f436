package storage

import (
	"os"
	"os/exec"
	"testing"
)

// TestSha256sum: the program that SHA256SUMS is made for reads it, and finds what is damaged.
func TestSha256sum(t *testing.T) {
	if _, err := exec.LookPath("sha256sum"); err != nil {
		t.Fatalf("this test needs sha256sum, which is in GNU coreutils and in busybox: %v", err)
	}
	check := func(dir string) (string, error) {
		cmd := exec.Command("sha256sum", "-c", SumsFile)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "LC_ALL=C")
		out, err := cmd.CombinedOutput() // with complaints about lines that it cannot read
		return string(out), err
	}
	dir := written(t, "none", "R")
	want := "R.gbd: OK\nR.gbo: OK\nnone.gbd: OK\nnone.gbo: OK\n"
	if out, err := check(dir); err != nil || out != want {
		t.Errorf("sha256sum: %v\n%swant\n%s", err, out, want)
	}
	damaged := read(t, dir, "R.gbo")
	damaged[len(damaged)/2] ^= 1
	put(t, damaged, dir, "R.gbo")
	if out, err := check(dir); err == nil {
		t.Errorf("a bit of R.gbo is wrong, and sha256sum says\n%s", out)
	}
}

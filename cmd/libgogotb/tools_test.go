//go:build conformance && cgo

package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"gogotb/cmd/internal/tabletest"
)

// tools finds the programs that a test needs.
func tools(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			t.Fatalf("%s is not installed (Debian: apt-get install %s)", name, name)
		}
	}
}

// do runs a program and returns all it says.
func do(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	return string(out)
}

// buildLibrary makes what `make lib` makes.
func buildLibrary(t *testing.T) string {
	t.Helper()
	return makeLibrary(t, "lib")
}

// makeLibrary makes a target of the library.
func makeLibrary(t *testing.T, target string) string {
	t.Helper()
	tools(t, "make", "gcc")
	dir := t.TempDir()
	do(t, "make", "-C", "../..", target, "LIB="+dir)
	return dir
}

// solve writes the tables of some sets.
func solve(t *testing.T, sets ...string) string {
	t.Helper()
	dir := t.TempDir()
	if err := tabletest.Write(dir, sets...); err != nil {
		t.Fatal(err)
	}
	return dir
}

// compile compiles a C program of testdata.
func compile(t *testing.T, name, include string, args ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), name)
	do(t, "gcc", append([]string{"-std=c11", "-Wall", "-Wextra", "-Werror", "-g", "-O1", "-I", include, "-o", program,
		"testdata/" + name + ".c"}, append(args, "-pthread")...)...)
	return program
}

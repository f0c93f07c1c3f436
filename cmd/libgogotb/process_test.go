//go:build conformance && cgo

package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// After fork every function of the header returns GOGOTB_FORKED in the child, where it would otherwise wait for
// threads that are not there, and the parent goes on.
func TestFork(t *testing.T) {
	header, err := os.ReadFile("gogotb.h")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("testdata/fork.c")
	if err != nil {
		t.Fatal(err)
	}
	functions := regexp.MustCompile(`(?m)^int (gogotb_\w+)\(`).FindAllStringSubmatch(string(header), -1)
	if len(functions) == 0 {
		t.Fatal("the header has no functions")
	}
	for _, f := range functions {
		if !strings.Contains(string(source), "REFUSED("+f[1]+"(") {
			t.Errorf("testdata/fork.c does not call %s", f[1])
		}
	}
	lib := buildLibrary(t)
	program := compile(t, "fork", lib, "-L"+lib, "-lgogotb", "-Wl,-rpath,"+lib)
	if out := do(t, program, solve(t, "RB")); out != "20 children\n" {
		t.Error(out)
	}
}

// Valgrind finds nothing wrong in what the library does with memory if it was built for valgrind.
func TestValgrind(t *testing.T) {
	tools(t, "valgrind")
	lib := makeLibrary(t, "lib-valgrind")
	dir := solve(t, sets...)
	answers := writeAnswers(t, dir, 60)
	program := compile(t, "compare", lib, "-L"+lib, "-lgogotb", "-Wl,-rpath,"+lib)
	cmd := exec.CommandContext(t.Context(), "valgrind", "-q", "--leak-check=no", "--error-exitcode=9", program, dir, answers, "2", "1")
	out, err := cmd.CombinedOutput()
	if want := "60 positions, 2 threads, 1 rounds\n"; err != nil || string(out) != want {
		t.Errorf("%v\n%s", err, out)
	}
}

// The shared library shows the functions of the header, and nothing else that could be taken for a program's own.
func TestExports(t *testing.T) {
	lib := buildLibrary(t)
	out := do(t, "nm", "-D", "--defined-only", "--format=posix", lib+"/libgogotb.so")
	for line := range strings.Lines(out) {
		if name, _, _ := strings.Cut(line, " "); !strings.HasPrefix(name, "gogotb_") {
			t.Errorf("the library shows %s", name)
		}
	}
	if !strings.Contains(out, "gogotb_open T") {
		t.Error("the library does not show gogotb_open")
	}
}

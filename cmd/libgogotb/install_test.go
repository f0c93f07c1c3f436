//go:build conformance && cgo

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gogotb/cmd/internal/version"
)

// What `make install` has put somewhere is enough to compile the C program of README.md, against the shared and
// against the static library, with what pkg-config says.
func TestInstall(t *testing.T) {
	tools(t, "make", "gcc", "pkg-config", "readelf")
	built, stage := t.TempDir(), t.TempDir()
	do(t, "make", "-C", "../..", "install", "LIB="+built, "GOGOTB="+built+"/gogotb", "PREFIX=/opt/gogotb", "DESTDIR="+stage)
	prefix := filepath.Join(stage, "opt/gogotb")
	t.Setenv("PKG_CONFIG_PATH", prefix+"/lib/pkgconfig")
	t.Setenv("PKG_CONFIG_SYSROOT_DIR", stage)

	if got := do(t, prefix+"/bin/gogotb", "--version"); !strings.HasPrefix(got, "gogotb "+version.Number+" ") {
		t.Errorf("the program is %q", got)
	}
	if got := do(t, "pkg-config", "--modversion", "gogotb"); got != version.Number+"\n" {
		t.Errorf("the library is version %q", got)
	}
	if text, err := os.ReadFile(prefix + "/lib/pkgconfig/gogotb.pc"); err != nil || !strings.HasPrefix(string(text), "prefix=/opt/gogotb\n") {
		t.Errorf("%v\n%s", err, text)
	}
	dir := solve(t, "none", "R", "RG")
	source := writeExample(t)
	for _, link := range []struct{ how, flags, gcc string }{
		{"shared", "--libs", ""},
		{"static", "--static --libs", "-static"},
	} {
		flags := strings.Fields(do(t, "pkg-config", append(strings.Fields(link.flags), "--cflags", "gogotb")...) + link.gcc)
		program := filepath.Join(t.TempDir(), "values")
		do(t, "gcc", append([]string{"-Wall", "-Wextra", "-Werror", "-o", program, source}, flags...)...)
		if needs := strings.Contains(do(t, "readelf", "-d", program), "[libgogotb.so.0]"); needs != (link.how == "shared") {
			t.Errorf("%s: needs libgogotb.so.0: %v", link.how, needs)
		}
		cmd := exec.CommandContext(t.Context(), program, dir)
		cmd.Env = []string{}
		if link.how == "shared" {
			cmd.Env = append(cmd.Env, "LD_LIBRARY_PATH="+prefix+"/lib")
		}
		cmd.Stdin = strings.NewReader("4k/5/5/5/K4 b RG\n2k2/5/2K2/5/4R w -\n4k/5/5/5/K4 b -\n")
		out, err := cmd.CombinedOutput()
		if want := "win in 3\nloss in 4\nopen\n"; err != nil || string(out) != want {
			t.Errorf("%s: %v\n%s", link.how, err, out)
		}
	}
}

// writeExample writes the C program of README.md into a file.
func writeExample(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	program := regexp.MustCompile("(?ms)^```c\n(.*?)^```$").FindSubmatch(text)
	if program == nil {
		t.Fatal("README.md has no C program")
	}
	name := filepath.Join(t.TempDir(), "values.c")
	if err := os.WriteFile(name, program[1], 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

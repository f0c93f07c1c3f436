package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// With -update the outputs in README.md become what the program prints.
var update = flag.Bool("update", false, "rewrite the outputs in README.md")

const readme = "../../README.md"

// blocks finds the blocks of a language, with their text.
func blocks(language string) *regexp.Regexp {
	return regexp.MustCompile("(?ms)^```" + language + "\n(.*?)^```$")
}

// TestReadme runs every command of README.md that is shown with its output, in a folder with the tables of
// all sets of up to two pieces, as the shell would.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(smallTables(t), filepath.Join(dir, "tables")); err != nil {
		t.Fatal(err)
	}
	ran := map[string]int{}
	rewritten := blocks("console").ReplaceAllStringFunc(string(text), func(block string) string {
		body := blocks("console").FindStringSubmatch(block)[1]
		var now strings.Builder
		for example := range strings.SplitSeq(strings.TrimPrefix(body, "$ "), "\n$ ") {
			line, want, _ := strings.Cut(strings.TrimSuffix(example, "\n")+"\n", "\n")
			cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%s: %v", line, err)
			}
			if string(out) != want && !*update {
				t.Errorf("%s\nprints\n%s\nREADME.md says\n%s", line, out, want)
			}
			fmt.Fprintf(&now, "$ %s\n%s", line, out)
			for _, word := range strings.Fields(line) {
				ran[word]++
			}
		}
		return "```console\n" + now.String() + "```"
	})
	for _, name := range []string{"probe", "find", "stats", "list", "index", "game", "moves", "perft"} {
		if ran[name] == 0 {
			t.Errorf("README.md has no example of %s with its output", name)
		}
	}
	if *update {
		if err := os.WriteFile(readme, []byte(rewritten), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReadmeCommands: README.md names every command, and the two of make, word for word.
func TestReadmeCommands(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	for _, cmd := range commands() {
		if !strings.Contains(string(text), "`gogotb "+cmd.Name()) {
			t.Errorf("README.md does not name gogotb %s", cmd.Name())
		}
	}
	for _, command := range []string{"\nmake demo\n", "\nmake test\n"} {
		if !strings.Contains(string(text), command) {
			t.Errorf("README.md has no line %q", command)
		}
	}
}

// TestReadmeCode: the Go programs of README.md compile.
func TestReadmeCode(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	programs := blocks("go").FindAllStringSubmatch(string(text), -1)
	if len(programs) == 0 {
		t.Error("README.md has no Go code")
	}
	for _, p := range programs {
		file := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(file, []byte(p[1]), 0o644); err != nil {
			t.Fatal(err)
		}
		binary := filepath.Join(filepath.Dir(file), "example")
		if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, file).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
			continue
		}
		example := exec.CommandContext(t.Context(), binary)
		example.Dir = t.TempDir()
		if err := os.Symlink(smallTables(t), filepath.Join(example.Dir, "tables")); err != nil {
			t.Fatal(err)
		}
		if out, err := example.CombinedOutput(); err != nil || len(out) == 0 {
			t.Errorf("the example prints %q: %v", out, err)
		}
	}
}

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dustin/go-humanize"

	"gogotb/index"
)

// names are the files of a folder; none if it is not there.
func names(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// checkSums does what sha256sum -c does, and wants every other file to be listed.
func checkSums(t testing.TB, dir string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	listed := []string{"SHA256SUMS"}
	for line := range strings.Lines(string(text)) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		b, err := os.ReadFile(filepath.Join(dir, name))
		if hash := sha256.Sum256(b); !ok || err != nil || sum != hex.EncodeToString(hash[:]) {
			t.Errorf("SHA256SUMS: %q: %v", line, err)
		}
		listed = append(listed, name)
	}
	slices.Sort(listed)
	if have := names(t, dir); !slices.Equal(have, listed) {
		t.Errorf("the folder has %v, SHA256SUMS lists %v", have, listed)
	}
}

// TestGenerate: the closing table of all sets of up to two pieces says what the fixtures
// say, and what is in the folder.
func TestGenerate(t *testing.T) {
	dir := smallTables(t)
	checkSums(t, dir)
	want := []string{"SHA256SUMS"}
	sets := index.Sets(2)
	for _, m := range sets {
		want = append(want, m.String()+".gbd", m.String()+".gbo")
	}
	slices.Sort(want)
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("the folder has %v, want %v", got, want)
	}
	made := madeOnce()
	if made.stderr != "" {
		t.Errorf("standard error %q", made.stderr)
	}
	lines := strings.Split(strings.TrimSpace(made.stdout), "\n")
	if len(lines) != len(sets)+2 || strings.Join(strings.Fields(lines[0]), " ") != "set positions longest mate bytes bits per position seconds memory" {
		t.Fatalf("closing table:\n%s", made.stdout)
	}
	fixtures := smallFixtures(t)
	seen := 0
	for i, m := range sets {
		cells := strings.Fields(strings.ReplaceAll(lines[i+1], ",", ""))
		if len(cells) != 8 || cells[0] != m.String() {
			t.Fatalf("line %q is not about %s", lines[i+1], m)
		}
		size := int64(0)
		for _, ext := range []string{".gbo", ".gbd"} {
			info, err := os.Stat(filepath.Join(dir, m.String()+ext))
			if err != nil {
				t.Fatal(err)
			}
			size += info.Size()
		}
		if cells[3] != strconv.FormatInt(size, 10) {
			t.Errorf("%s: %s bytes, the files have %d", m, cells[3], size)
		}
		if bits, err := strconv.ParseFloat(cells[4], 64); err != nil || bits < 0.5 || bits > 20 {
			t.Errorf("%s: %s bits a position", m, cells[4])
		}
		if size, err := humanize.ParseBytes(cells[6] + cells[7]); err != nil || size < 5e6 || size > 300e6 {
			t.Errorf("%s: %s %s of memory", m, cells[6], cells[7])
		}
		if f, ok := fixtures[m.String()]; ok {
			seen++
			if cells[1] != fmt.Sprint(f.Legal) || cells[2] != fmt.Sprint(max(f.MaxWin, f.MaxLoss, 0)) {
				t.Errorf("%q, but %s has %d positions and mates in up to %d plies", lines[i+1], m, f.Legal, max(f.MaxWin, f.MaxLoss))
			}
		}
	}
	if seen < 8 {
		t.Errorf("%d sets compared", seen)
	}
	if last := lines[len(lines)-1]; !regexp.MustCompile(`^21 sets +29,873,865 +90 `).MatchString(last) {
		t.Errorf("sum: %q", last)
	}
}

// TestGenerateAgain: what is there and whole is left alone, what is not is made, and --force
// makes everything; the bytes are always the same.
func TestGenerateAgain(t *testing.T) {
	dir := copyTables(t, "R", "G", "P")
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	whole := map[string]string{}
	for _, name := range names(t, dir) {
		whole[name] = read(name)
	}
	check := func(why string) {
		t.Helper()
		for name, b := range whole {
			if read(name) != b {
				t.Errorf("%s: %s differs", why, name)
			}
		}
	}
	generate := func(stderr string, made ...string) {
		t.Helper()
		args := []string{"generate", "--dir", dir, "--jobs", "1", "R", "G", "P"}
		r := gogotb(t, args...)
		if r.status != exitDone || r.stderr != stderr {
			t.Errorf("%q: %+v", args, r)
		}
		for _, set := range []string{"R", "G", "P"} {
			if got := strings.Contains("\n"+r.stdout, "\n"+set+" "); got != slices.Contains(made, set) {
				t.Errorf("made %v:\n%s", made, r.stdout)
			}
		}
		check(stderr)
	}
	generate("already there: 3 of 3 sets\n")
	if err := os.Remove(filepath.Join(dir, "R.gbd")); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, "G.gbo"), 100); err != nil {
		t.Fatal(err)
	}
	generate("already there: 1 of 3 sets\n", "R", "G")
	checkSums(t, dir)

	// A set named twice, and in another order, is one.
	again := succeed(t, "generate", "--dir", dir, "--force", "--jobs", "3", "R", "R", "none")
	if strings.Count(again, "\nR ") != 1 || !strings.Contains(again, "\nnone ") || !strings.Contains(again, "\n2 sets") {
		t.Errorf("generate --force R R none:\n%s", again)
	}
	check("--force")
	succeed(t, "generate", "--dir", dir, "--force", "--parts", "3", "R", "P")
	check("--parts")
	checkSums(t, dir)
}

// TestGenerateIntoFirst: tables go to the first folder, which is made with its parents.
func TestGenerateIntoFirst(t *testing.T) {
	first, second := filepath.Join(t.TempDir(), "a", "b"), t.TempDir()
	succeed(t, "generate", "--dir", first, "--dir", second, "none")
	if got := names(t, first); !slices.Equal(got, []string{"SHA256SUMS", "none.gbd", "none.gbo"}) {
		t.Errorf("the first folder has %v", got)
	}
	if got := names(t, second); len(got) > 0 {
		t.Errorf("the second folder has %v", got)
	}
}

// TestEstimate: it names every set and does nothing. What it says is held against runs in
// TestEstimates, TestMemoryLimit and TestEstimatesOfThree.
func TestEstimate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tables")
	got := succeed(t, "generate", "--dir", dir, "--estimate", "--pieces", "1", "PSG")
	lines := strings.Split(strings.TrimSpace(got), "\n")
	var sets []string
	for _, line := range lines[1:] {
		sets = append(sets, strings.Fields(line)[0])
	}
	if want := []string{"none", "R", "B", "G", "S", "P", "GSP", "7"}; !slices.Equal(sets, want) {
		t.Errorf("sets %v, want %v", sets, want)
	}
	if heading := strings.Join(strings.Fields(lines[0]), " "); heading != "set positions memory scratch tables time limited" {
		t.Errorf("heading %q", heading)
	}
	if cells := strings.Fields(lines[7]); cells[1] != "76,873,344" {
		t.Errorf("GSP: %q", lines[7])
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the folder is there: %v", err)
	}
	times := func(args ...string) (free, limited time.Duration) {
		cells := strings.Fields(succeed(t, append([]string{"generate", "--dir", dir, "--estimate", "RBS"}, args...)...))
		for i, d := range []*time.Duration{&free, &limited} {
			var err error
			if *d, err = time.ParseDuration(cells[len(cells)-2+i]); err != nil {
				t.Fatal(err)
			}
		}
		return free, limited
	}
	if free, limited := times(); free != limited {
		t.Errorf("with memory for all: %v, limited %v", free, limited)
	}
	if free, limited := times("--memory", "300MiB"); limited <= free {
		t.Errorf("without memory for all: %v, limited %v", free, limited)
	}
	// What no machine has memory for is estimated, too, but not if a limit was given.
	if largest := succeed(t, "generate", "--estimate", "RRBBG"); !strings.Contains(largest, "\nRRBBG ") {
		t.Errorf("RRBBG: %q", largest)
	}
	refuse(t, exitFailed, []string{"RRBBG", "--memory", "1.0 GiB"}, "generate", "--estimate", "--memory", "1GiB", "RRBBG")
}

func TestGenerateRefuses(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		status int
		args   []string
		texts  []string
	}{
		{exitUsage, nil, []string{"--pieces"}},
		{exitUsage, []string{"--pieces", "6"}, []string{"--pieces", "6"}},
		{exitUsage, []string{"--pieces", "-1"}, []string{"--pieces", "-1"}},
		{exitUsage, []string{"--pieces", "two"}, []string{"--pieces", "two"}},
		{exitUsage, []string{"--jobs", "0", "R"}, []string{"--jobs"}},
		{exitUsage, []string{"--parts", "0", "R"}, []string{"--parts 0", "1 to 258"}},
		{exitUsage, []string{"--parts", "259", "R"}, []string{"--parts 259"}},
		{exitUsage, []string{"--checkpoint-every", "0s", "R"}, []string{"--checkpoint-every"}},
		{exitUsage, []string{"--memory", "much", "R"}, []string{"--memory", "much"}},
		{exitUsage, []string{"--memory", "0", "R"}, []string{"--memory"}},
		{exitUsage, []string{"--memory", "-1GiB", "R"}, []string{"--memory"}},
		{exitUsage, []string{"R", "RQ"}, []string{`"RQ"`, "letter 2"}},
		{exitUsage, []string{"GGG"}, []string{`"GGG"`, "more than two G"}},
		{exitUsage, []string{"r"}, []string{`"r"`}},
		{exitUsage, []string{"RRBBGG"}, []string{"RRBBGG", "5"}},
		{exitFailed, []string{"--memory", "1MB", "RB"}, []string{"RB", "needs about", "--memory"}},
		{exitFailed, []string{"--dir", file, "R"}, []string{file, "not a directory"}},
		{exitFailed, []string{"--dir", filepath.Join(file, "below"), "R"}, []string{file, "not a directory"}},
	} {
		refuse(t, c.status, c.texts, append([]string{"generate"}, c.args...)...)
	}
	// A set that cannot be made is refused before another is.
	refuse(t, exitFailed, []string{"RBSP needs about", "--memory"}, "generate", "--dir", dir, "--memory", "1GiB", "R", "RBSP")
	if got := names(t, dir); !slices.Equal(got, []string{"file"}) {
		t.Errorf("the folder has %v", got)
	}
}

// TestGenerateOlder: tables of an older format are whole; what stands there is left alone until --force.
func TestGenerateOlder(t *testing.T) {
	const older = "../../storage/testdata/format2"
	dir := copyTables(t, "none")
	for _, name := range []string{"G.gbo", "G.gbd", "R.gbo", "R.gbd"} {
		b, err := os.ReadFile(filepath.Join(older, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	formats := func() (list []int) {
		for _, s := range decodeLines[listReport](t, succeed(t, "list", "--json", "--dir", dir)) {
			if s.State != stateWhole || s.FormatVersion == nil {
				t.Fatalf("%+v", s)
			}
			list = append(list, *s.FormatVersion)
		}
		return list
	}
	if got := formats(); !slices.Equal(got, []int{3, 2, 2}) {
		t.Errorf("list: formats %v of none, R, G", got)
	}
	r := gogotb(t, "generate", "--dir", dir, "none", "G", "R")
	if want := "already there: 3 of 3 sets\n2 sets in an older format, whole and left alone; --force makes them anew in format 3: G R\n"; r.status != exitDone || r.stderr != want {
		t.Errorf("%+v, want %q", r, want)
	}
	if got := formats(); !slices.Equal(got, []int{3, 2, 2}) {
		t.Errorf("after generate: formats %v", got)
	}
	succeed(t, "generate", "--dir", dir, "--force", "G")
	if got := formats(); !slices.Equal(got, []int{3, 2, 3}) {
		t.Errorf("after generate --force G: formats %v", got)
	}
}

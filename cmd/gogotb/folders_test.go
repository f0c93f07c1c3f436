package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gogotb/index"
)

// moveTable moves a file of tables from one folder to another.
func moveTable(t *testing.T, name, from, to string) {
	t.Helper()
	if err := os.Rename(filepath.Join(from, name), filepath.Join(to, name)); err != nil {
		t.Fatal(err)
	}
}

// TestListFolders: files that belong together in different folders, and files in one that do not.
func TestListFolders(t *testing.T) {
	a, b, empty := copyTables(t, "R", "G", "P"), copyTables(t, "P"), t.TempDir()
	moveTable(t, "R.gbd", a, b)
	older, err := os.ReadFile("../../storage/testdata/format2/G.gbd")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(a, "G.gbd"), older, 0o644); err != nil {
		t.Fatal(err)
	}
	moveTable(t, "P.gbd", a, empty) // b has it, too
	var got []string
	for _, s := range decodeLines[listReport](t, succeed(t, "list", "--json", "--dir", a, "--dir", b)) {
		got = append(got, fmt.Sprint(s.Material, " ", filepath.Base(s.Dir) == filepath.Base(a), " ", s.State))
	}
	want := "R true divided, G true corrupt, P true divided, R false divided, P false whole"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("%s, want %s", text, want)
	}
	for _, folders := range [][]string{{a, b}, {b, a}} {
		r := gogotb(t, "--dir", folders[0], "--dir", folders[1], "probe", "--json", "4k/5/5/5/K4 b R 1")
		if r.status != exitDone || r.stderr != "" || !strings.Contains(r.stdout, `"dtm":`) || strings.Contains(r.stdout, `"dtm":null`) {
			t.Errorf("%+v", r)
		}
	}
	// Where another folder has the distances that belong, the outcomes are of use, as they are to a probe.
	right := copyTables(t, "G")
	if err := os.Remove(filepath.Join(right, "G.gbo")); err != nil {
		t.Fatal(err)
	}
	for _, s := range decodeLines[listReport](t, succeed(t, "list", "--json", "--dir", a, "--dir", right)) {
		if wrong := s.Material == "G" && s.Dir == a; s.Material == "G" && (s.State != "divided" || (s.Error != nil) != wrong) {
			t.Errorf("%+v", s)
		}
	}
	if p := gogotb(t, "--dir", a, "--dir", right, "probe", "--json", "4k/5/5/5/K4 b G 1"); p.status != exitDone || strings.Contains(p.stdout, `"by":"mate","dtm":null`) {
		t.Errorf("%+v", p)
	}
	r := gogotb(t, "--dir", b, "--dir", empty, "find", "--dtm", "3", "G")
	if r.status != exitFailed || !strings.Contains(r.stderr, "outcomes for G: none of the folders") {
		t.Errorf("%+v", r)
	}
}

// TestPassedOver: a damaged set in the first folder is named, once, and the whole one in the second is used.
func TestPassedOver(t *testing.T) {
	bad, good := copyTables(t, "R"), copyTables(t, "R")
	name := filepath.Join(bad, "R.gbd")
	if err := os.Truncate(name, 1000); err != nil {
		t.Fatal(err)
	}
	want := gogotb(t, "--dir", good, "probe", "4k/5/5/5/K4 b R 1", "4k/5/5/5/K4 w r 1")
	got := gogotb(t, "--dir", bad, "--dir", good, "probe", "4k/5/5/5/K4 b R 1", "4k/5/5/5/K4 w r 1")
	if got.status != want.status || got.stdout != want.stdout {
		t.Errorf("%+v, want %+v", got, want)
	}
	if strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, name+": corrupt at byte ") || !strings.Contains(got.stderr, filepath.Join(good, "R.gbd")+" is used\n") {
		t.Errorf("standard error %q", got.stderr)
	}
	if r := gogotb(t, "--dir", bad, "--dir", good, "verify", "--checksums", "R"); r.status != exitFailed || !strings.Contains(r.stderr, name+": corrupt") {
		t.Errorf("verify: %+v", r)
	}
}

// withFiles is a command that may have few files open at once.
func withFiles(t *testing.T, files int, args ...string) *exec.Cmd {
	t.Helper()
	all := append([]string{"-c", fmt.Sprintf("ulimit -n %d && exec \"$@\"", files), "sh", program}, args...)
	cmd := exec.CommandContext(t.Context(), "/bin/sh", all...)
	cmd.Dir = t.TempDir()
	return cmd
}

// onePerSet are positions of all small sets, in turn, twice.
func onePerSet(t *testing.T) (sfens []string) {
	t.Helper()
	for _, from := range []uint64{3, 2} {
		for _, m := range index.Sets(2) {
			x, err := index.New(m)
			if err != nil {
				t.Fatal(err)
			}
			for i := x.Size() / from; ; i++ {
				if p, err := x.Decode(i); err == nil && p.Validate() == nil {
					sfens = append(sfens, p.SFEN())
					break
				}
			}
		}
	}
	return sfens
}

// TestFewFiles probes more sets in turn than files may be open, in one process.
func TestFewFiles(t *testing.T) {
	dir, sfens := smallTables(t), onePerSet(t)
	batch := strings.Join(sfens, "\n") + "\n"
	var want, stdout, stderr bytes.Buffer
	cmd := command(t, "--dir", dir, "probe", "--json", "-")
	cmd.Stdin, cmd.Stdout = strings.NewReader(batch), &want
	if err := cmd.Run(); err != nil || strings.Count(want.String(), "\n") != len(sfens) {
		t.Fatal(err, want.String())
	}
	cmd = withFiles(t, 16, "--dir", dir, "probe", "--json", "-")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(batch), &stdout, &stderr
	if err := cmd.Run(); err != nil || stdout.String() != want.String() || stderr.Len() > 0 {
		t.Errorf("%v: %s%s", err, &stdout, &stderr)
	}
}

// TestServeFewFiles does the same with the server.
func TestServeFewFiles(t *testing.T) {
	cmd := withFiles(t, 24, "--dir", smallTables(t), "serve", "--addr", "127.0.0.1:0", "--log-format", "json")
	address := "http://" + start(t, cmd, 1).addresses[0]
	for _, sfen := range onePerSet(t) {
		r, err := http.Get(address + "/api/v1/probe?sfen=" + url.QueryEscape(sfen))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != http.StatusOK {
			t.Errorf("%s: %s %v %s", sfen, r.Status, err, body)
		}
	}
}

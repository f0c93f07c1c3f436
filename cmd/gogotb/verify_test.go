package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gogotb/retro/retrotest"
	"gogotb/rules"
	"gogotb/storage"
)

// solveInto writes the tables of a set into a folder, after change has had its way with values
// and statistics; nil changes nothing.
func solveInto(t *testing.T, dir, set string, change func([]rules.Value, *rules.Stats)) {
	t.Helper()
	solved := retrotest.Solve(t, set)
	values, stats := slices.Clone(solved.Values), solved.Stats
	stats.Histogram = slices.Clone(stats.Histogram)
	if change != nil {
		change(values, &stats)
	}
	w, err := storage.Create(dir, solved.Index, storage.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := w.Append(values); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(stats); err != nil {
		t.Fatal(err)
	}
}

// offByTwo makes the first mate in 4 plies one in 6, in values and statistics.
func offByTwo(values []rules.Value, stats *rules.Stats) {
	i := slices.Index(values, rules.MakeValue(rules.MateLoss, 4))
	values[i] = rules.MakeValue(rules.MateLoss, 6)
	stats.Histogram[4] -= 2
	stats.Histogram[6] += 2
}

// TestVerify audits sound tables in each of the three ways.
func TestVerify(t *testing.T) {
	dir := t.TempDir()
	for _, set := range []string{"none", "R", "GP"} {
		solveInto(t, dir, set, nil)
	}
	for _, c := range []struct{ args, want string }{
		{"R none", "R: sound, 21,516 placements checked\nnone: sound, 234 placements checked\n"},
		{"--jobs 1 PG", "GP: sound, 891,504 placements checked\n"},
		{"--checksums R GP R", "R: sound, checksums of 2 files checked\nGP: sound, checksums of 2 files checked\n"},
		{"--sample 500 GP", "GP: sound, 500 random positions checked\n"},
		{"--sample 500 --memory 300kB GP", "GP: sound, 500 random positions checked\n"},
		{"--json none", `{"material":"none","check":"values","sound":true,"checked":234,"faults":[],"statistics":[]}` + "\n"},
		{"--json --checksums R", `{"material":"R","check":"checksums","sound":true,"checked":2,"faults":[],"statistics":[]}` + "\n"},
		{"--json --sample 70 --seed 3 R", `{"material":"R","check":"sample","sound":true,"checked":70,"faults":[],"statistics":[]}` + "\n"},
	} {
		if got := succeed(t, append([]string{"verify", "--dir", dir}, strings.Fields(c.args)...)...); got != c.want {
			t.Errorf("verify %s: %s", c.args, got)
		}
	}
}

// TestVerifyFaults audits a table with a wrong distance and one with wrong statistics.
func TestVerifyFaults(t *testing.T) {
	dir := t.TempDir()
	solveInto(t, dir, "R", offByTwo)
	solveInto(t, dir, "G", func(_ []rules.Value, s *rules.Stats) { s.Open++; s.Legal++ })
	r := gogotb(t, "verify", "--dir", dir, "R", "G")
	if r.status != exitFailed || r.stderr != "" {
		t.Fatalf("status %d, standard error %q", r.status, r.stderr)
	}
	for _, line := range []string{
		"found loss in 6, expected loss in 4 (equations)",
		"G: statistics: legal is 19903, expected 19902",
		"G: statistics: open is 1, expected 0",
		"G: 2 faults, 10,992 placements checked",
	} {
		if !strings.Contains(r.stdout, line) {
			t.Errorf("no line %q in\n%s", line, r.stdout)
		}
	}
	if r := gogotb(t, "verify", "--dir", dir, "--checksums", "R"); r.status != exitDone {
		t.Errorf("the checksums are good, status %d: %s", r.status, r.stderr)
	}
	r = gogotb(t, "verify", "--dir", dir, "--json", "R")
	var report verifyReport
	if err := json.Unmarshal([]byte(r.stdout), &report); err != nil {
		t.Fatal(err)
	}
	if r.status != exitFailed || report.Sound || len(report.Faults) == 0 {
		t.Errorf("status %d, %s", r.status, r.stdout)
	}
	found := false
	for _, f := range report.Faults {
		p, err := rules.ParseSFEN(f.SFEN)
		if err != nil || p.SideToMove() != rules.Sente {
			t.Errorf("position %q: %v", f.SFEN, err)
		}
		found = found || f.Found == "loss in 6" && f.Expected == "loss in 4" && f.By == "equations"
	}
	if !found {
		t.Errorf("not the fault that was made: %s", r.stdout)
	}
}

// TestVerifyUnreadable: a missing set and a damaged one are named, and the next is audited.
func TestVerifyUnreadable(t *testing.T) {
	dir := t.TempDir()
	solveInto(t, dir, "R", nil)
	solveInto(t, dir, "none", nil)
	name := filepath.Join(dir, "R.gbd")
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(name, b, 0o644); err != nil {
		t.Fatal(err)
	}
	r := gogotb(t, "verify", "--dir", dir, "P", "R", "none")
	if r.status != exitFailed || r.stdout != "none: sound, 234 placements checked\n" || strings.Count(r.stderr, "\n") != 2 {
		t.Errorf("status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	for _, text := range []string{"P", dir, name} {
		if !strings.Contains(r.stderr, text) {
			t.Errorf("no %q in %s", text, r.stderr)
		}
	}
	refuse(t, exitFailed, []string{name}, "verify", "--dir", dir, "--checksums", "R")
	r = gogotb(t, "verify", "--dir", dir, "--json", "R")
	var failure verifyError
	if err := json.Unmarshal([]byte(r.stdout), &failure); err != nil {
		t.Fatal(err)
	}
	if r.status != exitFailed || r.stderr != "" || failure.Material != "R" || !strings.Contains(failure.Error, name) {
		t.Errorf("status %d, %q, %q", r.status, r.stdout, r.stderr)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	refuse(t, exitFailed, []string{"verify: R: the table of distances for R is not installed"}, "verify", "--dir", dir, "R")
}

func TestVerifyUsage(t *testing.T) {
	for _, c := range []struct {
		args  []string
		texts []string
	}{
		{[]string{"verify"}, []string{"arg"}},
		{[]string{"verify", "RX"}, []string{`"RX"`, "letter 2"}},
		{[]string{"verify", "--jobs", "0", "R"}, []string{"--jobs"}},
		{[]string{"verify", "--sample", "0", "R"}, []string{"--sample"}},
		{[]string{"verify", "--sample", "many", "R"}, []string{"--sample", "many"}},
		{[]string{"verify", "--sample", "5", "--checksums", "R"}, []string{"--checksums", "--sample"}},
		{[]string{"verify", "--memory", "1GiB", "R"}, []string{"--memory", "--sample"}},
		{[]string{"verify", "--sample", "5", "--memory", "much", "R"}, []string{"--memory"}},
	} {
		refuse(t, exitUsage, c.texts, c.args...)
	}
}

// TestVerifyInterrupted: an audit that is interrupted ends with the status for it.
func TestVerifyInterrupted(t *testing.T) {
	dir := t.TempDir()
	solveInto(t, dir, "R", nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, how := range [][]string{{}, {"--sample", "1000"}} {
		root := newRootCommand()
		root.SetArgs(append([]string{"verify", "--dir", dir, "R"}, how...))
		if status := exitStatus(root.ExecuteContext(ctx)); status != exitInterrupted {
			t.Errorf("verify %v: status %d", how, status)
		}
	}
}

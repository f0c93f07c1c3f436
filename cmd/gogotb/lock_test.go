package main

import (
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

// TestTwoProcesses: the second process on a folder says so and does nothing, until the
// first is gone, and be it killed.
func TestTwoProcesses(t *testing.T) {
	dir := copyTables(t, "R")
	first := command(t, "generate", "--dir", dir, "GSP")
	finishMeanwhile(t, first, func() {
		waitFor(t, filepath.Join(dir, "GSP.checkpoint"))
		for _, set := range []string{"GSP", "P", "R"} {
			refuse(t, exitFailed, []string{dir, "another gogotb generate"}, "generate", "--dir", dir, set)
		}
		succeed(t, "stats", "--dir", dir, "R") // readers are not hindered
		first.Process.Kill()
	})
	succeed(t, "generate", "--dir", dir, "P")
	want := []string{"GSP.checkpoint", "P.gbd", "P.gbo", "R.gbd", "R.gbo", "SHA256SUMS"}
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("the folder has %v, want %v", got, want)
	}
}

// TestCrowd starts many processes on one folder at once: each makes its set, or says that
// another one is at work. This is where the lock file goes and comes all the time.
func TestCrowd(t *testing.T) {
	dir := t.TempDir()
	var made [3]int
	var all sync.WaitGroup
	for i, set := range []string{"none", "P", "G"} {
		all.Go(func() {
			args := []string{"generate", "--dir", dir, "--force", set}
			for range 8 {
				r := gogotb(t, args...)
				if r.status == exitDone {
					made[i]++
					continue
				}
				checkRefusal(t, r, exitFailed, []string{dir, "another gogotb generate"}, args)
			}
		})
	}
	all.Wait()
	var want []string
	for i, set := range []string{"G", "P", "none"} {
		if made[2-i] > 0 {
			want = append(want, set+".gbd", set+".gbo")
		}
	}
	want = slices.Insert(want, len(want)-2*min(made[0], 1), "SHA256SUMS")
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("the folder has %v, want %v", got, want)
	}
	checkSums(t, dir)
}

// waitFor waits until a file is there.
func waitFor(t *testing.T, path string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s does not appear", path)
		}
	}
}

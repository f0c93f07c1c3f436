//go:build long && linux

package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

var (
	soakSet  = flag.String("soak-set", "GSP", "what TestSoak makes")
	soakTime = flag.Duration("soak", 10*time.Minute, "how long TestSoak makes tables")
	soakSeed = flag.Uint64("soak-seed", uint64(time.Now().UnixNano()), "which times TestSoak chooses")
)

// TestSoak makes a set again and again, by runs that are killed or interrupted at random times, until
// one comes to its end: the tables have to be those of a run that nobody has disturbed.
func TestSoak(t *testing.T) {
	t.Logf("-soak-seed %d", *soakSeed)
	rng := rand.New(rand.NewPCG(*soakSeed, 0))
	random := func(n time.Duration) time.Duration { return time.Duration(rng.Int64N(int64(n))) }
	whole := t.TempDir()
	begun := time.Now()
	succeed(t, "generate", "--dir", whole, *soakSet)
	usual := time.Since(begun)

	files := []string{"", "", "", "", *soakSet + ".checkpoint", *soakSet + ".gbo.tmp", *soakSet + ".gbd", *soakSet + ".gbo", "SHA256SUMS.tmp"}
	signals := []syscall.Signal{syscall.SIGKILL, syscall.SIGKILL, syscall.SIGINT, syscall.SIGTERM}
	struck := map[string]int{}
	made := 0
	for begun = time.Now(); time.Since(begun) < *soakTime; made++ {
		dir := filepath.Join(t.TempDir(), "tables")
		for ready := false; !ready; {
			sig, m := signals[rng.IntN(len(signals))], moment{file: files[rng.IntN(len(files))]}
			m.delay = random(usual)
			if m.file != "" {
				m.delay = random(usual / time.Duration(1+rng.IntN(100)))
			}
			var r result
			r, ready = strike(t, dir, sig, m, *soakSet)
			if ready {
				break
			}
			struck[sig.String()]++
			// A signal may come before the program listens to it, or a second time while it goes.
			if r.status != exitInterrupted && r.status != -1 {
				t.Fatalf("%v at %+v: %+v", sig, m, r)
			}
		}
		if r := gogotb(t, "generate", "--dir", dir, *soakSet); r.status != exitDone || r.stdout != "" {
			t.Fatalf("made, then: %+v", r)
		}
		sameTables(t, dir, whole, *soakSet)
	}
	t.Logf("made %s %d times, each byte the same, in spite of %v; undisturbed it takes %v", *soakSet, made, struck, usual.Round(time.Second/10))
}

// TestFullFileSystem makes a set on file systems that are too small, then a little larger, and in
// the end large enough. It wants to mount them: Linux, and root or user namespaces.
func TestFullFileSystem(t *testing.T) {
	whole := copyTables(t, "GS")
	for _, every := range []string{"1ns", "1h"} {
		dir, script := t.TempDir(), "mount -t tmpfs -o size=4k none \"$DIR\"\n"
		for _, kilobytes := range []int{4, 8, 40, 100, 200, 300, 350, 400, 450, 500, 8000} {
			script += fmt.Sprintf("mount -o remount,size=%dk \"$DIR\"; \"$0\" generate --dir \"$DIR\" --checkpoint-every %s GS 2>&1; echo status $? of %d; ls \"$DIR\"\n", kilobytes, every, kilobytes)
		}
		out := t.TempDir()
		script += "cp \"$DIR\"/* " + out
		cmd := exec.CommandContext(t.Context(), "unshare", "-rm", "sh", "-c", script, program)
		cmd.Env = append(cmd.Environ(), "DIR="+dir)
		text, err := cmd.CombinedOutput()
		t.Logf("%s", text)
		if err != nil {
			t.Fatal(err)
		}
		full := strings.Count(string(text), "no space left on device; when there is room, the same command goes on")
		failed, done := strings.Count(string(text), "status 1 "), strings.Count(string(text), "status 0 ")
		if full < 4 || failed != full || done < 1 || failed+done != 11 {
			t.Errorf("%d times no space, %d times status 1, %d times status 0", full, failed, done)
		}
		if every == "1ns" && !strings.Contains(string(text), "goes on where it was: ") {
			t.Error("never went on")
		}
		sameTables(t, out, whole, "GS")
	}
}

//go:build unix

package main

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"
)

// sameTables compares all tables of a folder with those of the same sets in another one.
// Nothing else may be there but their checksums.
func sameTables(t testing.TB, dir, whole string, sets ...string) {
	t.Helper()
	want := []string{"SHA256SUMS"}
	for _, set := range sets {
		for _, name := range []string{set + ".gbo", set + ".gbd"} {
			want = append(want, name)
			a, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(filepath.Join(whole, name))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(a, b) {
				t.Errorf("%s differs", name)
			}
		}
	}
	slices.Sort(want)
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("the folder has %v, want %v", got, want)
	}
	checkSums(t, dir)
}

// moment is when a run of generate gets a signal: some time after a file has appeared, or has
// another size than before, and is not smaller than it should be. No file is there from the beginning.
type moment struct {
	file  string
	size  int64
	delay time.Duration
}

// someResults is a size that a checkpoint has only with results of a finished ply in it.
const someResults = 1000

// strike runs generate with a checkpoint after every ply, and sends it a signal at a moment.
// It returns what the run left, and whether it was ready before.
func strike(t testing.TB, dir string, sig syscall.Signal, m moment, sets ...string) (r result, ready bool) {
	t.Helper()
	cmd := command(t, append([]string{"generate", "--dir", dir, "--checkpoint-every", "1ns"}, sets...)...)
	over := make(chan struct{})
	path := filepath.Join(dir, m.file)
	before, _ := os.Stat(path)
	r = finishMeanwhile(t, cmd, func() {
		go func() {
			defer close(over)
			for m.file != "" && cmd.Process.Signal(syscall.Signal(0)) == nil {
				now, err := os.Stat(path)
				if err == nil && now.Size() >= m.size && (before == nil || !os.SameFile(before, now) || before.Size() != now.Size()) {
					break
				}
				time.Sleep(50 * time.Microsecond)
			}
			time.Sleep(m.delay)
			cmd.Process.Signal(sig)
		}()
	})
	<-over
	return r, r.status == exitDone
}

// TestInterrupt: Ctrl-C, SIGTERM and the end of the terminal leave the sets that are done and
// a checkpoint of the one that is not, from which the same command goes on, and to which it adds.
// It makes no set twice, and the tables are the same to the byte.
func TestInterrupt(t *testing.T) {
	whole := copyTables(t, "R", "GS", "P")
	dir := filepath.Join(t.TempDir(), "tables")
	sets := []string{"R", "GS", "P"}
	made := "" // standard output of all runs
	size := int64(0)
	resumed := 0
	signals := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
	for i := 0; ; i++ {
		r, ready := strike(t, dir, signals[i%3], moment{"GS.checkpoint", someResults, time.Duration(i) * 10 * time.Millisecond}, sets...)
		made += r.stdout
		if strings.Contains(r.stderr, "GS goes on where it was: ") {
			resumed++
		}
		if ready {
			break
		}
		lines := strings.Split(strings.TrimSuffix(r.stderr, "\n"), "\n")
		if last := lines[len(lines)-1]; r.status != exitInterrupted || !strings.HasPrefix(last, "gogotb generate: interrupted; ") {
			t.Fatalf("%v: status %d, standard error %q", signals[i%3], r.status, r.stderr)
		}
		info, err := os.Stat(filepath.Join(dir, "GS.checkpoint"))
		if err != nil {
			if got := names(t, dir); !slices.Contains(got, "GS.gbo") {
				t.Fatalf("no checkpoint, but %v", got)
			}
			continue // interrupted while P was made
		}
		if info.Size() < size {
			t.Errorf("the checkpoint has shrunk from %d bytes to %d", size, info.Size())
		}
		size = info.Size()
		if got, want := names(t, dir), []string{"GS.checkpoint", "R.gbd", "R.gbo", "SHA256SUMS"}; !slices.Equal(got, want) {
			t.Errorf("the folder has %v, want %v", got, want)
		}
	}
	if resumed < 2 {
		t.Errorf("GS went on %d times", resumed)
	}
	for _, set := range sets {
		if n := strings.Count("\n"+made, "\n"+set+" "); n != 1 {
			t.Errorf("%s was made %d times:\n%s", set, n, made)
		}
	}
	sameTables(t, dir, whole, sets...)
}

// TestKilled kills generate at moments of all kinds: while it solves, writes a checkpoint, writes
// tables, gives them their names, updates the checksums, goes. Readers see whole tables or
// none; the same command makes them the same to the byte and leaves nothing behind.
func TestKilled(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	whole := copyTables(t, "G", "GG")
	for _, file := range []string{"", "GG.checkpoint", "GG.gbo.tmp", "GG.gbd", "GG.gbo", "SHA256SUMS.tmp", "SHA256SUMS"} {
		for _, longest := range []time.Duration{0, 3 * time.Millisecond, 60 * time.Millisecond} {
			dir := copyTables(t, "G")
			succeed(t, "generate", "--dir", dir, "--force", "G") // with checksums
			killed := moment{file, 0, time.Duration(rng.Int64N(int64(longest) + 1))}
			_, ready := strike(t, dir, syscall.SIGKILL, killed, "GG")
			if r := gogotb(t, "stats", "--dir", dir, "GG"); r.status != exitDone && !strings.Contains(r.stderr, "no table") {
				t.Errorf("killed at %v: stats: %+v", killed, r)
			}
			succeed(t, "stats", "--dir", dir, "G")
			if r := gogotb(t, "generate", "--dir", dir, "GG"); r.status != exitDone {
				t.Fatalf("killed at %v (done: %t), then: %+v", killed, ready, r)
			}
			sameTables(t, dir, whole, "G", "GG")
		}
	}
}

// TestInterruptSaves: what was found since the last checkpoint, which comes but once an hour, is not
// lost when generate is interrupted.
func TestInterruptSaves(t *testing.T) {
	dir := t.TempDir()
	for delay := 50 * time.Millisecond; ; delay *= 2 {
		cmd := command(t, "generate", "--dir", dir, "--checkpoint-every", "1h", "GSP")
		r := finishMeanwhile(t, cmd, func() {
			waitFor(t, filepath.Join(dir, "GSP.checkpoint"))
			time.Sleep(delay)
			cmd.Process.Signal(os.Interrupt)
		})
		if strings.HasPrefix(r.stderr, "GSP goes on where it was: ply ") {
			return
		}
		if r.status != exitInterrupted && r.status != -1 {
			t.Fatalf("interrupted after %v: %+v", delay, r)
		}
	}
}

// TestKilledAgain kills generate again and again, at times while it saves what it has because
// it was interrupted before.
func TestKilledAgain(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	whole := copyTables(t, "SS")
	dir := t.TempDir()
	ready := false
	for i := 0; i < 15 && !ready; i++ {
		sig := syscall.SIGKILL
		if i%3 == 2 {
			sig = syscall.SIGINT
		}
		_, ready = strike(t, dir, sig, moment{"SS.checkpoint", 0, time.Duration(rng.Int64N(1e8))}, "SS")
	}
	saved, err := os.Stat(filepath.Join(dir, "SS.checkpoint"))
	r := gogotb(t, "generate", "--dir", dir, "SS")
	if r.status != exitDone {
		t.Fatalf("%+v", r)
	}
	if err == nil && !ready && saved.Size() >= someResults && !strings.HasPrefix(r.stderr, "SS goes on where it was: ") {
		t.Errorf("the checkpoint has %d bytes, but %q", saved.Size(), r.stderr)
	}
	sameTables(t, dir, whole, "SS")
}

// TestForeignCheckpoint: a checkpoint of another set, version, or rules is refused, and so is
// what is none. They stay, for whoever they are of use to.
func TestForeignCheckpoint(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "GS.checkpoint")
	strike(t, dir, syscall.SIGINT, moment{"GS.checkpoint", someResults, 0}, "GS")
	ours, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ set, from, to, want string }{
		{"GP", "", "", "of another set"},
		{"GS", "\nrules 1\n", "\nrules 2\n", "of other rules"},
		{"GS", "checkpoint 2\n", "checkpoint 1\n", "of another version"},
		{"GS", string(ours), "my notes on golds and silvers, in a bad place", "no checkpoint"},
	} {
		other := bytes.Replace(ours, []byte(c.from), []byte(c.to), 1)
		if c.set == "GS" && bytes.Equal(other, ours) {
			t.Fatalf("the checkpoint does not contain %q", c.from)
		}
		if len(other) == len(ours) { // the checksum of the first record, see package retro
			body := other[16:][:binary.LittleEndian.Uint32(other[4:])]
			binary.LittleEndian.PutUint64(other[8:], xxhash.Sum64(append(slices.Clone(other[:8]), body...)))
		}
		file := filepath.Join(t.TempDir(), c.set+".checkpoint")
		if err := os.WriteFile(file, other, 0o644); err != nil {
			t.Fatal(err)
		}
		refuse(t, exitFailed, []string{file, c.want}, "generate", "--dir", filepath.Dir(file), c.set)
		after, err := os.ReadFile(file)
		if got := names(t, filepath.Dir(file)); err != nil || !bytes.Equal(after, other) || len(got) != 1 {
			t.Errorf("%v: the checkpoint was changed, or the folder: %v", c, got)
		}
	}
	if r := gogotb(t, "generate", "--dir", dir, "GS"); !strings.HasPrefix(r.stderr, "GS goes on where it was: ") {
		t.Errorf("the checkpoint itself: %+v", r)
	}
	sameTables(t, dir, copyTables(t, "GS"), "GS")
}

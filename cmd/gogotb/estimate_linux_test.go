package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/dustin/go-humanize"

	"gogotb/index"
)

// TestEstimates: sets of two pieces take the memory and the room on the disk, for the work and for
// the tables, that was estimated.
func TestEstimates(t *testing.T) {
	for _, m := range index.Sets(2) {
		if m.Pieces() == 2 {
			checkEstimate(t, m.String(), []string{"scratch", "tables"}, "--checkpoint-every", "1ns")
		}
	}
	for _, set := range []string{"RB", "GG", "PP"} {
		checkEstimate(t, set, []string{"memory", "tables"})
	}
}

// TestMemoryLimit: a set of three pieces takes what was estimated; with less memory it keeps to that,
// takes the room on the disk that was estimated, makes the same tables, and leaves nothing else.
func TestMemoryLimit(t *testing.T) {
	whole := checkEstimate(t, "GPP", []string{"memory", "tables"})
	limited := checkEstimate(t, "GPP", []string{"memory", "scratch", "tables"}, "--checkpoint-every", "1s", "--memory", "248MiB")
	sameTables(t, limited, whole, "GPP")
}

// checkEstimate makes a set and compares what it takes with columns of the estimate, which have
// to be within 20 %. The memory has to be what the system says, and not above a limit.
func checkEstimate(t *testing.T, set string, columns []string, flags ...string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "tables")
	args := append([]string{"generate", "--dir", dir, set}, flags...)
	estimate := succeed(t, append(args, "--estimate")...)
	cmd := command(t, args...)
	scratch := make(chan uint64, 1)
	r := finishMeanwhile(t, cmd, func() { go func() { scratch <- mostScratch(cmd.Process, dir, set) }() })
	if r.status != exitDone || r.stderr != "" {
		t.Fatalf("%q: %+v", args, r)
	}
	memory := cell(t, r.stdout, set, "memory")
	taken := map[string]uint64{
		"memory":  memory,
		"scratch": <-scratch,
		"tables":  fileSize(filepath.Join(dir, set+".gbo")) + fileSize(filepath.Join(dir, set+".gbd")),
	}
	for _, column := range columns {
		estimated := cell(t, estimate, set, column)
		ratio := float64(taken[column]) / float64(estimated)
		text := fmt.Sprintf("%s: %s of %s, estimated %s: %.2f times as much", strings.Join(args[3:], " "), humanize.IBytes(taken[column]), column, humanize.IBytes(estimated), ratio)
		if t.Log(text); math.Abs(ratio-1) > 0.2 {
			t.Error(text)
		}
	}
	most := uint64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) << 10
	if memory > most+most/20 || memory < most-most/20 {
		t.Errorf("%s: %s of memory, the system says %s", set, humanize.IBytes(memory), humanize.IBytes(most))
	}
	if i := slices.Index(flags, "--memory"); i >= 0 {
		if limit, err := humanize.ParseBytes(flags[i+1]); err != nil || memory > limit {
			t.Errorf("%s: %s of memory, more than %s", set, humanize.IBytes(memory), flags[i+1])
		}
	}
	return dir
}

// mostScratch is how many bytes the checkpoint and the scratch file of a process take, at most.
func mostScratch(p *os.Process, dir, set string) (most uint64) {
	for p.Signal(syscall.Signal(0)) == nil {
		most = max(most, fileSize(filepath.Join(dir, set+".checkpoint"))+namelessFile(p.Pid, dir))
		time.Sleep(2 * time.Millisecond)
	}
	return most
}

// fileSize is 0 if there is no such file.
func fileSize(path string) uint64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return uint64(info.Size())
}

// namelessFile is the room on the disk, in bytes, of a file in dir that a process has open and that
// has no name.
func namelessFile(pid int, dir string) uint64 {
	for n := 3; n < 100; n++ {
		path := fmt.Sprintf("/proc/%d/fd/%d", pid, n)
		name, err := os.Readlink(path)
		if err != nil || !strings.HasPrefix(name, dir) || !strings.HasSuffix(name, " (deleted)") {
			continue
		}
		if info, err := os.Stat(path); err == nil {
			return uint64(info.Sys().(*syscall.Stat_t).Blocks) * 512
		}
	}
	return 0
}

// cell is a number of bytes in a table that a command has written.
func cell(t *testing.T, table, set, column string) uint64 {
	t.Helper()
	heading, _, _ := strings.Cut(table, "\n")
	end := strings.Index(heading, column) + len(column)
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, set+" ") && len(line) >= end {
			fields := strings.Fields(line[:end])
			bytes, err := humanize.ParseBytes(strings.Join(fields[len(fields)-2:], " "))
			if err != nil {
				t.Fatal(err)
			}
			return bytes
		}
	}
	t.Fatalf("no %s of %s in %q", column, set, table)
	return 0
}

package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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
		if m.PieceCount() == 2 {
			checkEstimate(t, m.String(), []string{"scratch", "tables"}, "--checkpoint-every", "1ns")
		}
	}
	for _, set := range []string{"RB", "GG", "PP"} {
		checkEstimate(t, set, []string{"memory", "tables"})
	}
}

// TestManyJobs: --jobs takes no more memory than estimated, with as many cores as there are, or, as
// far as the program can tell, with very many.
func TestManyJobs(t *testing.T) {
	checkEstimate(t, "RB", []string{"memory"}, "--jobs", "3000")
	t.Setenv("GOMAXPROCS", "32")
	checkEstimate(t, "GPP", []string{"memory"}, "--jobs", "3000")
}

// TestMemoryLimit: a set of three pieces takes what was estimated; with less memory it keeps to that,
// takes the room on the disk that was estimated, makes the same tables, and leaves nothing else.
func TestMemoryLimit(t *testing.T) {
	whole := checkEstimate(t, "GPP", []string{"memory", "tables"})
	limited := checkEstimate(t, "GPP", []string{"memory", "scratch", "tables"}, "--checkpoint-every", "1s", "--memory", "250MiB")
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
	most := make(chan peaks, 1)
	r := finishMeanwhile(t, cmd, func() { go func() { most <- watch(cmd.Process, dir, set) }() })
	if r.status != exitDone || r.stderr != "" {
		t.Fatalf("%q: %+v", args, r)
	}
	memory := cell(t, r.stdout, set, "memory")
	seen := <-most
	taken := map[string]uint64{
		"memory":  memory,
		"scratch": seen.scratch,
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
	if memory > seen.memory+seen.memory/10 || memory < seen.memory-seen.memory/10 {
		t.Errorf("%s: %s of memory, the system says %s", set, humanize.IBytes(memory), humanize.IBytes(seen.memory))
	}
	if i := slices.Index(flags, "--memory"); i >= 0 {
		if limit, err := humanize.ParseBytes(flags[i+1]); err != nil || memory > limit {
			t.Errorf("%s: %s of memory, more than %s", set, humanize.IBytes(memory), flags[i+1])
		}
	}
	return dir
}

// peaks are the most bytes that a process took.
type peaks struct {
	memory  uint64
	scratch uint64 // of the checkpoint and the scratch file
}

// watch looks at a process until it ends. What wait4 says of its memory is no use: that counts the
// memory of this process, too, which the child had before it became another program.
func watch(p *os.Process, dir, set string) (most peaks) {
	resident := regexp.MustCompile(`(?m)^VmRSS:\s+(\d+) kB$`)
	for p.Signal(syscall.Signal(0)) == nil {
		most.scratch = max(most.scratch, fileSize(filepath.Join(dir, set+".checkpoint"))+namelessFile(p.Pid, dir))
		if link, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", p.Pid)); err == nil && link == program {
			status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Pid))
			if match := resident.FindSubmatch(status); match != nil {
				kilobytes, _ := strconv.ParseUint(string(match[1]), 10, 54)
				most.memory = max(most.memory, kilobytes<<10)
			}
		}
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

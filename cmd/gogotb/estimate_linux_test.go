package main

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dustin/go-humanize"
)

// TestEstimatedMemory: sets of two pieces take the memory that was estimated, within
// 20 %.
func TestEstimatedMemory(t *testing.T) {
	for _, set := range []string{"PP", "RB"} {
		checkMemory(t, set)
	}
}

// TestMemoryLimit: a set of three pieces takes what was estimated; with less it keeps to that, makes
// the same tables, and leaves nothing else.
func TestMemoryLimit(t *testing.T) {
	const set, limit = "GPP", "248MiB"
	whole, limited := checkMemory(t, set), filepath.Join(t.TempDir(), "tables")
	table := succeed(t, "generate", "--dir", limited, "--memory", limit, set)
	most, err := humanize.ParseBytes(limit)
	if err != nil {
		t.Fatal(err)
	}
	if taken := cell(t, table, set, "memory"); taken > float64(most) {
		t.Errorf("%s of memory, more than %s", humanize.IBytes(uint64(taken)), limit)
	}
	sameTables(t, limited, whole, set)
}

// checkMemory makes a set and compares the memory that it takes with the estimate.
func checkMemory(t *testing.T, set string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "tables")
	estimated := cell(t, succeed(t, "generate", "--dir", dir, "--estimate", set), set, "memory")
	taken := cell(t, succeed(t, "generate", "--dir", dir, set), set, "memory")
	if ratio := taken / estimated; math.Abs(ratio-1) > 0.2 {
		t.Errorf("%s: %s, estimated were %s: %.2f times as much", set, humanize.IBytes(uint64(taken)), humanize.IBytes(uint64(estimated)), ratio)
	}
	return dir
}

// cell is a number of bytes in a table that a command has written.
func cell(t *testing.T, table, set, column string) float64 {
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
			return float64(bytes)
		}
	}
	t.Fatalf("no %s of %s in %q", column, set, table)
	return 0
}

package main

import (
	"os"
	"regexp"
	"strconv"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/dustin/go-humanize"
)

// memory returns an amount of memory in words.
func memory(bytes uint64) string {
	if bytes == 0 {
		return "-"
	}
	return humanize.IBytes(bytes)
}

// availableMemory returns how much memory the machine has, or the container; 0 if unknown.
func availableMemory() uint64 {
	limit, err := memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)()
	if err != nil {
		return 0
	}
	return limit
}

// freeMemory returns how much memory, in bytes, can be had without taking it from other programs,
// and no more than availableMemory. Only Linux tells; 0 if unknown.
func freeMemory() uint64 { return min(kernelSays("/proc/meminfo", "MemAvailable"), availableMemory()) }

// peakMemory returns the most memory, in bytes, that the process has had in use at a time since
// its start, or since resetPeakMemory. Only Linux tells; 0 if unknown.
func peakMemory() uint64 { return kernelSays("/proc/self/status", "VmHWM") }

// kernelSays returns the number of bytes in a line "name: 1234 kB" of a file; 0 if there is none.
func kernelSays(file, name string) uint64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	match := regexp.MustCompile(`(?m)^` + name + `:\s+(\d+) kB$`).FindSubmatch(text)
	if match == nil {
		return 0
	}
	kilobytes, err := strconv.ParseUint(string(match[1]), 10, 54)
	if err != nil {
		return 0
	}
	return kilobytes << 10
}

// resetPeakMemory makes the memory that is now in use the peak. Where that is not allowed,
// the peak remains that since the start.
func resetPeakMemory() { os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

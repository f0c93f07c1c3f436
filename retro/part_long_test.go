//go:build long

package retro

import (
	"testing"

	"gogotb/index"
)

// TestAllParts solves every set of up to two pieces in every number of parts, and one of three.
func TestAllParts(t *testing.T) {
	for _, m := range index.Sets(2) {
		for _, n := range partCounts {
			solveInParts(t, m, n)
		}
	}
	for _, n := range []int{2, 25} {
		solveInParts(t, indexOf(t, "GSP").Material(), n)
	}
}

//go:build long

package storage

import "testing"

// TestEstimateSizeOfThree: sizes of sets of three pieces are predicted within 20 %.
func TestEstimateSizeOfThree(t *testing.T) {
	for _, name := range []string{"GSP", "RBS", "RRB", "GGS", "SPP"} {
		checkEstimate(t, material(t, name))
	}
}

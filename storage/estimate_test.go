package storage

import (
	"testing"

	"gogotb/index"
)

// checkEstimate writes the tables of a set and compares their size with the estimate.
func checkEstimate(t *testing.T, m index.Material) {
	t.Helper()
	estimate, err := EstimateSize(m)
	if err != nil {
		t.Fatal(err)
	}
	outcomes, distances := openSet(t, m.String(), written(t, m.String())).Bytes()
	if size := outcomes + distances; estimate*10 < size*8 || estimate*10 > size*12 {
		t.Errorf("%s: %d bytes, estimated %d", m, size, estimate)
	}
}

// TestEstimateSize: sizes of sets of two pieces are predicted within 20 %.
func TestEstimateSize(t *testing.T) {
	for _, m := range index.Sets(2) {
		if m.PieceCount() == 2 {
			checkEstimate(t, m)
		}
	}
	if _, err := EstimateSize(index.Material{2, 2, 2}); err == nil {
		t.Error("an estimate for six pieces")
	}
}

//go:build long

package audit

import "testing"

// TestThreePieces audits the tables of a whole set of three pieces. Run it with
//
//	make audit-3
func TestThreePieces(t *testing.T) {
	s, dir := solve(t, "GSP"), t.TempDir()
	write(t, dir, s)
	r, err := Table(t.Context(), reopened(t, dir, s), Options{})
	if err != nil {
		t.Fatal(err)
	}
	complain(t, r)
	for _, f := range fixtures(t) {
		if f.Material == "GSP" {
			compareCounted(t, f, r)
		}
	}
}

//go:build long

package audit

import "testing"

// TestThreePieces audits a whole set of three pieces, GSP. Run it with
//
//	go test -tags long -run ThreePieces -timeout 30m ./verify/audit
func TestThreePieces(t *testing.T) {
	for _, f := range fixtures(t) {
		if f.Material == "GSP" {
			compareCounted(t, f, audited(t, withoutWins(solve(t, f.Material)), Options{}))
		}
	}
}

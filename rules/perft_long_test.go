//go:build long

package rules

import "testing"

// Depth 7 of the starting position is the first that shows a generator which allows pawn
// drops that mate, and counts 81 more.
func TestPerftDepth7(t *testing.T) {
	perftFixtures(t, func(depth int) bool { return depth == 7 })
}

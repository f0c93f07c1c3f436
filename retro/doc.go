// Package retro solves material sets by retrograde analysis with bit sets.
//
//	solution, err := retro.Solve(ctx, material, retro.Options{})
//	...
//	stats, err := solution.Values(ctx, func(values []rules.Value) error { ... })
//
// Everything is set algebra over one operation, Pre(S): the positions with a legal move
// into the set S. Sets have one bit for each placement. For fixed kings and outer pieces a
// row of 25 words of 25 bits holds all squares of the two innermost pieces (row.go), and
// Pre is computed row by row (kernel.go).
//
//   - A slice gives each piece a state: in a hand, or on the board, unpromoted or promoted,
//     for either side (layout.go). Drops, promotions and captures lead from slice to slice.
//     Identical pieces in different states are one slice, not two; in the same state both
//     ways to place them have a bit.
//   - Pairs of kings that are mirror images are stored once, but for pairs on one file
//     (geometry.go).
//   - Captures read cells that legal positions leave free (overlay.go).
//   - Which rows need work in a pass is found by the same moves on flags (reach.go).
//   - A pass takes the king pairs of a slice by the king that does not move, because these
//     read each other's rows (layout.sweepOrder).
//
// The mate phase (mate.go) finds the positions won and lost by mate, ply by ply; what is
// left is open or decided by perpetual check, rank by rank (perpetual.go). The results of
// a pass leave as compressed chunks (log.go), which go to the checkpoint now and then
// (checkpoint.go, damage.go) and are unpacked, unit by unit, into values in index order at the
// end (solution.go).
//
// What this takes is planned before it begins (estimate.go). Where memory does not
// suffice, the rows lie in a file that is mapped, and the system's paging streams them
// (scratch.go).
//
// # Departures from the design
//
// A set is not seen from the player who has just moved but absolutely, and Sente always
// wins: positions to be won have Sente to move, positions to be lost Gote. Nothing has to
// be rotated from ply to ply, which costs a third set beside the undecided positions and
// the last results (see solver).
//
// The sources: K. Thompson, "Retrograde analysis of certain endgames", ICCA Journal 9(3),
// 1986, for the method; the nested fixpoints of the perpetual-check phase are the usual
// ones of co-Büchi games.
package retro

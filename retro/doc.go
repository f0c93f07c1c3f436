// Package retro solves material sets by retrograde analysis with bit sets.
//
//	solution, err := retro.Solve(ctx, material, retro.Options{})
//	...
//	stats, err := solution.Values(ctx, func(values []rules.Value) error { ... })
//
// Everything is set algebra over one operation, Pre(S): the positions with a legal move into the
// set S. Sets have one bit for each placement. For fixed kings and outer pieces a row of 25 words
// of 25 bits holds all squares of the two innermost pieces (row.go), and Pre is computed row by row
// (kernel.go), or for the 25 rows at once that differ in the last outer piece (board.go).
//
//   - A slice gives each piece a state: in a hand, or on the board, unpromoted or promoted, for
//     either side (layout.go). Drops, promotions and captures lead from slice to slice.
//     Identical pieces in different states are one slice, not two; in the same state both ways
//     to place them have a bit.
//   - Pairs of kings that are mirror images are stored once, but for pairs on one file
//     (geometry.go).
//   - Captures read cells that legal positions leave free (overlay.go).
//   - Which rows need work in a pass is found by the same moves on flags (reach.go).
//   - A pass takes the king pairs of a slice by the king that does not move, because these read
//     each other's rows (layout.passOrder).
//
// An analysis has two phases, each with sets of its own: mates (mate.go) finds the positions won
// and lost by mate, ply by ply; perpetuals (perpetual.go) finds, among what is left, those won and
// lost by perpetual check, rank by rank. What then is left is open. A set is not seen from the
// player to move but absolutely, and Sente always wins: positions to be won have Sente to move,
// positions to be lost Gote. Nothing has to be rotated from ply to ply, which costs a third set
// beside the undecided positions and the last results.
//
// A phase is a sequence of passes over the rows (pass.go). The results of a pass leave as
// compressed chunks (log.go), which go to the checkpoint now and then and are unpacked, unit by
// unit, into values in index order at the end (solution.go). What this takes is planned before it
// begins (estimate.go). Where memory does not suffice, the rows lie in a file that is mapped, and
// the system's paging streams them (scratch.go).
//
// # In parts
//
// What one machine has no memory for is solved in parts. A Plan gives each part king pairs; nothing
// leads from pair to pair but moves of the kings, so that a part (SolvePart) runs the passes of a
// whole analysis over pairs of its own, and has, beside, copies of the few rows of others that its
// kings reach. Passes that change rows that others have copies of end with solver.swap: what was
// found goes through an Exchange, which is all that parts share. The protocol is told there. When
// all parts are done, Slices makes values of the wins and losses that the exchange has kept, slice
// by slice, anywhere. Options.Parts does all this in one process (hub.go). A whole analysis has no Exchange, and the same values, byte for byte.
//
// # Where things are
//
//	solve.go       Solve, what the phases share      solution.go   values in index order
//	mate.go        wins and losses by mate           tally.go      statistics
//	perpetual.go   by perpetual check                mutual.go     by both sides at once: never
//	pass.go        visiting rows, recording          log.go        what is recorded
//	kernel.go      Pre of a row                      inner.go      the innermost pieces' moves
//	overlay.go     captures                          reach.go      which rows have work to do
//	legal_positions.go       legal positions, checks           rotate.go     the other side's view
//	set.go         sets: rows are created here       flags.go      which rows are not empty
//	row.go         a row and its algebra             geometry.go   squares, lines, king pairs
//	layout.go      slices, moves between them        estimate.go   memory, disk and time
//	checkpoint.go  the file to go on from            restore.go    going on from it
//	arena.go       where boards are: in memory,      scratch.go    or in a file
//	damage.go      damaged checkpoints               plan.go       which part has which king pairs
//	pairs.go       the pairs that a part numbers     exchange.go   what connects parts
//	part.go        running one of them               hub.go        parts in one process
//	slices.go      values of what parts have left
//	board.go       Pre of the rows of a board     vector_*.go    dense loops for AVX2, vector512_*.go for
//	                                              AVX-512, made by internal/kernels
//
// Pawn drops into mate are forbidden in mate.go: to the loser by mates.forbidPawnDropMates, to the
// winner by mates.plyOne.
//
// The sources: K. Thompson, "Retrograde analysis of certain endgames", ICCA Journal 9(3), 1986, for
// the method; the nested fixpoints of the perpetual-check phase are the usual ones of co-Büchi
// games.
package retro

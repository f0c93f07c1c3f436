// Package audit proves the values of a table right or names the ones that are wrong. It shares
// no code with the solver: moves are those of package rules, positions those of package
// index, and what the values of a set mean is worked out again.
//
// # What is checked
//
// Every value is compared with what the values of the position's legal successors make it
// (equations.go). For mates this is a proof, by induction over the plies: distances
// shrink from move to move, so no wrong value can be held up by others.
//
// For what mate leaves undecided it is not. A missed win by perpetual check looks
// like an open position, and on a cycle of checks any common rank will do as long as it is
// high enough. So this region is solved again, as a graph of its own (region.go):
//
//   - Who is lost by perpetual check is found from the side of the one who is not: the
//     defender wants to make infinitely many moves that are no checks, a Büchi game, solved by
//     nested attractors (dual.go);
//   - the ranks are the least solution of their equations, found from below by lifting
//     (ranks.go).
//
// The statistics are counted again (count.go), mutual zugzwangs and mutual checks included, and
// the index is checked to be a bijection: every placement of it is encoded as its number, and there are
// as many as a plain enumeration of the board finds (placements.go).
//
// # How
//
// Values audits values in memory, Table those of table files, Sample a random choice of a
// table's positions. The values of a table may leave out the distances of won
// positions, as files do: they follow from the losses, and the losses are then checked
// against them.
//
// A sample has the values of the positions, and of those one and two moves away, from a window on
// the table, as large as memory allows, in a byte each (window.go, sampler.go).
//
// An audit takes three walks over the set (walk.go): won positions, the others, and the
// undecided ones. The first faults are kept, the same ones for any number of workers.
package audit

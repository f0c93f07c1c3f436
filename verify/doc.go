// Package verify holds the puzzles that the program brings along. What checks tables and
// puzzles is in the packages below:
//
//	audit   every value of a table against the values of its successors
//	mate    the mate solver
//	puzzle  flaws of puzzles, and new puzzles from tables
//
// None of them imports retro: an audit that shared the solver's code would share its errors.
package verify

import _ "embed"

// Puzzles are sound puzzles with their solutions, in the form that puzzle.Read reads.
//
//go:embed testdata/puzzles.sfen
var Puzzles []byte

// Package verify holds the puzzles that the program brings along (collections.go). Below it is what finds out whether
// something is right without trusting whoever claims it:
//
//	audit   tables: every value against those of its successors, with the moves of package rules
//	mate    claims of mate: the mate solver, which proves the shortest mate, or that there is none, by search
//	puzzle  puzzles: whether what a composer claims is true, and what is flawed; and new puzzles from tables
//	review  games: where a mate was missed or allowed, which move was the only one
//
// The mate solver, the puzzle checker and the review are not audits, but share their rule: none of them imports retro, because
// whoever shares the solver's code shares its errors.
package verify

// Package history ranks the moves of a game by the tables, with what repetition makes of their values.
//
// The values of the tables are for positions without history. In a game, a position that has occurred three times
// ends it when it comes back, and who wins then depends on the checks since its first occurrence. That can
// spoil a win, and it can save a loss.
//
//	game.go      the game so far
//	moves.go     moves by the tables, as scores
//	correct.go   what the game so far makes of these scores
package history

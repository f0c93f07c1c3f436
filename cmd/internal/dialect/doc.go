// Package dialect writes and reads positions, moves and scores as the protocols of
// engines do.
//
// USI has SFEN, moves like 5e4d and P*3c, and counts the way to mate in plies. UCI, as
// Fairy-Stockfish speaks it for shogi variants, has FEN with hands in brackets and White,
// "w", for the first mover, moves like a1b2 and P@c3, and counts to mate in moves. XBoard
// shares the FEN and the moves of UCI.
//
//	dialect.go   USI and UCI: position commands, moves, scores
//	fen.go       FEN and moves of Fairy-Stockfish
//	score.go     scores
package dialect

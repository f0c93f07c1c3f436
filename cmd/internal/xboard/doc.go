// Package xboard is the engine as XBoard and WinBoard see it: it speaks version 2 of their protocol.
//
// A Session does one thing after the other: it takes the next command, or the answer of a search, whichever comes
// first. Searches run beside it; one that a command makes pointless is ended, and its answer dropped. When told to
// ponder (hard), it thinks in the opponent's time about the reply that it expects.
//
// After a position or a variant that it refuses there is no position, and no move, until it gets another one or a new
// game.
//
//	session.go    the loop, and when to think
//	commands.go   what each command does
//	features.go   what the engine can do, and how the variant looks
//	game.go       the board: moves, results
//	think.go      searches, their output, time
package xboard

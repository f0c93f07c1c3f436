// Package selfplay lets two settings of an engine play games against each other that can be played again: each game has
// a number, its seed, from which its random opening and all that follows is the same on every machine, as long as the
// engine is.
//
// What makes that so: every move is searched for a fixed number of nodes by one thread, with a table of fixed size that
// is cleared before each game, and the engine is told nothing of clocks. It was seen with Fairy-Stockfish 11.1 of Debian.
//
//	selfplay.go   a match of two settings, games by number
//	play/         the program that writes games, for make puzzle-games
package selfplay

// Package usi reads games in the words of the protocol of shogi engines, one a line:
//
//	position startpos moves 5e4d 1a2b
//	position sfen r1sgk/4p/5/P4/KGSBR w - 1 moves 1a2b
//	startpos moves 5e4d 1a2b resign
//	sfen r1sgk/4p/5/P4/KGSBR w - 1
//	r1sgk/4p/5/P4/KGSBR w - 1 moves 1a2b ; words about the game
//
// What follows a semicolon is a comment, lines that start with # and blank ones are left out, and a word behind the
// moves says how the game ended. Package rules reads positions and moves by themselves.
package usi

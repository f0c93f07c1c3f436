// Package usi is the engine as programs with a board see it: it speaks USI, and UCI when greeted with
// uci, in the dialect that Fairy-Stockfish has for shogi variants.
//
// A Session reads commands and never waits for a search: one goroutine reads, another searches. Every go is
// answered by exactly one bestmove (or checkmate); one that comes while a search is on ends that search first. What
// a command changes takes effect with the next search. After a position that is refused there is none: go is
// answered with resign (USI) or (none) (UCI), for to play on from another would be worse.
//
//	session.go   commands
//	options.go   options
//	limits.go    the words behind go
//	search.go    a search: info, bestmove, checkmate
package usi

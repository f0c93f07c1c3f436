// Package answer gives the answers about positions, tables and games the shape that they
// have in JSON, the same on the command line and over HTTP.
//
//	value.go   the value of a position
//	probe.go   a position with all its moves
//	line.go    moves in all notations
//	stats.go   the statistics of a material set
//	game.go    how a game stands
//	solve.go   what the mate solver has found
//	review.go  what a review says of a game and of its moves
package answer

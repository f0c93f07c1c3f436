// Package engine chooses moves, for the programs that speak USI, UCI and XBoard's protocol.
//
// Where the tables cover the material, which no move changes, every move has its exact value, corrected for the
// history of the game. Where they do not, another engine searches, the back end, if there is one; otherwise the
// engine's own search, which is modest. At the same time the mate solver looks for a mate, on a share of a core
// that the other search hardly feels. Where the tables leave a choice that they cannot make, among moves that all
// draw for example, the back end makes it.
//
// Think thinks about a move until its context ends, or earlier if there is nothing more to find
// out. Whatever happens to the back end, it has an answer of its own by then.
//
//	engine.go    Think: who is asked, and when
//	clock.go     how long to think
//	game.go      the game so far; package history has the moves of one by the tables
//	known.go     choosing among them
//	hardest.go   choosing among moves that are worth the same
//	line.go      lines of best play
//	unknown.go   positions without tables: back end, own search
//	mates.go     the mate solver beside them
//	backend.go   the back end: starting it, asking it, giving it up
//	search.go    the own search
//	eval.go      its estimates
package engine

// Package backend runs another engine, which speaks USI or UCI, and asks it for moves.
//
// Nothing it says is believed without a look. Start makes sure that it plays minishogi: it sets the variant, lets
// the engine show its board if it knows how, and lets it make a move, because an engine that was not told loads a
// position of 5x5 squares onto a larger board without a word. Search checks every move. An engine that says nothing
// in time, or nonsense, is an error.
//
// It was tried with Fairy-Stockfish 11.1 of Debian, which calls the option for the game UCI_Variant also in USI, and
// with a newer one (commit b2e693ef, npm's fairy-stockfish-nnue.wasm 1.1.12), which calls it USI_Variant there.
//
//	backend.go         starting, greeting
//	command.go         the command line that starts it
//	options.go         options and their names, the variant
//	search.go          a search
//	process.go         the program: lines in, lines out, its end
//	process_unix.go    its end, with that of its children; process_other.go where there are no groups of processes
package backend

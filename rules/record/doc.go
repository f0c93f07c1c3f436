// Package record has what files of games hold: a Game with its moves, variations, comments and end, whatever format it
// was read from. Package formats reads a file of any format; the packages kif, csa, usi and western know one each.
//
//	for game, err := range formats.Games(data) {
//		// err: an *Error with its line; game is what was read before it, or nil
//		// game.Notes: what was passed over
//	}
//
// Readers are lenient: what they do not know they pass over, with a Note. Only what changes the position or the
// moves is an error, and one game in error costs no other.
//
// # Where things are
//
//	game.go     Game, Header, Line, Move
//	end.go      how games end
//	notes.go    what was passed over
//	errors.go   Error, ForeignError
//	text.go     Decode: the text of a file
//	formats/    all formats: Games, Detect
//	kif/        KIF, read and written, and its moves by themselves
//	csa/        CSA, also called MSK
//	usi/        games in the words of USI, one a line
//	western/    lists of moves, as people write them
package record

// Package formats reads files of games whatever format they are in:
//
//	for game, err := range formats.Games(data) {
//		...
//	}
//
// A file holds games of one format: KIF, CSA, USI or lists of moves in western notation. It is recognised by its lines.
// Package record has the types, the packages beneath it know a format each.
package formats

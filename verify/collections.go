package verify

import _ "embed"

// Collection is a file of sound puzzles with their solutions, in the form that puzzle.Read reads.
type Collection struct {
	Name    string
	Puzzles []byte
}

// Collections are the puzzles that the program brings along.
var Collections = []Collection{{"tables", Puzzles}, {"games", GamePuzzles}}

// Puzzles were mined from tables, with few pieces.
//
//go:embed testdata/puzzles.sfen
var Puzzles []byte

// GamePuzzles are from games, with all pieces.
//
//go:embed testdata/games.sfen
var GamePuzzles []byte

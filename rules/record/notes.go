package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Note says what the reader of a game passed over, and in which line of the file.
type Note struct {
	Line int // from 1
	Text string
}

const (
	// maxNotes bounds the notes on a game, so that a file of rubbish does not drown what is said about it.
	maxNotes = 20
	// quoted is how many characters of a line Quote shows.
	quoted = 40
)

// Note adds a note, unless the same has been said already.
func (g *Game) Note(line int, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	switch n := len(g.Notes); {
	case slices.ContainsFunc(g.Notes, func(n Note) bool { return n.Text == text }):
	case n < maxNotes:
		g.Notes = append(g.Notes, Note{line, text})
	case n == maxNotes:
		g.Notes = append(g.Notes, Note{line, "from here on more lines were passed over"})
	}
}

// PassOver notes that a line, or a part of it, was not read.
func (g *Game) PassOver(line int, text string) { g.Note(line, "%s was passed over", Quote(text)) }

// Quote returns the beginning of a text for a message.
func Quote(text string) string {
	text = strings.TrimSpace(text)
	n := 0
	for i := range text {
		if n++; n > quoted {
			return strconv.Quote(text[:i] + "…")
		}
	}
	return strconv.Quote(text)
}

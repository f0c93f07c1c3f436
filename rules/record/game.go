package record

import (
	"time"

	"gogotb/rules"
)

// Format is a way to write games down.
type Format string

// The formats that are read.
const (
	KIF Format = "KIF"
	CSA Format = "CSA"
	USI Format = "USI"
	// Western is a list of moves in western notation, or in USI, without the words of USI around them.
	Western Format = "western moves"
)

// Game is a game or a puzzle of a file: where it starts, its moves and variations, and what is said about it.
type Game struct {
	Format Format
	// Players are the names of both sides, by colour, "" where the file has none.
	Players [2]string
	// Headers are all others but those that say where the pieces are, in their order.
	Headers []Header
	Start   rules.Position
	// Line holds the moves of the game; its Ply is 1.
	Line
	// FileLine is the line of the file, from 1, in which the game starts.
	FileLine int
	// Notes say what the reader passed over.
	Notes []Note
}

// Header is something that a file says about a game under a name, such as 作者, or EVENT.
type Header struct{ Key, Value string }

// Header returns the value of the first header with that key, or "".
func (g *Game) Header(key string) string {
	for _, h := range g.Headers {
		if h.Key == key {
			return h.Value
		}
	}
	return ""
}

// Line is a sequence of moves from some position of a game on.
type Line struct {
	// Ply is the number of the first move, from 1.
	Ply int
	// Comments are lines about the position before the first move.
	Comments []string
	Moves    []Move
	// Illegal is a move after those that is understood but breaks a rule, 0 if there is none. The
	// rest of the line is not read then, nor are variations that leave it there.
	Illegal rules.Move
	// End is how the line is said to end, if it is.
	End End
	// Variations leave the line at their own Ply, which is at most one beyond the
	// last move. Except in the line of the game, it is greater than the line's Ply: what
	// replaces the first move of a variation is another variation of the line above.
	Variations []Line
}

// Move is a legal move of a line.
type Move struct {
	rules.Move
	// Comments are lines about the position after the move.
	Comments []string
	// Time is what the player took for it, 0 if nothing is said.
	Time time.Duration
}

// Played lists the moves of the line alone.
func (l *Line) Played() []rules.Move {
	moves := make([]rules.Move, len(l.Moves))
	for i, m := range l.Moves {
		moves[i] = m.Move
	}
	return moves
}

// Comment adds a line about the position that has been reached.
func (l *Line) Comment(text string) {
	comments := &l.Comments
	if n := len(l.Moves); n > 0 {
		comments = &l.Moves[n-1].Comments
	}
	*comments = append(*comments, text)
}

// Play makes a move in p and adds it to the line. One that breaks a rule becomes the line's Illegal, and the error is a
// *rules.IllegalMoveError.
func (l *Line) Play(p *rules.Position, m rules.Move) error {
	if err := p.Legal(m); err != nil {
		l.Illegal = m
		return err
	}
	p.Make(m)
	l.Moves = append(l.Moves, Move{Move: m})
	return nil
}

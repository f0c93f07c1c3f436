package kif

import (
	"errors"
	"fmt"
	"strings"

	"gogotb/rules"
	"gogotb/rules/record"
)

// openLine is a line that is being read, or that a variation may still leave.
type openLine struct {
	record.Line
	// reached are the positions before its first move, and after each.
	reached []reached
	// broken: there was a move that cannot be played.
	broken bool
}

// moveParser reads the moves of a game and its variations.
type moveParser struct {
	game *record.Game
	// open are the lines that a variation may still leave, each a variation of the one
	// before. The last one is being read.
	open []openLine
	// offset is what the file's numbers of moves are ahead of ours.
	offset int
	// err is about a move that cannot be played. skipping: the lines are passed over up to the next variation.
	err      error
	skipping bool
	// unnumbered: a variation has begun, whose first move has to tell where.
	unnumbered bool
}

// newMoveParser begins at a position; before is the target of the move that led there, or NoSquare.
func newMoveParser(g *record.Game, start rules.Position, before rules.Square) *moveParser {
	first := reached{position: start, last: before}
	return &moveParser{game: g, open: []openLine{{Line: g.Line, reached: []reached{first}}}}
}

// current returns the line that is being read.
func (m *moveParser) current() *openLine { return &m.open[len(m.open)-1] }

// close ends the last open line and hands it to the one that it varies.
func (m *moveParser) close() {
	n := len(m.open) - 1
	above := &m.open[n-1]
	above.Variations = append(above.Variations, m.open[n].Line)
	m.open = m.open[:n]
}

// finish ends all lines and is the line of the game.
func (m *moveParser) finish() record.Line {
	for len(m.open) > 1 {
		m.close()
	}
	return m.open[0].Line
}

// line reads a line from the moves on.
func (m *moveParser) line(l *textLine) {
	switch l.kind {
	case moveLine:
		if m.unnumbered && l.ply > 0 {
			m.unnumbered = false
			m.leave(l, l.ply)
		}
		if !m.skipping {
			m.move(l)
		}
	case variationLine:
		m.variation(l)
	case commentLine:
		if !m.skipping {
			m.current().Comment(l.value)
		}
	case summaryLine:
		m.summary(l)
	case tableLine:
	default:
		if l.kind == headerLine && !placesPieces(l.key) {
			addHeader(m.game, l)
			return
		}
		m.game.PassOver(l.number, l.text)
	}
}

// fail keeps the first error, of those that are about more than an illegal move if there are any, and reads no more of
// the line.
func (m *moveParser) fail(l *textLine, err error) {
	var illegal *rules.IllegalMoveError
	if m.err == nil || errors.As(m.err, &illegal) && !errors.As(err, &illegal) {
		m.err = &record.Error{Format: record.KIF, Line: l.number, Err: err}
	}
	m.current().broken, m.skipping = true, true
}

// move reads a move or an end.
func (m *moveParser) move(l *textLine) {
	current := m.current()
	ply := current.Ply + len(current.Moves)
	if l.ply > 0 && ply == 1 && len(m.open) == 1 && l.ply != 1 {
		m.offset = l.ply - 1
		m.game.Note(l.number, "the first move has the number %d", l.ply)
	}
	switch {
	case current.End.Kind != record.NoEnd:
		m.skipping = true
		m.game.Note(l.number, "what follows %s was passed over", current.End.Text)
		return
	case !looksLikeMove(l.rest):
		m.end(l, ply)
		return
	case l.ply > 0 && l.ply != ply+m.offset:
		m.fail(l, fmt.Errorf("move %d is expected here, not %d", ply+m.offset, l.ply))
		return
	}
	s := scanner{text: l.rest, rest: trimSide(l.rest)}
	at := current.reached[len(current.Moves)]
	move, err := s.move(&at.position, at.last)
	if err == nil {
		err = current.Play(&at.position, move)
	}
	if err != nil {
		m.fail(l, err)
		return
	}
	at.last = move.To()
	current.reached = append(current.reached, at)
	time, passed := tail(s.rest)
	current.Moves[len(current.Moves)-1].Time = time
	if passed != "" {
		m.game.PassOver(l.number, passed)
	}
}

// end reads the word that stands in the place of the move with a number. One that nobody knows has to stand there
// by its own number, too: 12:00 is no end of a game of three moves.
func (m *moveParser) end(l *textLine, ply int) {
	end, known := parseEnd(l.rest)
	switch {
	case !known && l.ply != ply+m.offset:
		m.game.PassOver(l.number, l.text)
		return
	case !known:
		m.game.Note(l.number, "%s is no move and no end that is known; the line ends there", record.Quote(l.rest))
	}
	m.current().End = end
}

// summary reads まで3手で詰み, which repeats the end or, if there is none, is it.
func (m *moveParser) summary(l *textLine) {
	_, word, _ := strings.Cut(l.text, "手で")
	main := &m.open[0]
	if end, _ := parseEnd(word); end.Text != "" && !main.broken && len(m.open) == 1 && main.End.Kind == record.NoEnd {
		main.End = end
	}
}

// variation starts a new line.
func (m *moveParser) variation(l *textLine) {
	ply, _ := leadingNumber(l.value)
	m.unnumbered, m.skipping = ply == 0, true
	if ply > 0 {
		m.leave(l, ply)
	}
}

// leave starts a variation at a move of the file's number, which leaves the nearest line that starts earlier.
func (m *moveParser) leave(l *textLine, number int) {
	ply := number - m.offset
	for len(m.open) > 1 && m.open[len(m.open)-1].Ply >= ply {
		m.close()
	}
	above := m.current()
	end := above.Ply + len(above.Moves)
	if m.skipping = ply < 1 || ply > end; m.skipping {
		if !above.broken {
			m.game.Note(l.number, "a variation at move %d was passed over: the line that it leaves ends before move %d", number, end+m.offset)
		}
		return
	}
	at := above.reached[ply-above.Ply]
	m.open = append(m.open, openLine{Line: record.Line{Ply: ply}, reached: []reached{at}})
}

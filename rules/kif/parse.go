package kif

import (
	"iter"
	"strings"

	"gogotb/rules"
)

// Games reads all games of a file. Where one is broken, it yields an *Error and goes on with
// the next; the game is then what was read before the error, or nil if its first position
// was not. An error that wraps a *rules.IllegalMoveError is about the first of one or more illegal moves, see
// Line.Illegal, and nothing else is wrong.
func Games(data []byte) iter.Seq2[*Game, error] {
	return GamesFrom(data, func(p rules.Position) rules.Position { return p })
}

// GamesFrom is Games, but the moves are read from another position than the one that is written and becomes
// Game.Start. Puzzles need it whose defender holds all that is left, written or not.
func GamesFrom(data []byte, start func(written rules.Position) rules.Position) iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		text, err := Decode(data)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, lines := range games(text) {
			if !yield(parse(lines, start)) {
				return
			}
		}
	}
}

// parse reads the lines of a game.
func parse(lines []textLine, from func(rules.Position) rules.Position) (*Game, error) {
	g := &Game{FileLine: lines[0].number, Line: Line{Ply: 1}}
	var s start
	n := 0
	for ; n < len(lines) && !lines[n].kind.afterHeaders(); n++ {
		if err := g.headerLine(&s, &lines[n]); err != nil {
			return nil, err
		}
	}
	var err error
	if g.Start, err = s.position(g.FileLine); err != nil {
		return nil, err
	}
	p := newMoveParser(g, from(g.Start))
	for i := range lines[n:] {
		if err = p.line(&lines[n+i]); err != nil {
			break
		}
	}
	g.Line = p.finish()
	if err == nil {
		err = p.illegal
	}
	return g, err
}

// afterHeaders tells whether a line of this kind ends the part about the position.
func (k lineKind) afterHeaders() bool {
	return k == tableLine || k == moveLine || k == variationLine || k == summaryLine
}

// headerLine reads a line from before the moves.
func (g *Game) headerLine(s *start, l *textLine) error {
	switch l.kind {
	case headerLine:
		other, err := s.header(l)
		if other {
			g.Headers = append(g.Headers, Header{l.key, l.value})
		}
		return err
	case fileNamesLine:
		if n := len(strings.Fields(l.text)); n != 5 {
			return errorAt(l.number, "the board has %d files, not 5", n)
		}
	case rankLine:
		return s.rank(l)
	case turnLine:
		s.turnLine(l)
	case unknownLine:
		return errorAt(l.number, "%q is no line of a KIF file", l.text)
	}
	return nil
}

// moveParser reads the moves of a game and its variations.
type moveParser struct {
	start rules.Position // that the moves are read from
	// open are the lines that a variation may still leave, each a variation of the one
	// before. The last one is being read.
	open []Line
	// position and last are after the last move read.
	position rules.Position
	last     rules.Square
	// illegal is the error of the first illegal move. skipping: the lines are passed over up to the next variation.
	illegal  error
	skipping bool
}

func newMoveParser(g *Game, start rules.Position) *moveParser {
	return &moveParser{start: start, open: []Line{g.Line}, position: start, last: rules.NoSquare}
}

// close ends the last open line and hands it to the one that it varies.
func (m *moveParser) close() {
	n := len(m.open) - 1
	above := &m.open[n-1]
	above.Variations = append(above.Variations, m.open[n])
	m.open = m.open[:n]
}

// finish ends all lines and is the line of the game.
func (m *moveParser) finish() Line {
	for len(m.open) > 1 {
		m.close()
	}
	return m.open[0]
}

// line reads a line from the moves on.
func (m *moveParser) line(l *textLine) error {
	switch l.kind {
	case moveLine:
		if m.skipping {
			return nil
		}
		return m.move(l)
	case variationLine:
		return m.variation(l)
	case tableLine, summaryLine:
		return nil
	}
	return errorAt(l.number, "%q does not belong among moves", l.text)
}

// move reads a numbered move or end.
func (m *moveParser) move(l *textLine) error {
	current := &m.open[len(m.open)-1]
	ply := current.Ply + len(current.Moves)
	n, rest := leadingNumber(l.text)
	switch {
	case current.End != "":
		return errorAt(l.number, "a move after %s", current.End)
	case n != ply:
		return errorAt(l.number, "move %d is expected here, not %d", ply, n)
	}
	text := strings.TrimSpace(rest)
	if word, _, _ := strings.Cut(text, " "); word != "" {
		if end, ok := parseEnd(strings.TrimRight(word, "+")); ok {
			current.End = end
			return nil
		}
	}
	s := scanner{text: text, rest: text}
	move, err := s.move(&m.position, m.last)
	if err == nil {
		err = s.timeAndMark()
	}
	if err != nil {
		return &Error{l.number, err}
	}
	if err := m.position.Legal(move); err != nil {
		if m.illegal == nil {
			m.illegal = &Error{l.number, err}
		}
		current.Illegal, m.skipping = move, true
		return nil
	}
	m.position.Make(move)
	m.last = move.To()
	current.Moves = append(current.Moves, move)
	return nil
}

// timeAndMark reads what may follow a move: the time it took, in brackets, and a + where a
// variation leaves.
func (s *scanner) timeAndMark() error {
	rest := strings.TrimSpace(s.rest)
	if after, ok := strings.CutPrefix(rest, "("); ok {
		end := strings.IndexByte(after, ')')
		if end < 0 {
			return s.fail("the bracket of the time is missing")
		}
		rest = strings.TrimSpace(after[end+1:])
	}
	if rest != "" && rest != "+" {
		return s.fail("only the time and a + may follow the move")
	}
	return nil
}

// leadingNumber reads the digits that a text starts with.
func leadingNumber(text string) (n int, rest string) {
	for i, r := range text {
		d := digitOf(r)
		if d < 0 || n > 1<<20 {
			return n, text[i:]
		}
		n = 10*n + d
	}
	return n, ""
}

// variation starts a new line, which leaves the nearest one that starts earlier.
func (m *moveParser) variation(l *textLine) error {
	ply, rest := leadingNumber(l.value)
	if ply == 0 || strings.TrimSpace(rest) != "手" {
		return errorAt(l.number, "a variation is written %s：3手, with the number of its first move", variationKey)
	}
	for len(m.open) > 1 && m.open[len(m.open)-1].Ply >= ply {
		m.close()
	}
	above := &m.open[len(m.open)-1]
	end := above.Ply + len(above.Moves)
	if m.skipping = ply > end && above.Illegal != 0; m.skipping {
		return nil
	}
	if ply > end {
		return errorAt(l.number, "a variation at move %d leaves a line that ends before move %d", ply, end)
	}
	m.position, m.last = m.before(ply)
	m.open = append(m.open, Line{Ply: ply})
	return nil
}

// before is the position before a move of the open lines, and the target of the move before that.
func (m *moveParser) before(ply int) (rules.Position, rules.Square) {
	p, last := m.start, rules.NoSquare
	for i := range m.open {
		end := ply
		if i+1 < len(m.open) {
			end = m.open[i+1].Ply
		}
		for _, move := range m.open[i].Moves[:end-m.open[i].Ply] {
			p.Make(move)
			last = move.To()
		}
	}
	return p, last
}

package kif

import (
	"fmt"
	"iter"
	"strings"

	"gogotb/rules"
	"gogotb/rules/record"
)

// Games reads all games of a text; record.Decode makes one of a file. Where a game is broken, it yields a
// *record.Error and goes on with the next; the game is then what was read before the error, or nil if its first
// position was not. An error that wraps a *rules.IllegalMoveError is about the first of one or more illegal moves,
// see record.Line, and nothing else is wrong.
func Games(text string) iter.Seq2[*record.Game, error] { return GamesFrom(text, nil) }

// GamesFrom is Games, but the moves are read from another position than the one that is written and becomes
// record.Game.Start, unless start is nil. Puzzles need it whose defender holds all that is left, written or not.
func GamesFrom(text string, start func(written rules.Position) rules.Position) iter.Seq2[*record.Game, error] {
	return func(yield func(*record.Game, error) bool) {
		for _, part := range split(text) {
			if !yield(parse(part.lines, start)) {
				return
			}
		}
	}
}

func errorAt(line int, format string, args ...any) error {
	return &record.Error{Format: record.KIF, Line: line, Err: fmt.Errorf(format, args...)}
}

// parse reads the lines of a game.
func parse(lines []textLine, from func(rules.Position) rules.Position) (*record.Game, error) {
	g := &record.Game{Format: record.KIF, FileLine: lines[0].number, Line: record.Line{Ply: 1}}
	s := start{last: rules.NoSquare}
	n := 0
	for ; n < len(lines) && !lines[n].kind.afterHeaders(); n++ {
		if err := headerLines(g, &s, &lines[n]); err != nil {
			return nil, err
		}
	}
	var err error
	if g.Start, err = s.position(g, g.FileLine); err != nil {
		return nil, err
	}
	first := g.Start
	if from != nil {
		first = from(first)
	}
	p := newMoveParser(g, first, s.last)
	for i := range lines[n:] {
		p.line(&lines[n+i])
	}
	g.Line = p.finish()
	return g, p.err
}

// afterHeaders tells whether a line of this kind ends the part about the position.
func (k lineKind) afterHeaders() bool {
	return k == tableLine || k == moveLine || k == variationLine || k == summaryLine
}

// headerLines reads a line from before the moves.
func headerLines(g *record.Game, s *start, l *textLine) error {
	switch l.kind {
	case headerLine:
		if placesPieces(l.key) {
			return s.header(l)
		}
		addHeader(g, l)
	case commentLine:
		g.Comment(l.value)
	case fileNamesLine:
		if n := len(strings.Fields(l.text)); n != 5 {
			return errorAt(l.number, "the board has %d files, not 5", n)
		}
	case rankLine:
		return s.rank(l)
	case sideToMoveLine:
		s.sideToMoveLine(l)
	case countLine:
		if s.countLine(l) {
			g.PassOver(l.number, l.text)
		}
	case unknownLine:
		g.PassOver(l.number, l.text)
	}
	return nil
}

// addHeader keeps a header that has nothing to do with the position.
func addHeader(g *record.Game, l *textLine) {
	switch l.key {
	case "先手", "下手":
		g.Players[rules.Sente] = l.value
	case "後手", "上手":
		g.Players[rules.Gote] = l.value
	default:
		g.Headers = append(g.Headers, record.Header{Key: l.key, Value: l.value})
	}
}

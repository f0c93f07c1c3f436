package usi

import (
	"iter"
	"strings"

	"gogotb/rules"
	"gogotb/rules/record"
)

// Games reads all games of a text; record.Decode makes one of a file. Where a game is broken, it yields a
// *record.Error and goes on with the next; the game is then what was read before the error, or nil if its first
// position was not.
func Games(text string) iter.Seq2[*record.Game, error] { return GamesFrom(text, nil) }

// GamesFrom is Games, but the moves are read from another position than the one that is written and becomes
// record.Game.Start, unless start is nil. See package kif.
func GamesFrom(text string, start func(written rules.Position) rules.Position) iter.Seq2[*record.Game, error] {
	return func(yield func(*record.Game, error) bool) {
		number := 0
		for raw := range strings.Lines(text) {
			number++
			line := strings.TrimSpace(raw)
			if line == "" || line[0] == '#' {
				continue
			}
			g, err := game(number, line, start)
			if err != nil {
				err = &record.Error{Format: record.USI, Line: number, Err: err}
			}
			if !yield(g, err) {
				return
			}
		}
	}
}

// game reads a line.
func game(number int, line string, from func(rules.Position) rules.Position) (*record.Game, error) {
	l, err := ParseLine(line)
	if err != nil {
		return nil, err
	}
	g := &record.Game{
		Format: record.USI, FileLine: number, Start: l.Start,
		Line: record.Line{Ply: 1},
	}
	if l.Remarks != "" {
		g.Comment(l.Remarks)
	}
	p := l.Start
	if from != nil {
		p = from(p)
	}
	for i, word := range l.Words {
		m, err := rules.ParseUSI(word)
		if err != nil && !looksLikeMove(word) {
			g.End = endOf(g, word)
			if i+1 < len(l.Words) {
				g.Note(number, "what follows %s was passed over", record.Quote(word))
			}
			break
		}
		if err == nil {
			err = g.Play(&p, m)
		}
		if err != nil {
			return g, err
		}
	}
	return g, nil
}

// Line is a game as it is written, before its moves are read.
type Line struct {
	Start   rules.Position
	Words   []string // the moves, and what follows them
	Remarks string   // behind a semicolon
}

// ParseLine takes a line apart and reads its position.
func ParseLine(text string) (Line, error) {
	var l Line
	text, l.Remarks, _ = strings.Cut(text, ";")
	l.Remarks = strings.TrimSpace(l.Remarks)
	position, moves, _ := strings.Cut(strings.TrimSpace(text)+" ", " moves ")
	for _, word := range strings.Fields(moves) {
		l.Words = append(l.Words, strings.TrimSuffix(word, "=")) // some write it where a promotion is declined
	}
	words := strings.Fields(position)
	for _, word := range []string{"position", "sfen"} {
		if len(words) > 0 && words[0] == word {
			words = words[1:]
		}
	}
	sfen := strings.Join(words, " ")
	if sfen == "startpos" {
		sfen = rules.StartSFEN
	}
	var err error
	l.Start, err = rules.ParseSFEN(sfen)
	return l, err
}

// looksLikeMove tells whether a word is a move or tries to be one, of whatever size the board is.
func looksLikeMove(word string) bool {
	return word[0] >= '0' && word[0] <= '9' || len(word) > 1 && word[1] == '*'
}

// ends are the words for how a game ended.
var ends = map[string]record.EndKind{
	"resign": record.Resigns, "win": record.EnteringWins, "draw": record.Draw, "timeout": record.OutOfTime,
	"checkmate": record.Checkmate, "nomate": record.NoCheckmate, "repetition": record.Repetition, "interrupted": record.Interrupted,
}

// EndKind returns what a word for the end of a game stands for; ok tells whether it is known.
func EndKind(word string) (kind record.EndKind, ok bool) {
	kind, ok = ends[strings.ToLower(word)]
	return kind, ok
}

// endOf reads the word behind the moves.
func endOf(g *record.Game, word string) record.End {
	kind, ok := EndKind(word)
	if !ok {
		kind = record.OtherEnd
		g.Note(g.FileLine, "%s is no move and no end that is known; the line ends there", record.Quote(word))
	}
	return record.End{Text: word, Kind: kind}
}

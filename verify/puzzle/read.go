package puzzle

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/rules/record/formats"
	"gogotb/rules/record/usi"
)

// ReadError is what is wrong with a puzzle of a file. Err may be a *rules.SFENError, a
// *rules.MoveError or a *record.ForeignError, or what package record says.
type ReadError struct {
	File string
	Line int // 0 if it is the file as a whole
	Err  error
}

func (e *ReadError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("%s, line %d: %v", e.File, e.Line, e.Err)
}

// Unwrap is Err.
func (e *ReadError) Unwrap() error { return e.Err }

// Read reads all puzzles of a file; where one is broken it yields a *ReadError and goes on.
// A file holds either games in KIF or CSA, whose moves are the solution, with variations, or
// one puzzle a line, blank lines and those that start with # left out:
//
//	SFEN
//	SFEN moves G*4b 5a4a ... ; plies 5
//
// The moves in USI may be there or not, and after semicolons, in any order, the number of plies, "grade easy", medium or
// hard, and the move that led to the position, played in the one before: "last SFEN moves 2b3b". Other text there
// is a name. A move of the solution that is understood but illegal is no error: Check will report it.
func Read(file string, data []byte) iter.Seq2[*Puzzle, error] {
	text := record.Decode(data)
	if format, err := formats.Detect(text); err == nil && format == record.USI {
		return readLines(file, text)
	}
	return readGames(file, text)
}

// readError gives an error its place; those of records know their line.
func readError(file string, line int, err error) error {
	var at *record.Error
	if errors.As(err, &at) {
		return &ReadError{file, at.Line, at.Err}
	}
	return &ReadError{file, line, err}
}

func readGames(file, text string) iter.Seq2[*Puzzle, error] {
	return func(yield func(*Puzzle, error) bool) {
		// The defender may be meant to hold all that is left, which is for Check to say.
		complete := func(p rules.Position) rules.Position { return CompleteHand(p, p.SideToMove()) }
		for g, err := range formats.GamesFrom(text, complete) {
			var illegal *rules.IllegalMoveError
			switch {
			case err == nil || g != nil && errors.As(err, &illegal):
			default:
				if !yield(nil, readError(file, 0, err)) {
					return
				}
				continue
			}
			if n := plies(&g.Line); n > MaxClaim {
				if !yield(nil, &ReadError{file, g.FileLine, fmt.Errorf("%d moves; a puzzle has at most %d", n, MaxClaim)}) {
					return
				}
				continue
			}
			if !yield(gamePuzzle(file, g), nil) {
				return
			}
		}
	}
}

// plies returns the length of the longest line.
func plies(l *record.Line) int {
	n := l.Ply - 1 + len(l.Moves)
	for i := range l.Variations {
		n = max(n, plies(&l.Variations[i]))
	}
	return n
}

func gamePuzzle(file string, g *record.Game) *Puzzle {
	var names []string
	for _, key := range []string{"作品名", "作者", "EVENT"} {
		if name := g.Header(key); name != "" {
			names = append(names, name)
		}
	}
	return &Puzzle{
		File: file, Line: g.FileLine, Name: strings.Join(names, ", "), Notes: g.Notes,
		Position: g.Start, Moves: lineMoves(nil, &g.Line), Variations: lineVariations(nil, nil, &g.Line),
	}
}

// lineMoves returns the moves up to a line and its own, the illegal one too.
func lineMoves(before []rules.Move, l *record.Line) []rules.Move {
	moves := append(slices.Clip(before), l.Played()...)
	if l.Illegal != 0 {
		moves = append(moves, l.Illegal)
	}
	return moves
}

// lineVariations adds the variations of a line and theirs in turn, given the moves before the line.
func lineVariations(all []Variation, before []rules.Move, l *record.Line) []Variation {
	for i := range l.Variations {
		v := &l.Variations[i]
		leaves := append(slices.Clip(before), l.Played()[:v.Ply-l.Ply]...)
		says := SaysNothing
		switch v.End.Kind {
		case record.Checkmate:
			says = SaysMate
		case record.NoCheckmate:
			says = SaysNoMate
		}
		all = append(all, Variation{Ply: v.Ply, Moves: lineMoves(leaves, v), Says: says})
		all = lineVariations(all, leaves, v)
	}
	return all
}

func readLines(file, text string) iter.Seq2[*Puzzle, error] {
	return func(yield func(*Puzzle, error) bool) {
		number := 0
		for line := range strings.Lines(text) {
			number++
			line = strings.TrimSpace(line)
			if line == "" || line[0] == '#' {
				continue
			}
			p, err := parseLine(line)
			if err != nil {
				err = readError(file, number, err)
			} else {
				p.File, p.Line = file, number
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// parseLine reads a puzzle in one line.
func parseLine(line string) (*Puzzle, error) {
	p := &Puzzle{}
	line, rest, _ := strings.Cut(line, ";")
	if err := p.parseRemarks(rest); err != nil {
		return nil, err
	}
	l, err := usi.ParseLine(line)
	if err != nil {
		return nil, err
	}
	p.Position = l.Start
	if err := p.checkLast(); err != nil {
		return nil, err
	}
	for _, word := range l.Words {
		m, err := rules.ParseUSI(word)
		if err != nil {
			return nil, err
		}
		p.Moves = append(p.Moves, m)
	}
	return p, nil
}

// parseRemarks reads what follows the first semicolon.
func (p *Puzzle) parseRemarks(text string) error {
	var names []string
	for _, part := range strings.Split(text, ";") {
		part = strings.TrimSpace(part)
		word, rest, _ := strings.Cut(part, " ")
		if g, ok := parseGrade(strings.TrimSpace(rest)); ok && word == "grade" {
			p.Grade = g
			continue
		}
		if word == "last" && strings.Contains(rest, " moves ") {
			var err error
			if p.Last, err = parseLast(rest); err != nil {
				return fmt.Errorf("last: %w", err)
			}
			continue
		}
		number, isPlies := strings.CutPrefix(part, "plies")
		if next, _ := utf8.DecodeRuneInString(number); unicode.IsLetter(next) {
			isPlies = false // another word
		}
		number = strings.TrimSpace(number)
		switch {
		case part == "":
			continue
		case !isPlies:
			names = append(names, part)
			continue
		case p.Plies > 0:
			return fmt.Errorf("plies %q: there are %d already", number, p.Plies)
		}
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > MaxClaim {
			return fmt.Errorf("plies %q: a number from 1 to %d belongs here", number, MaxClaim)
		}
		p.Plies = n
	}
	p.Name = strings.Join(names, ", ")
	return nil
}

// parseLast reads the position before the puzzle and the move made there.
func parseLast(text string) (*PriorMove, error) {
	l, err := usi.ParseLine(text)
	if err != nil {
		return nil, err
	}
	if len(l.Words) != 1 {
		return nil, fmt.Errorf("%d moves; there is one that led to the position", len(l.Words))
	}
	m, err := rules.ParseUSI(l.Words[0])
	if err != nil {
		return nil, err
	}
	return &PriorMove{l.Start, m}, nil
}

// checkLast tells why the last move does not lead to the position, nil if it does or is not known.
func (p *Puzzle) checkLast() error {
	if p.Last == nil {
		return nil
	}
	q := p.Last.Before
	if err := q.Legal(p.Last.Move); err != nil {
		return fmt.Errorf("last: %w", err)
	}
	if q.Make(p.Last.Move); !q.Same(&p.Position) {
		return fmt.Errorf("last: %s leads to another position, %s", p.Last.Move.USI(), q.SFEN())
	}
	return nil
}

// MaxClaim bounds the plies that may be claimed, to catch slips of the pen.
const MaxClaim = 999

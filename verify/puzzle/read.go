package puzzle

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gogotb/rules"
	"gogotb/rules/kif"
)

// ReadError is what is wrong with a puzzle of a file. Err may be a *rules.SFENError, a
// *rules.MoveError or a *kif.Error.
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
// A file holds either KIF games, whose moves are the solution, with variations, or
// one puzzle a line, blank lines and those that start with # left out:
//
//	SFEN
//	SFEN moves G*4b 5a4a ... ; plies 5
//
// The moves in USI and the number of plies may be there or not; other text after a semicolon, if its first word is
// not "plies", is a name. A move that is understood but illegal is no error: Check will report it.
func Read(file string, data []byte) iter.Seq2[*Puzzle, error] {
	return func(yield func(*Puzzle, error) bool) {
		text := decode(data)
		read := readLines
		if looksLikeKIF(text) {
			read = readKIF
		}
		for p, err := range read(file, text) {
			if !yield(p, err) {
				return
			}
		}
	}
}

// readError gives an error its place; one of package kif knows its line.
func readError(file string, line int, err error) error {
	var k *kif.Error
	if errors.As(err, &k) {
		return &ReadError{file, k.Line, k.Err}
	}
	return &ReadError{file, line, err}
}

// decode is the text of a file. Where it is in no encoding as a whole, its lines are read one by one, so that only
// those that are broken are lost.
func decode(data []byte) string {
	if text, err := kif.Decode(data); err == nil {
		return text
	}
	var b strings.Builder
	for line := range bytes.Lines(data) {
		text, err := kif.Decode(line)
		if err != nil {
			text = strings.ToValidUTF8(string(line), string(utf8.RuneError))
		}
		b.WriteString(text)
	}
	return b.String()
}

// looksLikeKIF tells whether a file has a header or a diagram of KIF and no line like an SFEN, of whatever size.
func looksLikeKIF(text string) bool {
	kif := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '|' || strings.HasPrefix(line, "+-") || line[0] >= 0x80 && strings.ContainsAny(line, ":："):
			kif = true
		case looksLikeSFEN(line):
			return false
		}
	}
	return kif
}

// looksLikeSFEN tells whether the first word consists of what a board is written with, in three or more ranks.
func looksLikeSFEN(line string) bool {
	line = strings.TrimPrefix(strings.TrimPrefix(line, "position "), "sfen ")
	board, _, _ := strings.Cut(line, " ")
	for _, c := range board {
		if c != '/' && c != '+' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return strings.Count(board, "/") >= 2
}

func readKIF(file, text string) iter.Seq2[*Puzzle, error] {
	return func(yield func(*Puzzle, error) bool) {
		// The defender may be meant to hold all that is left, which is for Check to say.
		complete := func(p rules.Position) rules.Position { return CompleteHand(p, p.Turn()) }
		for g, err := range kif.GamesFrom([]byte(text), complete) {
			var illegal *rules.IllegalMoveError
			switch {
			case err == nil || g != nil && errors.As(err, &illegal):
			default:
				if !yield(nil, readError(file, 0, err)) {
					return
				}
				continue
			}
			if !yield(kifPuzzle(file, g), nil) {
				return
			}
		}
	}
}

func kifPuzzle(file string, g *kif.Game) *Puzzle {
	var names []string
	for _, key := range []string{"作品名", "作者"} {
		if name := g.Header(key); name != "" {
			names = append(names, name)
		}
	}
	return &Puzzle{
		File: file, Line: g.FileLine, Name: strings.Join(names, ", "),
		Position: g.Start, Moves: kifMoves(nil, &g.Line), Variations: kifVariations(nil, nil, &g.Line),
	}
}

// kifMoves are the moves up to a line and its own, the illegal one too.
func kifMoves(before []rules.Move, l *kif.Line) []rules.Move {
	moves := append(slices.Clip(before), l.Moves...)
	if l.Illegal != 0 {
		moves = append(moves, l.Illegal)
	}
	return moves
}

// kifVariations adds the variations of a line and theirs in turn, given the moves before the line.
func kifVariations(all []Variation, before []rules.Move, l *kif.Line) []Variation {
	for i := range l.Variations {
		v := &l.Variations[i]
		leaves := append(slices.Clip(before), l.Moves[:v.Ply-l.Ply]...)
		says := SaysNothing
		switch v.End {
		case kif.Checkmate:
			says = SaysMate
		case kif.NoCheckmate:
			says = SaysNoMate
		}
		all = append(all, Variation{Ply: v.Ply, Moves: kifMoves(leaves, v), Says: says})
		all = kifVariations(all, leaves, v)
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
	// As engines are told: "position sfen SFEN moves ..."
	line = strings.TrimPrefix(strings.TrimSpace(line), "position ")
	line = strings.TrimPrefix(line, "sfen ")
	sfen, moves, _ := strings.Cut(line, " moves")
	var err error
	if p.Position, err = rules.ParseSFEN(strings.TrimSpace(sfen)); err != nil {
		return nil, err
	}
	for _, word := range strings.Fields(moves) {
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
		if err != nil || n < 1 || n > maxClaim {
			return fmt.Errorf("plies %q: a number from 1 to %d belongs here", number, maxClaim)
		}
		p.Plies = n
	}
	p.Name = strings.Join(names, ", ")
	return nil
}

// maxClaim bounds the plies that may be claimed, to catch slips of the pen.
const maxClaim = 999

package position

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"gogotb/cmd/internal/dialect"
	"gogotb/rules"
)

// Accepted says in a sentence, for helps, what Read reads.
const Accepted = `A position is an SFEN, the FEN of Fairy-Stockfish, startpos or a handicap such as naked-king; also as engines
are told it, "position sfen ... moves ...", and with underscores for blanks.`

// Read reads a position, that after the moves if there are any. The error wraps a *rules.SFENError, whose Column counts
// in the whole text, a *rules.MoveError or a *rules.IllegalMoveError.
func Read(text string) (rules.Position, error) {
	p, moves, err := ReadGame(text)
	if err != nil {
		return rules.Position{}, err
	}
	for i, m := range moves {
		if err := p.Legal(m); err != nil {
			return rules.Position{}, fmt.Errorf("ply %d: %w", i+1, err)
		}
		p.Make(m)
	}
	return p, nil
}

// ReadGame reads a position and the moves behind it, which need not be legal.
func ReadGame(text string) (start rules.Position, moves []rules.Move, err error) {
	words := split(text)
	words.skip("position")
	before, after := words.cut("moves")
	if start, err = readStart(before); err != nil {
		return rules.Position{}, nil, err
	}
	for i, w := range after.list {
		m, err := parseMove(w.text)
		if err != nil {
			return rules.Position{}, nil, fmt.Errorf("ply %d: %w", i+1, err)
		}
		moves = append(moves, m)
	}
	return start, moves, nil
}

// readStart reads the position that the moves start from.
func readStart(words words) (rules.Position, error) {
	switch {
	case words.skip("sfen"):
		return words.readSFEN()
	case words.skip("fen") || words.areFEN():
		return words.readFEN()
	}
	if len(words.list) > 0 {
		if sfen, ok := named(words.list[0].text); ok {
			if len(words.list) > 1 {
				next := words.list[1]
				return rules.Position{}, &rules.SFENError{Field: rules.ExtraField, Column: next.column,
					Text: fmt.Sprintf("%q may not follow %s", next.text, words.list[0].text)}
			}
			return rules.ParseSFEN(sfen)
		}
	}
	return words.readSFEN()
}

// named returns the position that has a name.
func named(name string) (sfen string, ok bool) {
	if name == "startpos" {
		return rules.StartSFEN, true
	}
	for _, h := range rules.Handicaps {
		if h.Name == name {
			return h.SFEN, true
		}
	}
	return "", false
}

// parseMove reads a move in USI, or as Fairy-Stockfish has it: only there files are letters, and drops have an @.
func parseMove(text string) (rules.Move, error) {
	if text[0] >= 'a' && text[0] <= 'e' || strings.Contains(text, "@") {
		return dialect.UCI.ParseMove(text)
	}
	return dialect.USI.ParseMove(text)
}

// words are the words of a text, with their places in it.
type words struct {
	list []word
	end  int // the column of the end of the text
}

type word struct {
	text   string
	column int // of its first character, from 1
}

// split finds the words of a text. Underscores stand for blanks.
func split(text string) words {
	const byteOrderMark = '\ufeff'
	var w words
	inWord := false
	for i, r := range text {
		w.end++
		blank := unicode.IsSpace(r) || r == '_' || r == byteOrderMark && i == 0
		if !blank && !inWord {
			w.list = append(w.list, word{column: w.end})
		}
		if inWord = !blank; inWord {
			_, size := utf8.DecodeRuneInString(text[i:])
			w.list[len(w.list)-1].text += text[i : i+size]
		}
	}
	w.end = 1
	if n := len(w.list); n > 0 {
		w.end = w.list[n-1].column + utf8.RuneCountInString(w.list[n-1].text)
	}
	return w
}

// skip leaves out the first word if it is the one given, in capitals or not, with a colon or not, as in "Fen: ".
func (w *words) skip(text string) bool {
	if len(w.list) < 2 || !strings.EqualFold(strings.TrimSuffix(w.list[0].text, ":"), text) {
		return false
	}
	w.list = w.list[1:]
	return true
}

// cut returns what stands before a word, and what after it.
func (w words) cut(text string) (before, after words) {
	for i := range w.list {
		if w.list[i].text == text {
			return words{w.list[:i], max(w.list[i].column-1, 1)}, words{w.list[i+1:], w.end}
		}
	}
	return w, words{end: w.end}
}

// areFEN tells whether a board has hands in brackets behind it, or the fields that only chess has.
func (w words) areFEN() bool {
	return len(w.list) > 0 && strings.Contains(w.list[0].text, "[") ||
		len(w.list) == 6 && w.list[2].text == "-" && w.list[3].text == "-"
}

// joined returns the text with single blanks.
func (w words) joined() string {
	texts := make([]string, len(w.list))
	for i := range w.list {
		texts[i] = w.list[i].text
	}
	return strings.Join(texts, " ")
}

func (w words) readSFEN() (rules.Position, error) {
	p, err := rules.ParseSFEN(w.joined())
	var wrong *rules.SFENError
	if errors.As(err, &wrong) {
		here := *wrong
		here.Column = w.place(wrong.Column)
		return p, &here
	}
	return p, err
}

func (w words) readFEN() (rules.Position, error) {
	p, err := dialect.ParseFEN(w.joined())
	var wrong *dialect.FENError
	if errors.As(err, &wrong) {
		here := *wrong
		here.Column = w.place(wrong.Column)
		return p, &here
	}
	return p, err
}

// place returns the column in the whole text of one in the joined words.
func (w words) place(column int) int {
	for _, word := range w.list {
		n := utf8.RuneCountInString(word.text)
		if column <= n {
			return word.column + column - 1
		}
		column -= n + 1
	}
	return w.end // something is missing
}

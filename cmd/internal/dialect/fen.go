package dialect

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gogotb/rules"
)

// StartFEN is the starting position of an even game.
const StartFEN = "rbsgk/4p/5/P4/KGSBR[-] w 0 1"

// FEN writes a position as Fairy-Stockfish does: "4k/5/5/5/K4[RPp] w - - 0 1".
func FEN(p *rules.Position) string {
	board, _, _ := strings.Cut(p.SFEN(), " ")
	var hands strings.Builder
	for _, c := range []rules.Color{rules.Sente, rules.Gote} {
		for k, n := range p.Hand(c) {
			hands.WriteString(strings.Repeat(rules.MakePiece(c, rules.Kind(k)).String(), int(n)))
		}
	}
	return fmt.Sprintf("%s[%s] %c - - 0 %d", board, hands.String(), "wb"[p.SideToMove()], (p.MoveNumber()+1)/2)
}

// FENError says what is wrong with a FEN, and where. It wraps an SFENError with the same fields.
type FENError struct{ rules.SFENError }

func (e *FENError) Error() string {
	return fmt.Sprintf("FEN: %s, character %d: %s", e.Field, e.Column, e.Text)
}

// Unwrap returns the error as one of an SFEN.
func (e *FENError) Unwrap() error { return &e.SFENError }

// fenField is a field of a FEN.
var fenField = regexp.MustCompile(`\S+`)

// ParseFEN reads a position as Fairy-Stockfish and XBoard write it. Between the side to move and
// the move number there may be any of the fields that chess has there. Errors are of type *FENError.
func ParseFEN(text string) (rules.Position, error) {
	places := fenField.FindAllStringIndex(text, -1)
	fields, columns := make([]string, len(places)), make([]int, len(places))
	for i, at := range places {
		fields[i], columns[i] = text[at[0]:at[1]], 1+utf8.RuneCountInString(text[:at[0]])
	}
	fail := func(field rules.Field, column int, format string, args ...any) (rules.Position, error) {
		return rules.Position{}, &FENError{rules.SFENError{Field: field, Column: column, Text: fmt.Sprintf(format, args...)}}
	}
	if len(fields) == 0 {
		return fail(rules.BoardField, 1, "missing")
	}
	board, hands, bracket := strings.Cut(fields[0], "[")
	handsAt := columns[0] + utf8.RuneCountInString(board) + 1
	if bracket {
		var closed bool
		if hands, closed = strings.CutSuffix(hands, "]"); !closed {
			return fail(rules.HandsField, handsAt-1, "they are not closed by a ]")
		}
	}
	if hands == "" {
		hands = "-"
	}
	if len(fields) < 2 {
		return fail(rules.SideToMoveField, columns[0]+utf8.RuneCountInString(fields[0]), "missing")
	}
	gote := 0
	switch fields[1] {
	case "w":
	case "b":
		gote = 1
	default:
		return fail(rules.SideToMoveField, columns[1], "%q is not w or b", fields[1])
	}
	move := 1
	for i, field := range fields[2:] {
		n, err := strconv.Atoi(field)
		switch {
		case field == "-":
		case err != nil || n < 0 || i > 3:
			return fail(rules.ExtraField, columns[2+i], "%q follows the side to move", field)
		default:
			move = max(n, 1)
		}
	}
	sfen := fmt.Sprintf("%s %c %s %d", board, "bw"[gote], hands, 2*min(move, 99999)-1+gote)
	p, err := rules.ParseSFEN(sfen)
	var wrong *rules.SFENError
	if !errors.As(err, &wrong) {
		return p, err
	}
	here := *wrong
	switch wrong.Field {
	case rules.HandsField: // behind the board and, in the SFEN, a side
		here.Column += handsAt - (utf8.RuneCountInString(board) + len(" b ") + 1)
	default:
		here.Column += columns[0] - 1
	}
	return p, &FENError{here}
}

// fairySquare returns a file, a to e from the left, and a rank, 1 to 5 from below.
func fairySquare(s rules.Square) string {
	return string([]byte{'a' + byte(s.Column()), '5' - byte(s.Rank())})
}

func parseFairySquare(text string) (rules.Square, bool) {
	file, rank := text[0]-'a', '5'-text[1]
	return rules.Square(5*rank + file), file < 5 && rank < 5
}

// FairyMove writes a move as Fairy-Stockfish does: "a1b2", "a4a5+", "P@c3".
func FairyMove(m rules.Move) string {
	switch {
	case m.IsDrop():
		return m.DropKind().String() + "@" + fairySquare(m.To())
	case m.Promotes():
		return fairySquare(m.From()) + fairySquare(m.To()) + "+"
	}
	return fairySquare(m.From()) + fairySquare(m.To())
}

// ParseFairyMove reads what FairyMove writes. Errors are of type *rules.MoveError.
func ParseFairyMove(text string) (rules.Move, error) {
	body, promotes := strings.CutSuffix(text, "+")
	if len(body) == 4 {
		to, ok := parseFairySquare(body[2:])
		if ok && body[1] == '@' && !promotes {
			if k := strings.IndexByte("RBGSP", body[0]); k >= 0 {
				return rules.Drop(rules.Kind(k), to), nil
			}
		}
		if from, ok2 := parseFairySquare(body); ok && ok2 && from != to {
			return rules.Step(from, to, promotes), nil
		}
	}
	return 0, &rules.MoveError{Text: text, Column: fairyFault(text), Reason: "not like a1b2, a4a5+ or P@c3"}
}

// fairyFault returns the first character, from 1, that a move cannot have where it stands; the last one if each of them can.
func fairyFault(text string) int {
	const squares = 4
	column := 0
	for i, c := range text {
		column++
		here := "+"
		if i < squares {
			here = [squares]string{"abcdeRBGSP", "12345@", "abcde", "12345"}[i]
		}
		if i > squares || !strings.ContainsRune(here, c) {
			break
		}
	}
	return max(column, 1)
}

package rules

import (
	"fmt"
	"unicode/utf8"
)

// MoveError says what is wrong with the text of a move, and where.
type MoveError struct {
	Text   string // the whole text
	Column int    // the character at fault, counted from 1
	Reason string
}

func (e *MoveError) Error() string {
	return fmt.Sprintf("move %q, character %d: %s", e.Text, e.Column, e.Reason)
}

// ParseUSI reads a move in USI: "5e4d", "5b5a+", "G*3c". The move need not be legal in
// any position (see Legal). Errors are of type *MoveError.
func ParseUSI(text string) (Move, error) {
	fail := func(i int, format string, args ...any) (Move, error) {
		return 0, &MoveError{text, 1 + utf8.RuneCountInString(text[:i]), fmt.Sprintf(format, args...)}
	}
	character := func(i int) rune { // that begins at a byte
		c, _ := utf8.DecodeRuneInString(text[i:])
		return c
	}
	if len(text) < 4 {
		return fail(len(text), "too short for a move like 5e4d or G*3c")
	}
	to, bad := parseSquare(text[2:4])
	if text[1] == '*' {
		k, ok := kindOf(text[0])
		switch {
		case !ok || k == King:
			return fail(0, "%q is not one of R B G S P", character(0))
		case bad >= 0:
			return fail(2+bad, "%q is not in %s", character(2+bad), squareAlphabet[bad])
		case len(text) > 4:
			return fail(4, "nothing may follow the square of a drop")
		}
		return Drop(k, to), nil
	}
	from, badFrom := parseSquare(text[:2])
	promote := len(text) > 4 && text[4] == '+'
	switch {
	case badFrom >= 0:
		return fail(badFrom, "%q is not in %s", character(badFrom), squareAlphabet[badFrom])
	case bad >= 0:
		return fail(2+bad, "%q is not in %s", character(2+bad), squareAlphabet[bad])
	case from == to:
		return fail(2, "the move ends where it starts")
	case len(text) > 4 && !promote:
		return fail(4, "only a + may follow the squares")
	case len(text) > 5:
		return fail(5, "nothing may follow the +")
	}
	return Step(from, to, promote), nil
}

// squareAlphabet names the characters that the file and the rank of a square can be.
var squareAlphabet = [2]string{"1 to 5", "a to e"}

// parseSquare reads a file and a rank; bad is the position of the one that is none, or -1.
func parseSquare(text string) (s Square, bad int) {
	file, rank := text[0], text[1]
	switch {
	case file < '1' || file > '5':
		return NoSquare, 0
	case rank < 'a' || rank > 'e':
		return NoSquare, 1
	}
	return Square(5*(rank-'a') + '5' - file), -1
}

// USI returns the move in USI notation.
func (m Move) USI() string {
	switch {
	case m.IsDrop():
		return string(m.DropKind().Letter()) + "*" + m.To().String()
	case m.Promotes():
		return m.From().String() + m.To().String() + "+"
	}
	return m.From().String() + m.To().String()
}

// String returns the move in USI notation.
func (m Move) String() string { return m.USI() }

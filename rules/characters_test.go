package rules

import (
	"errors"
	"strings"
	"testing"
)

// TestErrorsNameCharacters puts a character of several bytes in the place of each of a text that is right: errors
// name that character, never a byte of it, and count in characters.
func TestErrorsNameCharacters(t *testing.T) {
	start, err := ParseSFEN(StartSFEN)
	if err != nil {
		t.Fatal(err)
	}
	usi := func(text string) error { _, err := ParseUSI(text); return err }
	sfen := func(text string) error { _, err := ParseSFEN(text); return err }
	western := func(text string) error { _, err := start.ParseWestern(text); return err }
	for _, c := range []struct {
		text  string
		parse func(string) error
		exact bool // the error is at the character itself, not where its field begins or before
	}{
		{"5e4d", usi, true}, {"5b5a+", usi, true}, {"R*3c", usi, true},
		{"rbsgk/4p/5/P4/KGSBR b - 1", sfen, false}, {"4k/5/2+R2/5/4K w 2Pb 17", sfen, false},
		{"G-44", western, true}, {"G45-44", western, true}, {"Sx23+", western, true},
	} {
		for i := range c.text {
			for _, wrong := range []string{"５", "歩", "é", "😀"} {
				text := c.text[:i] + wrong + c.text[i+1:]
				err := c.parse(text)
				if err == nil {
					t.Fatalf("%q is read", text)
				}
				var move *MoveError
				var position *SFENError
				column := 0
				switch {
				case errors.As(err, &move):
					column = move.Column
				case errors.As(err, &position):
					column = position.Column
				}
				// Without its * a drop is wrong at its piece.
				if column < 1 || column > i+1 || c.exact && column <= i && c.text[i] != '*' {
					t.Errorf("%q: at character %d: %v", text, column, err)
				}
				said := strings.ReplaceAll(err.Error(), wrong, "")
				if column == i+1 && said == err.Error() || strings.Contains(said, `\x`) || strings.ContainsFunc(said, isWide) {
					t.Errorf("%q: %v", text, err)
				}
			}
		}
	}
}

func isWide(r rune) bool { return r >= 0x80 }

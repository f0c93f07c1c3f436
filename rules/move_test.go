package rules

import (
	"errors"
	"testing"
)

func TestUSIRoundTrip(t *testing.T) {
	moves := map[string]bool{}
	for m := range 1 << 16 {
		m := Move(m)
		if !m.wellFormed() {
			continue
		}
		text := m.USI()
		back, err := ParseUSI(text)
		if err != nil || back != m {
			t.Fatalf("%d is written %s, read back %d: %v", m, text, back, err)
		}
		if moves[text] {
			t.Fatalf("%s stands for two moves", text)
		}
		moves[text] = true
	}
	// Steps between two squares, with promotion or without; drops of five kinds.
	if want := 25*24*2 + 25*5; len(moves) != want {
		t.Errorf("%d moves, want %d", len(moves), want)
	}
}

func TestUSIByHand(t *testing.T) {
	for text, want := range map[string]Move{
		"5e4d":  Step(20, 16, false),
		"5b5a+": Step(5, 0, true),
		"1a1e":  Step(4, 24, false),
		"G*3c":  Drop(Gold, 12),
		"P*1b":  Drop(Pawn, 9),
	} {
		if m, err := ParseUSI(text); err != nil || m != want {
			t.Errorf("%s: %v, %v", text, m, err)
		}
	}
}

func TestParseUSIErrors(t *testing.T) {
	for text, column := range map[string]int{
		"":       1,
		"5e":     3,
		"5e4":    4,
		"6e4d":   1,
		"0e4d":   1,
		"5f4d":   2,
		"5E4d":   2,
		"5e6d":   3,
		"5e4f":   4,
		"5e44":   4,
		"5e5e":   3,
		"5e4d=":  5,
		"5e4d ":  5,
		"5e4d++": 6,
		"K*3c":   1,
		"g*3c":   1,
		"X*3c":   1,
		"G*9c":   3,
		"G*3x":   4,
		"G*3c+":  5,
		"+R*3c":  1,
		"é3c":    1,
		"５e4d":   1,
		"5五5d":   2,
		"5e４d":   3,
		"5e4四":   4,
		"5歩":     2,
		"歩":      2,
		"G3c":    4,
	} {
		_, err := ParseUSI(text)
		var e *MoveError
		if !errors.As(err, &e) || e.Column != column {
			t.Errorf("%q: %v; want character %d", text, err, column)
		}
	}
}

func TestMoveErrorText(t *testing.T) {
	_, err := ParseUSI("5e4f")
	if want := `move "5e4f", character 4: 'f' is not in a to e`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

package position

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding/unicode"

	"gogotb/rules"
)

// TestRead: what people paste, and the position that is meant. The FENs are Fairy-Stockfish's own, in which White moves
// first; the moves were played by hand.
func TestRead(t *testing.T) {
	const start = "rbsgk/4p/5/P4/KGSBR b - 1"
	for text, want := range map[string]string{
		"rbsgk/4p/5/P4/KGSBR b -":                             start,
		" \t" + start + " \r\n":                               start,
		"\ufeff" + start:                                      start,
		"rbsgk/4p/5/P4/KGSBR  b\u00a0-  1":                    start,
		"rbsgk/4p/5/P4/KGSBR_b_-_1":                           start,
		"sfen " + start:                                       start,
		"sfen_rbsgk/4p/5/P4/KGSBR_b_-":                        start,
		"position sfen " + start:                              start,
		"position " + start:                                   start,
		"position sfen " + start + " moves":                   start,
		"startpos":                                            start,
		"position startpos":                                   start,
		"position startpos moves 1e1d 5a5b":                   "1bsgk/r3p/5/P3R/KGSB1 b - 3",
		"startpos moves 1e1d 5a5b":                            "1bsgk/r3p/5/P3R/KGSB1 b - 3",
		"sfen 4k/5/5/5/K4 w RG 7 moves 1a2b":                  "5/3k1/5/5/K4 b RG 8",
		"4k/5/5/5/K4 b RG 1 moves G*2c":                       "4k/5/3G1/5/K4 w R 2",
		"rbsgk/4p/5/P4/KGSBR[-] w 0 1":                        start,
		"rbsgk/4p/5/P4/KGSBR[] w - - 0 1":                     start,
		"rbsgk/4p/5/P4/KGSBR w - - 0 1":                       start,
		"rbsgk/4p/5/P3R/KGSB1[]_b_-_-_1_1":                    "rbsgk/4p/5/P3R/KGSB1 w - 2",
		"Fen: 4k/5/5/5/K4[RRPp] w - - 0 4":                    "4k/5/5/5/K4 b 2RPp 7",
		"Sfen: 4k/5/5/5/K4 b 2RPp 7":                          "4k/5/5/5/K4 b 2RPp 7",
		"fen rbsgk/4p/5/P4/KGSBR[] w - - 0 1 moves e1e2 a5a4": "1bsgk/r3p/5/P3R/KGSB1 b - 3",
		"position fen 4k/5/5/5/K4[RG] w - - 0 1 moves G@d3":   "4k/5/3G1/5/K4 w R 2",
		"position fen 4k/5/5/5/K4[RG] w - - 0 1 moves G*2c":   "4k/5/3G1/5/K4 w R 2",
		"naked-king":                                          "4k/5/5/P4/KGSBR w - 1",
		"two-piece moves 1a2b":                                "2sg1/3kp/5/P4/KGSBR b - 2",
	} {
		p, err := Read(text)
		if err != nil || p.SFEN() != want {
			t.Errorf("%q: %v, %v, want %s", text, &p, err, want)
		}
	}
}

// TestErrors: an error names the field and the character in the whole text.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "SFEN: board, character 1: missing",
		"  ":                                    "SFEN: board, character 1: missing",
		"4k/5/5/5/K5 b - 1":                     "SFEN: board, character 11: the rank has more than 5 squares",
		"  4k/5/5/5/K5 b - 1":                   "SFEN: board, character 13: ",
		"\ufeffposition sfen 4k/5/5/5/K5 b - 1": "SFEN: board, character 26: ",
		"sfen 4k/5/歩/5/K4 b - 1":                `SFEN: board, character 11: "歩" is no piece`,
		"4k/5/5/5/K4   x - 1":                   `SFEN: side to move, character 15: "x" is no side`,
		"4k/5/5/5/K4":                           "SFEN: side to move, character 12: missing",
		"sfen 4k/5/5/5/K4 moves 5e5d":           "SFEN: side to move, character 17: missing",
		"4k/5/5/5/K4_b_R歩_1":                    `SFEN: hands, character 16: "歩" is no piece`,
		"4k/5/5/5/K4 b R 1 5e5d":                "SFEN: extra field, character 18: ",
		"5/5/5/5/5 b - 1":                       "king",
		"startpos 1e1d":                         `SFEN: extra field, character 10: "1e1d" may not follow startpos`,
		"sfen  4k/5/5/5/K4[RX] w - - 0 1":       "SFEN: board, character 18: ",
		"fen  4k/5/5/5/K4[RX] w - - 0 1":        `FEN: hands, character 19: "X" is no piece`,
		"4k/5/5/5/K4[R] x":                      "FEN: side to move, character 16: ",
		"4k/5/5/5/K4[R] w KQkq - 0 1":           "FEN: extra field, character 18: ",
	} {
		_, err := Read(text)
		var sfen *rules.SFENError
		if err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, &sfen) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	_, err := Read("startpos moves 1e1d 5a4b")
	var illegal *rules.IllegalMoveError
	if !errors.As(err, &illegal) || !strings.HasPrefix(err.Error(), "ply 2: illegal move 5a4b") {
		t.Errorf("an illegal move: %v", err)
	}
	_, err = Read("startpos moves 1e1d 5a5x")
	var move *rules.MoveError
	if !errors.As(err, &move) || !strings.HasPrefix(err.Error(), `ply 2: move "5a5x", character 4`) {
		t.Errorf("a word that is no move: %v", err)
	}
}

// TestLines: blank lines and comments are left out, a line that is too long costs no other.
func TestLines(t *testing.T) {
	const text = "# found by gogotb\r\n\r\nstartpos\r\n  4k/5/5/5/K4 b R \r\n\t# more\n\nnaked-king"
	want := []string{"startpos", "4k/5/5/5/K4 b R", "naked-king"}
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, encoded := range []string{text, "\ufeff" + text, utf16} {
		for _, r := range []io.Reader{strings.NewReader(encoded), iotest.OneByteReader(strings.NewReader(encoded))} {
			var got []string
			for line, err := range Lines(r) {
				if err != nil {
					t.Error(err)
				}
				got = append(got, line)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%.10q: %q", encoded, got)
			}
		}
	}
	long := "startpos moves" + strings.Repeat(" 1e1d", longestLine)
	var got []string
	for line, err := range Lines(strings.NewReader(long + "\nstartpos\n" + long)) {
		if errors.Is(err, ErrLongLine) && strings.HasPrefix(line, "startpos moves 1e1d") {
			line = "long"
		} else if err != nil {
			t.Error(err)
		}
		got = append(got, line)
	}
	if !slices.Equal(got, []string{"long", "startpos", "long"}) {
		t.Errorf("long lines: %q", got)
	}
}

// TestNoLines: what cannot be read any more ends the lines with an error.
func TestNoLines(t *testing.T) {
	broken := io.MultiReader(strings.NewReader("startpos\n"), iotest.ErrReader(io.ErrUnexpectedEOF))
	for _, c := range []struct {
		r    io.Reader
		n    int
		want error
	}{{broken, 1, io.ErrUnexpectedEOF}, {zeros{}, 0, errEndlessLine}} {
		n := 0
		var last error
		for _, err := range Lines(c.r) {
			if last = err; err == nil {
				n++
			}
		}
		if n != c.n || !errors.Is(last, c.want) {
			t.Errorf("%d lines, then %v; want %d and %v", n, last, c.n, c.want)
		}
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"rbsgk/4p/5/P4/KGSBR b - 1", "position startpos moves 1e1d 5a5b", "\ufeffsfen 4k/5/5/5/K4_b_RG_1",
		"position fen 4k/5/5/5/K4[RG] w - - 0 1 moves G@d3", "Fen: 4k/5/5/5/K4[RX] w", "naked-king", "4k/5/歩",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Read(text)
		var wrong *rules.SFENError
		switch {
		case err == nil:
			if q, err := Read(p.SFEN()); err != nil || !q.Same(&p) {
				t.Errorf("%q is %v, which is read as %v, %v", text, &p, &q, err)
			}
		case errors.As(err, &wrong):
			if n := len([]rune(text)); wrong.Column < 1 || wrong.Column > n+1 {
				t.Errorf("%q: %v, of %d characters", text, err, n)
			}
		}
	})
}

func FuzzMoves(f *testing.F) {
	f.Add("rbsgk/4p/5/P4/KGSBR b - 1", "1. R-14 2. R52 １二飛(14) 同　金(21)")
	f.Add("4k/5/5/5/K4 b RG 1", "G@c3 a000")
	f.Add("4k/5/5/5/K4 b RG 1", "▲３三金打 G*33")
	f.Fuzz(func(t *testing.T, sfen, text string) {
		p, err := Read(sfen)
		if err != nil {
			return
		}
		last := rules.NoSquare
		for _, text := range Moves(text) {
			m, err := ParseMove(&p, text, last)
			var move *rules.MoveError
			var illegal *rules.IllegalMoveError
			if err != nil && !errors.As(err, &move) && !errors.As(err, &illegal) {
				t.Errorf("%v %q: %v", &p, text, err)
			}
			if move != nil && (move.Column < 1 || move.Column > 1+len([]rune(move.Text))) {
				t.Errorf("%q: %v", text, err)
			}
			if err != nil || p.Legal(m) != nil {
				return
			}
			p.Make(m)
			last = m.To()
		}
	})
}

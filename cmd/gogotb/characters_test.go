package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestErrorsNameCharacters: whatever takes text says the character that is wrong, not a byte of it.
func TestErrorsNameCharacters(t *testing.T) {
	const start = "rbsgk/4p/5/P4/KGSBR b - 1"
	wideStart := strings.Replace(start, "5", "５", 1)
	for _, c := range []struct {
		args  []string
		stdin string
	}{
		{args: []string{"probe", wideStart}},
		{args: []string{"probe", "-"}, stdin: wideStart + "\n"},
		{args: []string{"moves", wideStart}},
		{args: []string{"solve", wideStart}},
		{args: []string{"perft", "５", start}},
		{args: []string{"game", start, "５e4d"}},
		{args: []string{"game", start, "5e４d"}},
		{args: []string{"game", start, "5e4d５"}},
		{args: []string{"game", wideStart, "5e4d"}},
		{args: []string{"index", "G", "５"}},
		{args: []string{"list", "５"}},
		{args: []string{"stats", "５"}},
		{args: []string{"generate", "５"}},
		{args: []string{"find", "５"}},
		{args: []string{"puzzle", "--tolerate", "５", "-"}},
		{args: []string{"puzzle", "-"}, stdin: wideStart + "\n"},
		{args: []string{"puzzle", "-"}, stdin: start + " moves 5e４d ; ５\n"},
		{args: []string{"puzzle", "-"}, stdin: start + " ; plies ５\n"},
		{args: []string{"puzzle", "-"}, stdin: "手合割：5五将棋\n1 ９５玉(55)\n| ５ ・ ・ ・ ・|\n"},
		{args: []string{"puzzle", "-"}, stdin: "V2.2\nP1５ *  *  *  * \n"},
		{args: []string{"puzzle", "-"}, stdin: "V2.2\nP+５５OU\n+\n"},
		{args: []string{"usi"}, stdin: "usi\nposition startpos moves ５e4d\nquit\n"},
		{args: []string{"usi"}, stdin: "usi\nposition sfen " + wideStart + "\nquit\n"},
		{args: []string{"usi"}, stdin: "usi\ngo depth ５\nquit\n"},
		{args: []string{"usi"}, stdin: "usi\nsetoption name MultiPV value ５\nquit\n"},
		{args: []string{"usi"}, stdin: "uci\nposition startpos moves ５1a2\nquit\n"},
		{args: []string{"usi"}, stdin: "uci\nposition fen rbsgk/4p/５/P4/KGSBR[-] w - - 0 1\nquit\n"},
		{args: []string{"xboard"}, stdin: "xboard\nvariant minishogi\nforce\nusermove ５1a2\nquit\n"},
		{args: []string{"xboard"}, stdin: "xboard\nvariant minishogi\nsetboard rbsgk/4p/５/P4/KGSBR[-] w 0 1\nquit\n"},
		{args: []string{"xboard"}, stdin: "xboard\nlevel ５ 5 0\nquit\n"},
	} {
		cmd := command(t, append([]string{"--dir", t.TempDir()}, c.args...)...)
		cmd.Stdin = strings.NewReader(c.stdin)
		r := finish(t, cmd)
		said := r.stdout + r.stderr
		if !strings.ContainsAny(said, "５４") || !utf8.ValidString(said) {
			t.Errorf("%q, %q: status %d:\n%s", c.args, c.stdin, r.status, said)
		}
		// A byte of ５ or ４ on its own would be shown as one of these.
		if strings.ContainsAny(said, "ï¼") || strings.Contains(said, `\x`) || strings.Contains(said, `\u00`) {
			t.Errorf("%q, %q: status %d:\n%s", c.args, c.stdin, r.status, said)
		}
	}
}

package xboard

import (
	"strings"
	"testing"
)

// Whatever is sent, the session goes on to its end.
func FuzzSession(f *testing.F) {
	for _, seed := range []string{
		"protover 2\nnew\nvariant minishogi\nst 1\nusermove e1e2\n?\nping 1", "force\nsetboard 4k/5/5/5/K4[R] w 0 1\ngo\n?\nundo\nremove\nhint",
		"analyze\n.\nusermove e1e2\nundo\nexit\nlevel 40 5:30 1.5\ntime 10\notim 10\nsd 2", "option MultiPV=3\nmemory 1\ncores 2\nresult *\nplayother\na1b2",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, input string) {
		if strings.Contains(strings.ToLower(input), "path") || strings.Contains(input, "memory") {
			return // no programs are to be started, no folders opened, no memory filled
		}
		var out strings.Builder
		if err := New("test", nil, &out).Run(strings.NewReader("memory 1\n" + input + "\nquit\n")); err != nil {
			t.Fatal(err)
		}
	})
}

package mate

import (
	"bufio"
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"gogotb/rules"
)

// readTSV reads the lines of a table, without its heading.
func readTSV(t testing.TB, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines [][]string
	in := bufio.NewScanner(f)
	for in.Scan() {
		lines = append(lines, strings.Split(in.Text(), "\t"))
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	if len(lines) < 2 {
		t.Fatalf("%s is empty", path)
	}
	return lines[1:]
}

func mustParse(t testing.TB, sfen string) rules.Position {
	t.Helper()
	p, err := rules.ParseSFEN(sfen)
	if err != nil {
		t.Fatalf("%s: %v", sfen, err)
	}
	return p
}

func mustSolve(t testing.TB, s *Solver, pos *rules.Position, opt Options) Result {
	t.Helper()
	r, err := s.Solve(context.Background(), pos, opt)
	if err != nil {
		t.Fatalf("%s: %v", pos.SFEN(), err)
	}
	return r
}

// checkLine plays the line of an answer of exact length, which has to be legal and end in mate.
func checkLine(t testing.TB, pos rules.Position, tsume bool, r Result) {
	t.Helper()
	if len(r.Line) != r.Plies {
		t.Fatalf("%s: a line of %d moves for mate in %d", pos.SFEN(), len(r.Line), r.Plies)
	}
	start := pos
	for i, m := range r.Line {
		if err := pos.Legal(m); err != nil {
			t.Fatalf("%s: move %d of %v: %v", start.SFEN(), i+1, r.Line, err)
		}
		if tsume && i%2 == 0 && !pos.GivesCheck(m) {
			t.Fatalf("%s: move %d of %v gives no check", start.SFEN(), i+1, r.Line)
		}
		pos.Make(m)
	}
	if pos.HasMove() {
		t.Fatalf("%s: %v does not mate", start.SFEN(), r.Line)
	}
}

// Lengths of mates from public test suites, see ../testdata/mates.tsv: "none" is no mate within at
// least seven plies.
func TestKnownMates(t *testing.T) {
	for _, line := range readTSV(t, "../testdata/mates.tsv") {
		pos := mustParse(t, line[0])
		for i, tsume := range []bool{true, false} {
			want := line[1+i]
			if want == "" {
				continue
			}
			s := New(16 << 20)
			if want == "none" {
				r := mustSolve(t, s, &pos, Options{Tsume: tsume, MaxPlies: 7})
				if r.Verdict != NoMateWithin && r.Verdict != NoMate {
					t.Errorf("%s tsume %v: %v %d, want no mate", line[0], tsume, r.Verdict, r.Plies)
				}
				continue
			}
			n, err := strconv.Atoi(want)
			if err != nil {
				t.Fatal(err)
			}
			verdict := [2]Verdict{MatedIn, MateIn}[n%2]
			r := mustSolve(t, s, &pos, Options{Tsume: tsume})
			if r.Verdict != verdict || r.Plies != n {
				t.Errorf("%s tsume %v: %v %d, want %v %d", line[0], tsume, r.Verdict, r.Plies, verdict, n)
				continue
			}
			checkLine(t, pos, tsume, r)
			// The limit on both sides of the length.
			if r = mustSolve(t, s, &pos, Options{Tsume: tsume, MaxPlies: n}); n > 0 && r.Plies != n {
				t.Errorf("%s tsume %v: %v %d within %d", line[0], tsume, r.Verdict, r.Plies, n)
			}
			if n > 1 {
				r = mustSolve(t, New(16<<20), &pos, Options{Tsume: tsume, MaxPlies: n - 1})
				if r.Verdict != NoMateWithin || r.Plies != n-1 {
					t.Errorf("%s tsume %v: %v %d within %d", line[0], tsume, r.Verdict, r.Plies, n-1)
				}
			}
		}
	}
}

package storage

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"gogotb/index"
	"gogotb/rules"
)

// TestQuestions asks the errors of probes whether the position is not covered, and whether a table is broken: each
// of the ways in which a caller gets them.
func TestQuestions(t *testing.T) {
	dir := written(t, "none", "G", "P", "S")
	tables := open(t, dir)
	covered, err := tables.Set(material(t, "G"))
	if err != nil {
		t.Fatal(err)
	}
	corrupt := func(name string, change func([]byte) []byte) {
		path := filepath.Join(dir, FileName(material(t, name), Outcomes))
		put(t, change(read(t, path)), path)
	}
	corrupt("P", func(b []byte) []byte { return b[:len(b)/2] })
	corrupt("S", func(b []byte) []byte { return []byte(strings.Repeat("no table ", 40)) })

	const neither, notCovered, broken = 0, 1, 2
	for _, c := range []struct {
		name, sfen string
		want       int
	}{
		{"covered", "4k/5/5/5/K4 b G", -1},
		{"not installed", "4k/5/5/5/K4 b R", notCovered},
		{"too many pieces", rules.StartSFEN, notCovered},
		{"six pieces", "4k/5/5/5/K4 b RBGSPr", notCovered},
		{"one king", "4k/5/5/5/5 b G", notCovered},
		{"one king, not installed", "4k/5/5/5/5 b R", notCovered},
		{"cut short", "4k/5/5/5/K4 b P", broken},
		{"no table at all", "4k/5/5/5/K4 b S", broken},
	} {
		p := position(t, c.sfen)
		var board [rules.Squares]rules.Piece
		for s := range board {
			board[s] = p.At(rules.Square(s))
		}
		hands := [2]rules.Hand{p.Hand(rules.Sente), p.Hand(rules.Gote)}
		for call, err := range map[string]error{
			"Probe":    second(tables.Probe(&p)),
			"Outcome":  second(tables.Outcome(&p)),
			"Moves":    second(tables.Moves(&p, Adjudication{})),
			"Line":     second(tables.Line(&p)),
			"ProbeRaw": second(tables.ProbeRaw(&board, &hands, p.SideToMove())),
		} {
			got := neither
			switch {
			case err == nil:
				got = -1
			case errors.Is(err, ErrNotCovered) && errors.Is(err, ErrCorrupt):
				got = 3
			case errors.Is(err, ErrNotCovered):
				got = notCovered
			case errors.Is(err, ErrCorrupt):
				got = broken
			}
			if got != c.want {
				t.Errorf("%s, %s: %v is taken for %d, want %d", c.name, call, err, got, c.want)
			}
		}
	}

	// Details stay behind the answers.
	p := position(t, "4k/5/5/5/5 b G")
	var king *index.KingError
	if _, err := tables.Probe(&p); !errors.As(err, &king) || king.Missing != rules.Sente {
		t.Errorf("error %v", err)
	}
	p = position(t, "4k/5/5/5/K4 b R")
	if _, err := covered.Probe(&p); !errors.Is(err, ErrNotCovered) {
		t.Errorf("a position of another set: %v", err)
	}
	// A file of another version is not damaged, and not missing either.
	if err := error(&VersionError{}); errors.Is(err, ErrCorrupt) || errors.Is(err, ErrNotCovered) {
		t.Error("a file of another version is taken for something else")
	}
}

func second[T any](_ T, err error) error { return err }

// TestResultString: a number that is not known is not said to be 0.
func TestResultString(t *testing.T) {
	for r, want := range map[Result]string{
		{rules.MakeValue(rules.MateLoss, 0), false}:     "loss by mate",
		{rules.MakeValue(rules.MateLoss, 0), true}:      "loss in 0",
		{rules.MakeValue(rules.MateWin, 3), true}:       "win in 3",
		{rules.MakeValue(rules.PerpetualWin, 0), false}: "win by perpetual check",
		{rules.MakeValue(rules.Open, 0), true}:          "open",
	} {
		if got := r.String(); got != want {
			t.Errorf("%d, %v: %s, want %s", r.Value, r.Exact, got, want)
		}
	}
}

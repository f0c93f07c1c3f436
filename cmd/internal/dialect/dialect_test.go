package dialect

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gogotb/rules"
)

func parse(t testing.TB, sfen string) rules.Position {
	t.Helper()
	p, err := rules.ParseSFEN(sfen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// As Fairy-Stockfish 11.1 writes them (command d).
func TestFEN(t *testing.T) {
	for sfen, fen := range map[string]string{
		"rbsgk/4p/5/P4/KGSBR b - 1":       "rbsgk/4p/5/P4/KGSBR[] w - - 0 1",
		"rbsgk/4p/5/P3R/KGSB1 w - 2":      "rbsgk/4p/5/P3R/KGSB1[] b - - 0 1",
		"4k/5/5/5/K4 b 2RPp 7":            "4k/5/5/5/K4[RRPp] w - - 0 4",
		"4k/1+r1+B1/5/3+s1/K3+P w Gg 300": "4k/1+r1+B1/5/3+s1/K3+P[Gg] b - - 0 150",
		"4k/5/5/5/K4 w RRBBGGSSPP 2":      "4k/5/5/5/K4[RRBBGGSSPP] b - - 0 1",
		"rbsgk/4p/5/P4/KGSBR b - 999999":  "rbsgk/4p/5/P4/KGSBR[] w - - 0 500000",
	} {
		p := parse(t, sfen)
		if got := FEN(&p); got != fen {
			t.Errorf("%s: %s, want %s", sfen, got, fen)
		}
	}
}

// What Fairy-Stockfish, its documentation and XBoard write.
func TestParseFEN(t *testing.T) {
	for fen, sfen := range map[string]string{
		StartFEN:                                 "rbsgk/4p/5/P4/KGSBR b - 1",
		"rbsgk/4p/5/P4/KGSBR[] w - - 0 1":        "rbsgk/4p/5/P4/KGSBR b - 1",
		"rbsgk/4p/5/P4/KGSBR w - - 0 1":          "rbsgk/4p/5/P4/KGSBR b - 1",
		"rbsgk/4p/5/P4/KGSBR[-] b":               "rbsgk/4p/5/P4/KGSBR w - 2",
		"4k/5/5/5/K4[PRpR] w 0 4":                "4k/5/5/5/K4 b 2RPp 7",
		"4k/1+r1+B1/5/3+s1/K3+P[gG] b - - 0 150": "4k/1+r1+B1/5/3+s1/K3+P w Gg 300",
	} {
		p, err := ParseFEN(fen)
		if err != nil {
			t.Errorf("%s: %v", fen, err)
			continue
		}
		if p.SFEN() != sfen {
			t.Errorf("%s: %s, want %s", fen, &p, sfen)
		}
	}
	for fen, want := range map[string]string{
		"":                                 "board, character 1: missing",
		"4k/5/5/5/K4[]":                    "side to move, character 14: missing",
		"4k/5/5/5/K4[R w":                  "hands, character 12: they are not closed",
		"4k/5/5/5/K4[RX] w":                `hands, character 14: "X" is no piece`,
		"4k/5/5/5/K4[角] w":                 `hands, character 13: "角" is no piece`,
		"4k/5/5/5/K4[RRR] w":               "hands, character 15: more than two pieces",
		"4k/5/5/5/K4[] x":                  `side to move, character 15: "x" is not w or b`,
		" 4k/5/5/é/K4[]  w":                `board, character 9: "é" is no piece`,
		"4k/5/5/5/K4[]  w KQkq - 0 1":      "extra field, character 18: ",
		"4k/5/5/5/K4[] w - - 0 1 7":        "extra field, character 25: ",
		"rnbqkbnr/8/8/8/8/8/8/8 w - - 0 1": "board, character 2",
		"5/5/5/5/5[] w - - 0 1":            "king",
	} {
		_, err := ParseFEN(fen)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", fen, err, want)
		}
	}
}

// Every move and position of random games survives both dialects.
func TestRoundTrips(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		start := parse(t, rules.StartSFEN)
		if h := random.IntN(len(rules.Handicaps) + 1); h > 0 {
			start = parse(t, rules.Handicaps[h-1].SFEN)
		}
		p := start
		var moves []rules.Move
		for range random.IntN(80) {
			legal := p.Moves(nil)
			if len(legal) == 0 {
				break
			}
			for _, m := range legal {
				for _, d := range []Dialect{USI, UCI} {
					if got, err := d.ParseMove(d.Move(m)); err != nil || got != m {
						t.Fatalf("%v %v: %v, %v", d, m, got, err)
					}
				}
			}
			m := legal[random.IntN(len(legal))]
			p.Make(m)
			moves = append(moves, m)
		}
		if q, err := ParseFEN(FEN(&p)); err != nil || !q.Same(&p) {
			t.Fatalf("%v: %s: %v, %v", &p, FEN(&p), &q, err)
		}
		for _, d := range []Dialect{USI, UCI} {
			command := strings.Fields(d.Position(&start, moves))
			gotStart, gotMoves, err := d.ParsePosition(command[1:])
			if err != nil || !gotStart.Same(&start) || !reflect.DeepEqual(gotMoves, moves) {
				t.Fatalf("%v: %v, %v, %v", command, &gotStart, gotMoves, err)
			}
		}
	}
}

func TestFairyMoves(t *testing.T) {
	for usi, want := range map[string]string{"5e4d": "a1b2", "5b5a+": "a4a5+", "P*3c": "P@c3", "1a5e": "e5a1", "G*1e": "G@e1"} {
		m, err := rules.ParseUSI(usi)
		if err != nil {
			t.Fatal(err)
		}
		if got := FairyMove(m); got != want {
			t.Errorf("%s: %s, want %s", usi, got, want)
		}
	}
	for _, text := range []string{"", "a1", "a1a1", "a0a1", "f1e1", "a1b6", "p@c3", "K@c3", "P@c3+", "P*3c", "5e4d", "a1b2=", "a1b2++", "a1b2q", "0000", "P@", "\x00@c3", "é1"} {
		if m, err := ParseFairyMove(text); err == nil {
			t.Errorf("%q is %v", text, m)
		}
	}
	for text, column := range map[string]int{"": 1, "a1": 2, "x1a2": 1, "a0a1": 2, "a1b6": 4, "a1b2q": 5, "a1b2++": 6, "a1歩2": 3, "P*3c": 2} {
		_, err := ParseFairyMove(text)
		var wrong *rules.MoveError
		if !errors.As(err, &wrong) || wrong.Column != column {
			t.Errorf("%q: %v, want character %d", text, err, column)
		}
	}
}

// A move that declines a promotion may end with "=". Nothing else may.
func TestPromotionDeclined(t *testing.T) {
	for _, c := range []struct {
		d          Dialect
		text, move string
	}{
		{USI, "5b5a=", "5b5a"}, {UCI, "a4a5=", "5b5a"}, {USI, "1a2b=", "1a2b"},
		{USI, "5b5a+=", ""}, {USI, "5b5a=+", ""}, {USI, "5b5a==", ""}, {USI, "R*5a=", ""}, {USI, "=", ""}, {USI, "5b5b=", ""},
		{UCI, "a4a5+=", ""}, {UCI, "a4a5=+", ""}, {UCI, "a4a5==", ""}, {UCI, "R@a5=", ""}, {UCI, "=", ""}, {UCI, "5b5a=", ""},
	} {
		m, err := c.d.ParseMove(c.text)
		if got := m.USI(); (err == nil) != (c.move != "") || err == nil && got != c.move {
			t.Errorf("%v %q: %s, %v, want %q", c.d, c.text, got, err, c.move)
		}
	}
	start, moves, err := UCI.ParsePosition(strings.Fields("fen 4k/R4/5/5/K4[] w - - 0 1 moves a4a5= e5e4 a5a4="))
	if p := start; err == nil {
		for _, m := range moves {
			p.Make(m)
		}
		if err = p.Validate(); p.SFEN() != "5/R3k/5/5/K4 w - 4" {
			t.Error(&p)
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// The words behind a score that is no more than a bound.
func TestBounds(t *testing.T) {
	for b, word := range map[Bound]string{LowerBound: "lowerbound", UpperBound: "upperbound"} {
		if got, ok := ParseBound(word); got != b || !ok || b.String() != word {
			t.Errorf("%s: %v, %v", word, got, ok)
		}
	}
	for _, word := range []string{"", "nodes", "lower"} {
		if b, ok := ParseBound(word); ok || b != Exact {
			t.Errorf("%q: %v", word, b)
		}
	}
}

// UCI counts moves to mate, USI plies; in UCI there is no mate of unknown length.
func TestScores(t *testing.T) {
	for _, c := range []struct {
		score    Score
		usi, uci string
	}{
		{MateIn(1), "mate 1", "mate 1"},
		{MateIn(3), "mate 3", "mate 2"},
		{MateIn(13), "mate 13", "mate 7"},
		{MatedIn(0), "mate -0", "mate 0"},
		{MatedIn(2), "mate -2", "mate -1"},
		{MatedIn(12), "mate -12", "mate -6"},
		{MateUnknown, "mate +", "cp 20001"},
		{-MateUnknown, "mate -", "cp -20001"},
		{PerpetualWin(3), "cp 19997", "cp 19997"},
		{-PerpetualWin(3), "cp -19997", "cp -19997"},
		{RepetitionWin, "cp 10000", "cp 10000"},
		{-RepetitionWin, "cp -10000", "cp -10000"},
		{Drawn, "cp 0", "cp 0"},
		{-57, "cp -57", "cp -57"},
		{MaxEstimate, "cp 9999", "cp 9999"},
	} {
		if got := USI.Text(c.score); got != c.usi {
			t.Errorf("%d in USI: %s, want %s", c.score, got, c.usi)
		}
		if got := UCI.Text(c.score); got != c.uci {
			t.Errorf("%d in UCI: %s, want %s", c.score, got, c.uci)
		}
		if plies, ok := c.score.Mate(); ok {
			for _, d := range []Dialect{USI, UCI} {
				unit, number, _ := strings.Cut(d.Text(c.score), " ")
				if got, err := d.ParseScore(unit, number); err != nil || got != c.score {
					t.Errorf("%v mate in %d: read as %d, %v", d, plies, got, err)
				}
			}
		}
	}
	for i, better := range []Score{MateIn(1), MateIn(99), MateUnknown, PerpetualWin(1), PerpetualWin(28), RepetitionWin, MaxEstimate, 1, Drawn} {
		worse := []Score{MateIn(3), MateUnknown, PerpetualWin(0), PerpetualWin(2), RepetitionWin, MaxEstimate, Drawn, Drawn, -1}[i]
		if better <= worse || -better >= -worse {
			t.Errorf("%d is not better than %d", better, worse)
		}
	}
	for _, c := range [][2]string{{"cp", "x"}, {"mate", ""}, {"lowerbound", "3"}, {"mate", "99999999999999999999"}} {
		if s, err := USI.ParseScore(c[0], c[1]); err == nil {
			t.Errorf("%v: %d", c, s)
		}
	}
	if s, err := UCI.ParseScore("mate", "9999999"); err != nil || !s.Decided() {
		t.Error(s, err)
	}
}

// A move adds a ply to the way to mate, and nothing to other scores.
func TestBefore(t *testing.T) {
	for after, before := range map[Score]Score{
		MatedIn(0):       MateIn(1),
		MatedIn(12):      MateIn(13),
		MateIn(1):        MatedIn(2),
		MateIn(13):       MatedIn(14),
		MateUnknown:      -MateUnknown,
		-MateUnknown:     MateUnknown,
		PerpetualWin(3):  -PerpetualWin(3),
		-PerpetualWin(3): PerpetualWin(3),
		RepetitionWin:    -RepetitionWin,
		Drawn:            Drawn,
		57:               -57,
	} {
		if got := after.Before(); got != before {
			t.Errorf("before %d: %d, want %d", after, got, before)
		}
		if got := before.After(); got != after {
			t.Errorf("after %d: %d, want %d", before, got, after)
		}
	}
}

func TestParsePositionErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "missing",
		"here":                                "not startpos",
		"startpos please":                     "follows startpos",
		"sfen 9/9/9/9/9/9/9/9/9 b - 1":        "character 1",
		"sfen":                                "missing",
		"startpos moves 5e5e":                 "ends where it starts",
		"startpos moves 1e1d xyz":             "too short",
		"fen rbsgk/4p/5/P4/KGSBR[] w moves ?": "too short",
	} {
		_, _, err := USI.ParsePosition(strings.Fields(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzParsePosition(f *testing.F) {
	f.Add("startpos moves 1e1d", false)
	f.Add("fen "+StartFEN+" moves a1b2 P@c3", true)
	f.Add("sfen 4k/5/5/5/K4 b RG 1", false)
	f.Add("sfen 4k/R4/5/5/K4 b - 1 moves 5b5a= 1a1b 5a5b+", false)
	f.Fuzz(func(t *testing.T, text string, uci bool) {
		d := USI
		if uci {
			d = UCI
		}
		start, moves, err := d.ParsePosition(strings.Fields(text))
		if err != nil {
			return
		}
		again, moves2, err := d.ParsePosition(strings.Fields(d.Position(&start, moves))[1:])
		if err != nil || !again.Same(&start) || !reflect.DeepEqual(moves2, moves) {
			t.Fatalf("%q: written as %q: %v", text, d.Position(&start, moves), err)
		}
	})
}

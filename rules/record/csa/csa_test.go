package csa

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/rules/record/recordtest"
)

// one reads a file that holds one game.
func one(t *testing.T, text string) (*record.Game, error) {
	t.Helper()
	return recordtest.One(t, Games(text))
}

// board is the mate in 3 by G-12, Kx12, R*13.
const board = `P1 *  * -GI-KI-OU
P2 *  *  *  *  *
P3 *  *  * +HI+KI
P4 *  *  *  *  *
P5 *  *  *  * +OU
P+00HI
+
`

const mate = "+1312KI\n-1112OU\n+0013HI\n"

// TestWholeGame has everything that a game of a server has. The moves: a silver to 3d, a bishop to 2c, which takes the
// silver; the rook takes the bishop.
func TestWholeGame(t *testing.T) {
	g, err := one(t, `'CSA encoding=UTF-8
V3.0
'a remark
N+Alice, the first
N-ボブ
$EVENT:Cup 1, round 2
$START_TIME:2024/05/01 10:30:00
'*before
PI
+
+3534GI
T12
'** 30 +3534GI
'a remark, too
-4123KA,T3.5
+3423GI,T0
-3122GI
%TORYO
T9
$END_TIME:2024/05/01 10:40:00
`)
	if err != nil {
		t.Fatal(err)
	}
	if g.Start.SFEN() != rules.StartSFEN || recordtest.USI(g.Moves) != "3e3d 4a2c 3d2c 3a2b" || g.End != (record.End{Text: "TORYO", Kind: record.Resigns}) {
		t.Errorf("%s, %s, %v", g.Start.SFEN(), recordtest.USI(g.Moves), g.End)
	}
	if g.Players != [2]string{"Alice, the first", "ボブ"} || g.Header("EVENT") != "Cup 1, round 2" || g.Header("END_TIME") != "2024/05/01 10:40:00" {
		t.Errorf("%v, %v", g.Players, g.Headers)
	}
	var times []time.Duration
	for _, m := range g.Moves {
		times = append(times, m.Time)
	}
	if !slices.Equal(times, []time.Duration{12 * time.Second, 3500 * time.Millisecond, 0, 0}) {
		t.Errorf("times %v", times)
	}
	if !slices.Equal(g.Comments, []string{"before"}) || !slices.Equal(g.Moves[0].Comments, []string{"* 30 +3534GI"}) || len(g.Notes) != 0 || g.FileLine != 1 {
		t.Errorf("%q, %q, notes %v, line %d", g.Comments, g.Moves[0].Comments, g.Notes, g.FileLine)
	}
}

// TestStarts: the ways to write a position.
func TestStarts(t *testing.T) {
	const noRook = "1bsgk/4p/5/P4/KGSBR w - 1"
	for text, want := range map[string]string{
		board:                                    "2sgk/5/3RG/5/4K b R 1",
		strings.ReplaceAll(board, " *  *", "**"): "2sgk/5/3RG/5/4K b R 1",
		strings.ReplaceAll(board, "  ", " "):     "2sgk/5/3RG/5/4K b R 1",
		strings.ReplaceAll(board, "P+00HI\n+", "+\nP+00HI"): "2sgk/5/3RG/5/4K b R 1",
		"P-31GI21KI11OU\nP+23HI13KI15OU00HI\n+\n":           "2sgk/5/3RG/5/4K b R 1",
		"P-31GI 21KI 11OU\nP+23HI,P+13KI,P+15OU,P+00HI,+\n": "2sgk/5/3RG/5/4K b R 1",
		"P-31NG21KI11OU\nP+15OU23RY13UM33TO\n-\n":           "2+sgk/5/2+P+R+B/5/4K w - 1",
		"P-11OU\nP+15OU25KI\nP-00AL\n+\n":                   "4k/5/5/5/3GK b 2r2bg2s2p 1",
		"P+00AL\nP-11OU00HI\nP+15OU25RY\n-\n":               "4k/5/5/5/3+RK w 2B2G2S2Pr 1",
		"PI\n+\n":                                           rules.StartSFEN,
		"+\n+4544KI\n":                                      rules.StartSFEN,
		"+4544KI\n":                                         rules.StartSFEN,
		"N+x\n%CHUDAN\n":                                    rules.StartSFEN,
		"PI51HI\n-\n":                                       noRook,
		"PI51hi\n-\n":                                       noRook,
		"PI51HI\n-2122KI\n":                                 noRook, // the first move says whose it is
		"PI51HI41KA31GI21KI\n-\n":                           "4k/4p/5/P4/KGSBR w - 1",
		"P-11OU\nP+15OU55KI\n-\n\n":                         "4k/5/5/5/G3K w - 1",
	} {
		g, err := one(t, "V2.2\n"+text)
		if err != nil || g.Start.SFEN() != want {
			t.Errorf("%s%v, %+v", text, err, g)
		}
	}
}

// TestMoves: promotion is told by the piece behind the move.
func TestMoves(t *testing.T) {
	const start = "P-51OU13FU\nP+55OU22GI32GI42HI12KA00FU\n+\n"
	for move, want := range map[string]string{
		"+2221NG": "2b2a+", "+2221GI": "2b2a", "+3231NG": "3b3a+", "+4241RY": "4b4a+", "+4241HI": "4b4a", "+1221UM": "1b2a+",
		"+0033FU": "P*3c", "+5544OU": "5e4d", "5544OU": "5e4d", "+5544ou": "5e4d",
	} {
		g, err := one(t, start+move+"\n")
		if err != nil || recordtest.USI(g.Moves) != want {
			t.Errorf("%s: %v, %+v", move, err, g)
		}
	}
	for move, want := range map[string]string{
		"+2221KI": "the piece on 22 cannot become KI",
		"+2221TO": "the piece on 22 cannot become TO",
		"+2224GI": "illegal move 2b2d",
		"+0014FU": "illegal move P*1d",
		"+0033KI": "illegal move G*3c: no such piece in hand",
		"+0033RY": "RY cannot be dropped",
		"+0033OU": "OU cannot be dropped",
		"+0033KE": `"KE" is no piece of 5x5 shogi`,
		"+2221NY": `"NY" is no piece of 5x5 shogi`,
		"+7776FU": "there is no square 77 on 5x5 squares",
		"+2226GI": "there is no square 26 on 5x5 squares",
		"+2200GI": "no move ends in hand",
		"+2222GI": "ends where it starts",
		"+3332KI": "sente has no piece on 33",
		"+5161OU": "there is no square 61",
		"+5141OU": "sente has no piece on 51",
		"-3132GI": "sente is to move",
		"-2221GI": "sente is to move",
		"+22GI":   "move 22GI: an origin, a target and a piece",
		"+2221銀":  "move 2221銀: an origin, a target and a piece",
	} {
		g, err := one(t, start+"+5544OU\n-1314FU\n"+move+"\n-5152OU\n")
		var at *record.Error
		if g == nil || !errors.As(err, &at) || at.Line != 6 || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", move, err, want)
			continue
		}
		if recordtest.USI(g.Moves) != "5e4d 1c1d" {
			t.Errorf("%s: moves %s", move, recordtest.USI(g.Moves))
		}
	}
}

func TestEnds(t *testing.T) {
	for word, want := range map[string]record.EndKind{
		"TORYO": record.Resigns, "CHUDAN": record.Interrupted, "SENNICHITE": record.Repetition, "TIME_UP": record.OutOfTime,
		"ILLEGAL_MOVE": record.IllegalLoses, "+ILLEGAL_ACTION": record.IllegalWins, "-ILLEGAL_ACTION": record.IllegalLoses,
		"JISHOGI": record.Impasse, "KACHI": record.EnteringWins, "HIKIWAKE": record.Draw, "MAX_MOVES": record.PlyLimit,
		"TSUMI": record.Checkmate, "FUZUMI": record.NoCheckmate, "MATTA": record.OtherEnd, "+X": record.OtherEnd,
	} {
		g, err := one(t, "PI\n+\n+4544KI\n%"+word+"\n")
		if err != nil || recordtest.USI(g.Moves) != "4e4d" || g.End != (record.End{Text: word, Kind: want}) {
			t.Errorf("%s: %v, %v", word, g.End, err)
		}
		if known := want != record.OtherEnd; (len(g.Notes) == 0) != known {
			t.Errorf("%s: notes %v", word, g.Notes)
		}
	}
}

// TestLenient: what changes neither the position nor the moves is passed over, with a note.
func TestLenient(t *testing.T) {
	for _, c := range []struct {
		name, text string
		notes      int
	}{
		{"as it should be", "V2.2\n" + board + mate, 0},
		{"commas", "V2.2\n" + board + "+1312KI,T1,-1112OU,T2,+0013HI,T3\n%TSUMI\n", 0},
		{"a comma at the end", "V2.2,\n" + board + "+1312KI,\nT1,\n-1112OU,+0013HI\n", 0},
		{"spaces", "  V2.2\n" + board + " +1312KI \n\n\n -1112OU , T1\n+0013HI\n", 0},
		{"no version", board + mate, 0},
		{"words", "V2.2\nなんだ\n" + board + "+1312KI\nかんだ\n-1112OU\n+0013HI\n終わり\n", 3},
		{"words like statements", "Vx\nNx\nPx\n" + board + "+1312KI\nPx\nV\n-1112OU\nN\n+0013HI\n", 5}, // Px twice
		{"words behind a move", board + "+1312KI T1\n-1112OU 'x\n+0013HI\n", 2},
		{"a strange header", "$なんだ\n" + board + mate, 1},
		{"a strange time", board + "+1312KI\nTx\n-1112OU\n+0013HI\nT-1\n", 2},
		{"a side among the moves", board + "+1312KI\n-\n-1112OU\n+0013HI\n", 1},
		{"moves after the end", board + mate + "%TSUMI\n-1213OU\n%TORYO\n", 2},
		{"a separator at the end", board + mate + "/\n", 0},
		{"separators around", "/\n" + board + mate + "/\n/\n'remark\n/\n", 0},
	} {
		g, err := one(t, c.text)
		if err != nil || g.Start.SFEN() != "2sgk/5/3RG/5/4K b R 1" || recordtest.USI(g.Moves) != "1c1b 1a1b R*1c" || len(g.Notes) != c.notes {
			t.Errorf("%s: %v, %+v", c.name, err, g)
		}
	}
}

// TestRefused: what is no position of 5x5 shogi is named with its line.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\n": `CSA: line 2: "KY" is no piece of 5x5 shogi`,
		"P1 *  *  * -OU *  * \n":          "CSA: line 2: the rank has more than 5 squares",
		"P1 *  *  * -OU\n":                "CSA: line 2: the rank has 4 squares",
		"P1 *  *  x -OU * \n":             "CSA: line 2: a square is *, or + or - and a piece; it does not begin with 'x'",
		"P1 *  *  五 -OU * \n":             "CSA: line 2: a square is *, or + or - and a piece; it does not begin with '五'",
		"P6 *  *  *  *  * \n":             "CSA: line 2: there is no rank 6",
		"PI82HI22KA\n":                    "CSA: line 2: there is no square 82",
		"PI51KA\n":                        "CSA: line 2: there is no KA to leave out",
		"P+55\n":                          "CSA: line 2: a square and a piece, like 55OU, belong here",
		"P+五五OU\n":                        "CSA: line 2: a square and a piece, like 55OU, belong here, not \"五五OU\"",
		"P+00OU\n":                        "CSA: line 2: OU cannot be held",
		"P+00HI00HI00HI\n":                "CSA: line 2: more than two HI in hand",
		"P+15OU\nP-15OU\n":                "CSA: line 3: there is a piece on the square",
		"P1 *  *  * +OU * \nP2 *  *  *  *  * \nP4 *  *  *  *  * \nP5 *  *  * -OU * \n+\n": "CSA: line 2: of the ranks, P3 is missing",
		"P1 *  *  * +OU * \nP1 *  *  * -OU * \n":                                          "CSA: line 3: rank 1 is there twice",
		"P+15OU11FU\nP-51OU\n+\n":                                                         "CSA: line 2: illegal position",
		"P+15OU55HI\nP-51OU\n+\n+1514OU\n":                                                "CSA: line 2: illegal position", // a king that could be taken
		"P+15OU\nP-51OU00HI00HI\nP+00HI\n+\n%X\n":                                         "CSA: line 2: illegal position",
	} {
		g, err := one(t, "V2.2\n"+text)
		if g != nil || err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestManyGames: what is wrong with one game costs no other, and separators may be missing.
func TestManyGames(t *testing.T) {
	game := board + mate
	for _, c := range []struct{ name, text, want string }{
		{"two", "V2.2\n" + game + "/\n" + game, "3 3"},
		{"headers of each", "V2.2\nN+a\n" + game + "/\nN+b\n" + game, "3 3"},
		{"no separators", "V2.2\n" + game + "V2.2\n" + game + game, "3 3 3"},
		{"end time", game + "$END_TIME:x\n/\n" + game, "3 3"},
		{"9x9 between", game + "/\nP1-KY-KE-GI-KI-OU-KI-GI-KE-KY\n+\n+7776FU\n/\n" + game, "3 line12 3"},
		{"an illegal move between", game + "/\nPI\n+\n+4544KI\n-2144KI\n+5545OU\n/\n" + game, "3 1,line15 3"},
		{"9x9 moves between", game + "/\nPI\n+\n+7776FU\n-3334FU\n/\n" + game, "3 0,line14 3"},
		{"nothing", "'x\n\n/\n", ""},
	} {
		var got []string
		for g, err := range Games(c.text) {
			var parts []string
			if g != nil {
				parts = append(parts, strconv.Itoa(len(g.Moves)))
			}
			var at *record.Error
			if errors.As(err, &at) {
				parts = append(parts, fmt.Sprint("line", at.Line))
			}
			got = append(got, strings.Join(parts, ","))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %s", c.name, got, c.want)
		}
	}
}

func FuzzGames(f *testing.F) {
	f.Add("V2.2\n" + board + mate + "%TSUMI\n")
	f.Add("PI51HI\n-\n-2122KI,T1\n'*x\n%+ILLEGAL_ACTION\n/\nP+00AL\n")
	f.Fuzz(func(t *testing.T, text string) {
		for g, err := range Games(text) {
			if g == nil && err == nil || err != nil && err.Error() == "" {
				t.Fatalf("%v, %v", g, err)
			}
			if g == nil {
				continue
			}
			if err := g.Start.Validate(); err != nil {
				t.Fatal(err)
			}
			p := g.Start
			for _, m := range g.Played() {
				if err := p.Legal(m); err != nil {
					t.Fatal(err)
				}
				p.Make(m)
			}
		}
	})
}

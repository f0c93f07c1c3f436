package usi

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"gogotb/cmd/internal/enginetest"
	"gogotb/cmd/internal/tabletest"
	"gogotb/rules"
	"gogotb/storage"
)

// folder has tables of the sets below.
var folder string

func TestMain(m *testing.M) {
	enginetest.Run()
	os.Exit(testMain(m))
}

func testMain(m *testing.M) int {
	var err error
	if folder, err = os.MkdirTemp("", "gogotb-usi-"); err == nil {
		defer os.RemoveAll(folder)
		err = tabletest.Write(folder, "none", "R", "P", "RG", "RB", "PP")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// connect starts a session, which ends with the test.
func connect(t *testing.T) *enginetest.Client {
	return enginetest.Connect(t, func(in io.Reader, out io.Writer) error {
		return New("gogotb test", []string{folder}, out).Run(in)
	})
}

// count counts the lines that begin with a prefix.
func count(lines []string, prefix string) (n int) {
	for _, line := range lines {
		if strings.HasPrefix(line, prefix) {
			n++
		}
	}
	return n
}

// field is the word behind a word of a line.
func field(line, name string) string {
	words := strings.Fields(line)
	for i, w := range words {
		if w == name && i+1 < len(words) {
			return words[i+1]
		}
	}
	return ""
}

func TestIntroduction(t *testing.T) {
	c := connect(t)
	c.Send("usi")
	text := strings.Join(c.Read("usiok"), "\n")
	for _, want := range []string{
		"id name gogotb test", "id author ",
		"option name TablePath type string default " + folder,
		"option name Hash type spin default 64 min 1 max ",
		"option name Threads type spin ",
		"option name USI_Ponder type check ",
		"option name MultiPV type spin default 1 min 1 max ",
		"option name Repetition type combo default draw var draw var first-player-loses",
		"option name Move_Overhead type spin default 40 min 0 max 10000",
		"option name MateShare type spin default 10 min 0 max 100",
		"option name EnginePath type string default <empty>",
		"option name EngineOptions type string default <empty>",
		"option name USI_Variant type combo default minishogi var minishogi\n",
		"option name UCI_Variant type combo default minishogi var minishogi\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	c.Send("uci")
	if text := strings.Join(c.Read("uciok"), "\n"); !strings.Contains(text, "option name Ponder type check ") ||
		!strings.Contains(text, "option name Move Overhead type spin ") || strings.Contains(text, "usiok") {
		t.Error(text)
	}
	c.Send("isready")
	c.Read("readyok")
	if rest := c.Quit(); len(rest) > 0 {
		t.Error(rest)
	}
}

// A mate in three, in the units of the two protocols, and a loss in two.
func TestKnownScores(t *testing.T) {
	c := connect(t)
	for _, s := range []struct {
		greeting, position, score, best string
		plies                           int
	}{
		{"usi", "position sfen 4k/5/5/5/K4 b RG 1", "mate 3", "bestmove G*2c ponder 1a2a", 3},
		{"usi", "position sfen 4k/5/5/5/K4 b RG 1 moves G*2c", "mate -2", "bestmove 1a2a ponder R*5a", 2},
		{"usi", "position sfen 4k/5/5/5/K4 b RG 1 moves G*2c 1a2a R*5a", "mate -0", "bestmove resign", 0},
		{"uci", "position fen 4k/5/5/5/K4[RG] w - - 0 1", "mate 2", "bestmove G@d3 ponder e5d5", 3},
		{"uci", "position fen 4k/5/5/5/K4[RG] w - - 0 1 moves G@d3", "mate -1", "bestmove e5d5 ponder R@a5", 2},
		{"uci", "position fen 4k/5/5/5/K4[RG] w - - 0 1 moves G@d3 e5d5 R@a5", "mate 0", "bestmove (none)", 0},
		{"uci", "position sfen 4k/5/5/5/K4 w - 2", "cp 0", "", 0},
	} {
		c.Send(s.greeting, s.position, "go movetime 2000")
		lines := c.Read("bestmove")
		best, info := lines[len(lines)-1], lines[len(lines)-2]
		if s.best != "" && best != s.best {
			t.Errorf("%s: %s, want %s", s.position, best, s.best)
		}
		if !strings.Contains(info, " score "+s.score+" ") {
			t.Errorf("%s: %s, want %s", s.position, info, s.score)
		}
		if _, pv, _ := strings.Cut(info, " pv "); s.plies > 0 && len(strings.Fields(pv)) != s.plies {
			t.Errorf("%s: %s, want a line of %d plies", s.position, info, s.plies)
		}
	}
	if rest := c.Quit(); len(rest) > 0 {
		t.Error(rest)
	}
}

// Every way to say go, where tables know all and where they know nothing.
func TestGo(t *testing.T) {
	for _, position := range []string{"position sfen 4k/5/5/5/K4 b R 1", "position startpos moves 1e1d 5a5b"} {
		for _, limits := range []string{
			"movetime 30", "btime 1000 wtime 1000", "btime 0 wtime 0 byoyomi 40", "btime 500 wtime 500 binc 10 winc 10",
			"btime 0 wtime 0", "byoyomi 30", "depth 2", "nodes 3000", "nodes 1", "depth 1 movetime 50", "movetime 0", "movetime -5",
			"btime 99999999999999999999 byoyomi 30", "wtime 50 btime 50 movestogo 5", "depth", "movetime x nodes 100", "depth 1 searchmoves 5e5d",
		} {
			c := connect(t)
			c.Send("usi", position, "go "+limits)
			best := c.Last("bestmove")
			if best == "bestmove resign" {
				t.Errorf("%s, go %s: %s", position, limits, best)
			}
			if strings.Contains(limits, "searchmoves") && field(best, "bestmove") != "5e5d" && strings.Contains(position, "sfen") {
				t.Errorf("%s, go %s: %s", position, limits, best)
			}
			if rest := c.Quit(); count(rest, "bestmove") > 0 {
				t.Errorf("%s, go %s: one more answer", position, limits)
			}
		}
	}
}

// infinite and ponder hold the answer back, even where it is known at once.
func TestStop(t *testing.T) {
	for _, position := range []string{
		"position sfen 4k/5/5/5/K4 b R 1", "position startpos", "position sfen 4k/5/5/5/K4 b RG 1 moves G*2c 1a2a R*5a",
		"position sfen 9/9/9/9/9/9/9/9/9 b - 1", "position startpos moves 1e1e",
	} {
		for _, limits := range []string{"infinite", "ponder", "ponder btime 1000 wtime 1000 byoyomi 10", "ponder movetime 10", "ponder infinite"} {
			for _, end := range []string{"stop", "gameover win", "gameover"} {
				c := connect(t)
				c.Send("usi", position, "go "+limits)
				c.Silent("bestmove")
				c.Send("isready")
				lines := c.Read("readyok")
				c.Send(end)
				lines = append(lines, c.Read("bestmove")...)
				if n := count(lines, "bestmove"); n != 1 {
					t.Errorf("%s, go %s, %s: %d answers", position, limits, end, n)
				}
				c.Send("stop", "ponderhit", "gameover lose", "isready")
				if lines := c.Read("readyok"); len(lines) != 1 {
					t.Errorf("%s, go %s, %s: then %v", position, limits, end, lines)
				}
			}
		}
	}
}

// After ponderhit the clock runs: the answer comes by itself.
func TestPonderhit(t *testing.T) {
	for _, position := range []string{"position sfen 4k/5/5/5/K4 b R 1", "position startpos"} {
		for _, limits := range []string{"ponder btime 1000 wtime 1000", "ponder movetime 100", "ponder depth 2", "ponder btime 0 wtime 0 byoyomi 100"} {
			c := connect(t)
			c.Send("usi", position, "go "+limits)
			c.Silent("bestmove")
			c.Send("ponderhit")
			c.Read("bestmove")
			if rest := c.Quit(); count(rest, "bestmove") > 0 {
				t.Errorf("%s, go %s: one more answer", position, limits)
			}
		}
	}
}

// A second go ends the first search: both are answered, each for its position.
func TestGoWhileSearching(t *testing.T) {
	c := connect(t)
	c.Send("usi", "position startpos", "go infinite", "position sfen 4k/5/5/5/K4 b RG 1", "setoption name MultiPV value 3", "go movetime 1000")
	first, second := c.Last("bestmove"), c.Last("bestmove")
	if strings.HasPrefix(first, "bestmove G*2c") || !strings.HasPrefix(second, "bestmove G*2c") {
		t.Error(first, second)
	}
	if rest := c.Quit(); count(rest, "bestmove") > 0 {
		t.Error(rest)
	}
}

// quit and the end of the input answer what is still open.
func TestEnds(t *testing.T) {
	c := connect(t)
	c.Send("position startpos", "go infinite")
	if rest := c.Quit(); count(rest, "bestmove") != 1 {
		t.Error(rest)
	}
	for input, want := range map[string]int{
		"position startpos\ngo infinite":                              1,
		"position startpos\ngo movetime 50":                           1,
		"position sfen 4k/5/5/5/K4 b R 1\ngo ponder\n":                1,
		"go\nstop\ngo movetime 20\ngo ponder\nponderhit\nstop\nquit":  3,
		"position sfen 4k/5/5/5/K4 b R 1\ngo movetime 50\r\n":         1,
		"position sfen 4k/5/5/5/K4 b R 1\ngo depth 1\nquit\ngo depth": 1,
		"": 0,
	} {
		var out strings.Builder
		if err := New("test", []string{folder}, &out).Run(strings.NewReader(input)); err != nil {
			t.Error(err)
		}
		if n := count(strings.Split(out.String(), "\n"), "bestmove"); n != want {
			t.Errorf("%q: %d answers, want %d:\n%s", input, n, want, out.String())
		}
	}
}

// The end of the input ends what is being done, however long it would go on.
func TestEndOfInput(t *testing.T) {
	for _, last := range []string{
		"go movetime 3600000", "go depth 60", "go nodes 2000000000", "go btime 360000000 wtime 360000000", "go mate 3600000",
		"go mate infinite", "go ponder movetime 3600000\nponderhit", "go infinite", "go movetime 3600000\nisready\nquit",
	} {
		for _, greeting := range []string{"usi", "uci"} {
			var out strings.Builder
			ended := make(chan error, 1)
			go func() {
				ended <- New("test", []string{folder}, &out).Run(strings.NewReader(greeting + "\nposition startpos\n" + last))
			}()
			select {
			case err := <-ended:
				if lines := strings.Split(out.String(), "\n"); err != nil || count(lines, "bestmove")+count(lines, "checkmate") != 1 {
					t.Errorf("%s, %s: %v, %v", greeting, last, lines, err)
				}
			case <-time.After(time.Minute):
				t.Fatalf("%s, %s: it goes on", greeting, last)
			}
		}
	}
}

// A "=" behind a move is read wherever moves are.
func TestPromotionDeclined(t *testing.T) {
	c := connect(t)
	for _, s := range []struct{ greeting, position, search, best string }{
		{"usi", "sfen 4k/R4/5/5/K4 b - 1 moves 5b5a= 1a1b 5a5b=", "1b1c", "1b1c"},
		{"usi", "sfen 4k/R4/5/5/K4 b - 1", "5b5a=", "5b5a"},
		{"uci", "fen 4k/R4/5/5/K4[] w - - 0 1 moves a4a5= e5e4 a5a4=", "e4e3", "e4e3"},
		{"uci", "fen 4k/R4/5/5/K4[] w - - 0 1", "a4a5=", "a4a5"},
	} {
		c.Send(s.greeting, "position "+s.position, "go movetime 2000 searchmoves "+s.search)
		if best := field(c.Last("bestmove"), "bestmove"); best != s.best {
			t.Errorf("%s, searchmoves %s: %s, want %s", s.position, s.search, best, s.best)
		}
	}
}

// What is not understood is passed over; a position that makes no sense is none.
func TestGarbage(t *testing.T) {
	c := connect(t)
	c.Send("", "   ", "xyzzy", "option name", "setoption", "setoption value 3", "setoption name", "setoption name Nonsense value 1",
		"setoption name Hash value -1", "setoption name Hash value 99999999999999999999", "setoption name MultiPV value many",
		"setoption name Repetition value inventor", "setoption name USI_Variant value shogi", "setoption name EngineOptions value =",
		"position", "ponderhit", "stop", "\x00\xff\xfe", strings.Repeat("go ", 3)+strings.Repeat("x", 100_000), "stop")
	c.Last("bestmove")
	c.Send("please isready now")
	c.Read("readyok")
	for _, position := range []string{
		"position sfen 9/9/9/9/9/9/9/9/9 b - 1", "position startpos moves 1e1d 1e1d", "position sfen 4k/5/5/5/K4 b - 1 moves 5e5d x",
		"position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "position sfen 4k/2G2/2K2/5/5 b - 1 moves 3b3c",
	} {
		c.Send(position, "go movetime 20")
		if best := c.Last("bestmove"); best != "bestmove resign" {
			t.Errorf("%s: %s", position, best)
		}
		c.Send("go mate 100")
		if answer := c.Last("checkmate"); answer != "checkmate timeout" {
			t.Errorf("%s: %s", position, answer)
		}
		c.Send("go mate infinite")
		c.Silent("checkmate")
		c.Send("stop")
		c.Expect("checkmate", "checkmate timeout")
	}
	c.Send("position startpos", "go movetime 20")
	if best := c.Last("bestmove"); best == "bestmove resign" {
		t.Error("there is a position again, but:", best)
	}
	c.Send("uci", "position startpos moves 1e1d", "go movetime 20")
	if best := c.Last("bestmove"); best != "bestmove (none)" {
		t.Error(best)
	}
}

// go mate is about mate by checks alone, in USI; in UCI it is a limit in moves.
func TestMate(t *testing.T) {
	c := connect(t)
	c.Send("usi")
	for position, want := range map[string]string{
		"sfen 2k2/5/2P2/5/5 b G 1":    "checkmate G*3b",
		"sfen 4k/5/5/5/K4 b - 1":      "checkmate nomate", // the tables know
		"sfen 4k/5/5/5/K4 w RG 1":     "checkmate nomate", // it is the other side that mates
		"sfen 2k2/5/2P2/5/5 b S 1":    "checkmate nomate",
		"sfen 5/2k2/5/2P2/2K2 b Gg 1": "checkmate nomate",
	} {
		for _, limit := range []string{"infinite", "20000", ""} {
			c.Send("position "+position, "go mate "+limit)
			if answer := c.Last("checkmate"); answer != want {
				t.Errorf("%s, go mate %s: %s, want %s", position, limit, answer, want)
			}
		}
	}
	c.Send("position startpos", "go mate infinite")
	c.Send("stop")
	answer := c.Last("checkmate")
	if answer != "checkmate timeout" && answer != "checkmate nomate" {
		t.Error(answer)
	}
	c.Send("uci", "position fen 2k2/5/2K2/5/4r[GGb] w - - 0 1", "go mate 1")
	lines := c.Read("bestmove")
	if best := lines[len(lines)-1]; best != "bestmove G@c4" || !strings.Contains(lines[len(lines)-2], "score mate 1 ") {
		t.Error(lines)
	}
	c.Send("position startpos", "go mate 2")
	c.Last("bestmove")
	if rest := c.Quit(); len(rest) > 0 {
		t.Error(rest)
	}
}

// Several lines, the best first, with the scores of the tables.
func TestMultiPV(t *testing.T) {
	tables, err := storage.Open([]string{folder}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	p, err := rules.ParseSFEN("4k/5/5/5/K4 b RG 1")
	if err != nil {
		t.Fatal(err)
	}
	moves, err := tables.Moves(&p, storage.Adjudication{})
	if err != nil {
		t.Fatal(err)
	}
	c := connect(t)
	c.Send("usi", "setoption name multipv value 200", "position sfen "+p.SFEN(), "go movetime 5000")
	lines := c.Read("bestmove")
	lines = lines[len(lines)-1-len(moves) : len(lines)-1]
	for i, line := range lines {
		var score string
		switch n := moves[i].Value.Number(); moves[i].Value.Outcome() {
		case rules.MateLoss:
			score = fmt.Sprintf("mate %d", n+1)
		case rules.MateWin:
			score = fmt.Sprintf("mate -%d", n+1)
		default:
			score = "cp 0"
		}
		if field(line, "multipv") != fmt.Sprint(i+1) || !strings.Contains(line, " score "+score+" ") {
			t.Errorf("line %d: %s, want %s", i+1, line, score)
		}
	}
}

// Under first-player-loses an open position is lost for who moves first and won for the other; the first is the one
// to move in the position before the moves.
func TestRepetitionOption(t *testing.T) {
	c := connect(t)
	const open = "position sfen 4k/5/5/5/K4 b - 1"
	for _, s := range []struct{ repetition, moves, score string }{
		{"draw", "", "cp 0"},
		{"first-player-loses", "", "cp -10000"},
		{"first-player-loses", " moves 5e4e", "cp 10000"},
		{"first-player-loses", " moves 5e4e 1a2a", "cp -10000"},
	} {
		c.Send("setoption name Repetition value "+s.repetition, open+s.moves, "go movetime 500")
		lines := c.Read("bestmove")
		if info := lines[len(lines)-2]; !strings.Contains(info, " score "+s.score+" ") {
			t.Errorf("%s%s: %s, want %s", s.repetition, s.moves, info, s.score)
		}
	}
}

// Tables are found in the folders that an option names, at the next search.
func TestTablePath(t *testing.T) {
	c := connect(t)
	c.Send("position sfen 4k/5/5/5/K4 b R 1", "setoption name TablePath value /nonexistent", "go depth 1")
	if lines := c.Read("bestmove"); strings.Contains(strings.Join(lines, "\n"), "tbhits 2") {
		t.Error(lines)
	}
	c.Send("setoption name TablePath value /nonexistent:"+folder, "go movetime 500")
	lines := c.Read("bestmove")
	if field(lines[len(lines)-2], "tbhits") == "0" {
		t.Error(lines)
	}
}

// Which tables there are is said when they are opened, once.
func TestTablesFound(t *testing.T) {
	c := connect(t)
	c.Send("setoption name TablePath value "+folder, "isready")
	lines := strings.Join(c.Read("readyok"), "\n")
	if found := regexp.MustCompile(`(?m)^info string \d+ sets of up to \d pieces? in ` + regexp.QuoteMeta(folder) + "$"); !found.MatchString(lines) {
		t.Errorf("%q, want %v", lines, found)
	}
	c.Send("isready")
	if lines := c.Read("readyok"); len(lines) != 1 {
		t.Errorf("said again: %q", lines)
	}
	c.Send("setoption name TablePath value /nonexistent", "isready")
	lines = strings.Join(c.Read("readyok"), "\n")
	if !strings.Contains(lines, "info string there is no folder /nonexistent\ninfo string no tables in /nonexistent\n") {
		t.Errorf("%q", lines)
	}
}

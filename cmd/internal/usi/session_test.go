package usi

import (
	"bufio"
	"fmt"
	"io"
	"os"
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

// client is a program that talks to a session.
type client struct {
	t     *testing.T
	in    io.WriteCloser
	lines chan string
	ended chan error
	log   []string
}

// connect starts a session, which ends with the test.
func connect(t *testing.T) *client {
	inReader, in := io.Pipe()
	outReader, out := io.Pipe()
	c := &client{t: t, in: in, lines: make(chan string, 10_000), ended: make(chan error, 1)}
	go func() {
		err := New("gogotb test", []string{folder}, out).Run(inReader)
		out.Close()
		c.ended <- err
	}()
	go func() {
		s := bufio.NewScanner(outReader)
		for s.Scan() {
			c.lines <- s.Text()
		}
		close(c.lines)
	}()
	t.Cleanup(func() {
		in.Close()
		for range c.lines {
		}
	})
	return c
}

func (c *client) send(lines ...string) {
	for _, line := range lines {
		c.log = append(c.log, "> "+line)
		if _, err := io.WriteString(c.in, line+"\n"); err != nil {
			c.t.Fatal(err)
		}
	}
}

// patience is how long a test waits for what has to come. It is no measure of speed.
const patience = 60 * time.Second

// read returns the lines up to one that begins with one of the prefixes.
func (c *client) read(prefixes ...string) (lines []string) {
	c.t.Helper()
	timeout := time.After(patience)
	for {
		select {
		case line, ok := <-c.lines:
			if !ok {
				c.t.Fatalf("the session ended without %v:\n%s", prefixes, strings.Join(c.log, "\n"))
			}
			c.log = append(c.log, "< "+line)
			lines = append(lines, line)
			for _, p := range prefixes {
				if line == p || strings.HasPrefix(line, p+" ") {
					return lines
				}
			}
		case <-timeout:
			c.t.Fatalf("no %v:\n%s", prefixes, strings.Join(c.log, "\n"))
		}
	}
}

// last is the last of the lines up to prefix.
func (c *client) last(prefix string) string {
	c.t.Helper()
	lines := c.read(prefix)
	return lines[len(lines)-1]
}

// silent fails the test if a line with the prefix comes within a moment.
func (c *client) silent(prefix string) {
	c.t.Helper()
	timeout := time.After(150 * time.Millisecond)
	for {
		select {
		case line := <-c.lines:
			c.log = append(c.log, "< "+line)
			if strings.HasPrefix(line, prefix) {
				c.t.Fatalf("%s came too early:\n%s", prefix, strings.Join(c.log, "\n"))
			}
		case <-timeout:
			return
		}
	}
}

// quit ends the session and returns what it still said.
func (c *client) quit() (lines []string) {
	c.t.Helper()
	c.send("quit")
	if err := <-c.ended; err != nil {
		c.t.Fatal(err)
	}
	for line := range c.lines {
		lines = append(lines, line)
	}
	return lines
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
	c.send("usi")
	text := strings.Join(c.read("usiok"), "\n")
	for _, want := range []string{
		"id name gogotb test", "id author ",
		"option name TablePath type string default " + folder,
		"option name Hash type spin default 64 min 1 max ",
		"option name Threads type spin ",
		"option name USI_Ponder type check ",
		"option name MultiPV type spin default 1 min 1 max ",
		"option name Repetition type combo default draw var draw var first-player-loses",
		"option name EnginePath type string default <empty>",
		"option name EngineOptions type string default <empty>",
		"option name USI_Variant type combo default minishogi var minishogi\n",
		"option name UCI_Variant type combo default minishogi var minishogi\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	c.send("uci")
	if text := strings.Join(c.read("uciok"), "\n"); !strings.Contains(text, "option name Ponder type check ") || strings.Contains(text, "usiok") {
		t.Error(text)
	}
	c.send("isready")
	c.read("readyok")
	if rest := c.quit(); len(rest) > 0 {
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
		{"usi", "position sfen 4k/5/5/5/K4 b RG 1 moves G*2c 1a2a R*5a", "mate 0", "bestmove resign", 0},
		{"uci", "position fen 4k/5/5/5/K4[RG] w - - 0 1", "mate 2", "bestmove G@d3 ponder e5d5", 3},
		{"uci", "position fen 4k/5/5/5/K4[RG] w - - 0 1 moves G@d3", "mate -1", "bestmove e5d5 ponder R@a5", 2},
		{"uci", "position fen 4k/5/5/5/K4[RG] w - - 0 1 moves G@d3 e5d5 R@a5", "mate 0", "bestmove (none)", 0},
		{"uci", "position sfen 4k/5/5/5/K4 w - 2", "cp 0", "", 0},
	} {
		c.send(s.greeting, s.position, "go movetime 2000")
		lines := c.read("bestmove")
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
	if rest := c.quit(); len(rest) > 0 {
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
			c.send("usi", position, "go "+limits)
			best := c.last("bestmove")
			if best == "bestmove resign" {
				t.Errorf("%s, go %s: %s", position, limits, best)
			}
			if strings.Contains(limits, "searchmoves") && field(best, "bestmove") != "5e5d" && strings.Contains(position, "sfen") {
				t.Errorf("%s, go %s: %s", position, limits, best)
			}
			if rest := c.quit(); count(rest, "bestmove") > 0 {
				t.Errorf("%s, go %s: one more answer", position, limits)
			}
		}
	}
}

// infinite and ponder hold the answer back, even where it is known at once.
func TestStop(t *testing.T) {
	for _, position := range []string{"position sfen 4k/5/5/5/K4 b R 1", "position startpos", "position sfen 4k/5/5/5/K4 b RG 1 moves G*2c 1a2a R*5a"} {
		for _, limits := range []string{"infinite", "ponder", "ponder btime 1000 wtime 1000 byoyomi 10", "ponder movetime 10", "ponder infinite"} {
			for _, end := range []string{"stop", "gameover win", "gameover"} {
				c := connect(t)
				c.send("usi", position, "go "+limits)
				c.silent("bestmove")
				c.send("isready")
				lines := c.read("readyok")
				c.send(end)
				lines = append(lines, c.read("bestmove")...)
				if n := count(lines, "bestmove"); n != 1 {
					t.Errorf("%s, go %s, %s: %d answers", position, limits, end, n)
				}
				c.send("stop", "ponderhit", "gameover lose", "isready")
				if lines := c.read("readyok"); len(lines) != 1 {
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
			c.send("usi", position, "go "+limits)
			c.silent("bestmove")
			c.send("ponderhit")
			c.read("bestmove")
			if rest := c.quit(); count(rest, "bestmove") > 0 {
				t.Errorf("%s, go %s: one more answer", position, limits)
			}
		}
	}
}

// A second go ends the first search: both are answered, each for its position.
func TestGoWhileSearching(t *testing.T) {
	c := connect(t)
	c.send("usi", "position startpos", "go infinite", "position sfen 4k/5/5/5/K4 b RG 1", "setoption name MultiPV value 3", "go movetime 1000")
	first, second := c.last("bestmove"), c.last("bestmove")
	if strings.HasPrefix(first, "bestmove G*2c") || !strings.HasPrefix(second, "bestmove G*2c") {
		t.Error(first, second)
	}
	if rest := c.quit(); count(rest, "bestmove") > 0 {
		t.Error(rest)
	}
}

// quit and the end of the input answer what is still open.
func TestEnds(t *testing.T) {
	c := connect(t)
	c.send("position startpos", "go infinite")
	if rest := c.quit(); count(rest, "bestmove") != 1 {
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

// What is not understood is passed over; a position that makes no sense is none.
func TestGarbage(t *testing.T) {
	c := connect(t)
	c.send("", "   ", "xyzzy", "option name", "setoption", "setoption value 3", "setoption name", "setoption name Nonsense value 1",
		"setoption name Hash value -1", "setoption name Hash value 99999999999999999999", "setoption name MultiPV value many",
		"setoption name Repetition value inventor", "setoption name USI_Variant value shogi", "setoption name EngineOptions value =",
		"position", "ponderhit", "stop", "\x00\xff\xfe", strings.Repeat("go ", 3)+strings.Repeat("x", 100_000), "stop")
	c.last("bestmove")
	c.send("please isready now")
	c.read("readyok")
	for _, position := range []string{
		"position sfen 9/9/9/9/9/9/9/9/9 b - 1", "position startpos moves 1e1d 1e1d", "position sfen 4k/5/5/5/K4 b - 1 moves 5e5d x",
		"position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "position sfen 4k/2G2/2K2/5/5 b - 1 moves 3b3c",
	} {
		c.send(position, "go movetime 20")
		if best := c.last("bestmove"); best != "bestmove resign" {
			t.Errorf("%s: %s", position, best)
		}
		c.send("go mate 100")
		if answer := c.last("checkmate"); answer != "checkmate timeout" {
			t.Errorf("%s: %s", position, answer)
		}
	}
	c.send("position startpos", "go movetime 20")
	if best := c.last("bestmove"); best == "bestmove resign" {
		t.Error("there is a position again, but:", best)
	}
	c.send("uci", "position startpos moves 1e1d", "go movetime 20")
	if best := c.last("bestmove"); best != "bestmove (none)" {
		t.Error(best)
	}
}

// go mate is about mate by checks alone, in USI; in UCI it is a limit in moves.
func TestMate(t *testing.T) {
	c := connect(t)
	c.send("usi")
	for position, want := range map[string]string{
		"sfen 2k2/5/2P2/5/5 b G 1":    "checkmate G*3b",
		"sfen 4k/5/5/5/K4 b - 1":      "checkmate nomate", // the tables know
		"sfen 4k/5/5/5/K4 w RG 1":     "checkmate nomate", // it is the other side that mates
		"sfen 2k2/5/2P2/5/5 b S 1":    "checkmate nomate",
		"sfen 5/2k2/5/2P2/2K2 b Gg 1": "checkmate nomate",
	} {
		for _, limit := range []string{"infinite", "20000", ""} {
			c.send("position "+position, "go mate "+limit)
			if answer := c.last("checkmate"); answer != want {
				t.Errorf("%s, go mate %s: %s, want %s", position, limit, answer, want)
			}
		}
	}
	c.send("position startpos", "go mate infinite")
	c.send("stop")
	answer := c.last("checkmate")
	if answer != "checkmate timeout" && answer != "checkmate nomate" {
		t.Error(answer)
	}
	c.send("uci", "position fen 2k2/5/2K2/5/4r[GGb] w - - 0 1", "go mate 1")
	lines := c.read("bestmove")
	if best := lines[len(lines)-1]; best != "bestmove G@c4" || !strings.Contains(lines[len(lines)-2], "score mate 1 ") {
		t.Error(lines)
	}
	c.send("position startpos", "go mate 2")
	c.last("bestmove")
	if rest := c.quit(); len(rest) > 0 {
		t.Error(rest)
	}
}

// Several lines, the best first, with the scores of the tables.
func TestMultiPV(t *testing.T) {
	tables, err := storage.Open(folder)
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
	c.send("usi", "setoption name multipv value 200", "position sfen "+p.SFEN(), "go movetime 5000")
	lines := c.read("bestmove")
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

// Under first-player-loses an open position is lost for who moves first and won for the other; the first is the one to move
// in the position before the moves.
func TestRepetitionOption(t *testing.T) {
	c := connect(t)
	const open = "position sfen 4k/5/5/5/K4 b - 1"
	for _, s := range []struct{ repetition, moves, score string }{
		{"draw", "", "cp 0"},
		{"first-player-loses", "", "cp -10000"},
		{"first-player-loses", " moves 5e4e", "cp 10000"},
		{"first-player-loses", " moves 5e4e 1a2a", "cp -10000"},
	} {
		c.send("setoption name Repetition value "+s.repetition, open+s.moves, "go movetime 500")
		lines := c.read("bestmove")
		if info := lines[len(lines)-2]; !strings.Contains(info, " score "+s.score+" ") {
			t.Errorf("%s%s: %s, want %s", s.repetition, s.moves, info, s.score)
		}
	}
}

// Tables are found in the folders that an option names, at the next search.
func TestTablePath(t *testing.T) {
	c := connect(t)
	c.send("position sfen 4k/5/5/5/K4 b R 1", "setoption name TablePath value /nonexistent", "go depth 1")
	if lines := c.read("bestmove"); strings.Contains(strings.Join(lines, "\n"), "tbhits 2") {
		t.Error(lines)
	}
	c.send("setoption name TablePath value /nonexistent:"+folder, "go movetime 500")
	lines := c.read("bestmove")
	if field(lines[len(lines)-2], "tbhits") == "0" {
		t.Error(lines)
	}
}

package usi

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"gogotb/cmd/internal/enginetest"
)

// withBackEnd is a session with an engine of a behaviour behind it.
func withBackEnd(t *testing.T, behaviour string) *enginetest.Client {
	t.Helper()
	t.Setenv(enginetest.Behaviour, behaviour)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := connect(t)
	c.Send("usi", "setoption name EnginePath value "+program, "setoption name EngineOptions value MultiPV=2; Nonsense=x")
	return c
}

// The back end chooses where the tables know nothing, and its scores come in the units of the protocol: it finds a
// mate in 3, which are plies in USI and moves in UCI.
func TestBackEnd(t *testing.T) {
	for behaviour, plies := range map[string]int{enginetest.Good: 3, enginetest.GoodUCI: 5} {
		for greeting, answer := range map[string]string{
			"usi": fmt.Sprintf("score mate %d nodes 2000 bestmove 1e1b", plies), "uci": fmt.Sprintf("score mate %d nodes 2000 bestmove e1e4", (plies+1)/2),
		} {
			c := withBackEnd(t, behaviour)
			c.Send(greeting, "isready")
			if lines := c.Read("readyok"); count(lines, "info string back end") > 0 {
				t.Error(lines)
			}
			c.Send("position startpos", "go movetime 30000")
			lines := c.Read("bestmove")
			score, best, _ := strings.Cut(answer, " bestmove ")
			if lines[len(lines)-1] != "bestmove "+best || !strings.Contains(lines[len(lines)-2], score+" ") {
				t.Errorf("%s, %s: %v, want %s", greeting, behaviour, lines, answer)
			}
		}
	}
}

// The back end has all the time that there is, though a mate is looked for, and less only where the clock must not run out.
func TestBackEndHasItsTime(t *testing.T) {
	for _, s := range []struct {
		greeting, limits, overhead string
		least, most                int
	}{
		{"usi", "movetime 100000", "40", 97_600, 100_000},
		{"uci", "movetime 100000", "40", 97_600, 100_000},
		{"usi", "btime 2500000 wtime 2500000", "40", 97_600, 100_000},
		{"usi", "byoyomi 100000", "9000", 88_000, 91_000},
		{"uci", "btime 0 wtime 100000 movestogo 1", "9000", 88_000, 91_000},
	} {
		c := withBackEnd(t, enginetest.Tells)
		name := map[string]string{"usi": "Move_Overhead", "uci": "Move Overhead"}[s.greeting]
		c.Send(s.greeting, "setoption name "+name+" value "+s.overhead, "isready", "position startpos", "go "+s.limits)
		for _, line := range c.Read("bestmove") {
			if !strings.HasPrefix(line, "info depth 1 ") {
				continue
			}
			if n, err := strconv.Atoi(field(line, "nodes")); err != nil || n < s.least || n > s.most {
				t.Errorf("%s, go %s, overhead %s: the back end has %s ms, want %d to %d", s.greeting, s.limits, s.overhead, field(line, "nodes"), s.least, s.most)
			}
			s.most = 0
		}
		if s.most > 0 {
			t.Errorf("%s, go %s: the back end was not asked", s.greeting, s.limits)
		}
	}
}

// A mate that the solver proves ends the back end's search, which would never end; without the solver there is none.
func TestMateBesideBackEnd(t *testing.T) {
	const handicap = "position sfen 4k/5/5/P4/KGSBR w -" // mated in 8 plies, see verify/mate
	c := withBackEnd(t, enginetest.Patient)
	c.Send("isready", handicap, "go depth 40")
	lines := c.Read("bestmove")
	if info := lines[len(lines)-2]; !strings.Contains(info, " score mate -") {
		t.Errorf("%v", lines)
	}
	c.Send("setoption name MateShare value 0", handicap, "go infinite")
	c.Last("info depth 5 multipv 1 score cp 5 ")
	c.Silent("info depth")
	c.Send("stop")
	if lines := c.Read("bestmove"); count(lines, "info") > 0 {
		t.Error(lines)
	}
}

// What is no more than a bound is said to be one.
func TestBounds(t *testing.T) {
	for _, greeting := range []string{"usi", "uci"} {
		c := withBackEnd(t, enginetest.Unsure)
		c.Send(greeting, "position startpos", "go movetime 30000")
		lines := strings.Join(c.Read("bestmove"), "\n")
		for _, want := range []string{" score cp 90 lowerbound nodes 500 ", " score cp -90 upperbound nodes 600 ", " score cp 42 nodes 1000 "} {
			if !strings.Contains(lines, want) {
				t.Errorf("%s: no %q in %s", greeting, want, lines)
			}
		}
	}
}

// A back end may have arguments. What cannot be started is said at once, and again when it is asked for.
func TestEnginePath(t *testing.T) {
	t.Setenv(enginetest.Behaviour, enginetest.Good)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := connect(t)
	c.Send(`setoption name EnginePath value sh -c 'exec "$1"' "an engine" '`+program+`'`, "isready")
	if lines := c.Read("readyok"); count(lines, "info string back end") > 0 || count(lines, "info string option") > 0 {
		t.Error(lines)
	}
	c.Send("position startpos", "go movetime 30000")
	c.Expect("bestmove", "bestmove 1e1b")
	for value, want := range map[string]string{
		"/nonexistent/engine -x": "info string option EnginePath: /nonexistent/engine: no such file or directory",
		`sh -c "`:                `info string option EnginePath: sh -c ": a quote is not closed, or a parenthesis is not quoted`,
	} {
		for _, greeting := range []string{"usi", "uci"} {
			c.Send("setoption name EnginePath value "+value, greeting)
			if lines := c.Read(greeting + "ok"); lines[0] != want {
				t.Errorf("%s: %s, want %s", value, lines[0], want)
			}
		}
	}
}

// quit and the end of the input are obeyed while a back end is waited for that never says a word.
func TestEndWhileWaiting(t *testing.T) {
	t.Setenv(enginetest.Behaviour, enginetest.Deaf)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"", "quit", "go movetime 1000\n", "go infinite\nstop\nquit\n"} {
		var out strings.Builder
		input := "usi\nsetoption name EnginePath value " + program + "\nisready\n" + end
		if err := New("test", nil, &out).Run(strings.NewReader(input)); err != nil {
			t.Error(err)
		}
		if !strings.Contains(out.String(), "readyok") || strings.Contains(out.String(), "neither usi nor uci") {
			t.Errorf("%q: it was waited for:\n%s", end, &out)
		}
	}
}

// Where the tables know the result and leave a choice, the back end makes it among the moves that keep the result,
// and its scores are put right.
func TestBackEndChooses(t *testing.T) {
	c := withBackEnd(t, enginetest.Good)
	c.Send("setoption name Hash value 1", "position sfen 4k/5/2p2/5/K2P1 b - 1", "go movetime 30000")
	lines := c.Read("bestmove")
	for _, line := range lines {
		if strings.Contains(line, " score ") && !strings.Contains(line, " score cp 0 ") {
			t.Errorf("%s: but it is drawn", line)
		}
	}
	// The last word is the back end's.
	best, last := lines[len(lines)-1], lines[len(lines)-2]
	if field(last, "depth") != "8" || field(last, "pv") != field(best, "bestmove") {
		t.Errorf("the back end was not asked: %v", lines)
	}
	// A decided game needs no help.
	c.Send("position sfen 4k/5/5/5/K4 b RG 1", "go movetime 30000")
	if lines := c.Read("bestmove"); strings.Contains(strings.Join(lines, "\n"), "depth 8") {
		t.Errorf("the back end was asked: %v", lines)
	}
}

// What is meant for the back end reaches it.
func TestBackEndOptions(t *testing.T) {
	c := withBackEnd(t, enginetest.Renames)
	c.Send("setoption name EngineOptions value Skill Level=7; Nonsense=x", "setoption name Hash value 4", "setoption name Threads value 2",
		"setoption name MultiPV value 3", "isready", "position startpos", "go movetime 30000")
	for _, line := range c.Read("bestmove") {
		if strings.Contains(line, "depth 1 multipv 3 score cp 7 nodes 42 ") {
			return
		}
	}
	t.Error("the back end has other options")
}

// A back end that takes longer to start than there is time is not given up, and serves later.
func TestSlowBackEnd(t *testing.T) {
	c := withBackEnd(t, enginetest.Slow)
	for range 5 {
		c.Send("position startpos", "go movetime 20")
		c.Read("bestmove")
	}
	c.Send("isready")
	if lines := c.Read("readyok"); count(lines, "info string back end") > 0 {
		t.Error(lines)
	}
	c.Send("go movetime 30000")
	c.Expect("bestmove", "bestmove 1e1b")
}

// Of a back end that does not stop in time, what it has found so far counts: a rook for a pawn, which nobody else would play.
func TestLateBackEnd(t *testing.T) {
	c := withBackEnd(t, enginetest.Endless)
	c.Send("isready", "position startpos", "go movetime 300")
	lines := c.Read("bestmove")
	if best := lines[len(lines)-1]; best != "bestmove 1e1b" || count(lines, "info string back end: bad engine, endless: no bestmove in time") != 1 {
		t.Error(lines[max(0, len(lines)-3):])
	}
}

// A back end that fails costs its own answer, and no more.
func TestBadBackEnds(t *testing.T) {
	for _, behaviour := range []string{
		enginetest.Deaf, enginetest.LargeShows, enginetest.Mute, enginetest.Dies, enginetest.Illegal, enginetest.Resigns, enginetest.Endless,
		enginetest.Stuck, enginetest.Tardy,
	} {
		t.Run(behaviour, func(t *testing.T) {
			c := withBackEnd(t, behaviour)
			for _, command := range []string{"go movetime 300", "go movetime 300", "go movetime 300", "go depth 2 movetime 100", "go infinite", "go ponder movetime 100"} {
				c.Send("position startpos moves 1e1d 5a5b", command)
				switch command {
				case "go infinite":
					c.Silent("bestmove")
					c.Send("stop")
				case "go ponder movetime 100":
					c.Silent("bestmove")
					c.Send("ponderhit")
				}
				best := c.Last("bestmove")
				if field(best, "bestmove") == "resign" || strings.Contains(best, "b+") {
					t.Errorf("%s: %s", command, best)
				}
			}
			if rest := c.Quit(); count(rest, "bestmove") > 0 {
				t.Error(rest)
			}
		})
	}
	c := connect(t)
	c.Send("setoption name EnginePath value /nonexistent/engine", "isready")
	if lines := c.Read("readyok"); count(lines, "info string back end") != 1 {
		t.Error(lines)
	}
	c.Send("position startpos", "go movetime 50")
	c.Read("bestmove")
}

package usi

import (
	"fmt"
	"os"
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

// The back end chooses where the tables know nothing, and its scores come in the units of the protocol: it finds a mate in 3,
// which are plies in USI and moves in UCI.
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

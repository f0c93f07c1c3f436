package xboard

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
)

// folder has tables of the sets below.
var folder string

func TestMain(m *testing.M) {
	enginetest.Run()
	os.Exit(testMain(m))
}

func testMain(m *testing.M) int {
	var err error
	if folder, err = os.MkdirTemp("", "gogotb-xboard-"); err == nil {
		defer os.RemoveAll(folder)
		err = tabletest.Write(folder, "none", "R", "RG", "PP")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// board is XBoard.
type board struct {
	*enginetest.Client
	t *testing.T
}

// connect starts a session, which ends with the test.
func connect(t *testing.T, commands ...string) *board {
	b := &board{t: t, Client: enginetest.Connect(t, func(in io.Reader, out io.Writer) error {
		return New("gogotb test", []string{folder}, out).Run(in)
	})}
	b.Send(append([]string{"xboard", "protover 2", "new", "variant 5x5+5_shogi", "st 1", "nopost"}, commands...)...)
	return b
}

// quiet makes sure that nothing but the pong is said.
func (b *board) quiet(after string) {
	b.t.Helper()
	b.Send(after, "ping 99")
	for _, line := range b.Read("pong 99") {
		if line != "pong 99" {
			b.t.Errorf("%s after %s", line, after)
		}
	}
}

func TestFeatures(t *testing.T) {
	b := connect(t, "ping 1")
	text := strings.Join(b.Read("pong 1"), "\n")
	for _, want := range []string{
		"feature done=0\n", `variants="5x5+5_shogi,minishogi"`, "ping=1", "setboard=1", "usermove=1", "analyze=1", "sigint=0", "memory=1", "smp=1",
		`option="Repetition -combo *draw /// first-player-loses"`, `option="EnginePath -file "`, `option="TablePath -string ` + folder,
		"feature done=1\n# ", " sets of up to ", " in " + folder + "\n",
		// From Fairy-Stockfish 11.1:
		`option="Move Overhead -spin 40 0 10000"`, `option="MateShare -spin 10 0 100"`,
		"setup (P.BR.S...G.+.++.+Kp.br.s...g.+.++.+k) 5x5+5_shogi rbsgk/4p/5/P4/KGSBR[-] w 0 1\n",
		"piece B& B@5\npiece +B& BW\npiece R& R@5\npiece +R& RF\npiece S& FfW@5\npiece +S& WfF\npiece D& RF@5\npiece P& fWf@5\npiece +P& WfF\npiece G& WfF@5\npiece H& BW@5\npiece K& K@5\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	b.Send("variant minishogi")
	b.Read("setup ")
	b.Send("variant shogi")
	b.Expect("Error", "Error (this engine plays 5x5+5_shogi,minishogi only): variant shogi")
}

// The engine moves second in a new game; pings wait for its move.
func TestGame(t *testing.T) {
	b := connect(t, "usermove e1e2", "ping 7")
	lines := b.Read("pong 7")
	if !strings.HasPrefix(lines[len(lines)-2], "move ") {
		t.Error(lines)
	}
	b.Send("usermove a1a2") // the pawn is there
	b.Expect("Illegal", "Illegal move (an own piece is on the target square): a1a2")
	b.Send("usermove xyz")
	b.Expect("Illegal", "Illegal move: xyz")
	b.Send("a1b2") // without usermove
	b.Read("move ")
	b.Send("new", "force", "usermove e1e2", "usermove e4e3", "go")
	b.Read("move ")
	b.Send("force", "undo", "undo", "undo", "undo")
	b.Expect("Error", "Error (fewer moves were played): undo")
}

// A game by the tables: mate in three plies, with the result and its reason.
func TestMates(t *testing.T) {
	b := connect(t, "force", "post", "setboard 4k/5/5/5/K4[RG] w 0 1", "go")
	lines := b.Read("move ")
	if info := lines[len(lines)-2]; !strings.HasPrefix(info, "3 100002 ") || lines[len(lines)-1] != "move G@d3" {
		t.Error(lines)
	}
	b.Send("hint")
	b.Expect("Hint", "Hint: e5d5")
	b.Send("usermove e5d5")
	b.Read("move R@")
	b.Expect("1-0", "1-0 {White mates}")
	b.Send("usermove d5d4")
	b.Expect("Illegal", "Illegal move (the game is over): d5d4")
	// The user mates.
	b.Send("force", "setboard 4k/5/5/5/K4[RG] w 0 1", "usermove G@d3", "usermove e5d5", "playother", "usermove R@a5")
	b.Expect("1-0", "1-0 {White mates}")
	// Told to play where there is nothing to play.
	b.Send("setboard 4k/5/3K1/5/5[Gg] w - - 0 1", "usermove G@d4", "new", "force", "setboard 4k/3G1/3K1/5/5[g] b - - 0 1", "go")
	b.Expect("1-0", "1-0 {White mates}")
	b.Expect("1-0", "1-0 {White mates}")
	// Stalemate loses as well.
	b.Send("force", "setboard 4k/1G3/3K1/5/5[] w - - 0 1", "usermove b4c4")
	b.Expect("1-0", "1-0 {Black has no legal move}")
}

// A pawn drop that mates is refused, and one that does not is not.
func TestPawnDropMate(t *testing.T) {
	b := connect(t, "force", "setboard 2k2/G3G/2K2/4p/5[P] w - - 0 1", "usermove P@c4")
	b.Expect("Illegal", "Illegal move (uchifuzume, a pawn dropped to give mate): P@c4")
	b.Send("usermove P@b1")
	b.quiet("force")
	b.Send("setboard 2k2/2p2/5/5/2K2[p] b - - 0 1", "usermove P@c3")
	b.Expect("Illegal", "Illegal move (nifu, a second unpromoted pawn on the file): P@c3")
}

// XBoard says of a piece that could promote that it does not.
func TestPromotionDeclined(t *testing.T) {
	b := connect(t, "force", "setboard 4k/1R3/5/5/K4[] w - - 0 1")
	for text, want := range map[string]string{
		"b4b5++": "Illegal move: b4b5++", "b4b5+=": "Illegal move: b4b5+=", "b4b5==": "Illegal move: b4b5==", "R@b5=": "Illegal move: R@b5=", "=": "Illegal move: =",
	} {
		b.Send("usermove " + text)
		b.Expect("Illegal", want)
	}
	b.Send("usermove b4b5=", "usermove e5e4", "usermove b5b4+", "usermove e4e5")
	b.quiet("b4a3")
	b.Send("setboard 2k2/P4/5/5/2K2[] w - - 0 1", "usermove a4a5=")
	b.Expect("Illegal", "Illegal move (a pawn must promote on the far rank): a4a5=")
}

// Where a position is refused there is none: nothing is played until there is one again.
func TestRefusedPosition(t *testing.T) {
	const fen = "setboard 4k/5/5/5/K4[RG] w 0 1"
	b := connect(t, "force")
	for refused, want := range map[string]string{
		"setboard 4k/5/5/5/K4[X] w": `FEN: hands, character 13: "X" is no piece`, "variant shogi": "this engine plays 5x5+5_shogi,minishogi only",
	} {
		for _, mode := range []string{"force", "analyze", "playother"} { // it may be the engine's move, or not
			b.Send("new", "force", fen, mode, refused)
			b.Read("tellusererror", "Error")
			for command, answer := range map[string]string{
				"go": "Error (no position: %s): go", "playother": "Error (no position: %s): playother", "analyze": "Error (no position: %s): analyze",
				"undo": "Error (no position: %s): undo", "remove": "Error (no position: %s): remove",
				"usermove a1a2": "Illegal move (no position: %s): a1a2", "a1a2": "Illegal move (no position: %s): a1a2",
			} {
				b.Send(command)
				b.Expect(answer[:7], fmt.Sprintf(answer, want))
			}
			b.quiet("hint")
			b.quiet("hard")
			b.quiet("force")
		}
		b.Send("easy", fen, "go")
		b.Expect("move ", "move G@d3")
		b.Send("force", refused, "new", "usermove e1e2")
		b.Read("move ")
	}
}

// Told to ponder, the engine thinks about the reply that it expects while the opponent thinks; told not to, it does
// not. The back end says 1 as its nodes for a thought that began without a limit of time.
func TestPonder(t *testing.T) {
	t.Setenv(enginetest.Behaviour, enginetest.Foresees)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []struct{ commands, reply, nodes string }{
		{"easy", "the hint", "2"}, {"hard", "the hint", "1"}, {"hard\neasy", "the hint", "2"}, {"easy\nhard", "the hint", "1"},
		{"hard", "another", "2"}, {"easy", "another", "2"}, {"hard", "the hint, after undo", "2"},
	} {
		b := connect(t, "option EnginePath="+program, "st 30", "post", s.commands, "usermove e1e2")
		if lines := b.Read("move "); !regexp.MustCompile(`(?m)^9 9 \d+ 2\t`).MatchString(strings.Join(lines, "\n")) {
			t.Error(lines)
		}
		b.Send("hint")
		hint := strings.TrimPrefix(b.Last("Hint: "), "Hint: ")
		b.Send("ping 1")
		b.Expect("pong", "pong 1") // it is not the engine's move
		reply := hint
		switch s.reply {
		case "another":
			if reply = "e2e1"; hint == reply {
				reply = "e2e3"
			}
		case "the hint, after undo":
			b.Send("remove", "usermove e1e2")
			b.Read("move ")
			b.Send("easy", "hard", "force", "usermove "+reply, "go")
			reply = ""
		}
		if reply != "" {
			b.Send("usermove " + reply)
		}
		lines := b.Read("move ", "Illegal")
		if !regexp.MustCompile(`(?m)^9 9 \d+ ` + s.nodes + `\t`).MatchString(strings.Join(lines, "\n")) {
			t.Errorf("%q, then %s: %v, want %s nodes", s.commands, s.reply, lines, s.nodes)
		}
		b.Send("?", "result 1-0 {enough}")
		b.quiet("easy")
	}
}

// The hint may be known from tables at once; it is the opponent's time all the same, and its reply is waited for.
func TestPonderKnown(t *testing.T) {
	b := connect(t, "hard", "force", "setboard 4k/5/5/5/K4[RG] w 0 1", "go")
	b.Expect("move ", "move G@d3")
	b.Silent("move ")
	b.Send("usermove e5d5")
	b.Read("move R@")
	b.Expect("1-0", "1-0 {White mates}")
}

// A back end may have arguments. What cannot be started is told to the user, at once, and told again only if it is asked for again.
func TestEnginePath(t *testing.T) {
	b := connect(t)
	for range 2 {
		b.Send("option EnginePath=/nonexistent/engine -x")
		b.Expect("tellusererror", "tellusererror back end: /nonexistent/engine: no such file or directory")
		b.Send("memory 3", "memory 4", "usermove e1e2")
		for _, line := range b.Read("move ") {
			if strings.HasPrefix(line, "tell") {
				t.Errorf("again: %s", line)
			}
		}
		b.Send("new")
	}
	b.Send(`option EnginePath=sh -c 'echo usiok; exit'`)
	if line := b.Last("tellusererror"); !strings.HasPrefix(line, "tellusererror back end: sh -c 'echo usiok; exit': it ") {
		t.Error(line)
	}
	t.Setenv(enginetest.Behaviour, enginetest.Unsure)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b.Send("new", "post", `option EnginePath=sh -c 'exec "$0"' '`+program+`'`, "st 30", "usermove e1e2")
	lines := "\n" + strings.Join(b.Read("move "), "\n")
	if !strings.Contains(lines, "\n7 42 ") || strings.Contains(lines, "tell") {
		t.Error(lines)
	}
	if strings.Contains(lines, "\n6 90 ") || strings.Contains(lines, "\n6 -90 ") {
		t.Errorf("bounds as if they were scores: %s", lines)
	}
}

// Repetition and perpetual check end the game, by the rule of the option.
func TestRepetition(t *testing.T) {
	around := []string{"a1b1", "e5d5", "b1a1", "d5e5"}
	var thrice []string
	for range 3 {
		for _, m := range around {
			thrice = append(thrice, "usermove "+m)
		}
	}
	b := connect(t, "force", "setboard 4k/5/5/5/K4[] w 0 1")
	b.Send(thrice...)
	b.Expect("1/2", "1/2-1/2 {Draw by repetition}")
	b.Send("option Repetition=first-player-loses", "new", "force", "setboard 4k/5/5/5/K4[] w 0 1")
	b.Send(thrice...)
	b.Expect("0-1", "0-1 {Repetition, and White moved first}")
	b.Send("option Repetition=draw", "setboard 4k/R4/5/5/K4[] w 0 1")
	for range 4 {
		b.Send("usermove a4a5", "usermove e5e4", "usermove a5a4", "usermove e4e5")
	}
	b.Expect("0-1", "0-1 {White gave perpetual check}")
	// A record may go on after that, and so may a game.
	b.Send("setboard 4k/5/5/5/K4[] w 0 1")
	b.Send(thrice...)
	b.Expect("1/2", "1/2-1/2 {Draw by repetition}")
	b.quiet("usermove a1b1")
	b.Send("usermove e5d5", "usermove b1a1", "usermove d5e5")
	b.quiet("usermove a1b1")
	b.Send("go")
	b.Read("move ")
}

// Analysis follows the board, until it is left.
func TestAnalyze(t *testing.T) {
	b := connect(t, "force", "setboard 4k/5/5/5/K4[RG] w 0 1", "analyze")
	found := strings.Fields(b.Last("3 100002 ")) // depth, score, time, nodes
	want := " " + found[3] + " " + found[0] + " 0 0"
	for range 10 { // while it thinks, and when all is known
		b.Send(".")
		if status := b.Last("stat01: "); !strings.HasSuffix(status, want) {
			t.Errorf("%s, want %s in the end", status, want)
		}
		time.Sleep(10 * time.Millisecond)
	}
	b.Send("ping 1")
	b.Read("pong 1")
	b.Send("usermove G@d3")
	b.Read("2 -100001 ")
	b.Send("undo")
	b.Read("3 100002 ")
	b.Send("setboard 4k/5/5/5/K4[] w 0 1")
	b.Read("1 0 ")
	around := []string{"usermove a1b1", "usermove e5d5", "usermove b1a1", "usermove d5e5"}
	b.Send("force", "setboard 4k/5/5/5/K4[] w 0 1")
	b.Send(append(append(append([]string{}, around...), around...), around...)...)
	b.Expect("1/2", "1/2-1/2 {Draw by repetition}")
	b.Send("analyze") // as if there had been no history
	b.Read("1 0 ")
	b.Send("usermove a1b1", "ping 3")
	b.Read("1 0 ")
	b.Send("new", "analyze")
	b.Read("3 ")
	b.Send("exit", "ping 2")
	b.Read("pong 2")
	b.quiet("nopost")
	b.Send("go")
	b.Read("move ")
}

// Takebacks, moving now, and being told to stop, at any time.
func TestInterruptions(t *testing.T) {
	b := connect(t, "st 1000", "usermove e1e2")
	b.Send("?")
	b.Read("move ")
	b.Send("remove", "usermove d1c2", "force", "ping 3")
	for _, line := range b.Read("pong 3") {
		if strings.HasPrefix(line, "move ") {
			t.Error("a move in force mode:", line)
		}
	}
	b.Send("go", "ping 4", "new", "ping 5")
	b.Read("pong 4")
	b.Read("pong 5")
	b.Send("usermove e1e2", "result 1/2-1/2 {agreed}")
	b.quiet("force")
	b.Send("playother")
	b.quiet("?")
	b.Send("st 1", "level 0 0:02 1", "time 100", "otim 100", "sd 2", "new", "sd 3", "usermove e1e2")
	b.Read("move ")
	b.Send("level 40 5 0", "time 20000", "usermove a1b2")
	b.Read("move ", "Illegal")
}

func TestErrors(t *testing.T) {
	b := connect(t)
	for command, want := range map[string]string{
		"xyzzy":                      "Error (unknown command): xyzzy",
		"level 1 2":                  "Error (moves, time and increment wanted): level 1 2",
		"level x 5 0":                `Error ("x" is no number of moves): level x 5 0`,
		"level 0 5:x 0":              `Error ("5:x" is no time): level 0 5:x 0`,
		"level 0 5 -1":               `Error ("-1" is no increment): level 0 5 -1`,
		"sd deep":                    "Error (not a number): sd deep",
		"st NaN":                     "Error (not a time): NaN",
		"undo":                       "Error (fewer moves were played): undo",
		"remove":                     "Error (fewer moves were played): remove",
		"memory lots":                "Error (not a size): memory lots",
		"cores many":                 "Error (not a number of cores): cores many",
		"cores 0":                    "Error (not a number of cores): cores 0",
		"option Nonsense=1":          "Error (no such option): option Nonsense=1",
		"option MultiPV=0":           "Error (not a number from 1 to 224): option MultiPV=0",
		"option Move Overhead=-1":    "Error (not a number from 0 to 10000): option Move Overhead=-1",
		"option MateShare=101":       "Error (not a number from 0 to 100): option MateShare=101",
		"option Repetition=inventor": "Error (there are no tables for it): option Repetition=inventor",
		"setboard 8/8":               "tellusererror Illegal position: FEN: side to move, character 4: missing",
		"setboard 4k/5/5/5/K4[X] w":  `tellusererror Illegal position: FEN: hands, character 13: "X" is no piece`,
	} {
		b.Send("new", command)
		b.Expect(want[:9], want)
	}
}

// The options reach the engine, and its back end.
func TestOptions(t *testing.T) {
	t.Setenv(enginetest.Behaviour, enginetest.Renames)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b := connect(t, "option EnginePath="+program, "option EngineOptions=Skill Level=7", "memory 4", "cores 2", "post", "st 30", "usermove e1e2")
	lines := b.Read("move ")
	if info := lines[len(lines)-2]; !strings.HasPrefix(info, "8 100002 ") {
		t.Error(lines)
	}
	if first := regexp.MustCompile(`(?m)^1 7 \d+ 42\t`); !first.MatchString(strings.Join(lines, "\n")) {
		t.Errorf("the back end has other options: %v", lines)
	}
	b.Send("force", "option MultiPV=3", "setboard 4k/5/5/5/K4[RG] w 0 1", "go")
	if lines := b.Read("move "); len(lines) < 7 {
		t.Error(lines)
	}
	b.Send("force", "option TablePath=/nonexistent", "setboard 4k/5/5/5/K4[R] w 0 1", "sd 1", "go")
	b.Read("move ")
}

// The end of the input is the end, once the engine has moved.
func TestEnd(t *testing.T) {
	for input, want := range map[string]int{
		"new\nst 1\nusermove e1e2":           1,
		"new\nst 3600\nusermove e1e2":        1, // at once
		"new\nlevel 0 6000 0\nusermove e1e2": 1,
		"new\nhard\nst 3600\nusermove e1e2":  1,
		"new\nst 1\nusermove e1e2\nquit":     0,
		"new\nanalyze":                       0,
		"quit\nusermove e1e2":                0,
		"new\nforce\nusermove e1e2\r\ngo\n?": 1,
		"":                                   0,
	} {
		var out strings.Builder
		ended := make(chan error, 1)
		go func() { ended <- New("test", []string{folder}, &out).Run(strings.NewReader(input)) }()
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%q: it goes on", input)
		}
		if n := strings.Count("\n"+out.String(), "\nmove "); n != want {
			t.Errorf("%q: %d moves, want %d:\n%s", input, n, want, out.String())
		}
	}
}

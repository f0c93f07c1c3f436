// Package enginetest has both ends of an engine protocol for tests.
//
// Connect talks to a session of ours. Run plays engines that behave badly in known ways, for our back ends. They
// are the test program itself, run again: a TestMain calls Run first, and a test sets the variable Behaviour and
// starts os.Executable.
package enginetest

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"gogotb/cmd/internal/dialect"
	"gogotb/rules"
)

// Behaviour is the environment variable that makes a test program an engine.
const Behaviour = "GOGOTB_TEST_ENGINE"

// Behaviours of engines. All but the first three play by the rules until they have been trusted: they play the
// starting position once.
const (
	Good       = "good"        // USI; the first move that is allowed, in the order of their texts
	GoodUCI    = "uci"         // the same, and knows UCI only
	Quick      = "dies at usi" // the same, and ends when greeted with a word it does not know
	Deaf       = "deaf"        // never says a word
	Dead       = "dead"        // ends at once
	Chess      = "chess"       // knows variants, but not this one
	Large      = "large"       // has a board of 9x9 squares
	LargeShows = "large shows" // has one, and shows it when asked to
	Mute       = "mute"        // does not answer go
	Asleep     = "asleep"      // does not answer go, nor anything after it
	Dies       = "dies"        // ends when told to go
	Nonsense   = "nonsense"    // answers go with something that is no move
	Illegal    = "illegal"     // answers go with an illegal move
	Resigns    = "resigns"     // answers go with resign
	Deviates   = "deviates"    // answers with a move that it was not to choose from
	Endless    = "endless"     // does not stop when told to, and talks all the time
	NoLine     = "no line"     // says megabytes without an end of line
	Forgetful  = "forgetful"   // has another position than it was given, and shows it
	Tardy      = "tardy"       // takes half a second for the first answer
	Stuck      = "stuck"       // answers go once, then reads no more
	Slow       = "slow"        // takes a second to answer usi
	Unsure     = "unsure"      // has bounds before it has scores
	Declines   = "declines"    // does not promote where it could, and says so with a "="
	Patient    = "patient"     // answers go when it is told to stop
	Foresees   = "foresees"    // expects a reply, and says 1 as its nodes if it may think for ever, otherwise 2
	Tells      = "tells"       // says how many milliseconds it has, as its nodes
	Renames    = "renames"     // knows its options by the names that newer versions of Fairy-Stockfish list in USI
)

// Run plays the engine and ends the program, if the variable is set.
func Run() {
	if b := os.Getenv(Behaviour); b != "" {
		(&bad{behaviour: b, options: map[string]string{}}).run()
		os.Exit(0)
	}
}

type bad struct {
	behaviour string
	d         dialect.Dialect
	p         rules.Position
	trusted   bool
	answers   int               // since then
	owed      string            // what it says when it is told to stop
	options   map[string]string // set by the names that it knows
}

func (b *bad) run() {
	switch b.behaviour {
	case Dead:
		return
	case Deaf:
		sleep()
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		if words := strings.Fields(in.Text()); len(words) > 0 && !b.obey(words[0], words[1:]) {
			return
		}
	}
}

func (b *bad) obey(command string, rest []string) bool {
	switch command {
	case "quit":
		return false
	case "usi":
		if b.behaviour == Quick {
			return false
		}
		if b.behaviour != GoodUCI {
			b.greet(dialect.USI)
		}
	case "uci":
		b.greet(dialect.UCI)
	case "isready":
		fmt.Println("readyok")
	case "setoption":
		if len(rest) == 4 { // name N value V
			b.options[rest[1]] = rest[3]
		}
	case "position":
		if b.behaviour == Stuck && b.answers > 0 {
			sleep()
		}
		start, moves, err := b.d.ParsePosition(rest)
		if err != nil {
			fmt.Println("info string", err)
			break
		}
		for _, m := range moves {
			start.Make(m)
		}
		b.p = start
	case "d":
		b.show()
	case "stop":
		fmt.Println(b.owed)
		b.owed = ""
	case "go":
		return b.play(rest)
	}
	return true
}

func (b *bad) greet(d dialect.Dialect) {
	b.d = d
	if b.behaviour == Slow {
		time.Sleep(time.Second)
	}
	fmt.Println("id name bad engine,", b.behaviour)
	switch b.behaviour {
	case Chess:
		fmt.Println("option name UCI_Variant type combo default chess var chess var shogi")
	case NoLine:
		for range 3 << 10 {
			fmt.Print(strings.Repeat("x", 1<<10))
		}
		sleep()
	case Renames:
		fmt.Println("option name USI_Variant type combo default chess var chess var minishogi var shogi")
		fmt.Println("option name USI_MultiPV type spin default 1 min 1 max 5")
		fmt.Println("option name USI_Hash type spin default 16 min 1 max 1024")
		fmt.Println("option name Threads type spin default 1 min 1 max 512")
		fmt.Println("option name Skill_Level type spin default 20 min -20 max 20")
	default:
		fmt.Println("option name UCI_Variant type combo default chess var chess var minishogi var shogi")
		fmt.Println("option name MultiPV type spin default 1 min 1 max 5")
	}
	fmt.Printf("%vok\n", d)
}

// sleep waits to be killed.
func sleep() {
	for {
		time.Sleep(time.Hour)
	}
}

// show shows the position, as Fairy-Stockfish does.
func (b *bad) show() {
	switch b.behaviour {
	case LargeShows:
		fmt.Println("Sfen: rbsgk4/4p4/9/P8/KGSBR4/9/9/9/9 b - 1")
	case Forgetful:
		if b.trusted {
			fmt.Println("Sfen: 4k/5/5/5/K4 b - 1")
			return
		}
		fmt.Println("Sfen:", &b.p)
	}
}

// play answers go.
func (b *bad) play(words []string) bool {
	moves := b.p.Moves(nil)
	slices.SortFunc(moves, func(x, y rules.Move) int { return strings.Compare(x.USI(), y.USI()) })
	best := moves[0]
	if i := slices.Index(words, "searchmoves"); i >= 0 && i+1 < len(words) {
		if m, err := b.d.ParseMove(words[i+1]); err == nil && b.behaviour != Deviates {
			best = m
		}
	}
	answer := b.d.Move(best)
	if b.behaviour == Large || b.behaviour == Renames && b.options["USI_Variant"] != "minishogi" {
		answer = "9e8d"
	}
	if b.trusted {
		switch b.behaviour {
		case Unsure:
			fmt.Println("info depth 6 score cp 90 lowerbound nodes 500 pv", answer)
			fmt.Println("info depth 6 score cp -90 upperbound nodes 600 pv", answer)
		case Patient:
			fmt.Println("info depth 5 score cp 5 pv", answer)
			b.owed = "bestmove " + answer
			return true
		case Foresees:
			nodes := 2
			if slices.Contains(words, "infinite") {
				nodes = 1
			}
			after := b.p
			after.Make(best)
			reply := b.d.Move(after.Moves(nil)[0])
			fmt.Println("info depth 9 score cp 9 nodes", nodes, "pv", answer, reply)
			fmt.Println("bestmove", answer, "ponder", reply)
			return true
		case Declines:
			for _, m := range moves {
				if m.Promotes() {
					answer = b.d.Move(rules.Step(m.From(), m.To(), false)) + "="
				}
			}
		case Tells:
			if i := slices.Index(words, "movetime"); i >= 0 && i+1 < len(words) {
				fmt.Println("info depth 1 score cp 1 nodes", words[i+1], "pv", answer)
			}
		case Mute:
			return true
		case Asleep:
			sleep()
		case Dies:
			return false
		case Nonsense:
			answer = "\x01 \xff"
		case Illegal:
			answer = "5a5b+"
		case Resigns:
			answer = "resign"
		case Tardy:
			if b.answers == 0 {
				time.Sleep(500 * time.Millisecond)
			}
		case Renames: // and says in its first line what they are
			fmt.Printf("info depth 1 multipv %s score cp %s nodes %s%s pv %s\n",
				b.options["USI_MultiPV"], b.options["Skill_Level"], b.options["USI_Hash"], b.options["Threads"], answer)
		case Endless:
			for {
				fmt.Println("info depth 1 score cp 1 pv", answer)
				time.Sleep(time.Millisecond)
			}
		}
		b.answers++
	}
	b.trusted = true
	fmt.Println("info depth 7 score cp 42 nodes 1000 time 1 pv", answer, "nonsense")
	fmt.Println("info depth 8 multipv 1 score mate 3 nodes 2000 time 2 pv", answer)
	fmt.Println("info depth x multipv 1 score mate 3 pv", answer)
	fmt.Println("bestmove", answer)
	return true
}

package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// commands are all commands but cobra's own.
func commands() []*cobra.Command { return newRootCommand().Commands() }

func TestWrongUsage(t *testing.T) {
	for _, c := range []struct {
		args  []string
		texts []string
	}{
		{[]string{}, []string{"no command"}},
		{[]string{"mvoes"}, []string{"unknown command", "moves"}},
		{[]string{"--bad"}, []string{"--bad"}},
		{[]string{"moves"}, []string{"0"}},
		{[]string{"moves", "--bad", "4k/5/5/5/K4 b - 1"}, []string{"--bad"}},
		{[]string{"moves", "4k/5/5/5/K5 b - 1"}, []string{"board", "character 11"}},
		{[]string{"moves", "5/5/5/5/5 b - 1"}, []string{"king"}},
		{[]string{"moves", "4k/5/5/5/K4", "b", "-", "1"}, []string{"4k/5/5/5/K4 b", "in quotes"}},
		{[]string{"solve", "4k/5/5/5/K4", "w", "R"}, []string{"4k/5/5/5/K4 w", "in quotes"}},
		{[]string{"probe", "4k/5/5/5/K4 b - 1", "4k/5/5/5/K4", "b", "-", "1"}, []string{"in quotes"}},
		{[]string{"index", "4k/5/5/5/K4", "b"}, []string{"in quotes"}},
		{[]string{"perft", "3", "4k/5/5/5/K4[]", "w"}, []string{"in quotes"}},
		{[]string{"game", "4k/5/5/5/K4", "b", "-", "5e5d"}, []string{"in quotes"}},
		{[]string{"solve", "--nodes", "-5", "startpos"}, []string{"--nodes", `"-5"`, "a whole number, 0 or more"}},
		{[]string{"find", "--limit", "many", "R"}, []string{"--limit", `"many"`, "not a whole number"}},
		{[]string{"find", "--dtm", "99999999999999999999", "R"}, []string{"--dtm", "size"}},
		{[]string{"perft"}, []string{"arg"}},
		{[]string{"perft", "deep"}, []string{"depth", `"deep"`}},
		{[]string{"perft", "256"}, []string{"depth", `"256"`}},
		{[]string{"perft", "3", "4k/5/5/5/K4"}, []string{"side to move"}},
		{[]string{"perft", "--jobs", "0", "3"}, []string{"--jobs"}},
		{[]string{"game"}, []string{"arg"}},
		{[]string{"game", "4k/5/5/5/K4 b - 1", "5e9x"}, []string{"ply 1", `"5e9x"`, "character 3"}},
		{[]string{"game", "--repetition", "never", "4k/5/5/5/K4 b - 1"}, []string{"--repetition", "never", "first-player-loses"}},
		{[]string{"game", "--first-player", "sente", "4k/5/5/5/K4 b - 1"}, []string{"--first-player", "sente"}},
		{[]string{"game", "--max-plies", "-1", "4k/5/5/5/K4 b - 1"}, []string{"--max-plies"}},
		{[]string{"index"}, []string{"arg"}},
		{[]string{"index", "RRR", "1"}, []string{`"RRR"`, "letter 3", "more than two R"}},
		{[]string{"index", "RX", "1"}, []string{`"RX"`, "letter 2"}},
		{[]string{"index", "RRBBGG", "1"}, []string{"RRBBGG", "at most 5"}},
		{[]string{"index", "R", "-5"}, []string{"-5"}},
		{[]string{"index", "R", "five"}, []string{`"five"`}},
		{[]string{"index", "R", "21516"}, []string{"21516", "21515"}},
		{[]string{"index", "4k/5/5/5/5 b R 1"}, []string{"sente has no king"}},
		{[]string{"index", "rbsgk/4p/5/P4/KGSBR b - 1"}, []string{"at most 5"}},
	} {
		refuse(t, exitUsage, c.texts, c.args...)
	}
}

// TestHelp: every command has a help with an example, and the help names every command.
func TestHelp(t *testing.T) {
	all := succeed(t, "--help")
	for _, cmd := range commands() {
		if !strings.Contains(all, cmd.Short) {
			t.Errorf("gogotb --help does not list %s", cmd.Name())
		}
		help := succeed(t, cmd.Name(), "--help")
		if !strings.Contains(help, "gogotb "+cmd.Name()+" ") || cmd.Example == "" || !strings.Contains(help, cmd.Example) {
			t.Errorf("gogotb %s --help: no example in\n%s", cmd.Name(), help)
		}
		if cmd.GroupID == "" {
			t.Errorf("%s is in no group of the help", cmd.Name())
		}
	}
}

func TestVersion(t *testing.T) {
	if got := succeed(t, "--version"); !regexp.MustCompile(`^gogotb \d+\.\d+\.\d+ \(tables of format 3, rules 1\)\n$`).MatchString(got) {
		t.Errorf("gogotb --version: %q", got)
	}
}

// TestCompletion: the scripts are there, and the program completes commands and choices.
func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if got := succeed(t, "completion", shell); !strings.Contains(got, "gogotb") {
			t.Errorf("completion for %s: %q", shell, got)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"per"}, "perft"},
		{[]string{"game", "--repetition", ""}, "first-player-loses"},
	} {
		r := gogotb(t, append([]string{"__complete"}, c.args...)...)
		if !strings.Contains(r.stdout, c.want) {
			t.Errorf("completion of %q: %q, want %s", c.args, r.stdout, c.want)
		}
	}
}

// TestUnwritableOutput: results that cannot be written are not lost in silence.
func TestUnwritableOutput(t *testing.T) {
	unwritable, err := os.Open(os.DevNull) // for reading
	if err != nil {
		t.Fatal(err)
	}
	defer unwritable.Close()
	args := []string{"moves", kingsGame}
	cmd := command(t, args...)
	cmd.Stdout = unwritable
	checkRefusal(t, finish(t, cmd), exitFailed, []string{"standard output"}, args)
}

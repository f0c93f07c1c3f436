package main

import (
	"errors"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"gogotb/cmd/internal/position"
	"gogotb/index"
	"gogotb/rules"
)

// parsePosition reads a position from the command line.
func parsePosition(text string) (rules.Position, error) {
	p, err := position.Read(text)
	if err != nil {
		return p, &usageError{err}
	}
	return p, nil
}

// quoted checks the arguments of a command that takes a position, which comes in several if it was not put in quotes.
func quoted(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		for i, arg := range args {
			if i > 0 && (arg == "b" || arg == "w") && strings.Contains(args[i-1], "/") {
				return usagef("%s %s: a position is one argument, so put it in quotes", args[i-1], arg)
			}
		}
		return check(cmd, args)
	}
}

// numberError puts an error of a flag that is a number in words.
func numberError(_ *cobra.Command, err error) error {
	var wrong *strconv.NumError
	if !errors.As(err, &wrong) {
		return err
	}
	what := "a whole number"
	switch {
	case wrong.Err == strconv.ErrRange:
		what = "a number of a size that can be"
	case wrong.Func == "ParseUint":
		what = "a whole number, 0 or more"
	}
	flag, _, _ := strings.Cut(err.Error(), ": strconv.")
	return usagef("%s: not %s", flag, what)
}

// parseMaterials reads material sets from the command line; each is kept once.
func parseMaterials(texts []string) ([]index.Material, error) {
	var sets []index.Material
	for _, text := range texts {
		m, err := index.ParseMaterial(text)
		if err != nil {
			return nil, &usageError{err}
		}
		if m.PieceCount() > index.MaxPieces {
			return nil, &usageError{&index.SizeError{Material: m}}
		}
		if !slices.Contains(sets, m) {
			sets = append(sets, m)
		}
	}
	return sets, nil
}

// choice is a flag with a few possible values; "" where none was given.
type choice struct {
	value string
	of    []string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.of, "|") }

func (c *choice) Set(text string) error {
	if !slices.Contains(c.of, text) {
		return usagef("not one of %s", strings.Join(c.of, ", "))
	}
	c.value = text
	return nil
}

// choiceFlag adds a flag with a few possible values, which shells complete.
func choiceFlag(cmd *cobra.Command, name, value, usage string, of ...string) *choice {
	c := &choice{value, of}
	cmd.Flags().Var(c, name, usage)
	err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(of, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag has just been added
	}
	return c
}

// repetitionFlags are --repetition and --first-player.
type repetitionFlags struct {
	rule  *choice
	first *choice
}

func addRepetitionFlags(cmd *cobra.Command) repetitionFlags {
	return repetitionFlags{
		choiceFlag(cmd, "repetition", rules.RepetitionDraw.String(), "rule for the fourth occurrence of a position",
			rules.RepetitionDraw.String(), rules.FirstPlayerLoses.String(), rules.Inventor.String()),
		choiceFlag(cmd, "first-player", "", "who made the first move of the game", "b", "w"),
	}
}

// firstPlayer returns the choice of --first-player, nil if there was none.
func (f repetitionFlags) firstPlayer() *rules.Color {
	c := rules.Sente
	switch f.first.value {
	case "":
		return nil
	case "w":
		c = rules.Gote
	}
	return &c
}

// repetition returns the choice of --repetition.
func (f repetitionFlags) repetition() rules.Repetition {
	r, err := rules.ParseRepetition(f.rule.value)
	if err != nil {
		panic(err) // the flag takes no other values
	}
	return r
}

// byteSize is a flag for an amount of memory: "16GiB", "500MB", a number of bytes.
type byteSize uint64

func (b *byteSize) String() string {
	if *b == 0 {
		return ""
	}
	return humanize.IBytes(uint64(*b))
}

func (b *byteSize) Type() string { return "size" }

// maxByteSize, an exbibyte, is more than there is anywhere, and safe to count with.
const maxByteSize = 1 << 60

func (b *byteSize) Set(text string) error {
	n, err := humanize.ParseBytes(text)
	if err != nil || n == 0 || n > maxByteSize || strings.HasPrefix(text, "-") {
		return usagef("not a size like 16GiB, 500MB or 1000000")
	}
	*b = byteSize(n)
	return nil
}

// coreCount is a flag for a number of cores. More than there are would only take memory.
type coreCount int

func (c *coreCount) String() string { return strconv.Itoa(int(*c)) }
func (c *coreCount) Type() string   { return "int" }

func (c *coreCount) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return usagef("not a number of cores, at least 1")
	}
	*c = coreCount(min(n, runtime.GOMAXPROCS(0)))
	return nil
}

// jobsFlag adds the flag for the number of cores to use, at first all.
func jobsFlag(cmd *cobra.Command, jobs *coreCount) {
	*jobs = coreCount(runtime.GOMAXPROCS(0))
	cmd.Flags().Var(jobs, "jobs", "number of cores to use, at most all")
}

// hashFlag adds the flag for the memory of searches.
func hashFlag(cmd *cobra.Command, size *byteSize) {
	cmd.Flags().Var(size, "hash", "memory of the search")
}

// checkHash refuses more memory than there is.
func checkHash(size byteSize) error {
	if have := availableMemory(); have > 0 && uint64(size) > have {
		return usagef("--hash %s: there are only %s", &size, memory(have))
	}
	return nil
}

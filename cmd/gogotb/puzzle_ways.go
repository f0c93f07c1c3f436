package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gogotb/verify"
	"gogotb/verify/puzzle"
)

// The flags that make puzzle do something else than check files.
const (
	wayFrom       = "from"
	wayCollection = "collection"
	wayMake       = "make"
	wayCheck      = "" // none of them
)

// goesWith are the ways that a flag is for, where it is not for all.
var goesWith = map[string][]string{
	"plies":         {wayFrom, wayCollection, wayMake},
	"grade":         {wayFrom, wayCollection},
	"kif":           {wayFrom, wayCollection},
	"each":          {wayFrom},
	"without":       {wayFrom},
	"seed":          {wayMake},
	"tsume":         {wayCheck, wayMake}, // refused with a reason
	"complete-hand": {wayCheck, wayMake},
	"tolerate":      {wayCheck, wayMake},
	"max-plies":     {wayCheck, wayMake},
	"hash":          {wayCheck, wayMake},
	"beyond":        {wayCheck, wayMake, wayFrom},
	"nodes":         {wayCheck, wayMake, wayFrom},
	"jobs":          {wayCheck, wayMake, wayFrom},
}

// chooseWay refuses flags that do not go together, and completes those of --from.
func (f *puzzleFlags) chooseWay(flags *pflag.FlagSet, args []string) error {
	way := wayCheck
	var wrong error
	for _, w := range []string{wayFrom, wayCollection, wayMake} {
		switch {
		case !flags.Changed(w):
		case way != wayCheck:
			return usagef("--%s and --%s exclude each other", way, w)
		default:
			way = w
		}
	}
	flags.Visit(func(flag *pflag.Flag) {
		if with, ok := goesWith[flag.Name]; ok && !slices.Contains(with, way) && wrong == nil {
			wrong = usagef("--%s is for %s", flag.Name, wayList(with))
		}
	})
	switch {
	case wrong != nil:
		return wrong
	case f.json && f.kif:
		return usagef("--json and --kif exclude each other")
	case way == wayCollection && len(args) > 0:
		return usagef("--collection takes no files: %s", args[0])
	case flags.Changed("each") && f.each < 1:
		return usagef("--each %d: at least 1", f.each)
	case way != wayFrom:
		return nil
	}
	if f.plies.least == 0 {
		f.plies = usualPlies
	}
	if f.plies.most < 3 || f.plies.least == f.plies.most && f.plies.most%2 == 0 {
		return usagef("--plies %s: an odd number of plies, 3 or more, has to be among them", &f.plies)
	}
	if !flags.Changed("nodes") {
		f.options.Nodes = puzzle.FindNodes
	}
	return nil
}

// wayList names ways in words.
func wayList(ways []string) string {
	var names []string
	for _, w := range ways {
		if w == wayCheck {
			return "puzzles that are checked" // the others are refused with their own words
		}
		names = append(names, "--"+w)
	}
	return strings.Join(names, ", ")
}

func collectionNames() []string {
	var names []string
	for _, c := range verify.Collections {
		names = append(names, c.Name)
	}
	return names
}

func gradeNames() []string {
	var names []string
	for _, g := range puzzle.Grades {
		names = append(names, g.String())
	}
	return names
}

// writeCollection writes puzzles that the program brings along.
func (f *puzzleFlags) writeCollection(cmd *cobra.Command) error {
	out := newPuzzleWriter(cmd, f)
	for _, c := range verify.Collections {
		if c.Name != f.collection.value {
			continue
		}
		for p, err := range puzzle.Read(c.Name, c.Puzzles) {
			if err != nil {
				return err
			}
			if !f.wants(p) {
				continue
			}
			if err := out.write(p, nil, nil); err != nil {
				return err
			}
		}
	}
	return out.flush()
}

// wants tells whether a puzzle has the length and the grade that are asked for.
func (f *puzzleFlags) wants(p *puzzle.Puzzle) bool {
	return f.plies.has(p.Plies) && (f.grade.value == "" || p.Grade.String() == f.grade.value)
}

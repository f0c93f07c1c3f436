package main

import (
	"fmt"
	"os"
	"regexp"

	"github.com/spf13/cobra"

	"gogotb/cmd/internal/answer"
	"gogotb/rules"
)

// gameReport is the JSON of game for a game of a file.
type gameReport struct {
	File string `json:"file"`
	Line int    `json:"line"` // in which the game begins
	answer.Game
	Moves []string          `json:"moves"`
	End   *string           `json:"end"`   // what the file says about it
	Notes []answer.FileNote `json:"notes"` // what was passed over in the file
	// Error is what is wrong behind the moves, ErrorLine where.
	Error     *string `json:"error,omitempty"`
	ErrorLine *int    `json:"error_line,omitempty"`
	answer.Refusal
}

// gameFailure takes the place of a game that could not be read.
type gameFailure struct {
	File  string `json:"file"`
	Line  *int   `json:"line"`
	Error string `json:"error"`
	answer.Refusal
}

// isFile tells whether what is no position is meant as a file: standard input, one that is there, or that would have an
// ending.
func isFile(name string) bool {
	_, err := os.Stat(name)
	return name == inputName || err == nil || fileEnding.MatchString(name)
}

var fileEnding = regexp.MustCompile(`[^/ ]\.[A-Za-z][A-Za-z0-9]{0,4}$`)

// playFiles plays the games of files. What is wrong with one costs no other.
func (f *gameFlags) playFiles(cmd *cobra.Command, files []string) error {
	failed := false
	for g := range gamesOfFiles(cmd, files) {
		ok, err := f.playRecord(cmd, g)
		if err != nil {
			return err
		}
		failed = failed || !ok
	}
	if failed {
		return errSaid
	}
	return nil
}

// playRecord plays a game of a file, as far as it was read. It tells whether nothing is wrong with it. The error is that of writing.
func (f *gameFlags) playRecord(cmd *cobra.Command, from *gameOfFile) (ok bool, err error) {
	r, line, wrong := from.game, from.line, from.err
	if r == nil {
		return false, f.sayUnread(cmd, from.file, line, wrong)
	}
	g := f.newGame(r.Start)
	report := gameReport{File: from.file, Line: r.FileLine, Moves: []string{}, Notes: make([]answer.FileNote, len(r.Notes))}
	for i, n := range r.Notes {
		report.Notes[i] = answer.FileNote{Line: n.Line, Text: n.Text}
	}
	for _, m := range r.Played() {
		if err := g.Play(m); err != nil { // the reader knows the other rules
			line, wrong = 0, fmt.Errorf("ply %d: %w", g.PlyCount()+1, err)
			break
		}
		report.Moves = append(report.Moves, m.USI())
	}
	report.Game = answer.GameOf(g)
	if r.End.Text != "" {
		report.End = &r.End.Text
	}
	if wrong != nil {
		report.Error = pointer(oneLine(wrong.Error()))
		report.ErrorLine = positive(line)
		report.Refusal = answer.RefusalOf(wrong)
	}
	if f.json {
		return wrong == nil, writeJSON(cmd.OutOrStdout(), report)
	}
	return wrong == nil, f.describeRecord(cmd, g, from, &report)
}

// describeRecord shows a game of a file to people.
func (f *gameFlags) describeRecord(cmd *cobra.Command, g *rules.Game, from *gameOfFile, report *gameReport) error {
	from.sayNotes(cmd, nil)
	if report.Error != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s: %s\n", cmd.CommandPath(), inLine(report.File, report.ErrorLine), *report.Error)
	}
	out := cmd.OutOrStdout()
	if f.shown {
		fmt.Fprintln(out)
	}
	f.shown = true
	if err := from.head(out); err != nil {
		return err
	}
	describeEnd(out, g)
	if report.End != nil {
		fmt.Fprintf(out, "The file ends it with %s.\n", *report.End)
	}
	return nil
}

// sayUnread says why a game, or a whole file, could not be read.
func (f *gameFlags) sayUnread(cmd *cobra.Command, file string, line int, why error) error {
	if f.json {
		return writeJSON(cmd.OutOrStdout(), gameFailure{file, positive(line), oneLine(why.Error()), answer.RefusalOf(why)})
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s: %s\n", cmd.CommandPath(), inLine(file, positive(line)), oneLine(why.Error()))
	return nil
}

// inLine returns a place in a file for people; line is nil for the file as a whole.
func inLine(file string, line *int) string {
	if line == nil {
		return file
	}
	return fmt.Sprintf("%s, line %d", file, *line)
}

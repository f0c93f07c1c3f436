package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/spf13/cobra"

	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/rules/record/formats"
)

// gameOfFile is a game of a file, as far as it could be read.
type gameOfFile struct {
	file   string
	number int          // in its file, from 1
	game   *record.Game // nil if nothing could be read
	line   int          // of what is wrong; 0: it is not known, or the file as a whole
	err    error        // what is wrong behind the moves, nil if nothing is
}

// gamesOfFiles reads all games of files, one after the other. A file without any takes the place of a game, with what is wrong with
// it: it costs no other file.
func gamesOfFiles(cmd *cobra.Command, files []string) iter.Seq[*gameOfFile] {
	return func(yield func(*gameOfFile) bool) {
		for _, name := range files {
			data, err := readText(cmd, name)
			if name == inputName {
				name = inputWords
			}
			number := 0
			if err == nil {
				for g, err := range formats.Games(data) {
					number++
					line, err := record.Located(err)
					if !yield(&gameOfFile{name, number, g, line, err}) {
						return
					}
				}
				err = errors.New("there is no game in it")
			}
			if number == 0 && !yield(&gameOfFile{file: name, err: err}) {
				return
			}
		}
	}
}

// players names those who play a game, joined by a word: "Anna - ?" if the file names one only, "" if it names nobody.
func (g *gameOfFile) players(join string) string {
	names := g.game.Players
	if names == [2]string{} {
		return ""
	}
	return cmp.Or(names[rules.Sente], "?") + join + cmp.Or(names[rules.Gote], "?")
}

// head writes what a report about a game begins with.
func (g *gameOfFile) head(w io.Writer) error {
	text := fmt.Sprintf("%s, line %d", g.file, g.game.FileLine)
	if players := g.players(" against "); players != "" {
		text += ": " + players
	}
	_, err := fmt.Fprintf(w, "%s\n\n", text)
	return err
}

// sayNotes says on standard error what the reader of a game passed over.
func (g *gameOfFile) sayNotes(cmd *cobra.Command, bar *progressBar) {
	for _, n := range g.game.Notes {
		bar.say(cmd.ErrOrStderr(), fmt.Sprintf("%s: %s, line %d: %s", cmd.CommandPath(), g.file, n.Line, n.Text))
	}
}

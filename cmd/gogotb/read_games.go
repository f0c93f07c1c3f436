package main

import (
	"errors"
	"iter"

	"github.com/spf13/cobra"

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

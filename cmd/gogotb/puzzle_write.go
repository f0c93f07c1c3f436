package main

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"gogotb/cmd/internal/answer"
	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/rules/record/kif"
	"gogotb/verify/puzzle"
)

// givenPuzzle is the JSON of --from, --make and --collection.
type givenPuzzle struct {
	SFEN   string     `json:"sfen"`
	Moves  []string   `json:"moves"`
	Plies  int        `json:"plies"`
	Grade  string     `json:"grade"`
	Last   *givenLast `json:"last,omitempty"` // the move of the other side that led to it
	Name   string     `json:"name,omitempty"`
	Source *givenFrom `json:"from,omitempty"`
	Why    *givenWhy  `json:"difficulty,omitempty"`
}

type givenLast struct {
	SFEN string `json:"sfen"` // before it
	USI  string `json:"usi"`
}

// givenFrom is the game that a puzzle is from.
type givenFrom struct {
	File      string  `json:"file"`
	Line      int     `json:"line"` // in which the game begins
	Game      int     `json:"game"` // of the file, from 1
	Ply       int     `json:"ply"`  // of the first move of the puzzle
	Variation bool    `json:"variation"`
	Sente     *string `json:"sente"`
	Gote      *string `json:"gote"`
}

// givenWhy is what makes a puzzle hard.
type givenWhy struct {
	Points     int    `json:"points"`
	Plausible  int    `json:"plausible"`
	Quiet      int    `json:"quiet"`
	Drops      int    `json:"drops"`
	Sacrifices int    `json:"sacrifices"`
	Nodes      uint64 `json:"nodes"`
}

// puzzleWriter writes puzzles that are given, not checked: as lines, KIF or JSON.
type puzzleWriter struct {
	cmd       *cobra.Command
	json, kif bool
	out       *bufio.Writer
	written   int
}

func newPuzzleWriter(cmd *cobra.Command, f *puzzleFlags) *puzzleWriter {
	return &puzzleWriter{cmd: cmd, json: f.json, kif: f.kif, out: bufio.NewWriter(cmd.OutOrStdout())}
}

// write writes a puzzle at once; those from games say which, and how hard they are.
func (w *puzzleWriter) write(p *puzzle.Puzzle, from *gameOfFile, found *puzzle.Found) error {
	if from != nil {
		p.Name = fmt.Sprintf("%s, move %d", from.title(), found.Ply)
		if found.Aside {
			p.Name += " of a variation"
		}
	}
	w.written++
	switch {
	case w.json:
		if err := writeJSON(w.out, givenJSON(p, from, found)); err != nil {
			return err
		}
	case w.kif:
		if w.written > 1 {
			fmt.Fprintln(w.out)
		}
		fmt.Fprint(w.out, kif.String(puzzleRecord(p, from, found)))
	default:
		if found != nil {
			w.comment(found.Difficulty.String())
		}
		fmt.Fprintln(w.out, p.Text())
	}
	return w.flush()
}

// comment writes a line that no reader of puzzles takes for one.
func (w *puzzleWriter) comment(text string) { fmt.Fprintln(w.out, "#", text) }

// complain says what is wrong with a game.
func (w *puzzleWriter) complain(g *gameOfFile) error {
	if w.json {
		return writeJSON(w.out, gameFailure{g.file, positive(g.line), oneLine(g.err.Error()), answer.RefusalOf(g.err)})
	}
	_, err := fmt.Fprintf(w.cmd.ErrOrStderr(), "%s: %s: %s\n", w.cmd.CommandPath(), inLine(g.file, positive(g.line)), oneLine(g.err.Error()))
	return err
}

func (w *puzzleWriter) flush() error { return w.out.Flush() }

func givenJSON(p *puzzle.Puzzle, from *gameOfFile, found *puzzle.Found) givenPuzzle {
	j := givenPuzzle{SFEN: p.Position.SFEN(), Moves: answer.USI(p.Moves), Plies: p.Plies, Grade: p.Grade.String(), Name: p.Name}
	if p.Last != nil {
		j.Last = &givenLast{p.Last.Before.SFEN(), p.Last.Move.USI()}
	}
	if from != nil {
		g := from.game
		j.Source = &givenFrom{from.file, g.FileLine, from.number, found.Ply, found.Aside, named(g.Players[rules.Sente]), named(g.Players[rules.Gote])}
		d := &found.Difficulty
		j.Why = &givenWhy{d.Points(), d.Plausible, d.Quiet, d.Drops, d.Sacrifices, d.Nodes}
	}
	return j
}

// named returns a name, or nil if there is none.
func named(name string) *string {
	if name == "" {
		return nil
	}
	return &name
}

// puzzleRecord makes a puzzle a game: its solution are the moves, and all else is said before them.
func puzzleRecord(p *puzzle.Puzzle, from *gameOfFile, found *puzzle.Found) *record.Game {
	g := &record.Game{Format: record.KIF, Start: p.Position, Line: record.Line{Ply: 1, End: record.End{Kind: record.Checkmate}}}
	if p.Name != "" {
		g.Headers = []record.Header{{Key: "作品名", Value: p.Name}}
	}
	if from != nil {
		g.Players = from.game.Players
	}
	if last := p.Last; last != nil {
		g.Comment(fmt.Sprintf("Last move: %s (%s)", last.Before.Western(last.Move), kif.FormatMove(&last.Before, last.Move, rules.NoSquare)))
	}
	if found != nil {
		g.Comment("Grade: " + found.Difficulty.String())
	} else if p.Grade != puzzle.NoGrade {
		g.Comment("Grade: " + p.Grade.String())
	}
	for _, m := range p.Moves {
		g.Moves = append(g.Moves, record.Move{Move: m})
	}
	return g
}

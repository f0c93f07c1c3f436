package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"gogotb/cmd/internal/answer"
	"gogotb/cmd/internal/position"
	"gogotb/rules"
	"gogotb/storage"
)

// prober answers one position after the other.
type prober struct {
	cmd      *cobra.Command
	tables   *storage.Tables
	rule     storage.Adjudication
	json     bool
	line     bool
	answered bool // there is an answer already
	failed   bool // something could not be answered
}

func newProbeCommand() *cobra.Command {
	var p prober
	cmd := &cobra.Command{
		Use:   "probe SFEN...",
		Short: "Look positions up: their values, and those of their moves",
		Long: `Look positions up: the value of each, and of each of its moves, best first. With - in place of a position,
standard input is read, one position a line; blank lines and those that begin with # are left out.

` + position.Accepted + ` If there are moves, the position after
them is meant.

In JSON a value is for the side to move of the position that it stands beside: a move's is that of the position
after it. The text says of a move what it comes to for the one who makes it.

What cannot be answered is an object with "error" in JSON, otherwise a line on standard error; the rest is answered
all the same, and the exit status is 1.

--repetition decides positions in which neither side can force a win: a draw, or a loss for the player who made the
first move of the game, who is Sente unless --first-player says otherwise.`,
		Example: `  gogotb probe '4k/5/5/5/K4 b RG 1'
  gogotb probe --json --line '4k/5/5/5/K4 b RG 1'
  gogotb probe --json - <positions.txt`,
		Args: quoted(cobra.MinimumNArgs(1)),
	}
	cmd.Flags().BoolVar(&p.json, "json", false, "write a JSON object a position, one a line")
	cmd.Flags().BoolVar(&p.line, "line", false, "also show a line of best play by both sides")
	repetition := addRepetitionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if p.rule, err = repetition.adjudication(); err != nil {
			return err
		}
		if p.tables, err = openTables(cmd, 0); err != nil {
			return err
		}
		defer p.tables.Close()
		p.cmd = cmd
		for _, arg := range args {
			if arg == "-" {
				err = p.answerLines(cmd.InOrStdin())
			} else {
				err = p.answer(arg)
			}
			if err != nil {
				return err
			}
		}
		if p.failed {
			return errSaid
		}
		return nil
	}
	return cmd
}

// answerLines answers the positions of a text, one a line.
func (p *prober) answerLines(r io.Reader) error {
	for text, err := range position.Lines(r) {
		switch {
		case errors.Is(err, position.ErrLongLine):
			err = p.fail(text, err)
		case err != nil:
			err = fmt.Errorf("standard input: %w", err)
		default:
			err = p.answer(text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// answer answers a position. What is wrong with it goes into the answer; the error is
// that of writing it.
func (p *prober) answer(text string) error {
	q, err := position.Read(text)
	var r storage.Result
	var moves []storage.MoveResult
	var line []rules.Move
	if err == nil {
		r, err = p.tables.Probe(&q)
	}
	if err == nil {
		moves, err = p.tables.Moves(&q, p.rule)
	}
	if err == nil && p.line {
		line, err = p.tables.Line(&q)
	}
	out := p.cmd.OutOrStdout()
	switch {
	case err != nil:
		return p.fail(text, err)
	case p.json:
		return writeJSON(out, p.report(&q, r, moves, line))
	}
	if p.answered {
		fmt.Fprintln(out)
	}
	p.answered = true
	_, err = io.WriteString(out, p.describe(&q, r, moves, line))
	return err
}

// fail says why there is no answer.
func (p *prober) fail(text string, why error) error {
	p.failed = true
	if p.json {
		return writeJSON(p.cmd.OutOrStdout(), answer.Failure{SFEN: text, Error: why.Error(), Refusal: answer.RefusalOf(why)})
	}
	fmt.Fprintf(p.cmd.ErrOrStderr(), "%s: %q: %v\n", p.cmd.CommandPath(), text, why)
	return nil
}

// report returns the answer in JSON.
func (p *prober) report(q *rules.Position, r storage.Result, moves []storage.MoveResult, line []rules.Move) answer.Probe {
	report := answer.NewProbe(q, r, moves, p.rule)
	if p.line {
		texts := answer.USI(line)
		report.Line = &texts
	}
	return report
}

// describe returns the answer for people.
func (p *prober) describe(q *rules.Position, r storage.Result, moves []storage.MoveResult, line []rules.Move) string {
	var b strings.Builder
	drawBoard(&b, q)
	fmt.Fprintf(&b, "%s\n\n%s is to move%s. %s\n", q.SFEN(), capital(q.SideToMove().String()), inCheck(q), verdict(q, r, p.rule))
	if len(moves) > 0 {
		b.WriteString("\n")
	}
	for _, m := range moves {
		after := *q
		after.Make(m.Move)
		check := ""
		if after.InCheck() {
			check = "check"
		}
		fmt.Fprintf(&b, "  %-6s %-9s %-6s %s\n", m.Move, q.Western(m.Move), check, moveVerdict(&after, m.Result, p.rule))
	}
	if len(line) > 0 {
		b.WriteString("\nBest play:")
		for _, m := range line {
			b.WriteString(" " + m.USI())
		}
		b.WriteString("\n")
	}
	return b.String()
}

// inCheck says that the side to move is in check, if it is.
func inCheck(p *rules.Position) string {
	if p.InCheck() {
		return ", in check"
	}
	return ""
}

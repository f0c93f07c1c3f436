package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"gogotb/cmd/internal/answer"
	"gogotb/cmd/internal/position"
	"gogotb/index"
	"gogotb/rules"
)

// gameFlags are the flags of game.
type gameFlags struct {
	json       bool
	options    rules.GameOptions
	repetition repetitionFlags
	impasse    *bool // nil: where all pieces are there
	shown      bool  // there is a game above
}

func newGameCommand() *cobra.Command {
	var (
		f       gameFlags
		impasse bool
	)
	cmd := &cobra.Command{
		Use:   "game SFEN [MOVE...] | game FILE...",
		Short: "Play moves and say how the game stands",
		Long: `Play moves and say how the game stands: going on, checkmate, stalemate, repetition, perpetual check, ply limit or
impasse, and who wins. Moves are written in USI (5b5a+), in western notation (R-51+) or as in KIF (５一飛成(52)).

` + position.Accepted + `
What is none, but a file, is read as a file of games: KIF, CSA, USI ("startpos moves ...", one game a line) or a list of
moves in western notation; - is standard input. What is passed over in it is said on standard error, in JSON as
"notes". What is wrong with a game costs neither the moves before it nor another game, and the exit status is 1.

--first-player says who made the first move of the game, if it was not the side to move at its beginning.

Impasse: once both kings have entered their far ranks, pieces are counted: rooks and bishops 5, others 1. A
player with fewer than 24 points loses; if both have fewer, the game is undecided. The rule demands
that neither king can be mated, which is for you to judge. 24 points can only be reached with the full set of pieces,
so by default nothing is counted with fewer; --impasse counts always, --impasse=false never.`,
		Example: `  gogotb game startpos 5e4d K-22
  gogotb game --json --max-plies 300 '4k/5/4K/5/5 b G 1' 'G*1b'
  gogotb game --json games.kif`,
		Args: quoted(cobra.MinimumNArgs(1)),
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "write a JSON object a game")
	f.repetition = addRepetitionFlags(cmd)
	cmd.Flags().IntVar(&f.options.MaxPlies, "max-plies", 0, fmt.Sprintf("a game of `N` plies is a draw (usual: %d; 0: no limit)", rules.PlyLimit))
	cmd.Flags().BoolVar(&impasse, "impasse", false, "count points in an impasse (default: if all pieces are there)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if f.options.MaxPlies < 0 {
			return usagef("--max-plies %d: 0 or more", f.options.MaxPlies)
		}
		f.options.Repetition, f.options.FirstPlayer = f.repetition.repetition(), f.repetition.firstPlayer()
		if cmd.Flags().Changed("impasse") {
			f.impasse = &impasse
		}
		start, moves, err := position.ReadGame(args[0])
		switch {
		case err != nil && isFile(args[0]):
			return f.playFiles(cmd, args)
		case err != nil:
			return &usageError{err}
		}
		return f.playMoves(cmd, start, moves, args[1:])
	}
	return cmd
}

// newGame returns a game before its first move.
func (f *gameFlags) newGame(start rules.Position) *rules.Game {
	options := f.options
	options.Impasse = index.MaterialOf(&start) == fullSet
	if f.impasse != nil {
		options.Impasse = *f.impasse
	}
	return rules.NewGame(start, options)
}

// fullSet is the material of the game.
var fullSet = index.Material{2, 2, 2, 2, 2}

// playMoves plays the moves that stand behind a position, and then those of the other arguments, some of which may
// share one.
func (f *gameFlags) playMoves(cmd *cobra.Command, start rules.Position, moves []rules.Move, args []string) error {
	g := f.newGame(start)
	last := rules.NoSquare
	play := func(m rules.Move) error {
		if err := g.Play(m); err != nil {
			return fmt.Errorf("ply %d: %w", g.PlyCount()+1, err)
		}
		last = m.To()
		return nil
	}
	for _, m := range moves {
		if err := play(m); err != nil {
			return err
		}
	}
	for _, text := range position.Moves(strings.Join(args, " ")) {
		p := g.Position()
		m, err := position.ParseMove(&p, text, last)
		var illegal *rules.IllegalMoveError
		switch {
		case errors.As(err, &illegal):
			return fmt.Errorf("ply %d: %w", g.PlyCount()+1, err)
		case err != nil:
			return usagef("ply %d: %w", g.PlyCount()+1, err)
		}
		if err := play(m); err != nil {
			return err
		}
	}
	if f.json {
		return writeJSON(cmd.OutOrStdout(), answer.GameOf(g))
	}
	describeEnd(cmd.OutOrStdout(), g)
	return nil
}

// describeEnd shows where a game has come to.
func describeEnd(w io.Writer, g *rules.Game) {
	p := g.Position()
	drawBoard(w, &p)
	fmt.Fprintf(w, "%s\n\n%s\n", p.SFEN(), describeGame(g))
}

// describeGame returns the state of a game in words.
func describeGame(g *rules.Game) string {
	p, s := g.Position(), g.Status()
	loser := capital(s.Winner.Other().String())
	var why string
	switch s.Reason {
	case rules.NoReason:
		why = capital(p.SideToMove().String()) + " is to move" + inCheck(&p)
	case rules.Checkmate:
		why = loser + " is checkmated"
	case rules.Stalemate:
		why = loser + " has no legal move"
	case rules.FourfoldRepetition:
		why = "The position has occurred for the fourth time"
	case rules.PerpetualCheck:
		why = "The position has occurred for the fourth time, and " + loser + " has given check with every move"
	case rules.PlyLimitReached:
		why = "The limit of plies is reached"
	case rules.ImpasseCount:
		why = fmt.Sprintf("Impasse: Sente has %d points, Gote %d", p.ImpassePoints(rules.Sente), p.ImpassePoints(rules.Gote))
	}
	how := map[rules.Result]string{
		rules.Ongoing:   "the game goes on",
		rules.Win:       capital(s.Winner.String()) + " wins",
		rules.Draw:      "a draw",
		rules.Undecided: "undecided by the rule",
	}[s.Result]
	return fmt.Sprintf("%s: %s (ply %d).", why, how, g.PlyCount())
}

// capital makes the first letter of a player's name a capital.
func capital(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

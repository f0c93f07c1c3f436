package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gogotb/cmd/internal/answer"
	"gogotb/index"
	"gogotb/rules"
)

func newGameCommand() *cobra.Command {
	var (
		asJSON  bool
		options rules.GameOptions
	)
	cmd := &cobra.Command{
		Use:   "game SFEN [MOVE...]",
		Short: "Play moves and say how the game stands",
		Long: `Play moves, in USI notation, and say how the game stands: going on, checkmate, stalemate, repetition,
perpetual check, ply limit or impasse, and who wins.

--first-player says who made the first move of the game, if it was not the side to move in SFEN.

Impasse: once both kings have entered their far ranks, pieces are counted: rooks and bishops 5, others 1. A
player with fewer than 24 points loses; if both have fewer, the game is undecided. The rule demands
that neither king can be mated, which is for you to judge. 24 points can only be reached with the full set of pieces,
so by default nothing is counted with fewer; --impasse counts always, --impasse=false never.`,
		Example: `  gogotb game 'rbsgk/4p/5/P4/KGSBR b - 1' 5e4d 1a2b
  gogotb game --json --max-plies 300 '4k/5/4K/5/5 b G 1' 'G*1b'`,
		Args: cobra.MinimumNArgs(1),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write a JSON object")
	repetition := addRepetitionFlags(cmd)
	cmd.Flags().IntVar(&options.MaxPlies, "max-plies", 0, fmt.Sprintf("a game of so many plies is a draw (usual: %d; 0: no limit)", rules.PlyLimit))
	cmd.Flags().BoolVar(&options.Impasse, "impasse", false, "count points in an impasse (default: if all pieces are there)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if options.MaxPlies < 0 {
			return usagef("--max-plies %d: 0 or more", options.MaxPlies)
		}
		start, err := parsePosition(args[0])
		if err != nil {
			return err
		}
		options.Repetition, options.FirstPlayer = repetition.repetition(), repetition.firstPlayer()
		if !cmd.Flags().Changed("impasse") {
			options.Impasse = index.MaterialOf(&start) == fullSet
		}
		g := rules.NewGame(start, options)
		if err := playMoves(g, args[1:]); err != nil {
			return err
		}
		if asJSON {
			return writeJSON(cmd.OutOrStdout(), answer.GameOf(g))
		}
		p := g.Position()
		drawBoard(cmd.OutOrStdout(), &p)
		fmt.Fprintf(cmd.OutOrStdout(), "%s\n\n%s\n", p.SFEN(), describeGame(g))
		return nil
	}
	return cmd
}

// fullSet is the material of the game.
var fullSet = index.Material{2, 2, 2, 2, 2}

// playMoves plays moves given in USI, some of which may share an argument.
func playMoves(g *rules.Game, args []string) error {
	for _, text := range strings.Fields(strings.Join(args, " ")) {
		m, err := rules.ParseUSI(text)
		if err != nil {
			return usagef("ply %d: %w", g.Plies()+1, err)
		}
		if err := g.Play(m); err != nil {
			return fmt.Errorf("ply %d: %w", g.Plies()+1, err)
		}
	}
	return nil
}

// describeGame is the state of a game in words.
func describeGame(g *rules.Game) string {
	p, s := g.Position(), g.Status()
	loser := capital(s.Winner.Other().String())
	var why string
	switch s.Reason {
	case rules.NoReason:
		why = capital(p.Turn().String()) + " is to move" + inCheck(&p)
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
	return fmt.Sprintf("%s: %s (ply %d).", why, how, g.Plies())
}

// capital makes the first letter of a player's name a capital.
func capital(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"gogotb/cmd/internal/position"
	"gogotb/rules"
)

func newMovesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "moves SFEN",
		Short: "List the legal moves of a position",
		Long: `List the legal moves of a position in USI notation, one a line, sorted.

` + position.Accepted,
		Example: `  gogotb moves '4k/5/5/5/K4 b G 1'
  gogotb moves 'position startpos moves 1e1d'`,
		Args: quoted(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := parsePosition(args[0])
			if err != nil {
				return err
			}
			for _, m := range sortedMoves(&p) {
				fmt.Fprintln(cmd.OutOrStdout(), m)
			}
			return nil
		},
	}
}

// sortedMoves returns the legal moves in the order of their USI texts.
func sortedMoves(p *rules.Position) []rules.Move {
	moves := p.Moves(make([]rules.Move, 0, rules.MaxMoves))
	slices.SortFunc(moves, func(a, b rules.Move) int { return cmp.Compare(a.USI(), b.USI()) })
	return moves
}

package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"gogotb/cmd/internal/position"
	"gogotb/rules"
)

func newPerftCommand() *cobra.Command {
	var jobs coreCount
	cmd := &cobra.Command{
		Use:   "perft DEPTH [SFEN]",
		Short: "Count the leaves of the tree of legal moves",
		Long: `Count the leaves of the tree of legal moves to a depth in plies: for each first move, and then their
total, alone on the last line. Without SFEN it starts from the starting position of an even game.

` + position.Accepted,
		Example: `  gogotb perft 4
  gogotb perft 3 '2k2/5/5/5/2K2 b RG 1'`,
		Args: quoted(cobra.RangeArgs(1, 2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			depth, err := strconv.ParseUint(args[0], 10, 8)
			if err != nil {
				return usagef("depth %q is not a number from 0 to 255", args[0])
			}
			sfen := rules.StartSFEN
			if len(args) == 2 {
				sfen = args[1]
			}
			p, err := parsePosition(sfen)
			if err != nil {
				return err
			}
			total := uint64(1)
			if depth > 0 {
				moves := sortedMoves(&p)
				total = 0
				for i, n := range perftMoves(&p, moves, int(depth)-1, int(jobs)) {
					fmt.Fprintf(cmd.OutOrStdout(), "%s: %d\n", moves[i], n)
					total += n
				}
			}
			fmt.Fprintln(cmd.OutOrStdout(), total)
			return nil
		},
	}
	jobsFlag(cmd, &jobs)
	return cmd
}

// perftMoves counts the leaves after each move.
func perftMoves(p *rules.Position, moves []rules.Move, depth, jobs int) []uint64 {
	counts := make([]uint64, len(moves))
	var g errgroup.Group
	g.SetLimit(jobs)
	for i, m := range moves {
		g.Go(func() error {
			q := *p
			q.Make(m)
			counts[i] = rules.Perft(&q, depth)
			return nil
		})
	}
	g.Wait() // no error to return
	return counts
}

package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"gogotb/cmd/internal/answer"
)

func newStatsCommand() *cobra.Command {
	var (
		asJSON bool
		plot   string
	)
	cmd := &cobra.Command{
		Use:   "stats MATERIAL...",
		Short: "Show the statistics kept in the tables",
		Long: `Show the statistics kept in the tables of material sets. Positions are counted with Sente to move, mirror images
too. --plot draws the distances to mate of one set, with a logarithmic scale.`,
		Example: `  gogotb stats RB
  gogotb stats --json R RB
  gogotb stats --plot gp.svg GP`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			sets, err := parseMaterials(args)
			if err != nil {
				return err
			}
			if plot != "" {
				if len(sets) > 1 {
					return usagef("--plot shows one set, not %d", len(sets))
				}
				if _, err := plotFormat(plot); err != nil {
					return err
				}
			}
			tables, err := openTables(cmd, 0)
			if err != nil {
				return err
			}
			defer tables.Close()
			for i, m := range sets {
				s, err := tables.Set(m)
				if err != nil {
					return err
				}
				r, err := answer.StatsOf(s)
				if err != nil {
					return err
				}
				if asJSON {
					err = writeJSON(cmd.OutOrStdout(), r)
				} else {
					if i > 0 {
						fmt.Fprintln(cmd.OutOrStdout())
					}
					describeStats(cmd.OutOrStdout(), r)
				}
				if err != nil {
					return err
				}
				if plot != "" {
					stats := s.Stats()
					if err := plotStats(plot, m, &stats); err != nil {
						return err
					}
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write a JSON object a set, one a line")
	cmd.Flags().StringVar(&plot, "plot", "", "draw the distances to mate into this file, .svg or .png")
	return cmd
}

// describeStats shows statistics to people.
func describeStats(w io.Writer, r answer.Stats) {
	fmt.Fprintf(w, "%s: %s legal positions, %s indices\n\n", r.Material, comma(r.Legal), comma(r.IndexSize))
	t := newTable(w, "the side to move", "positions", "share")
	for _, line := range []struct {
		text  string
		count uint64
	}{
		{"  mates", r.MateWins},
		{"  is mated", r.MateLosses},
		{"  wins by perpetual check", r.PerpetualWins},
		{"  loses by perpetual check", r.PerpetualLosses},
		{"open: neither side can force a win", r.Open},
	} {
		t.row(line.text, comma(line.count), share(line.count, r.Legal))
	}
	t.flush()
	fmt.Fprintln(w)
	if r.LongestWin != nil {
		fmt.Fprintf(w, "longest win        %s: %s\n", plies(r.MaxWin), *r.LongestWin)
	}
	if r.LongestLoss != nil {
		fmt.Fprintf(w, "longest loss       %s: %s\n", plies(r.MaxLoss), *r.LongestLoss)
	}
	if n := max(len(r.RankWins), len(r.RankLosses)); n > 0 {
		fmt.Fprintf(w, "highest rank       %d\n", n)
	}
	fmt.Fprintf(w, "checkmates         %s\n", comma(r.Checkmates))
	fmt.Fprintf(w, "stalemates         %s\n", comma(r.Stalemates))
	fmt.Fprintf(w, "mutual zugzwangs   %s\n", comma(r.MutualZugzwangs))
	fmt.Fprintf(w, "bytes              %s outcomes, %s distances\n", comma(r.OutcomeBytes), comma(r.DistanceBytes))
}

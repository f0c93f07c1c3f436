package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"gogotb/index"
	"gogotb/storage"
)

// statsReport is the JSON of stats.
type statsReport struct {
	Material        string   `json:"material"`
	IndexSize       uint64   `json:"index_size"`
	Legal           uint64   `json:"legal"`
	MateWins        uint64   `json:"mate_wins"`
	MateLosses      uint64   `json:"mate_losses"`
	PerpetualWins   uint64   `json:"perpetual_wins"`
	PerpetualLosses uint64   `json:"perpetual_losses"`
	Open            uint64   `json:"open"`
	MaxWin          int      `json:"max_win"`
	MaxLoss         int      `json:"max_loss"`
	Histogram       []uint64 `json:"histogram"`
	RankWins        []uint64 `json:"rank_wins"`
	RankLosses      []uint64 `json:"rank_losses"`
	LongestWin      *string  `json:"longest_win"`
	LongestLoss     *string  `json:"longest_loss"`
	MutualZugzwangs uint64   `json:"mutual_zugzwangs"`
	MutualChecks    uint64   `json:"mutual_checks"`
	OutcomeBytes    int64    `json:"outcome_bytes"`
	DistanceBytes   int64    `json:"distance_bytes"`
	Checkmates      uint64   `json:"checkmates"`
	Stalemates      uint64   `json:"stalemates"`
}

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
			tables, err := openTables(cmd)
			if err != nil {
				return err
			}
			defer tables.Close()
			for i, m := range sets {
				s, err := tables.Set(m)
				if err != nil {
					return err
				}
				r, err := reportStats(s)
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

func reportStats(s *storage.Set) (statsReport, error) {
	stats := s.Stats()
	r := statsReport{
		Material:        s.Index().Material().String(),
		IndexSize:       s.Index().Size(),
		Legal:           stats.Legal,
		MateWins:        stats.MateWins,
		MateLosses:      stats.MateLosses,
		PerpetualWins:   stats.PerpetualWins,
		PerpetualLosses: stats.PerpetualLosses,
		Open:            stats.Open,
		MaxWin:          stats.MaxWin,
		MaxLoss:         stats.MaxLoss,
		Histogram:       list(stats.Histogram),
		RankWins:        list(stats.RankWins),
		RankLosses:      list(stats.RankLosses),
		MutualZugzwangs: stats.MutualZugzwangs,
		MutualChecks:    stats.MutualChecks,
		Checkmates:      stats.Checkmates,
		Stalemates:      stats.Stalemates,
	}
	r.OutcomeBytes, r.DistanceBytes = s.Bytes()
	var err error
	if r.LongestWin, err = longest(s.Index(), stats.MaxWin, stats.LongestWin); err != nil {
		return r, err
	}
	r.LongestLoss, err = longest(s.Index(), stats.MaxLoss, stats.LongestLoss)
	return r, err
}

// list makes an empty list one that JSON shows as [].
func list(counts []uint64) []uint64 {
	if counts == nil {
		return []uint64{}
	}
	return counts
}

// longest is the position of a longest mate, nil if there is no mate.
func longest(x *index.Index, plies int, i uint64) (*string, error) {
	if plies < 0 {
		return nil, nil
	}
	p, err := x.Unrank(i)
	if err != nil {
		return nil, err
	}
	return pointer(p.SFEN()), nil
}

// describeStats shows statistics to people.
func describeStats(w io.Writer, r statsReport) {
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
		{"  cannot force a win, nor can the other", r.Open},
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

package main

import (
	"github.com/spf13/cobra"

	"gogotb/cmd/internal/usi"
	"gogotb/cmd/internal/version"
)

func newUSICommand() *cobra.Command {
	var jobs coreCount
	cmd := &cobra.Command{
		Use:   "usi",
		Short: "Be an engine for programs that speak USI, or UCI",
		Long: `Be an engine for programs that speak USI, or UCI when greeted with uci (in Fairy-Stockfish's dialect).

Positions that the tables cover are played perfectly. Others are given to the engine that the option EnginePath names,
while the mate solver looks for a mate; without one, the choice is legal and modest. quit and the end of the input end a
search at once. --jobs is for the mate solver where nothing else works: it has one core, or a share of one, beside another search.

Options, besides those that every engine has: TablePath (folders or addresses, separated as in PATH; at first those of --dir), Repetition
(draw, first-player-loses), EnginePath (a program, and arguments quoted as for a shell), EngineOptions
(name=value; name=value), MateShare (percent of a core for the mate solver beside another search; 0: none), Move_Overhead
(milliseconds that a move needs to reach the opponent's clock; Move Overhead in UCI).`,
		Example: `  gogotb usi
  (printf 'usi\nposition sfen 4k/5/5/5/K4 b R 1\ngo movetime 100\n'; sleep 1) | gogotb usi`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			session := usi.New(version.Program, tableDirs(cmd), cmd.OutOrStdout())
			session.SetJobs(int(jobs))
			session.SetSource(addresses(cmd))
			return session.Run(cmd.InOrStdin())
		},
	}
	jobsFlag(cmd, &jobs)
	return cmd
}

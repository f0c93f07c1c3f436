package main

import (
	"github.com/spf13/cobra"

	"gogotb/cmd/internal/usi"
	"gogotb/cmd/internal/version"
)

func newUSICommand() *cobra.Command {
	return &cobra.Command{
		Use:   "usi",
		Short: "Be an engine for programs that speak USI, or UCI",
		Long: `Be an engine for programs that speak USI, or UCI when greeted with uci (in Fairy-Stockfish's dialect).

Positions that the tables cover are played perfectly. Others are given to the mate solver, and then to the engine
that the option EnginePath names; without one, the choice is legal and modest.

Options, besides those that every engine has: TablePath (folders as in PATH; at first those of --dir), Repetition
(draw, first-player-loses), EnginePath, EngineOptions (name=value; name=value).`,
		Example: `  gogotb usi
  printf 'usi\nposition sfen 4k/5/5/5/K4 b R 1\ngo movetime 100\n' | gogotb usi`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return usi.New(version.Program, tableDirs(cmd), cmd.OutOrStdout()).Run(cmd.InOrStdin())
		},
	}
}

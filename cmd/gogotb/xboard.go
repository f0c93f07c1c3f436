package main

import (
	"github.com/spf13/cobra"

	"gogotb/cmd/internal/version"
	"gogotb/cmd/internal/xboard"
)

func newXBoardCommand() *cobra.Command {
	var jobs coreCount
	cmd := &cobra.Command{
		Use:   "xboard",
		Short: "Be an engine for XBoard and WinBoard",
		Long: `Be an engine for XBoard and WinBoard: protocol version 2, variant 5x5+5_shogi, which is also called minishogi.

It plays as the command usi does, and ponders when XBoard lets it. Options are in XBoard's menu Engine.`,
		Example: `  gogotb xboard
  xboard -fcp 'gogotb --dir tables xboard' -variant minishogi`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			session := xboard.New(version.Program, tableDirs(cmd), cmd.OutOrStdout())
			session.SetJobs(int(jobs))
			session.SetSource(addresses(cmd))
			return session.Run(cmd.InOrStdin())
		},
	}
	jobsFlag(cmd, &jobs)
	return cmd
}

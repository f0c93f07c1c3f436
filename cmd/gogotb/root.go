package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"gogotb/cmd/internal/version"
	"gogotb/rules"
	"gogotb/storage"
)

// Groups of commands in the help.
const (
	tablesGroup    = "tables"
	positionsGroup = "positions"
)

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "gogotb",
		Short: "Endgame tables for minishogi: make them, probe them, look into them",
		Long: `Endgame tables for minishogi (5x5 shogi with drops): make them, probe them, look into them.

Exit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted.`,
		Version:           fmt.Sprintf("%s (tables of format %d, rules %d)", version.Program, storage.FormatVersion, rules.Version),
		RunE:              func(*cobra.Command, []string) error { return usagef("no command given; gogotb --help lists them") },
		SilenceErrors:     true, // main prints them
		SilenceUsage:      true,
		DisableAutoGenTag: true,
	}
	root.SetFlagErrorFunc(numberError)
	root.SetVersionTemplate("{{.Version}}\n")
	root.PersistentFlags().Var(new(folders), "dir", "folder of tables, or address: https://host/path/, s3://bucket/prefix; may be repeated (default those of $GOGOTB_DIR, separated as in PATH, else ./tables)")
	root.PersistentFlags().String("disk-cache", "", "folder that keeps what is read from addresses (default $GOGOTB_CACHE_DIR, else none)")
	root.PersistentFlags().Var(new(byteSize), "disk-cache-size", "how much it keeps (default $GOGOTB_CACHE_SIZE, else 1GiB)")
	root.PersistentFlags().Bool("no-progress", false, "no progress bars, even on a terminal")
	root.MarkPersistentFlagDirname("dir")
	root.MarkPersistentFlagDirname("disk-cache")
	root.AddGroup(
		&cobra.Group{ID: tablesGroup, Title: "Tables:"},
		&cobra.Group{ID: positionsGroup, Title: "Positions and games:"},
	)
	for _, group := range []struct {
		id       string
		commands []*cobra.Command
	}{
		{tablesGroup, []*cobra.Command{
			newGenerateCommand(),
			newProbeCommand(),
			newFindCommand(),
			newStatsCommand(),
			newListCommand(),
			newIndexCommand(),
			newVerifyCommand(),
			newServeCommand(),
			newClusterCommand(),
		}},
		{positionsGroup, []*cobra.Command{
			newGameCommand(),
			newReviewCommand(),
			newMovesCommand(),
			newPerftCommand(),
			newUSICommand(),
			newXBoardCommand(),
			newPuzzleCommand(),
			newSolveCommand(),
		}},
	} {
		for _, c := range group.commands {
			c.GroupID = group.id
			root.AddCommand(c)
		}
	}
	return root
}

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"gogotb/retro/cluster"
)

func newClusterStatusCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say who is in a fleet, and how far its plans are",
		Long: `Say who is in a fleet, and how far its plans are. With --json, an object a line: first the members, {"member":...}, then the
plans with their tasks, {"plan":...}.`,
		Example: `  gogotb cluster status --join nats://head:4222 --creds fleet.creds
  gogotb cluster status --json`,
		Args: cobra.NoArgs,
	}
	join := addJoinFlags(cmd, defaultJoin)
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON, an object a line")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		c, disconnect, err := join.client(cmd.Context(), cmd)
		if err != nil {
			return err
		}
		defer disconnect()
		failed := false
		fleet, err := c.Fleet(cmd.Context(), func(err error) {
			failed = true
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", cmd.CommandPath(), oneLine(err.Error()))
		})
		if err != nil {
			return err
		}
		if err := printStatus(cmd, fleet, asJSON); err != nil {
			return err
		}
		if failed {
			return errSaid
		}
		return nil
	}
	return cmd
}

func printStatus(cmd *cobra.Command, fleet cluster.Fleet, asJSON bool) error {
	w := cmd.OutOrStdout()
	if asJSON {
		for _, m := range fleet.Members {
			if err := writeJSON(w, struct {
				Member cluster.Member `json:"member"`
			}{m}); err != nil {
				return err
			}
		}
		for _, p := range fleet.Plans {
			if err := writeJSON(w, struct {
				Plan cluster.Standing `json:"plan"`
			}{p}); err != nil {
				return err
			}
		}
		return nil
	}
	if len(fleet.Members) > 0 {
		t := newTable(w, "member", "kind", "memory", "jobs", "task", "trouble")
		for _, m := range fleet.Members {
			jobs, task := "-", m.Task
			if m.Room.Jobs > 0 {
				jobs = comma(m.Room.Jobs)
			}
			if m.Draining {
				task += " (going)"
			}
			t.row(m.Name, m.Kind, memory(m.Room.Memory), jobs, task, oneLine(m.Trouble))
		}
		t.flush()
	}
	for _, p := range fleet.Plans {
		writeStanding(w, p, len(p.Tasks))
		for _, t := range p.Tasks {
			if t.Failure != nil {
				fmt.Fprintf(w, "%s failed on %s: %s\n", taskName(&t), t.Failure.Worker, oneLine(t.Failure.Error))
			}
			if t.TooLarge != "" {
				fmt.Fprintln(w, t.TooLarge)
			}
		}
	}
	return nil
}

func newClusterDrainCommand() *cobra.Command {
	all := false
	cmd := &cobra.Command{
		Use:   "drain WORKER...",
		Short: "Ask workers to save what they have found, and to go",
		Long: `Ask workers, by the names that gogotb cluster status shows, to bring what they have found into the bucket and to go. It
returns when they have heard it.`,
		Example: `  gogotb cluster drain node7-k3v2xa
  gogotb cluster drain --all`,
	}
	join := addJoinFlags(cmd, defaultJoin)
	cmd.Flags().BoolVar(&all, "all", false, "ask all of them")
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		if all == (len(names) > 0) {
			return usagef("drain: name workers, or give --all")
		}
		c, disconnect, err := join.client(cmd.Context(), cmd)
		if err != nil {
			return err
		}
		defer disconnect()
		if all {
			if names, err = c.Workers(cmd.Context()); err != nil {
				return err
			}
		}
		for _, name := range names {
			if err := c.Drain(cmd.Context(), name); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s goes\n", name)
		}
		return nil
	}
	return cmd
}

func newClusterCancelCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cancel PLAN...",
		Short: "Have nobody work on a plan any more",
		Long: `Have nobody work on plans any more, by the names that gogotb cluster status shows. What is made stays, and what was found of
the rest, too: the same gogotb cluster generate goes on from there.`,
		Example: `  gogotb cluster cancel 5f0c2a9be711`,
		Args:    cobra.MinimumNArgs(1),
	}
	join := addJoinFlags(cmd, defaultJoin)
	cmd.RunE = func(cmd *cobra.Command, plans []string) error {
		c, disconnect, err := join.client(cmd.Context(), cmd)
		if err != nil {
			return err
		}
		defer disconnect()
		for _, plan := range plans {
			if err := c.Cancel(cmd.Context(), plan); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s is cancelled\n", plan)
		}
		return nil
	}
	return cmd
}

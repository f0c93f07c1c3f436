package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"gogotb/index"
	"gogotb/retro"
	"gogotb/storage"
)

// generateOptions are the flags of generate.
type generateOptions struct {
	pieces          int
	parts           int
	jobs            coreCount
	memory          byteSize
	checkpointEvery time.Duration
	estimate        bool
	force           bool
}

func newGenerateCommand() *cobra.Command {
	opt := generateOptions{memory: byteSize(availableMemory())}
	cmd := &cobra.Command{
		Use:   "generate [MATERIAL...]",
		Short: "Solve material sets and write their tables",
		Long: `Solve material sets and write their tables: all sets of up to N pieces, the two kings alone (none) included,
or those named, their letters in any order.

Tables are written to the first --dir, which is created if need be. Sets whose tables are there and whole are left
out; those of an older format are named, and made anew only with --force. Tables appear under their names when they are complete.

Ctrl-C leaves a checkpoint of the set that was being solved, beside the tables, and the exit status is 130: the same
command goes on from there; it makes no table twice, unless with --force. A checkpoint is also written now and then, for power
cuts and full disks. A set that was begun in --parts goes on in any other number of parts, or whole. When a set is done,
nothing but its tables and their checksums is left.

What --estimate prints of a set: memory at the peak; scratch, the room on the disk that the checkpoint and the scratch file
take when it is solved, until it is done; the size of its tables; the time, if all is in memory; and limited, the time where
--memory is all there is, the system's cache included, as in a container: what it has no room for is read from the disk.`,
		Example: `  gogotb generate --pieces 2
  gogotb generate --dir /srv/minishogi --memory 16GiB GSP RB
  gogotb generate --estimate RBSP`,
		RunE: func(cmd *cobra.Command, args []string) error {
			sets, err := parseMaterials(args)
			if err != nil {
				return err
			}
			switch {
			case opt.parts < 1 || opt.parts > retro.MaxParts:
				return usagef("--parts %d: 1 to %d", opt.parts, retro.MaxParts)
			case opt.checkpointEvery <= 0:
				return usagef("--checkpoint-every %s: more than nothing", opt.checkpointEvery)
			case !cmd.Flags().Changed("pieces"):
			case opt.pieces < 0 || opt.pieces > index.MaxPieces:
				return usagef("--pieces %d: 0 to %d", opt.pieces, index.MaxPieces)
			default:
				sets = union(index.Sets(opt.pieces), sets)
			}
			if len(sets) == 0 {
				return usagef("nothing to generate: name material sets, or give --pieces N")
			}
			return generate(cmd, sets, opt)
		},
	}
	cmd.Flags().IntVar(&opt.pieces, "pieces", 0, "all sets of up to `N` pieces, kings not counted")
	jobsFlag(cmd, &opt.jobs)
	cmd.Flags().Var(&opt.memory, "memory", "take no more memory than this, such as 16GiB: what a set needs beyond it lies in a scratch file in --dir")
	cmd.Flags().DurationVar(&opt.checkpointEvery, "checkpoint-every", time.Minute, "how much work may be lost when the power fails")
	cmd.Flags().IntVar(&opt.parts, "parts", 1, "solve each set in `N` parts that share only what they have found, as a cluster does: the tables are the same")
	cmd.Flags().BoolVar(&opt.estimate, "estimate", false, "print what the sets would need, and do nothing")
	cmd.Flags().BoolVar(&opt.force, "force", false, "also make tables that are there")
	return cmd
}

// union returns a followed by what is only in b.
func union(a, b []index.Material) []index.Material {
	for _, m := range b {
		if !slices.Contains(a, m) {
			a = append(a, m)
		}
	}
	return a
}

func generate(cmd *cobra.Command, sets []index.Material, opt generateOptions) error {
	dir := tableDirs(cmd)[0]
	if storage.IsAddress(dir) {
		return usagef("tables are made in a folder; the first --dir is an address")
	}
	if opt.estimate {
		return estimate(cmd, sets, opt, dir)
	}
	if err := storage.MakeFolder(dir); err != nil {
		return err
	}
	lock, err := lockFolder(dir)
	if errors.Is(err, errAtWork) {
		return err
	}
	missing := sets
	var there, older []index.Material
	if !opt.force {
		missing, there, older = lookFor(dir, sets)
	}
	if err != nil && len(missing) > 0 {
		return err
	}
	sayThere(cmd.ErrOrStderr(), sets, there, older)
	if err != nil {
		return nil // nothing has to be written where nothing can be
	}
	defer lock.release()
	if err := storage.Tidy(dir); err != nil {
		return err
	}
	if err := removeCheckpoints(dir, there); err != nil {
		return err
	}
	plans := make([]plan, len(missing))
	for i, m := range missing {
		if plans[i], err = planSet(m, int(opt.jobs), opt.parts, uint64(opt.memory), dir); err != nil {
			return err
		}
	}
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	debug.SetGCPercent(garbagePercent)
	if opt.memory > 0 {
		debug.SetMemoryLimit(int64(opt.memory))
	}
	g := generation{dir: dir, jobs: int(opt.jobs), checkpointEvery: opt.checkpointEvery, messages: cmd.ErrOrStderr(), sets: len(plans)}
	for _, p := range plans {
		g.total += p.positions
	}
	g.bar = newProgressBar(cmd, g.total)
	var made []madeSet
	for _, p := range plans {
		var m madeSet
		if m, err = g.make(ctx, p); err != nil {
			break
		}
		made = append(made, m)
	}
	g.bar.finish()
	if len(made) > 0 {
		printMade(cmd.OutOrStdout(), made)
	}
	switch {
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return &interruptedError{fmt.Sprintf("interrupted; made: %d of %s; the same command goes on from there", len(made), countSets(len(plans)))}
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("%w; when there is room, the same command goes on", err)
	}
	return err
}

// estimate answers --estimate. What needs more memory than there is, which nobody has asked to
// keep to, is estimated as if there were enough.
func estimate(cmd *cobra.Command, sets []index.Material, opt generateOptions, dir string) error {
	plans := make([]plan, len(sets))
	for i, m := range sets {
		var err error
		plans[i], err = planSet(m, int(opt.jobs), opt.parts, uint64(opt.memory), dir)
		if low := new(retro.MemoryError); errors.As(err, &low) && !cmd.Flags().Changed("memory") {
			plans[i], err = planSet(m, int(opt.jobs), opt.parts, 0, dir)
		}
		if err != nil {
			return err
		}
	}
	printPlans(cmd.OutOrStdout(), plans)
	return nil
}

// lookFor tells apart the sets whose tables are missing and those whose are there, of which older have another format
// than would be written.
func lookFor(dir string, sets []index.Material) (missing, there, older []index.Material) {
	for _, m := range sets {
		format, ok := isThere(dir, m)
		if !ok {
			missing = append(missing, m)
			continue
		}
		there = append(there, m)
		if format < storage.FormatVersion {
			older = append(older, m)
		}
	}
	return missing, there, older
}

// sayThere says which sets nothing is done for.
func sayThere(w io.Writer, sets, there, older []index.Material) {
	if len(there) > 0 {
		fmt.Fprintf(w, "already there: %d of %s\n", len(there), countSets(len(sets)))
	}
	if len(older) > 0 {
		fmt.Fprintf(w, "%s in an older format, whole and left alone; --force makes them anew in format %d: %s\n",
			countSets(len(older)), storage.FormatVersion, materialNames(older))
	}
}

// removeCheckpoints removes what a process that was killed after making sets has left of its work.
func removeCheckpoints(dir string, made []index.Material) error {
	for _, m := range made {
		if err := retro.RemoveCheckpoint(checkpointFile(dir, m)); err != nil {
			return err
		}
	}
	return nil
}

// materialNames lists sets.
func materialNames(sets []index.Material) string {
	list := make([]string, len(sets))
	for i, m := range sets {
		list[i] = m.String()
	}
	return strings.Join(list, " ")
}

// isThere tells whether both tables of a set are in a folder and whole, as far as their
// headers, directories and statistics tell, and in which format they are.
func isThere(dir string, m index.Material) (format int, ok bool) {
	tables, err := storage.Open([]string{dir}, nil)
	if err != nil {
		return 0, false
	}
	defer tables.Close()
	s, err := tables.Set(m)
	if err != nil || !s.HasDistances() {
		return 0, false
	}
	return s.Format(), true
}

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gogotb/index"
	"gogotb/retro"
	"gogotb/retro/cluster"
	"gogotb/storage"
)

// clusterGenerateOptions are the flags of cluster generate.
type clusterGenerateOptions struct {
	join    *joinFlags
	room    *roomFlags
	pieces  int
	bucket  string
	sample  int
	seed    uint64
	workers int
	parts   int
	from    int
}

func newClusterGenerateCommand() *cobra.Command {
	var o clusterGenerateOptions
	cmd := &cobra.Command{
		Use:   "generate [MATERIAL...]",
		Short: "Have a fleet make the tables of material sets, and follow it",
		Long: `Have the fleet of --join make the tables of material sets: all sets of up to N pieces, or those named. It follows the work to
its end; it may be ended, and the fleet goes on; the same command follows again.

The tables are in --bucket, below tables/, with SHA256SUMS. If --dir is given, they are copied there; sets whose tables
are there already are left out. With --sample every set is audited, as gogotb verify --sample does it, from the bucket.

With --parts each set is made in so many parts by king pairs, which workers take as far as each has memory, and do in step with
each other: for sets that fit no worker. What a part has found is in the bucket after each step, so that another worker can
take it over. Without --parts, sets that fit none of the workers that are there are made in the fewest parts that fit all of
these together. If an object of a step is lost or damaged, the set ends with its name; --from goes back to that step.

Without --join the whole fleet is in this process: no port is opened, and --workers share --memory and --jobs. The tables are
then made in the first --dir, unless --bucket says otherwise. This is for machines whose cores are far from each other's
memory, and for trying things out; gogotb generate does the same with less ado.`,
		Example: `  gogotb cluster generate --join nats://head:4222 --bucket s3://s3.example.org/tables --pieces 4 --sample 1000000
  gogotb cluster generate --join nats://127.0.0.1:4222 --bucket file:///shared/gogotb --dir tables RBSP GGPP
  gogotb cluster generate --workers 2 --pieces 3`,
	}
	o.join = addJoinFlags(cmd, "")
	o.room = addRoomFlags(cmd)
	flags := cmd.Flags()
	flags.IntVar(&o.pieces, "pieces", 0, "all sets of up to `N` pieces, kings not counted")
	flags.StringVar(&o.bucket, "bucket", "", "where the tables go: file:///path, s3://host/bucket/prefix, nats: (default: nats:; without --join a folder in --dir, which goes at the end)")
	flags.IntVar(&o.sample, "sample", 0, "audit `N` random positions of each set")
	flags.Uint64Var(&o.seed, "seed", 1, "which positions --sample takes")
	flags.IntVar(&o.workers, "workers", 1, "how many workers, without --join")
	flags.IntVar(&o.parts, "parts", 0, "make each set in `N` parts")
	flags.IntVar(&o.from, "from", 0, "with --parts: find again what was found in `STEP` and later ones")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		sets, err := parseMaterials(args)
		if err != nil {
			return err
		}
		switch {
		case flags.Changed("pieces") && (o.pieces < 0 || o.pieces > index.MaxPieces):
			return usagef("--pieces %d: 0 to %d", o.pieces, index.MaxPieces)
		case flags.Changed("sample") && o.sample < 1:
			return usagef("--sample %d: at least 1", o.sample)
		case o.workers < 1 || o.workers > maxWorkers:
			return usagef("--workers %d: 1 to %d", o.workers, maxWorkers)
		case flags.Changed("parts") && (o.parts < 1 || o.parts > retro.MaxParts):
			return usagef("--parts %d: 1 to %d", o.parts, retro.MaxParts)
		case flags.Changed("from") && (o.from < 0 || o.parts == 0):
			return usagef("--from %d: at least 0, and with --parts", o.from)
		}
		for _, name := range []string{"workers", "memory", "jobs", "scratch", "checkpoint-every"} {
			if o.join.join != "" && flags.Changed(name) {
				return usagef("--%s: with --join, workers have it", name)
			}
		}
		if flags.Changed("pieces") {
			sets = union(index.Sets(o.pieces), sets)
		}
		if len(sets) == 0 {
			return usagef("nothing to generate: name material sets, or give --pieces N")
		}
		return clusterGenerate(cmd, sets, &o)
	}
	return cmd
}

// maxWorkers is more than anybody has memory for.
const maxWorkers = 64

// localBucket is the name of the folder in --dir that is the bucket of a fleet in one process.
const localBucket = "cluster.bucket"

func clusterGenerate(cmd *cobra.Command, sets []index.Material, o *clusterGenerateOptions) error {
	dir, local := "", o.join.join == ""
	if cmd.Flags().Changed("dir") || local && o.bucket == "" {
		dir = tableDirs(cmd)[0]
	}
	if dir != "" {
		if err := storage.MakeFolder(dir); err != nil {
			return err
		}
		lock, err := lockFolder(dir)
		if err != nil {
			return err
		}
		defer lock.release()
		if err := storage.Tidy(dir); err != nil {
			return err
		}
		missing, there, older := lookFor(dir, sets)
		sayThere(cmd.ErrOrStderr(), sets, there, older)
		if sets = missing; len(sets) == 0 {
			return nil
		}
	}
	address, own := o.bucket, ""
	switch {
	case address != "":
	case !local:
		address = "nats:"
	default:
		path, err := filepath.Abs(filepath.Join(dir, localBucket))
		if err != nil {
			return err
		}
		own, address = path, "file://"+filepath.ToSlash(path)
	}
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	p := cluster.NewPlan(clusterVersions(), address, sets, o.sample, o.seed)
	if o.parts > 0 {
		p.Divide(sets, o.parts)
	}
	var over cluster.Standing
	work := func(ctx context.Context, c *cluster.Client) error {
		if o.parts == 0 && !local {
			divided, err := c.DivideLarge(ctx, &p)
			if err != nil {
				return err
			}
			for _, set := range divided {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s fits no worker as a whole: it is made in %d parts\n", set, p.Parts[set])
			}
		}
		if cmd.Flags().Changed("from") {
			if err := c.GoBack(ctx, p, o.from); err != nil {
				return err
			}
		}
		f, err := c.Submit(ctx, p, newBucketTeller(cmd.ErrOrStderr()))
		if err != nil {
			return err
		}
		over, err = follow(ctx, cmd, f, local)
		if err != nil {
			return err
		}
		return finishCluster(ctx, cmd, f, over, dir)
	}
	var err error
	if local {
		var opt cluster.WorkerOptions
		if opt, err = o.room.options(); err != nil {
			return err
		}
		opt.Log = slog.New(slog.DiscardHandler)
		err = cluster.Local(ctx, cluster.LocalOptions{Workers: o.workers, Worker: opt}, work)
	} else {
		var c *cluster.Client
		var disconnect func()
		if c, disconnect, err = o.join.client(ctx, cmd); err != nil {
			return err
		}
		defer disconnect()
		err = work(ctx, c)
	}
	if ctx.Err() != nil {
		what := "the fleet goes on, and the same command follows it again"
		if local {
			what = "the same command goes on from there"
		}
		return &interruptedError{fmt.Sprintf("interrupted; %d of %d tasks done; %s", over.Count(cluster.Done), len(over.Tasks), what)}
	}
	if err == nil && own != "" {
		err = os.RemoveAll(own)
	}
	return err
}

// follow shows how far a plan is until it is over.
func follow(ctx context.Context, cmd *cobra.Command, f *cluster.Following, local bool) (cluster.Standing, error) {
	shown := newFleetTable(cmd)
	defer shown.clear()
	tick := time.NewTicker(time.Second / 2)
	defer tick.Stop()
	var last cluster.Standing
	for {
		s, err := f.Standing(ctx)
		switch {
		case err == nil:
			last = s
			if s.Cancelled {
				return s, cluster.ErrCancelled
			}
			shown.show(s)
			if s.Over() {
				return s, nil
			}
			for _, t := range s.Tasks {
				if t.TooLarge == "" {
					continue
				}
				if local {
					return s, errors.New(t.TooLarge)
				}
				shown.sayOnce(t.TooLarge + "; waiting for a worker that has it")
			}
		case ctx.Err() == nil:
			shown.sayOnce("NATS does not answer, and is asked again: " + err.Error())
		}
		select {
		case <-ctx.Done():
			return last, ctx.Err()
		case <-tick.C:
		}
	}
}

// finishCluster copies what was made, if it is wanted, and says what came of it.
func finishCluster(ctx context.Context, cmd *cobra.Command, f *cluster.Following, over cluster.Standing, dir string) error {
	results, reports, err := f.Results(ctx)
	if err != nil {
		return err
	}
	if dir != "" {
		for i := range results {
			if err := f.Fetch(ctx, dir, &results[i]); err != nil {
				return err
			}
		}
		if err := storage.Tidy(dir); err != nil {
			return err
		}
	}
	sound := printFleet(cmd.OutOrStdout(), results, reports)
	for _, t := range over.Tasks {
		if t.State == cluster.Failed {
			sound = false
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s, on %s: %s\n", cmd.CommandPath(), taskName(&t), t.Failure.Worker, oneLine(t.Failure.Error))
		}
	}
	if !sound {
		return errSaid
	}
	return nil
}

// newBucketTeller returns a function that says when a bucket fails, and when it works again.
func newBucketTeller(w interface{ Write([]byte) (int, error) }) func(error) {
	last := ""
	return func(err error) {
		text := "the bucket works again"
		if err != nil {
			text = "the bucket fails, and is asked again: " + strings.TrimSpace(oneLine(err.Error()))
		}
		if text != last {
			fmt.Fprintln(w, text)
		}
		last = text
	}
}

package main

import (
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"gogotb/retro/cluster"
)

// roomFlags say what a worker may take.
type roomFlags struct {
	memory          byteSize
	jobs            coreCount
	scratch         string
	checkpointEvery time.Duration
}

func addRoomFlags(cmd *cobra.Command) *roomFlags {
	f := &roomFlags{memory: byteSize(availableMemory())}
	cmd.Flags().Var(&f.memory, "memory", "take no set that needs more memory than this, such as 60GiB")
	jobsFlag(cmd, &f.jobs)
	cmd.Flags().StringVar(&f.scratch, "scratch", "", "folder on a fast disk: sets that memory does not hold are solved with a scratch file there (default: they are left to others)")
	cmd.Flags().DurationVar(&f.checkpointEvery, "checkpoint-every", time.Minute, "how much work may be lost with a worker")
	return f
}

// options returns those of a worker.
func (f *roomFlags) options() (cluster.WorkerOptions, error) {
	if f.checkpointEvery <= 0 {
		return cluster.WorkerOptions{}, usagef("--checkpoint-every %s: more than nothing", f.checkpointEvery)
	}
	opt := cluster.WorkerOptions{
		Versions: clusterVersions(),
		Room:     cluster.Room{Memory: uint64(f.memory), Jobs: int(f.jobs), Scratch: f.scratch != ""},
		Folder:   f.scratch, CheckpointEvery: f.checkpointEvery,
	}
	if opt.Folder == "" {
		opt.Folder = os.TempDir()
	}
	debug.SetGCPercent(garbagePercent)
	if f.memory > 0 {
		debug.SetMemoryLimit(int64(f.memory))
	}
	return opt, nil
}

func newClusterWorkerCommand() *cobra.Command {
	var metrics string
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Make and audit sets for a fleet",
		Long: `Make and audit sets for a fleet, one after the other, the largest that fits --memory first, with all cores or --jobs of
them, until Ctrl-C, SIGTERM or gogotb cluster drain. Then what was found of the set at hand goes to the bucket, from where
another worker goes on. A worker that is started before its servers waits for them.

The worker's own files are in a folder of its own in --scratch, or where the system has temporary files: the checkpoint and
the tables of the set at hand.`,
		Example: `  gogotb cluster worker --join nats://head:4222 --creds fleet.creds --tls-ca ca.pem --memory 60GiB
  gogotb cluster worker --scratch /nvme --jobs 16 --metrics-addr 127.0.0.1:8057 --log-format json`,
		Args: cobra.NoArgs,
	}
	join := addJoinFlags(cmd, defaultJoin)
	room := addRoomFlags(cmd)
	cmd.Flags().StringVar(&metrics, "metrics-addr", "", "address of /metrics and /healthz (default: nowhere)")
	logs := addLogFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		opt, err := room.options()
		if err != nil {
			return err
		}
		if opt.Log, err = logs.logger(cmd); err != nil {
			return err
		}
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		opt.Metrics = cluster.NewMetrics()
		if err := serveMetrics(ctx, metrics, opt.Metrics.Registry); err != nil {
			return err
		}
		said := map[string]bool{}
		conn, err := cluster.Await(ctx, join.join, join.security, cmd.CommandPath(), func(err error) {
			if !said[err.Error()] {
				opt.Log.Warn("there is no server; trying again", "error", err)
			}
			said[err.Error()] = true
		})
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		defer conn.Close()
		return cluster.NewWorker(conn, opt).Run(ctx)
	}
	return cmd
}

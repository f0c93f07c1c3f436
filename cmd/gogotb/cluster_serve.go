package main

import (
	"strings"

	"github.com/spf13/cobra"

	"gogotb/retro/cluster"
)

func newClusterServeCommand() *cobra.Command {
	var opt cluster.ServerOptions
	var metrics string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the queue of a fleet: NATS with JetStream",
		Long: `Serve the queue of a fleet: a NATS server with JetStream, whose data are in --store. Workers and clients of this machine
alone can connect unless --listen says otherwise; beyond it only those with the same file of --creds, which is made if it
is not there, and, with --tls-cert and --tls-key, by TLS.

One server will do: while it is away, workers go on with what they have. Three, each with the others in --routes, go on when
one dies. What they hold is not needed to go on: the bucket has it all.`,
		Example: `  gogotb cluster serve --store /var/lib/gogotb
  gogotb cluster serve --listen 0.0.0.0:4222 --creds fleet.creds --tls-cert head.pem --tls-key head.key
  gogotb cluster serve --name a --cluster-listen 10.0.0.1:6222 --routes 10.0.0.2:6222,10.0.0.3:6222 --listen 10.0.0.1:4222 --creds fleet.creds`,
		Args: cobra.NoArgs,
	}
	flags := cmd.Flags()
	flags.StringVar(&opt.Store, "store", "cluster-store", "folder for the data")
	flags.StringVar(&opt.Listen, "listen", "127.0.0.1:4222", "address and port for workers and clients, port 0 for a free one")
	flags.StringVar(&opt.Name, "name", "", "name of the server, which stays the same when it is started again (default made up)")
	flags.StringSliceVar(&opt.Routes, "routes", nil, "host:port of the other servers of the fleet, separated by commas")
	flags.StringVar(&opt.Cluster, "cluster-listen", "127.0.0.1:6222", "address and port for the other servers, if there are any")
	flags.StringVar(&opt.Security.Cert, "tls-cert", "", "file of the server's certificate (PEM)")
	flags.StringVar(&opt.Security.Key, "tls-key", "", "file of its key (PEM)")
	flags.StringVar(&metrics, "metrics-addr", "", "address of /metrics and /healthz (default: nowhere)")
	addSecurityFlags(cmd, &opt.Security)
	logs := addLogFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		var err error
		if opt.Log, err = logs.logger(cmd); err != nil {
			return err
		}
		if len(opt.Routes) > 0 && opt.Name == "" {
			return usagef("--routes: each of several servers needs a --name of its own")
		}
		opt.Versions = clusterVersions()
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		s, err := cluster.StartServer(opt)
		if err != nil {
			return err
		}
		defer s.Stop()
		if err := serveMetrics(ctx, metrics, s.Metrics()); err != nil {
			return err
		}
		opt.Log.Info("the fleet can join", "at", s.URL(), "store", opt.Store, "routes", strings.Join(opt.Routes, ","))
		return s.Attend(ctx)
	}
	return cmd
}

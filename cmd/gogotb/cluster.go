package main

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/spf13/cobra"

	"gogotb/cmd/internal/version"
	"gogotb/retro/cluster"
)

func newClusterCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cluster",
		Short: "Make tables on many machines together",
		Long: `Make the tables of many sets on many machines: one machine or three serve a queue, workers take from it what fits their
memory, and what they make and have found so far is in a bucket: a folder that all of them share, S3, or NATS.

Whatever dies can be started again: nothing is lost but what a worker has found since it last saved it, and the tables are
the same as those of gogotb generate, to the last byte.

The keys of S3 come from the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT_URL), or from
the file of S3's own tools.`,
		Example: `  gogotb cluster generate --pieces 3                    # all in this process; no port is opened
  gogotb cluster serve --store /var/lib/gogotb          # the queue, for this machine alone
  gogotb cluster worker --memory 60GiB                  # as many as there are machines
  gogotb cluster generate --join nats://127.0.0.1:4222 --bucket file:///shared/gogotb --pieces 4
  gogotb cluster status`,
		RunE: func(*cobra.Command, []string) error {
			return usagef("cluster: no command given; gogotb cluster --help lists them")
		},
	}
	cmd.AddCommand(newClusterServeCommand(), newClusterWorkerCommand(), newClusterGenerateCommand(),
		newClusterStatusCommand(), newClusterDrainCommand(), newClusterCancelCommand())
	return cmd
}

// clusterVersions are those of this program.
func clusterVersions() cluster.Versions { return cluster.NewVersions(version.Program) }

// joinFlags say which fleet to join.
type joinFlags struct {
	join     string
	security cluster.Security
}

// defaultJoin is where cluster serve listens.
const defaultJoin = "nats://127.0.0.1:4222"

func addJoinFlags(cmd *cobra.Command, join string) *joinFlags {
	f := new(joinFlags)
	cmd.Flags().StringVar(&f.join, "join", join, "servers of the fleet, separated by commas")
	addSecurityFlags(cmd, &f.security)
	return f
}

func addSecurityFlags(cmd *cobra.Command, s *cluster.Security) {
	cmd.Flags().StringVar(&s.Creds, "creds", "", "file of credentials")
	cmd.Flags().StringVar(&s.CA, "tls-ca", "", "file of certificates (PEM) that vouch for servers; connections are then by TLS")
}

// client connects to a fleet.
func (f *joinFlags) client(ctx context.Context, cmd *cobra.Command) (c *cluster.Client, disconnect func(), err error) {
	conn, err := cluster.Connect(f.join, f.security, cmd.CommandPath())
	if err != nil {
		return nil, nil, err
	}
	if c, err = cluster.NewClient(ctx, conn, clusterVersions()); err != nil {
		conn.Close()
		return nil, nil, err
	}
	return c, conn.Close, nil
}

// serveMetrics answers /metrics and /healthz at an address until ctx is done; "": nowhere.
func serveMetrics(ctx context.Context, address string, metrics *prometheus.Registry) error {
	if address == "" {
		return nil
	}
	if err := checkAddress("metrics-addr", address); err != nil {
		return err
	}
	listeners, err := listen(ctx, address)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(`{"status":"ok"}` + "\n")) })
	s := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	for _, l := range listeners {
		go s.Serve(l)
	}
	context.AfterFunc(ctx, func() { s.Close() })
	return nil
}

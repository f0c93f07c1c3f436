package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/spf13/cobra"

	"gogotb/cmd/gogotb/serve"
	"gogotb/cmd/internal/inventory"
	"gogotb/storage"
	"gogotb/verify"
)

func newServeCommand() *cobra.Command {
	var (
		address string
		origins []string
		cache   byteSize
		puzzles string
		proxies []string
		metrics string
		access  bool
		check   bool
	)
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the explorer, a page to look positions up, and the HTTP API",
		Long: `Serve the explorer, a page to look positions up, play them out and practise, and the HTTP API that it uses, at
/api/v1/ (described at /api/v1/openapi.json); /healthz and /metrics are for those who run it. Under /tables/ are the tables of its own
folders, for the --dir of others; those that it reads from an address are not passed on.

Only this machine is served unless --addr says otherwise; ":8055" serves every network, unix:PATH a Unix socket that its owner
and group may use, systemd the sockets that systemd has opened. Ctrl-C ends it, once the answers under way are given; searches
are told to come again.

Searches for mates wait for their turn, client by client. Behind a proxy all requests come from one address; with --trusted-proxy
the proxy's headers Forwarded and X-Forwarded-For tell the clients apart. Reviews of games ask tables and the mate solver, and no
other engine, as "gogotb review --engine" does: their graph shows mates, and no chances of winning.

The log goes to standard error. It begins with how many sets there are, and where; a folder that is not there is an
error. Tables that are made meanwhile are found. With --access-log, or --log-level debug, it names every request.`,
		Example: `  gogotb serve
  gogotb serve --puzzles mates.sfen
  gogotb serve --addr :8055 --log-format json --cors https://example.org
  gogotb serve --addr unix:/run/gogotb/http.sock --trusted-proxy unix --access-log --metrics-addr 127.0.0.1:8056`,
		Args: cobra.NoArgs,
	}
	flags := cmd.Flags()
	flags.StringVar(&address, "addr", "127.0.0.1:8055", "address and port to serve, port 0 for a free one; or unix:PATH, or systemd")
	flags.StringArrayVar(&origins, "cors", nil, "origin of other pages that may read the API, * for all; may be repeated")
	flags.Var(&cache, "cache", "memory for unpacked blocks of tables (default 64MiB)")
	flags.StringVar(&puzzles, "puzzles", "", "file of puzzles for the page, SFEN lines, KIF or CSA (default: those that the program brings along)")
	flags.StringArrayVar(&proxies, "trusted-proxy", nil, "network (CIDR) or address of a proxy that says whom it asks for, unix for one at a Unix socket; may be repeated")
	flags.StringVar(&metrics, "metrics-addr", "", "address of /metrics, which is then nowhere else (default: that of everything)")
	flags.BoolVar(&access, "access-log", false, "log every request at level info")
	flags.BoolVar(&check, "check", false, "serve nothing, but ask the server at --addr whether it is well; status 1 if it is not")
	logs := addLogFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := checkAddress("addr", address); err != nil {
			return err
		}
		if metrics != "" {
			if err := checkAddress("metrics-addr", metrics); err != nil {
				return err
			}
			if metrics == systemdAddress {
				return usagef("--metrics-addr systemd: systemd's sockets are for --addr")
			}
		}
		if check {
			return checkHealth(cmd.Context(), address)
		}
		log, err := logs.logger(cmd)
		if err != nil {
			return err
		}
		serving := serve.Options{Log: log, Origins: origins, Collections: verify.Collections, PuzzlesName: "gogotb"}
		serving.AccessLog = access
		for _, text := range proxies {
			if err := serving.Proxies.Add(text); err != nil {
				return usagef("--trusted-proxy: %w", err)
			}
		}
		if puzzles != "" {
			var err error
			if serving.Puzzles, err = readText(cmd, puzzles); err != nil {
				return fmt.Errorf("%s: %w", puzzles, err)
			}
			serving.PuzzlesName = filepath.Base(puzzles)
		}
		if err := inventory.Folders(tableDirs(cmd)); err != nil {
			return err
		}
		tables, err := openTablesFor(cmd, int64(cache), func(w storage.Warning) {
			serving.Log.Warn("a table is passed over", "file", w.File, "error", w.Err, "instead", w.Instead)
		})
		if err != nil {
			return err
		}
		defer tables.Close()
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		listeners, err := listen(ctx, address)
		if err != nil {
			return err
		}
		if metrics != "" {
			own, err := listen(ctx, metrics)
			if err != nil {
				return err
			}
			serving.Metrics = own[0]
		}
		serving.Tables = tables
		line, flaws := inventory.Sets(tables)
		serving.Log.Info(line)
		for _, flaw := range flaws {
			serving.Log.Warn("a table cannot be used", "error", flaw)
		}
		for _, l := range listeners {
			where := "http://" + l.Addr().String() + "/"
			if l.Addr().Network() == "unix" {
				where = "unix:" + l.Addr().String()
			}
			serving.Log.Info("the explorer is at " + where)
		}
		server := serve.New(serving)
		// Connections are taken from now on; systemd, if it has started this, begins what waits for it.
		if _, err := daemon.SdNotify(false, daemon.SdNotifyReady); err != nil {
			serving.Log.Warn("systemd was not told that the server is ready", "error", err)
		}
		told := make(chan struct{})
		untold := context.AfterFunc(ctx, func() {
			defer close(told)
			daemon.SdNotify(false, daemon.SdNotifyStopping)
		})
		err = server.Serve(ctx, listeners...)
		if !untold() {
			<-told // or the process might be gone before
		}
		return err
	}
	return cmd
}

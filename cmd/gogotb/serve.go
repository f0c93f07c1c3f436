package main

import (
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"

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
	)
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the explorer, a page to look positions up, and the HTTP API",
		Long: `Serve the explorer, a page to look positions up, play them out and practise, and the HTTP API that it uses, at
/api/v1/ (described at /api/v1/openapi.json); /healthz and /metrics are for those who run it.

Only this machine is served unless --addr says otherwise; ":8055" serves every network. Ctrl-C ends it, once the
answers under way are given; searches are told to come again.

The log goes to standard error. It begins with how many sets there are, and where; a folder that is not there is an
error. Tables that are made meanwhile are found. With --log-level debug it names every request.`,
		Example: `  gogotb serve
  gogotb serve --puzzles mates.sfen
  gogotb serve --addr :8055 --log-format json --cors https://example.org`,
		Args: cobra.NoArgs,
	}
	flags := cmd.Flags()
	flags.StringVar(&address, "addr", "127.0.0.1:8055", "address and port to serve; port 0 takes a free one")
	flags.StringArrayVar(&origins, "cors", nil, "origin of other pages that may read the API, * for all; may be repeated")
	flags.Var(&cache, "cache", "memory for unpacked blocks of tables (default 64MiB)")
	flags.StringVar(&puzzles, "puzzles", "", "file of puzzles for the page, SFEN lines or KIF (default: those that the program brings along)")
	level := choiceFlag(cmd, "log-level", "info", "what is logged", "debug", "info", "warn", "error")
	format := choiceFlag(cmd, "log-format", "text", "form of the log", "text", "json")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := checkAddress(address); err != nil {
			return err
		}
		var least slog.Level
		if err := least.UnmarshalText([]byte(level.value)); err != nil {
			return &usageError{err}
		}
		options := &slog.HandlerOptions{Level: least}
		var handler slog.Handler = slog.NewTextHandler(cmd.ErrOrStderr(), options)
		if format.value == "json" {
			handler = slog.NewJSONHandler(cmd.ErrOrStderr(), options)
		}
		serving := serve.Options{Log: slog.New(handler), Origins: origins, Puzzles: verify.Puzzles, PuzzlesName: "gogotb"}
		if puzzles != "" {
			var err error
			if serving.Puzzles, err = os.ReadFile(puzzles); err != nil {
				return err
			}
			serving.PuzzlesName = filepath.Base(puzzles)
		}
		dirs := tableDirs(cmd)
		if err := inventory.Folders(dirs); err != nil {
			return err
		}
		tables, err := storage.Open(dirs, &storage.Options{CacheBytes: int64(cache)})
		if err != nil {
			return err
		}
		defer tables.Close()
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
		if err != nil {
			return err
		}
		serving.Tables = tables
		line, flaws := inventory.Sets(tables, dirs)
		serving.Log.Info(line)
		for _, flaw := range flaws {
			serving.Log.Warn("a table cannot be used", "error", flaw)
		}
		serving.Log.Info("the explorer is at http://" + listener.Addr().String() + "/")
		return serve.New(serving).Serve(ctx, listener)
	}
	return cmd
}

// checkAddress refuses what is no address before anything is opened.
func checkAddress(address string) error {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return usagef("--addr %s: not an address with a port, like 127.0.0.1:8055", address)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return usagef("--addr %s: %q is no port", address, port)
	}
	return nil
}

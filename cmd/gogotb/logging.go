package main

import (
	"log/slog"

	"github.com/spf13/cobra"
)

// logFlags are --log-level and --log-format.
type logFlags struct{ level, format *choice }

func addLogFlags(cmd *cobra.Command) logFlags {
	return logFlags{
		choiceFlag(cmd, "log-level", "info", "what is logged", "debug", "info", "warn", "error"),
		choiceFlag(cmd, "log-format", "text", "form of the log", "text", "json"),
	}
}

// logger returns a log on standard error.
func (f logFlags) logger(cmd *cobra.Command) (*slog.Logger, error) {
	var least slog.Level
	if err := least.UnmarshalText([]byte(f.level.value)); err != nil {
		return nil, &usageError{err}
	}
	options := &slog.HandlerOptions{Level: least}
	if f.format.value == "json" {
		return slog.New(slog.NewJSONHandler(cmd.ErrOrStderr(), options)), nil
	}
	return slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), options)), nil
}

package main

import (
	"io"
	"os"
	"time"

	"github.com/cheggaaa/pb/v3"
	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
)

// progressBar is a bar on a terminal. A nil one is no bar, and takes every call.
type progressBar struct{ bar *pb.ProgressBar }

// barTemplate shows what is being done, and how long it will take.
const barTemplate = `{{string . "what"}} {{bar . "[" "=" ">" " " "]"}} {{percent . "%3.0f%%"}} {{string . "rate"}} {{rtime . "%s left" "%s" ""}}`

// newProgressBar begins a bar on standard error, if that is a terminal and --no-progress
// was not given. Total is the size of the work, in any unit.
func newProgressBar(cmd *cobra.Command, total uint64) *progressBar {
	off, err := cmd.Flags().GetBool("no-progress")
	if err != nil {
		panic(err) // the root command has the flag
	}
	if off || !isTerminal(cmd.ErrOrStderr()) {
		return nil
	}
	bar := pb.New64(int64(total)).SetTemplateString(barTemplate)
	bar.SetWriter(cmd.ErrOrStderr()).SetRefreshRate(200*time.Millisecond).Set(pb.CleanOnFinish, true)
	return &progressBar{bar.Start()}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}

// set says how much of the work is done, what is being done, and how fast.
func (b *progressBar) set(done uint64, what, rate string) {
	if b != nil {
		b.bar.Set("what", what).Set("rate", rate).SetCurrent(int64(done))
	}
}

// finish takes the bar away.
func (b *progressBar) finish() {
	if b != nil {
		b.bar.Finish()
	}
}

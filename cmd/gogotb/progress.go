package main

import (
	"fmt"
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
const barTemplate = `{{string . "what"}} {{bar . "[" "=" ">" " " "]"}} {{percent . "%3.0f%%"}} {{string . "rate"}} {{left .}}`

// leftElement returns how long it will take if it goes on as it did. That of pb looks at the last
// seconds only, in which nothing may have been counted.
func leftElement(state *pb.State, _ ...string) string {
	begun, _ := state.Get("begun").(int64)
	done, elapsed := state.Value()-begun, state.Time().Sub(state.StartTime())
	if done <= 0 || elapsed < 2*time.Second {
		return ""
	}
	left := float64(elapsed) * float64(state.Total()-state.Value()) / float64(done)
	return time.Duration(left).Round(time.Second).String() + " left"
}

func init() { pb.RegisterElement("left", pb.ElementFunc(leftElement), false) }

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

// skip says that done units of the work were done earlier.
func (b *progressBar) skip(done uint64) {
	if b != nil {
		begun, _ := b.bar.Get("begun").(int64)
		b.bar.Set("begun", begun+int64(done))
	}
}

// say writes a line where the bar is, which comes again below it.
func (b *progressBar) say(w io.Writer, text string) {
	b.clear(w)
	fmt.Fprintln(w, text)
}

// clear makes room on the terminal for something to be written where the bar is, which comes again below it.
func (b *progressBar) clear(w io.Writer) {
	if b != nil {
		fmt.Fprint(w, "\r\x1b[K")
	}
}

// finish takes the bar away.
func (b *progressBar) finish() {
	if b != nil {
		b.bar.Finish()
	}
}

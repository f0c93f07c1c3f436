package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gogotb/retro/cluster"
)

// fleetTable shows on a terminal who makes what, in a few lines that are written over again and again.
type fleetTable struct {
	w        io.Writer
	terminal bool
	lines    int // on the terminal
	said     map[string]bool
}

// mostRows is how many tasks are shown at a time.
const mostRows = 16

func newFleetTable(cmd *cobra.Command) *fleetTable {
	off, err := cmd.Flags().GetBool("no-progress")
	if err != nil {
		panic(err) // the root command has the flag
	}
	return &fleetTable{w: cmd.ErrOrStderr(), terminal: !off && isTerminal(cmd.ErrOrStderr()), said: map[string]bool{}}
}

// show shows how far a plan is.
func (f *fleetTable) show(s cluster.Standing) {
	if !f.terminal {
		return
	}
	var text strings.Builder
	writeStanding(&text, s, mostRows)
	f.clear()
	f.lines = strings.Count(text.String(), "\n")
	io.WriteString(f.w, text.String())
}

// clear takes the lines away.
func (f *fleetTable) clear() {
	if f.lines > 0 {
		fmt.Fprintf(f.w, "\x1b[%dA\x1b[J", f.lines)
		f.lines = 0
	}
}

// sayOnce writes a line that stays, unless it has been said.
func (f *fleetTable) sayOnce(text string) {
	if !f.said[text] {
		f.said[text] = true
		f.clear()
		fmt.Fprintln(f.w, oneLine(text))
	}
}

// writeStanding writes how far a plan is: what is done, and what is being done, at most so many tasks.
func writeStanding(w io.Writer, s cluster.Standing, rows int) {
	var done, all uint64
	for _, t := range s.Tasks {
		all += t.Size
		switch t.State {
		case cluster.Done:
			done += t.Size
		case cluster.Running:
			done += uint64(t.Holding.Share * float64(t.Size))
		}
	}
	state := ""
	if s.Cancelled {
		state = ", cancelled"
	}
	if n := s.Count(cluster.Failed); n > 0 {
		state += fmt.Sprintf(", %d failed", n)
	}
	fmt.Fprintf(w, "plan %s: %d of %d tasks done, %s of the placements, workers: %d%s\n", s.Plan, s.Count(cluster.Done), len(s.Tasks), share(done, all), s.Workers, state)
	if s.Count(cluster.Running) == 0 {
		return
	}
	t := newTable(w, "task", "worker", "done", "time", "state")
	for _, one := range s.Tasks {
		if one.State != cluster.Running {
			continue
		}
		if rows--; rows < 0 {
			break
		}
		h := one.Holding
		state := h.State
		if h.Trouble != "" {
			state = h.Trouble
		}
		t.row(taskName(&one), h.Worker, fmt.Sprintf("%.0f%%", 100*h.Share), time.Since(h.Since).Round(time.Second).String(), oneLine(state))
	}
	t.flush()
}

// taskName returns what a task is called.
func taskName(t *cluster.TaskStanding) string {
	if t.Parts > 0 {
		return fmt.Sprintf("%s %d of %d of %s", t.Kind, t.Part, t.Parts, t.Set)
	}
	return t.Kind + " " + t.Set
}

// printFleet returns the closing table, with what audits have found; false if that was a fault.
func printFleet(w io.Writer, results []cluster.Result, reports []cluster.Report) (sound bool) {
	sound = true
	audits := map[string]string{}
	for _, r := range reports {
		audits[r.Set] = "sound"
		if !r.Sound {
			sound = false
			audits[r.Set] = fmt.Sprintf("%d faults", len(r.Faults))
		}
	}
	if len(results) > 0 {
		t := newTable(w, "set", "positions", "longest mate", "bytes", "bits per position", "seconds", "audit", "worker")
		for _, r := range results {
			audit := audits[r.Set]
			if audit == "" {
				audit = "-"
			}
			t.row(r.Set, comma(r.Positions), comma(r.Longest), comma(r.Bytes()), fmt.Sprintf("%.2f", 8*float64(r.Bytes())/float64(r.Placements)),
				fmt.Sprintf("%.1f", r.Seconds), audit, r.Worker)
		}
		t.flush()
	}
	for _, r := range reports {
		for _, fault := range r.Faults {
			fmt.Fprintf(w, "%s: %s\n", r.Set, fault)
		}
	}
	return sound
}

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/dustin/go-humanize"

	"gogotb/index"
	"gogotb/retro"
	"gogotb/rules"
	"gogotb/storage"
)

// generation makes one set after the other, with one bar over all of them.
type generation struct {
	dir             string
	jobs            int
	checkpointEvery time.Duration
	bar             *progressBar
	messages        io.Writer

	sets  int
	begun int
	total uint64 // placements of all sets, the unit of the bar
	done  uint64 // placements of the sets made
}

// madeSet is a line of the closing table.
type madeSet struct {
	material index.Material
	stats    rules.Stats
	distinct uint64 // legal positions, mirror images once
	bytes    uint64 // of both tables; 0 if unknown
	memory   uint64 // bytes at the peak; 0 if unknown
	elapsed  time.Duration
}

// checkpointFile returns the name of the file that an interrupted set goes on from.
func checkpointFile(dir string, m index.Material) string {
	return filepath.Join(dir, m.String()+".checkpoint")
}

// garbagePercent is how much garbage may lie beside what is in use. The bit sets, most of what a set takes, are not
// among what is collected.
const garbagePercent = 25

// Shares of the work on a set, for the bar.
const (
	mateShare = 0.6 // finding the mates
	readyPart = 0.7 // that, and perpetual check; the rest is writing
)

func (g *generation) make(ctx context.Context, p plan) (madeSet, error) {
	debug.FreeOSMemory() // what is left of the set before
	resetPeakMemory()
	start := time.Now()
	g.begun++
	what := p.material.String()
	if g.sets > 1 {
		what += fmt.Sprintf(" (%d of %d)", g.begun, g.sets)
	}
	at := func(part float64) uint64 { return uint64(part * float64(p.positions)) }
	show := func(part float64, phase string, positions uint64, elapsed time.Duration) {
		g.bar.set(g.done+at(part), what+", "+phase, perSecond(positions, elapsed))
	}
	show(0, "starting", 0, 0)
	saving := context.AfterFunc(ctx, func() { g.bar.set(g.done, what+", saving the results", "") })
	defer saving()
	var first *retro.Progress
	opt := p.solve
	opt.Checkpoint, opt.CheckpointEvery = checkpointFile(g.dir, p.material), g.checkpointEvery
	opt.Warn = func(err error) { g.bar.say(g.messages, "warning: "+err.Error()) }
	opt.Progress = func(s retro.Progress) {
		part := mateShare
		if s.Phase == retro.MatePhase {
			part *= float64(s.Decided) / float64(max(s.Legal, 1))
		}
		if first == nil {
			first = &s
			g.sayResumed(p.material, s, at(part))
		}
		show(part, standing(s), s.Decided-first.Decided, s.Elapsed-first.Elapsed)
	}
	solution, err := retro.Solve(ctx, p.material, opt)
	if err != nil {
		return madeSet{}, err
	}
	m := madeSet{material: p.material}
	solved := time.Now()
	show(readyPart, "writing", 0, 0)
	m.stats, m.distinct, err = g.write(ctx, solution, func(written uint64) {
		show(readyPart+(1-readyPart)*float64(written)/float64(p.positions), "writing", written, time.Since(solved))
	})
	solution.Close()
	if err != nil {
		return m, err
	}
	if m.bytes, err = g.tidyUp(p.material); err != nil {
		return m, err
	}
	if m.bytes == 0 {
		g.bar.say(g.messages, fmt.Sprintf("%s: the tables were made, and are no longer in %s", p.material, g.dir))
	}
	g.done += p.positions
	m.elapsed = time.Since(start)
	m.memory = peakMemory()
	return m, nil
}

// tidyUp removes the checkpoint of a set that is done, and is the size of its tables. That somebody has taken them away
// meanwhile, or the whole folder, is no failure: they were made. Their size is then 0.
func (g *generation) tidyUp(m index.Material) (bytes uint64, err error) {
	if err := retro.RemoveCheckpoint(checkpointFile(g.dir, m)); err != nil {
		return 0, err
	}
	for _, kind := range []storage.Kind{storage.Outcomes, storage.Distances} {
		info, err := os.Stat(filepath.Join(g.dir, storage.FileName(m, kind)))
		if err != nil {
			return 0, nil
		}
		bytes += uint64(info.Size())
	}
	return bytes, nil
}

// standing says how far an analysis has come.
func standing(s retro.Progress) string {
	text := "solved"
	switch s.Phase {
	case retro.MatePhase:
		text = fmt.Sprintf("ply %d", s.Ply)
	case retro.PerpetualPhase:
		text = fmt.Sprintf("perpetual check, rank %d", s.Ply)
	}
	if s.Found > 0 {
		text += fmt.Sprintf(": %s found", comma(s.Found))
	}
	return text
}

// sayResumed is given the first progress that an analysis reports, and says so if it goes on
// from a checkpoint: that part of the bar is not the work of this run.
func (g *generation) sayResumed(m index.Material, s retro.Progress, done uint64) {
	if s.Phase == retro.MatePhase && s.Ply == 0 {
		return
	}
	g.bar.skip(done)
	g.bar.say(g.messages, fmt.Sprintf("%s goes on where it was: %s", m, standing(s)))
}

// write writes the tables of a solved set, and counts its legal positions.
func (g *generation) write(ctx context.Context, s *retro.Solution, progress func(written uint64)) (stats rules.Stats, placements uint64, err error) {
	w, err := storage.Create(g.dir, s.Index(), storage.WriterOptions{Workers: g.jobs})
	if err != nil {
		return stats, 0, err
	}
	defer w.Abort()
	written := uint64(0)
	stats, err = s.Values(ctx, func(values []rules.Value) error {
		written += uint64(len(values))
		progress(written)
		err := w.Append(values)
		if err != nil {
			w.Abort() // which leaves room on a full disk for the results, to go on from
		}
		return err
	})
	if err == nil {
		err = w.Commit(stats)
	}
	return stats, s.PlacementCount(), err
}

// perSecond returns a rate of positions.
func perSecond(n uint64, d time.Duration) string {
	if d <= 0 {
		return ""
	}
	rate, prefix := humanize.ComputeSI(float64(n) / d.Seconds())
	return fmt.Sprintf("%.1f%s/s", rate, prefix)
}

// printMade returns the closing table, with the sum of several sets. Memory is the most that the process had in use.
func printMade(w io.Writer, made []madeSet) {
	t := newTable(w, "set", "positions", "longest mate", "bytes", "bits per position", "seconds", "memory")
	var sum madeSet
	row := func(name string, m madeSet) {
		bytes, bits := "-", "-"
		if m.bytes > 0 {
			bytes, bits = comma(m.bytes), fmt.Sprintf("%.2f", 8*float64(m.bytes)/float64(m.distinct))
		}
		t.row(name, comma(m.stats.Legal), comma(max(m.stats.MaxWin, m.stats.MaxLoss, 0)), bytes, bits,
			fmt.Sprintf("%.1f", m.elapsed.Seconds()), memory(m.memory))
	}
	for _, m := range made {
		row(m.material.String(), m)
		sum.stats.Legal += m.stats.Legal
		sum.stats.MaxLoss = max(sum.stats.MaxLoss, m.stats.MaxWin, m.stats.MaxLoss)
		if m.bytes > 0 {
			sum.distinct += m.distinct
			sum.bytes += m.bytes
		}
		sum.elapsed += m.elapsed
		sum.memory = max(sum.memory, m.memory)
	}
	if len(made) > 1 {
		row(countSets(len(made)), sum)
	}
	t.flush()
}

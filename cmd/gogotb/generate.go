package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"gogotb/index"
	"gogotb/retro"
	"gogotb/rules"
	"gogotb/storage"
)

// generateOptions are the flags of generate.
type generateOptions struct {
	pieces   int
	jobs     int
	memory   byteSize
	estimate bool
	force    bool
}

func newGenerateCommand() *cobra.Command {
	var opt generateOptions
	cmd := &cobra.Command{
		Use:   "generate [MATERIAL...]",
		Short: "Solve material sets and write their tables",
		Long: `Solve material sets and write their tables: all sets of up to N pieces, the two kings alone (none) included,
or those named, their letters in any order.

Tables are written to the first --dir, which is created if need be. Sets whose tables are there and whole are left
out. Tables appear under their names when they are complete.

Ctrl-C leaves a checkpoint of the set that was being solved, beside the tables, and the exit status is 130: the same
command goes on from there. A checkpoint is also written every minute, for power cuts.`,
		Example: `  gogotb generate --pieces 2
  gogotb generate --dir /srv/minishogi --memory 16GiB GSP RB
  gogotb generate --estimate RBSP`,
		RunE: func(cmd *cobra.Command, args []string) error {
			sets, err := parseMaterials(args)
			if err != nil {
				return err
			}
			switch {
			case opt.jobs < 1:
				return usagef("--jobs %d: at least 1", opt.jobs)
			case !cmd.Flags().Changed("pieces"):
			case opt.pieces < 0 || opt.pieces > index.MaxPieces:
				return usagef("--pieces %d: 0 to %d", opt.pieces, index.MaxPieces)
			default:
				sets = union(index.Sets(opt.pieces), sets)
			}
			if len(sets) == 0 {
				return usagef("nothing to generate: name material sets, or give --pieces N")
			}
			return generate(cmd, sets, opt)
		},
	}
	cmd.Flags().IntVar(&opt.pieces, "pieces", 0, "all sets of up to so many pieces, kings not counted")
	cmd.Flags().IntVar(&opt.jobs, "jobs", runtime.NumCPU(), "number of cores to use")
	cmd.Flags().Var(&opt.memory, "memory", "refuse sets that need more memory than this, such as 16GiB")
	cmd.Flags().BoolVar(&opt.estimate, "estimate", false, "print what the sets would need, and do nothing")
	cmd.Flags().BoolVar(&opt.force, "force", false, "also make tables that are there")
	return cmd
}

// union is a followed by what is only in b.
func union(a, b []index.Material) []index.Material {
	for _, m := range b {
		if !slices.Contains(a, m) {
			a = append(a, m)
		}
	}
	return a
}

func generate(cmd *cobra.Command, sets []index.Material, opt generateOptions) error {
	plans := make([]plan, len(sets))
	for i, m := range sets {
		var err error
		if plans[i], err = planSet(m, opt.jobs); err != nil {
			return err
		}
	}
	if opt.estimate {
		printPlans(cmd.OutOrStdout(), plans)
		return nil
	}
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	dir := tableDirs(cmd)[0]
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	lock, err := lockFolder(dir)
	if err != nil {
		return err
	}
	defer lock.release()
	if err := storage.Tidy(dir); err != nil {
		return err
	}
	if !opt.force {
		if plans, err = leaveOut(dir, plans); err != nil {
			return err
		}
		if there := len(sets) - len(plans); there > 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "%d of %d sets are there already\n", there, len(sets))
		}
	}
	if limit := uint64(opt.memory); limit > 0 {
		for _, p := range plans {
			if p.memory > limit {
				return fmt.Errorf("%s needs about %s of memory, more than the --memory of %s", p.material, humanize.IBytes(p.memory), &opt.memory)
			}
		}
		debug.SetMemoryLimit(int64(limit)) // garbage is collected in time
	}
	g := generation{dir: dir, jobs: opt.jobs, sets: len(plans)}
	for _, p := range plans {
		g.total += p.positions
	}
	g.bar = newProgressBar(cmd, g.total)
	var made []madeSet
	for _, p := range plans {
		var m madeSet
		if m, err = g.make(ctx, p); err != nil {
			break
		}
		made = append(made, m)
	}
	g.bar.finish()
	if len(made) > 0 {
		printMade(cmd.OutOrStdout(), made)
	}
	if ctx.Err() != nil {
		return &interruptedError{fmt.Sprintf("interrupted; %d of %d sets are made", len(made), len(plans))}
	}
	return err
}

// leaveOut leaves out the sets whose tables are there, and removes what a process that was
// killed after making them has left of its work.
func leaveOut(dir string, plans []plan) (missing []plan, err error) {
	for _, p := range plans {
		if !isThere(dir, p.material) {
			missing = append(missing, p)
		} else if err := os.Remove(checkpointFile(dir, p.material)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return missing, nil
}

// isThere tells whether both tables of a set are in a folder and whole, as far as their
// headers, directories and statistics tell.
func isThere(dir string, m index.Material) bool {
	tables, err := storage.Open(dir)
	if err != nil {
		return false
	}
	defer tables.Close()
	s, err := tables.Set(m)
	return err == nil && s.HasDistances()
}

// generation makes one set after the other, with one bar over all of them.
type generation struct {
	dir   string
	jobs  int
	bar   *progressBar
	sets  int
	begun int
	total uint64 // placements of all sets, the unit of the bar
	done  uint64 // placements of the sets made
}

// madeSet is a line of the closing table.
type madeSet struct {
	material index.Material
	stats    index.Stats
	distinct uint64 // legal positions, mirror images once
	bytes    uint64 // of both tables
	elapsed  time.Duration
}

// checkpointFile is the name of the file that an interrupted set goes on from.
func checkpointFile(dir string, m index.Material) string {
	return filepath.Join(dir, m.String()+".checkpoint")
}

// Shares of the work on a set, for the bar.
const (
	mateShare = 0.6 // finding the mates
	readyPart = 0.7 // that, and perpetual check; the rest is writing
)

func (g *generation) make(ctx context.Context, p plan) (madeSet, error) {
	start := time.Now()
	g.begun++
	what := fmt.Sprintf("set %d of %d, %s:", g.begun, g.sets, p.material)
	show := func(part float64, phase, rate string) {
		g.bar.set(g.done+uint64(part*float64(p.positions)), what+" "+phase, rate)
	}
	show(0, "starting", "")
	checkpoint := checkpointFile(g.dir, p.material)
	solution, err := retro.Solve(ctx, p.material, retro.Options{
		Workers:    g.jobs,
		Checkpoint: checkpoint,
		Progress: func(s retro.Progress) {
			rate := perSecond(s.Decided, s.Elapsed)
			switch s.Phase {
			case retro.MatePhase:
				show(mateShare*float64(s.Decided)/float64(max(s.Legal, 1)), fmt.Sprintf("ply %d", s.Ply), rate)
			default:
				show(mateShare, fmt.Sprintf("%s, rank %d", s.Phase, s.Ply), rate)
			}
		},
	})
	if err != nil {
		return madeSet{}, err
	}
	m := madeSet{material: p.material}
	m.stats, m.distinct, err = g.write(ctx, solution, func(written uint64) {
		show(readyPart+(1-readyPart)*float64(written)/float64(p.positions), "writing", perSecond(written, time.Since(start)))
	})
	solution.Close()
	if err != nil {
		return m, err
	}
	if err := os.Remove(checkpoint); err != nil {
		return m, err
	}
	g.done += p.positions
	for _, kind := range []storage.Kind{storage.Outcomes, storage.Distances} {
		info, err := os.Stat(filepath.Join(g.dir, storage.FileName(p.material, kind)))
		if err != nil {
			return m, err
		}
		m.bytes += uint64(info.Size())
	}
	m.elapsed = time.Since(start)
	return m, nil
}

// write writes the tables of a solved set, and counts its legal positions.
func (g *generation) write(ctx context.Context, s *retro.Solution, progress func(written uint64)) (stats index.Stats, distinct uint64, err error) {
	w, err := storage.Create(g.dir, s.Index(), storage.WriterOptions{Workers: g.jobs})
	if err != nil {
		return stats, 0, err
	}
	defer w.Abort()
	written := uint64(0)
	stats, err = s.Values(ctx, func(values []rules.Value) error {
		for _, v := range values {
			if v.Outcome() != rules.Illegal {
				distinct++
			}
		}
		written += uint64(len(values))
		progress(written)
		return w.Append(values)
	})
	if err == nil {
		err = w.Commit(stats)
	}
	return stats, distinct, err
}

// perSecond is a rate of positions.
func perSecond(n uint64, d time.Duration) string {
	if d <= 0 {
		return ""
	}
	rate, prefix := humanize.ComputeSI(float64(n) / d.Seconds())
	return fmt.Sprintf("%.1f%s positions/s", rate, prefix)
}

// printMade is the closing table.
func printMade(w io.Writer, made []madeSet) {
	t := newTable(w, "set", "positions", "longest mate", "bytes", "bits per position", "seconds")
	var sum madeSet
	row := func(name string, m madeSet) {
		t.row(name, comma(m.stats.Legal), comma(max(m.stats.MaxWin, m.stats.MaxLoss, 0)), comma(m.bytes),
			fmt.Sprintf("%.2f", 8*float64(m.bytes)/float64(m.distinct)), fmt.Sprintf("%.1f", m.elapsed.Seconds()))
	}
	for _, m := range made {
		row(m.material.String(), m)
		sum.stats.Legal += m.stats.Legal
		sum.stats.MaxLoss = max(sum.stats.MaxLoss, m.stats.MaxWin, m.stats.MaxLoss)
		sum.distinct += m.distinct
		sum.bytes += m.bytes
		sum.elapsed += m.elapsed
	}
	row(fmt.Sprintf("%d sets", len(made)), sum)
	t.flush()
}

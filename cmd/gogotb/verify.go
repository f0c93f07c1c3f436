package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"gogotb/index"
	"gogotb/storage"
	"gogotb/verify/audit"
)

// verifyReport is the JSON of verify, for one set.
type verifyReport struct {
	Material   string           `json:"material"`
	Check      string           `json:"check"` // values, sample or checksums
	Sound      bool             `json:"sound"`
	Checked    uint64           `json:"checked"` // placements, positions of a sample, or files
	Faults     []verifyFault    `json:"faults"`
	Statistics []verifyMiscount `json:"statistics"`
}

// verifyFault is a position whose value is wrong.
type verifyFault struct {
	Index    uint64 `json:"index"`
	SFEN     string `json:"sfen"`
	Found    string `json:"found"`
	Expected string `json:"expected"`
	By       string `json:"by"` // the check that found it
}

// verifyMiscount is a number in the statistics that is wrong.
type verifyMiscount struct {
	Name     string `json:"name"`
	Found    int64  `json:"found"`
	Expected int64  `json:"expected"`
}

// verifyError is the JSON of verify for a set that cannot be read.
type verifyError struct {
	Material string `json:"material"`
	Error    string `json:"error"`
}

// verifyOptions are the flags of verify.
type verifyOptions struct {
	checksums bool
	sample    int
	seed      uint64
	jobs      coreCount
	memory    byteSize
	asJSON    bool
}

func newVerifyCommand() *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{
		Use:   "verify MATERIAL...",
		Short: "Audit tables: prove every value right, or name the wrong ones",
		Long: `Audit tables: prove every value right, or name the wrong ones.

Every value is compared with those of all positions that a legal move leads to. What mate leaves undecided is solved
again in another way than the tables were made. The statistics are counted again, and all checksums are checked.
The values are unpacked into memory: two bytes for each placement, and about a hundred for each undecided position. For
sets that are too large for that, --sample compares positions chosen at random. It unpacks what it needs into a byte
for each placement; where --memory has no room for all of them, it does so in parts, which takes longer.
The audit of a set stops after ten faults. The exit status is 1 if any set has one.`,
		Example: `  gogotb verify RB GP
  gogotb verify --checksums GSP
  gogotb verify --sample 1000000 --memory 16GiB RBSP`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case cmd.Flags().Changed("sample") && o.sample < 1:
				return usagef("--sample %d: at least 1", o.sample)
			case o.checksums && o.sample > 0:
				return usagef("--checksums and --sample: one of them, they check different things")
			case o.memory > 0 && o.sample == 0:
				return usagef("--memory: only --sample can do with more or less of it")
			}
			sets, err := parseMaterials(args)
			if err != nil {
				return err
			}
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			return verifySets(ctx, cmd, sets, o)
		},
	}
	cmd.Flags().BoolVar(&o.checksums, "checksums", false, "check every byte by the checksums, but no values")
	cmd.Flags().IntVar(&o.sample, "sample", 0, "check `N` random positions instead of all")
	cmd.Flags().Uint64Var(&o.seed, "seed", 1, "which positions --sample takes")
	jobsFlag(cmd, &o.jobs)
	cmd.Flags().Var(&o.memory, "memory", "memory for --sample, such as 16GiB (default three quarters of what is free)")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "write a JSON object a set, one a line")
	return cmd
}

// verifySets audits one set after the other. A set that cannot be read does not keep it
// from the next.
func verifySets(ctx context.Context, cmd *cobra.Command, sets []index.Material, o verifyOptions) error {
	tables, err := openTables(cmd, 0)
	if err != nil {
		return err
	}
	defer tables.Close()
	tables = tables.Within(ctx)
	failed := false
	for _, m := range sets {
		r, err := verifySet(ctx, cmd, tables, m, o)
		switch {
		case errors.Is(err, context.Canceled):
			return err
		case err != nil:
			failed = true
			err = sayUnreadable(cmd, m, err, o)
		default:
			failed = failed || !r.Sound
			err = sayAudited(cmd.OutOrStdout(), r, o)
		}
		if err != nil {
			return err
		}
	}
	if failed {
		return errSaid
	}
	return nil
}

// verifySet audits a set as the options ask for.
func verifySet(ctx context.Context, cmd *cobra.Command, tables *storage.Tables, m index.Material, o verifyOptions) (verifyReport, error) {
	r := verifyReport{Material: m.String(), Check: "values", Faults: []verifyFault{}, Statistics: []verifyMiscount{}}
	if o.sample == 0 {
		files, err := tables.Check(ctx, m)
		if err != nil {
			return r, err
		}
		if o.checksums {
			r.Check, r.Sound, r.Checked = "checksums", true, uint64(len(files))
			return r, nil
		}
	}
	s, err := tables.Set(m)
	if err != nil {
		return r, err
	}
	opt := audit.Options{Workers: int(o.jobs)}
	var report *audit.Report
	if o.sample > 0 {
		r.Check = "sample"
		bar := newProgressBar(cmd, uint64(o.sample))
		defer bar.finish()
		opt.Progress = func(p audit.Progress) {
			what := m.String() + " " + p.Phase.String()
			if p.Parts > 1 {
				what += fmt.Sprintf(", part %d of %d of the table", p.Part+1, p.Parts)
			}
			bar.set(p.Done, what, "")
		}
		limit := uint64(o.memory)
		if limit == 0 {
			limit = freeMemory() / 4 * 3
		}
		if limit > 0 {
			debug.SetMemoryLimit(int64(limit))         // garbage is collected in time
			opt.Memory = limit - min(limit/4, 256<<20) // the rest is for the program and its open files
		}
		report, err = audit.Sample(ctx, s, o.sample, o.seed, opt)
	} else {
		bar := newProgressBar(cmd, audit.Phases*s.Index().Size())
		defer bar.finish()
		opt.Progress = func(p audit.Progress) {
			bar.set(uint64(p.Phase)*p.Total+p.Done, m.String()+" "+p.Phase.String(), "")
		}
		report, err = audit.Table(ctx, s, opt)
	}
	if err != nil {
		return r, err
	}
	r.Sound, r.Checked = report.OK(), report.Checked
	for _, f := range report.Faults {
		r.Faults = append(r.Faults, verifyFault{f.Index, f.Position.SFEN(),
			f.Found.String(), f.Expected.String(), f.Check.String()})
	}
	for _, c := range report.Statistics {
		r.Statistics = append(r.Statistics, verifyMiscount(c))
	}
	return r, nil
}

// sayUnreadable reports a set that could not be audited.
func sayUnreadable(cmd *cobra.Command, m index.Material, err error, o verifyOptions) error {
	if o.asJSON {
		return writeJSON(cmd.OutOrStdout(), verifyError{m.String(), err.Error()})
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s: %s\n", cmd.CommandPath(), m, oneLine(err.Error()))
	return nil
}

// sayAudited reports what an audit found.
func sayAudited(w io.Writer, r verifyReport, o verifyOptions) error {
	if o.asJSON {
		return writeJSON(w, r)
	}
	for _, f := range r.Faults {
		fmt.Fprintf(w, "%s: index %d, %s: found %s, expected %s (%s)\n", r.Material, f.Index, f.SFEN, f.Found, f.Expected, f.By)
	}
	for _, c := range r.Statistics {
		fmt.Fprintf(w, "%s: statistics: %s is %d, expected %d\n", r.Material, c.Name, c.Found, c.Expected)
	}
	what := comma(r.Checked) + " placements checked"
	switch r.Check {
	case "sample":
		what = comma(r.Checked) + " random positions checked"
	case "checksums":
		what = fmt.Sprintf("checksums of %d files checked", r.Checked)
	}
	verdict := "sound"
	if n := len(r.Faults) + len(r.Statistics); n == 1 {
		verdict = "1 fault"
	} else if n > 1 {
		verdict = fmt.Sprintf("%d faults", n)
	}
	_, err := fmt.Fprintf(w, "%s: %s, %s\n", r.Material, verdict, what)
	return err
}

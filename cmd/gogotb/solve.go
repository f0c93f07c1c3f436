package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gogotb/cmd/internal/answer"
	"gogotb/cmd/internal/position"
	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/rules/record/kif"
	"gogotb/verify/mate"
)

// solveFlags are the flags of solve.
type solveFlags struct {
	json bool
	tree bool
	hash byteSize
	jobs coreCount
	save string
	ask  mate.Options
}

const (
	// solveHash is the default of --hash.
	solveHash = 1 << 30
	// searchTemplate shows how far a search has got.
	searchTemplate = `{{string . "what"}} {{etime .}}: {{string . "rate"}}`
	// treeMoves bounds the moves that --tree writes.
	treeMoves = 100_000
)

func newSolveCommand() *cobra.Command {
	f := solveFlags{hash: solveHash}
	cmd := &cobra.Command{
		Use:   "solve SFEN",
		Short: "Find the shortest mate by search, in any material",
		Long: `Find the shortest mate: who mates, in how many plies, and a line of best play; or prove that there is none. Any
material up to the full set will do, any hands, one king or two, either side to move. Where a table covers the
material it answers; tables know nothing of --tsume.

` + position.Accepted + `

With more than one of --jobs the length is the same, the line may be another one that is as good.

With --save, a search that was ended, by Ctrl-C, by a limit, or by the machine, goes on when it is asked for again with the
same file: what is proved is written there at the end and every ten minutes.

The exit status is 1 if the question stays open within the limits.`,
		Example: `  gogotb solve '2sgk/5/3RG/5/4K b R 1'
  gogotb solve --tsume --json '2pkb/4R/2+bG1/5/5 b 2S 1'
  gogotb solve --max-plies 8 --timeout 1m '4k/5/5/P4/KGSBR w - 1'`,
		Args: quoted(cobra.ExactArgs(1)),
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.json, "json", false, "write a JSON object")
	flags.BoolVar(&f.ask.Tsume, "tsume", false, "the side to move attacks, and only gives check")
	flags.IntVar(&f.ask.MaxPlies, "max-plies", 0, "look for mates of up to `N` plies (0: any)")
	hashFlag(cmd, &f.hash)
	jobsFlag(cmd, &f.jobs)
	flags.DurationVar(&f.ask.Timeout, "timeout", 0, "give up after this time, such as 90s or 5m (0: do not)")
	flags.Uint64Var(&f.ask.MaxNodes, "nodes", 0, "give up after `N` moves made (0: do not)")
	flags.BoolVar(&f.tree, "tree", false, "write all best defences, as the variations of a KIF file")
	flags.StringVar(&f.save, "save", "", "go on with the search that `FILE` holds, and keep it there")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, err := parsePosition(args[0])
		switch {
		case err != nil:
			return err
		case f.ask.MaxPlies < 0 || f.ask.MaxPlies > mate.MaxMaxPlies:
			return usagef("--max-plies %d: 0 to %d", f.ask.MaxPlies, mate.MaxMaxPlies)
		case f.ask.Timeout < 0:
			return usagef("--timeout %v: 0 or more", f.ask.Timeout)
		case f.tree && f.json:
			return usagef("--tree and --json exclude each other")
		}
		if f.tree {
			f.ask.Tree = treeMoves
		}
		if err := checkHash(f.hash); err != nil {
			return err
		}
		return f.solve(cmd, &p)
	}
	return cmd
}

func (f *solveFlags) solve(cmd *cobra.Command, p *rules.Position) error {
	solver := mate.New(int64(f.hash))
	saved, err := openSavedSearch(f.save, solver, p, f.ask.Tsume)
	if err != nil {
		return err
	}
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	tables, err := openTables(cmd, 0)
	if err != nil {
		return err
	}
	defer tables.Close()
	source := &valueSource{tables: tables.Within(ctx)}
	f.ask.Table, f.ask.Jobs = source.value, int(f.jobs)

	bar := newProgressBar(cmd, 0)
	if bar != nil {
		bar.bar.SetTemplateString(searchTemplate) // nobody knows how long it will take
	}
	f.ask.Progress = func(s mate.Progress) {
		if time.Since(saved.last) >= saveEvery {
			if err := saved.write(); err != nil { // the search goes on, and the next try may succeed
				bar.say(cmd.ErrOrStderr(), cmd.CommandPath()+": "+err.Error())
			}
		}
		bar.set(0, "searching", comma(s.Nodes)+" moves made, "+proved(s.Bounds))
	}
	r, err := solver.Solve(ctx, p, f.ask)
	bar.finish()
	failed := saved.write()
	if failure := source.failure(); failure != nil {
		return failure
	}
	if err != nil {
		return err
	}
	if err := cmp.Or(f.write(cmd.OutOrStdout(), p, &r), failed); err != nil {
		return err
	}
	switch {
	case r.Verdict != mate.Unknown:
		return nil
	case errors.Is(r.Cause, context.Canceled):
		return &interruptedError{"interrupted; " + proved(r.Bounds)}
	}
	return errSaid
}

// write writes the answer in the form that was asked for.
func (f *solveFlags) write(w io.Writer, p *rules.Position, r *mate.Result) error {
	switch {
	case f.json:
		return writeJSON(w, answer.SolutionOf(p, r))
	case f.tree && (r.Verdict == mate.MateIn || r.Verdict == mate.MatedIn):
		_, err := io.WriteString(w, kif.String(&record.Game{Start: *p, Line: treeLine(r.Tree, 1)}))
		return err
	}
	_, err := io.WriteString(w, describeSolution(p, r, f.ask.Tsume))
	return err
}

// describeSolution returns the answer for people.
func describeSolution(p *rules.Position, r *mate.Result, tsume bool) string {
	how := ""
	if tsume {
		how = " with checks only"
	}
	sideToMove, other := capital(p.SideToMove().String()), capital(p.SideToMove().Other().String())
	var verdict string
	switch {
	case r.Verdict == mate.MateIn:
		verdict = fmt.Sprintf("%s mates%s in %s.", sideToMove, how, plies(r.Plies))
	case r.Verdict == mate.MatedIn && r.Plies > 0:
		verdict = fmt.Sprintf("%s mates in %s.", other, plies(r.Plies))
	case r.Verdict == mate.MatedIn && p.InCheck():
		verdict = sideToMove + " is checkmated."
	case r.Verdict == mate.MatedIn:
		verdict = sideToMove + " has no legal move, which loses."
	case r.Verdict == mate.NoMate:
		verdict = "There is no mate" + how + "."
	case r.Verdict == mate.NoMateWithin:
		verdict = fmt.Sprintf("There is no mate%s within %s.", how, plies(r.Plies))
	default:
		verdict = fmt.Sprintf("Not known: %v. Proved: %s.", r.Cause, proved(r.Bounds))
	}
	var b strings.Builder
	drawBoard(&b, p)
	fmt.Fprintf(&b, "%s\n\n%s is to move%s. %s\n", p.SFEN(), sideToMove, inCheck(p), verdict)
	if len(r.Line) > 0 {
		fmt.Fprintf(&b, "Best play: %s\n", numberedMoves(*p, r.Line, 1))
	}
	if r.FromTable {
		b.WriteString("From a table.\n")
	} else {
		fmt.Fprintf(&b, "%s moves made in %v.\n", comma(r.Nodes), r.Elapsed.Round(time.Millisecond))
	}
	return b.String()
}

// proved says what is proved about a mate.
func proved(b mate.Bounds) string {
	text := fmt.Sprintf("no mate within %s", plies(max(0, b.None)))
	if b.Most >= 0 {
		text += fmt.Sprintf(", a mate in at most %d", b.Most)
	}
	return text
}

// treeLine makes a line of a KIF file of a tree: the first branches are the line, the others leave it.
func treeLine(branches []mate.Branch, ply int) record.Line {
	l := record.Line{Ply: ply, End: record.End{Kind: record.Checkmate}}
	for ; len(branches) > 0; ply++ {
		for _, b := range branches[1:] {
			l.Variations = append(l.Variations, treeLine([]mate.Branch{b}, ply))
		}
		l.Moves = append(l.Moves, record.Move{Move: branches[0].Move})
		branches = branches[0].Next
	}
	return l
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"gogotb/cmd/internal/answer"
	"gogotb/rules"
	"gogotb/rules/record/kif"
	"gogotb/verify/mate"
	"gogotb/verify/review"
)

// reviewFlags are the flags of review.
type reviewFlags struct {
	json, kif  bool
	notation   *choice
	plot       string
	hash       byteSize
	jobs       coreCount
	repetition repetitionFlags
	engine     engineFlags
	thresholds string
	options    review.Options
}

func newReviewCommand() *cobra.Command {
	f := reviewFlags{hash: review.DefaultHash}
	cmd := &cobra.Command{
		Use:   "review FILE...",
		Short: "Go through games: mates missed and allowed, only moves",
		Long: `Go through games move by move, in KIF, CSA, western notation or USI ("startpos moves ...", one game a line); - is standard input. Of
games with variations the main line is reviewed.

Each position has its exact value where a table covers it. Elsewhere mates by either side are looked for, within --nodes and
--plies; what is not found is undecided, and it is said within how many plies there certainly is no mate. With --engine another
engine, which speaks USI or UCI, estimates what is undecided. A mate that it sees is confirmed by search, or called a claim.

What is said of a move:
  best          as good as any other
  only          all others lose, or give the win away
  longer        it mates, but not as soon as it might
  missed-mate   there was a mate, and this is no part of one
  allowed-mate  the opponent mates, which another move avoids
  shortened     lost, and another move would have held out longer
  inaccuracy, mistake, blunder
                a loss in winning chances by the engine, by the --thresholds; a blunder is also what gives away a win or a draw that
                is no matter of mates
  illegal       it breaks a rule
  ok            nothing is known against it
Without a table or a search that proves it, this is marked as not proved.

--kif writes the games with comments and variations, for the usual programs; --plot draws a picture of one game. What is passed
over in a file is said on standard error, in JSON as "notes". What is wrong with a game costs neither the moves before it nor
another game, and the exit status is 1. Ctrl-C ends a review after the moves that are shown.`,
		Example: `  gogotb review games.kif
  gogotb review --json --nodes 100000 - <games.usi
  gogotb review --engine fairy-stockfish --kif game.csa >reviewed.kif`,
		Args: cobra.MinimumNArgs(1),
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.json, "json", false, "write a JSON object a move, one a line, and one a game")
	flags.BoolVar(&f.kif, "kif", false, "write the games as KIF, with comments and variations")
	f.notation = choiceFlag(cmd, "notation", "western", "how moves are written", "western", "japanese", "usi")
	flags.StringVar(&f.plot, "plot", "", "draw one game into this file, .svg or .png")
	flags.Uint64Var(&f.options.Nodes, "nodes", review.DefaultNodes, "limit of the search in a position, in moves made")
	flags.IntVar(&f.options.Plies, "plies", review.DefaultPlies, "look for mates of up to `N` plies")
	hashFlag(cmd, &f.hash)
	jobsFlag(cmd, &f.jobs)
	f.repetition = addRepetitionFlags(cmd)
	flags.IntVar(&f.options.Game.MaxPlies, "max-plies", 0, "a game of `N` plies is a draw (0: no limit)")
	f.engine.add(cmd)
	flags.StringVar(&f.thresholds, "thresholds", "5,10,15", "losses in winning chances that are an inaccuracy, a mistake, a blunder, in percent")
	flags.Float64Var(&f.options.Scale, "engine-scale", review.DefaultScale, "centipawns of the engine's scale that make the odds e to one")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.validate(); err != nil {
			return err
		}
		games := slices.Collect(gamesOfFiles(cmd, args))
		if readable := countReadable(games); f.plot != "" && readable != 1 {
			return usagef("--plot shows one game, not %d", readable)
		}
		return f.review(cmd, games)
	}
	return cmd
}

// validate completes the options.
func (f *reviewFlags) validate() error {
	switch {
	case f.json && f.kif:
		return usagef("--json and --kif exclude each other")
	case f.options.Nodes == 0:
		return usagef("--nodes 0: at least 1")
	case f.options.Plies < 1 || f.options.Plies > mate.MaxMaxPlies:
		return usagef("--plies %d: 1 to %d", f.options.Plies, mate.MaxMaxPlies)
	case f.options.Game.MaxPlies < 0:
		return usagef("--max-plies %d: 0 or more", f.options.Game.MaxPlies)
	case !(f.options.Scale > 0) || math.IsInf(f.options.Scale, 1):
		return usagef("--engine-scale %v: more than 0, and finite", f.options.Scale)
	}
	if f.plot != "" {
		if _, err := plotFormat(f.plot); err != nil {
			return err
		}
	}
	if err := checkHash(f.hash); err != nil {
		return err
	}
	t := &f.options.Thresholds
	parts := strings.Split(f.thresholds, ",")
	wrong := len(parts) != 3
	for i, to := range []*float64{&t.Inaccuracy, &t.Mistake, &t.Blunder} {
		if !wrong {
			var err error
			*to, err = strconv.ParseFloat(strings.TrimSpace(parts[i]), 64)
			wrong = err != nil
		}
	}
	if wrong || !(0 < t.Inaccuracy && t.Inaccuracy <= t.Mistake && t.Mistake <= t.Blunder && t.Blunder <= 100) {
		return usagef("--thresholds %s: not three numbers like 5,10,15, in rising order up to 100", f.thresholds)
	}
	f.options.Hash, f.options.Jobs = int64(f.hash), int(f.jobs)
	f.options.Game.Repetition, f.options.Game.FirstPlayer = f.repetition.repetition(), f.repetition.firstPlayer()
	return f.engine.validate()
}

func countReadable(games []*gameOfFile) (n int) {
	for _, g := range games {
		if g.game != nil {
			n++
		}
	}
	return n
}

// reviewRun is a review of games under way.
type reviewRun struct {
	*reviewFlags
	cmd      *cobra.Command
	reviewer *review.Reviewer
	bar      *progressBar
	done     int // parts of the games before
	shown    bool
}

// review reviews games.
func (f *reviewFlags) review(cmd *cobra.Command, games []*gameOfFile) error {
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	tables, err := openTables(cmd, 0)
	if err != nil {
		return err
	}
	defer tables.Close()
	source := &valueSource{tables: tables}
	f.options.Table = source.value
	engines, err := f.engine.start(ctx, int(f.jobs))
	if err != nil {
		return err
	}
	if engines != nil {
		defer engines.close()
		f.options.Evaluate = engines.evaluate
	}
	total := 0
	for _, g := range games {
		if g.game != nil {
			total += review.Parts(g.game)
		}
	}
	run := reviewRun{reviewFlags: f, cmd: cmd, bar: newProgressBar(cmd, uint64(total))}
	defer run.bar.finish()
	f.options.Progress = func(done, _ int) { run.progress(done) }
	if run.reviewer, err = review.New(f.options); err != nil {
		return err
	}
	failed := false
	for i, g := range games {
		if err := run.game(ctx, i+1, g); err != nil {
			return err
		}
		failed = failed || g.err != nil
		if err := cmp.Or(source.failure(), engines.failure()); err != nil {
			return err
		}
	}
	if failed {
		return errSaid
	}
	return nil
}

func (run *reviewRun) progress(done int) { run.bar.set(uint64(run.done+done), "reviewing", "") }

// game reviews a game. The error is that of writing, or that the review has ended.
func (run *reviewRun) game(ctx context.Context, number int, g *gameOfFile) error {
	if g.err != nil && !run.json {
		run.bar.say(run.cmd.ErrOrStderr(), fmt.Sprintf("%s: %s: %s", run.cmd.CommandPath(), inLine(g.file, positive(g.line)), oneLine(g.err.Error())))
	}
	if g.game == nil {
		if run.json {
			return run.write(func(w io.Writer) error { return writeJSON(w, answer.ReviewFailureOf(number, g.file, g.line, g.err)) })
		}
		return nil
	}
	if !run.json {
		g.sayNotes(run.cmd, run.bar)
	}
	var moves []review.Move
	text := reviewText{notation: run.notation.value, thresholds: run.options.Thresholds, scale: run.options.Scale, last: rules.NoSquare}
	if !run.json && !run.kif {
		err := run.write(func(w io.Writer) error {
			if run.shown {
				fmt.Fprintln(w)
			}
			return g.head(w)
		})
		if err != nil {
			return err
		}
		run.shown = true
	}
	sum, err := run.reviewer.Review(ctx, g.game, func(m *review.Move) error {
		moves = append(moves, *m)
		switch {
		case run.json:
			return run.write(func(w io.Writer) error { return writeJSON(w, answer.ReviewedMoveOf(number, m, run.options.Scale)) })
		case run.kif:
			return nil
		}
		return run.write(func(w io.Writer) error { return text.move(w, m) })
	})
	run.done += review.Parts(g.game)
	run.progress(0)
	stopped := err != nil
	if stopped && !errors.Is(err, context.Canceled) {
		return err
	}
	err = run.write(func(w io.Writer) error {
		switch {
		case run.json:
			return writeJSON(w, answer.ReviewOf(number, g.file, g.game, &sum, run.options.Scale, !stopped, g.line, g.err))
		case run.kif:
			_, err := io.WriteString(w, kif.String(review.Annotate(g.game, moves, text.comment)))
			return err
		}
		return text.summary(w, g, &sum)
	})
	if err == nil && run.plot != "" {
		err = plotReview(run.plot, g.game, moves, &sum, run.options.Scale, !stopped)
	}
	if err == nil && stopped {
		err = &interruptedError{fmt.Sprintf("interrupted in game %d, after %s", number, plies(len(moves)))}
	}
	return err
}

// write writes results where the progress bar is.
func (run *reviewRun) write(to func(io.Writer) error) error {
	run.bar.clear(run.cmd.ErrOrStderr())
	var b strings.Builder
	if err := to(&b); err != nil {
		return err
	}
	_, err := io.WriteString(run.cmd.OutOrStdout(), b.String())
	return err
}

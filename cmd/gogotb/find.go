package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"gogotb/rules"
	"gogotb/storage"
)

// findReport is the JSON of find.
type findReport struct {
	Material string `json:"material"`
	Index    uint64 `json:"index"`
	SFEN     string `json:"sfen"`
	valueReport
}

// criteria are what a position has to be; the zero value admits all. Of an open set of
// numbers, -1 stands for any.
type criteria struct {
	category string // "" for any
	by       string // "" for any
	dtm      int    // plies to mate, -1 for any
	rank     int    // by perpetual check, -1 for any
	zugzwang bool   // mutual zugzwang
}

func newFindCommand() *cobra.Command {
	var (
		asJSON bool
		limit  int
		jobs   int
		want   criteria
	)
	cmd := &cobra.Command{
		Use:   "find MATERIAL",
		Short: "Find positions of a set by their values",
		Long: `Find the positions of a set that have a value, in the order of the index, one SFEN a line. They have Sente to
move, and stand for their mirror images, too. All criteria given must be met; without any, all legal positions are listed.

--zugzwang finds mutual zugzwangs: the side to move is not in check and loses, and so would the other side if it
were to move instead.`,
		Example: `  gogotb find --dtm 35 --limit 1 G
  gogotb find --category win --by perpetual --rank 2 --limit 5 RB
  gogotb find --zugzwang GP | gogotb probe --json -`,
		Args: cobra.ExactArgs(1),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write a JSON object a position, one a line")
	category := choiceFlag(cmd, "category", "", "for the side to move", "win", "loss", "draw")
	decided := choiceFlag(cmd, "by", "", "what decides", byMate, byPerpetual, byRepetition)
	cmd.Flags().IntVar(&want.dtm, "dtm", -1, "plies to mate")
	cmd.Flags().IntVar(&want.rank, "rank", -1, "rank of the perpetual check")
	cmd.Flags().BoolVar(&want.zugzwang, "zugzwang", false, "only mutual zugzwangs")
	cmd.Flags().IntVar(&limit, "limit", 0, "stop after so many positions (0: do not)")
	cmd.Flags().IntVar(&jobs, "jobs", runtime.NumCPU(), "number of cores to use")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		want.category, want.by = category.value, decided.value
		sets, err := parseMaterials(args)
		if err != nil {
			return err
		}
		flags := cmd.Flags()
		switch {
		case jobs < 1:
			return usagef("--jobs %d: at least 1", jobs)
		case limit < 0:
			return usagef("--limit %d: 0 or more", limit)
		case flags.Changed("dtm") && want.dtm < 0:
			return usagef("--dtm %d: 0 or more", want.dtm)
		case flags.Changed("rank") && want.rank < 1:
			return usagef("--rank %d: 1 or more", want.rank)
		case want.dtm >= 0 && want.rank >= 0:
			return usagef("--dtm and --rank exclude each other: a position is won by mate or by perpetual check")
		}
		tables, err := storage.Options{CacheBytes: findCache}.Open(tableDirs(cmd)...)
		if err != nil {
			return err
		}
		defer tables.Close()
		s, err := tables.Set(sets[0])
		if err != nil {
			return err
		}
		if (want.dtm >= 0 || want.rank >= 0) && !s.HasDistances() {
			return &storage.MissingTableError{Material: sets[0], Kind: storage.Distances, Dirs: tableDirs(cmd)}
		}
		bar := newProgressBar(cmd, s.Blocks())
		defer bar.finish()
		out := bufio.NewWriter(cmd.OutOrStdout())
		left := limit
		f := finder{set: s, want: want, json: asJSON, jobs: jobs, bar: bar}
		err = f.find(cmd.Context(), func(found []findReport) (more bool, err error) {
			for _, r := range found {
				if asJSON {
					err = writeJSON(out, r)
				} else {
					_, err = fmt.Fprintln(out, r.SFEN)
				}
				if left--; err != nil || left == 0 {
					return false, err
				}
			}
			// What is found should be seen now, not when the buffer is full.
			return true, out.Flush()
		})
		return cmp.Or(err, out.Flush())
	}
	return cmd
}

// findCache holds the unpacked tables of a set of three pieces, which deriving the
// numbers of wins looks up in every corner.
const findCache = 512 << 20

// finder looks through the tables of a set.
type finder struct {
	set  *storage.Set
	want criteria
	json bool
	jobs int
	bar  *progressBar
}

// find looks at block after block, some at the same time, and gives what it finds to
// emit in the order of the index, until emit wants no more.
func (f *finder) find(ctx context.Context, emit func([]findReport) (more bool, err error)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(f.jobs + 1)
	// Results in order: each block has a channel of its own, and the channels queue.
	queue := make(chan chan []findReport, 4*f.jobs)
	g.Go(func() error {
		defer close(queue)
		for block := range f.set.Blocks() {
			result := make(chan []findReport, 1)
			select {
			case queue <- result:
			case <-ctx.Done():
				return nil
			}
			g.Go(func() error {
				defer close(result)
				if ctx.Err() != nil {
					return nil
				}
				found, err := f.block(block)
				result <- found
				return err
			})
		}
		return nil
	})
	var failed error
	done := uint64(0)
	more := true
	for result := range queue {
		found := <-result
		done++
		if more && len(found) > 0 {
			if more, failed = emit(found); !more {
				stop()
			}
		}
		f.bar.set(done, "looking through "+f.set.Index().Material().String(), "")
	}
	return cmp.Or(g.Wait(), failed)
}

// block finds the positions of a block that meet the criteria.
func (f *finder) block(block uint64) (found []findReport, err error) {
	first, values, err := f.set.Values(block, nil)
	if err != nil {
		return nil, err
	}
	c := f.set.Index().Cursor(first)
	for _, v := range values {
		if f.possible(v) {
			p := c.Position()
			if !p.Attacked(p.King(rules.Gote), rules.Sente) { // a legal position
				r, ok, err := f.check(&p, v)
				if err != nil {
					return nil, err
				}
				if ok {
					found = append(found, findReport{f.set.Index().Material().String(), c.Index(), p.SFEN(),
						reportValue(&p, r, storage.Adjudication{})})
				}
			}
		}
		c.Next()
	}
	return found, nil
}

// possible tells whether a stored value, in which the numbers of wins are missing, can
// be one that is wanted.
func (f *finder) possible(v rules.Value) bool {
	o := v.Outcome()
	w := &f.want
	switch category := categories[storage.Adjudication{}.Verdict(o, rules.Sente)]; {
	case w.category != "" && w.category != category, w.by != "" && w.by != by(o), w.zugzwang && category != "loss":
		return false
	}
	lost := o == rules.MateLoss || o == rules.PerpetualLoss
	switch {
	case w.dtm >= 0:
		return by(o) == byMate && (w.dtm%2 == 0) == lost && (!lost || v.Number() == w.dtm)
	case w.rank >= 0:
		return by(o) == byPerpetual && (!lost || v.Number() == w.rank)
	}
	return true
}

// check tells whether a position whose stored value is possible is wanted indeed, and
// completes the value, if it will be seen.
func (f *finder) check(p *rules.Position, v rules.Value) (r storage.Result, ok bool, err error) {
	if f.want.zugzwang {
		if ok, err = f.zugzwang(p); err != nil || !ok {
			return r, false, err
		}
	}
	won := v.Outcome() == rules.MateWin || v.Outcome() == rules.PerpetualWin
	number := max(f.want.dtm, f.want.rank)
	if won && (number >= 0 || f.json) {
		r, err = f.set.Probe(p)
		return r, err == nil && (number < 0 || r.Value.Number() == number), err
	}
	return storage.Result{Value: v, Exact: f.set.HasDistances() && !won}, true, nil
}

// zugzwang tells whether a lost position is a mutual zugzwang.
func (f *finder) zugzwang(p *rules.Position) (bool, error) {
	if p.InCheck() {
		return false, nil
	}
	o, err := f.set.Outcome(pass(p))
	return o == rules.MateLoss || o == rules.PerpetualLoss, err
}

// pass is the position with the other side to move.
func pass(p *rules.Position) *rules.Position {
	var board [rules.Squares]rules.Piece
	for s := range board {
		board[s] = p.At(rules.Square(s))
	}
	q := rules.Place(&board, &[2]rules.Hand{p.Hand(rules.Sente), p.Hand(rules.Gote)}, p.Turn().Other())
	return &q
}

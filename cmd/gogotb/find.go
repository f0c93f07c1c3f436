package main

import (
	"bufio"
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"gogotb/cmd/internal/answer"
	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage"
	"gogotb/storage/search"
)

// findWishes are what a position has to be, as the flags have it.
type findWishes struct {
	category string // "": any
	by       string // "": any
	dtm      int    // plies to mate, -1: any
	rank     int    // of a perpetual check, -1: any
	zugzwang bool
}

// query returns what the wishes come to.
func (w *findWishes) query() search.Query {
	q := search.Query{Outcomes: []rules.Outcome{}, Number: search.AnyNumber, MutualZugzwang: w.zugzwang}
	for o := rules.Open; o <= rules.PerpetualLoss; o++ {
		category := answer.Categories[storage.Adjudication{}.Verdict(o, rules.Sente)]
		by := answer.By(o)
		if (w.category == "" || w.category == category) && (w.by == "" || w.by == by) &&
			(w.dtm < 0 || by == answer.ByMate) && (w.rank < 0 || by == answer.ByPerpetual) {
			q.Outcomes = append(q.Outcomes, o)
		}
	}
	if n := max(w.dtm, w.rank); n >= 0 {
		q.Number = n
	}
	return q
}

// findReport is the JSON of find.
type findReport struct {
	Material string `json:"material"`
	Index    uint64 `json:"index"`
	SFEN     string `json:"sfen"`
	answer.Value
}

func newFindCommand() *cobra.Command {
	var (
		asJSON bool
		limit  int
		jobs   coreCount
		want   findWishes
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
	decided := choiceFlag(cmd, "by", "", "what decides", answer.ByMate, answer.ByPerpetual, answer.ByRepetition)
	cmd.Flags().IntVar(&want.dtm, "dtm", -1, "mate in `N` plies")
	cmd.Flags().IntVar(&want.rank, "rank", -1, "win or loss by perpetual check, of rank `N`")
	for _, name := range []string{"dtm", "rank"} {
		cmd.Flags().Lookup(name).DefValue = "0" // none is shown
	}
	cmd.Flags().BoolVar(&want.zugzwang, "zugzwang", false, "only mutual zugzwangs")
	cmd.Flags().IntVar(&limit, "limit", 0, "stop after `N` positions (0: do not)")
	jobsFlag(cmd, &jobs)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		want.category, want.by = category.value, decided.value
		sets, err := parseMaterials(args)
		if err != nil {
			return err
		}
		flags := cmd.Flags()
		switch {
		case limit < 0:
			return usagef("--limit %d: 0 or more", limit)
		case flags.Changed("dtm") && want.dtm < 0:
			return usagef("--dtm %d: 0 or more", want.dtm)
		case flags.Changed("rank") && want.rank < 1:
			return usagef("--rank %d: 1 or more", want.rank)
		case want.dtm >= 0 && want.rank >= 0:
			return usagef("--dtm and --rank exclude each other: a position is won or lost by mate or by perpetual check")
		}
		tables, err := openTables(cmd, findCache)
		if err != nil {
			return err
		}
		defer tables.Close()
		s, err := tables.Set(sets[0])
		if err != nil {
			return err
		}
		if (want.dtm >= 0 || want.rank >= 0) && !s.HasDistances() {
			return &storage.MissingTableError{Material: sets[0], Kind: storage.Distances, Dirs: tables.Dirs()}
		}
		bar := newProgressBar(cmd, s.BlockCount())
		defer bar.finish()
		out := bufio.NewWriter(cmd.OutOrStdout())
		left := limit
		opt := search.Options{Jobs: int(jobs), WinNumbers: asJSON, Progress: func(done uint64) {
			bar.set(done, "looking through "+sets[0].String(), "")
		}}
		for list, err := range search.Find(cmd.Context(), s, want.query(), opt) {
			if err != nil {
				return cmp.Or(out.Flush(), err)
			}
			for _, h := range list {
				if asJSON {
					err = writeJSON(out, findReportOf(sets[0], &h))
				} else {
					_, err = fmt.Fprintln(out, h.Position.SFEN())
				}
				if left--; err != nil || left == 0 {
					return cmp.Or(err, out.Flush())
				}
			}
			// What is found should be seen now, not when the buffer is full.
			if err := out.Flush(); err != nil {
				return err
			}
		}
		return nil
	}
	return cmd
}

// findReportOf returns a position found, in the terms of JSON.
func findReportOf(m index.Material, h *search.Found) findReport {
	return findReport{m.String(), h.Index, h.Position.SFEN(), answer.ValueOf(&h.Position, h.Result, storage.Adjudication{})}
}

// findCache holds the unpacked tables of a set of three pieces, which deriving the
// numbers of wins looks up in every corner.
const findCache = 512 << 20

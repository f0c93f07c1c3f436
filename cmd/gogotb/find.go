package main

import (
	"bufio"
	"cmp"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"gogotb/cmd/internal/answer"
	"gogotb/storage"
)

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
	decided := choiceFlag(cmd, "by", "", "what decides", answer.ByMate, answer.ByPerpetual, answer.ByRepetition)
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
		tables, err := storage.Open(tableDirs(cmd), &storage.Options{CacheBytes: findCache})
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
		f := finder{set: s, want: want, numbers: asJSON, jobs: jobs, bar: bar, backFrom: backFromLosses}
		err = f.find(cmd.Context(), func(list []found) (more bool, err error) {
			for _, h := range list {
				if asJSON {
					err = writeJSON(out, h.report(sets[0]))
				} else {
					_, err = fmt.Fprintln(out, h.p.SFEN())
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

package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"gogotb/cmd/internal/position"
	"gogotb/index"
)

// indexReport is the JSON of index.
type indexReport struct {
	Material string `json:"material"`
	Index    uint64 `json:"index"`
	SFEN     string `json:"sfen"`
	Legal    bool   `json:"legal"`
}

func newIndexCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "index MATERIAL NUMBER | index SFEN",
		Short: "Convert between positions and their numbers in the tables",
		Long: `Convert between positions and their numbers in the tables of their material set.

With a set and a number: the position, in SFEN. It has Sente to move. The index covers placements in which the side that
has just moved is in check; these are no legal positions, and are pointed out.
With a position: its number. A position with Gote to move has the number of the same position seen from the other
side, and a position and its mirror image share one.

` + position.Accepted,
		Example: `  gogotb index R 1000
  gogotb index '4k/5/5/5/K4 b R 1'`,
		Args: quoted(cobra.RangeArgs(1, 2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			convert := decode
			if len(args) == 1 {
				convert = encode
			}
			r, illegal, err := convert(args)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), r)
			}
			if illegal != nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "not a legal position: %v\n", illegal)
			}
			if len(args) == 1 {
				fmt.Fprintln(cmd.OutOrStdout(), r.Index)
			} else {
				fmt.Fprintln(cmd.OutOrStdout(), r.SFEN)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write a JSON object with material, index, sfen and legal")
	return cmd
}

// decode returns the position of a number; illegal says why it is no legal position.
func decode(args []string) (r indexReport, illegal, err error) {
	sets, err := parseMaterials(args[:1])
	if err != nil {
		return r, nil, err
	}
	n, err := strconv.ParseUint(args[1], 10, 64)
	if err != nil {
		return r, nil, usagef("index %q is not a whole number", args[1])
	}
	x, err := index.New(sets[0])
	if err != nil {
		return r, nil, err
	}
	p, err := x.Decode(n)
	if err != nil {
		return r, nil, &usageError{err}
	}
	illegal = p.Validate()
	return indexReport{sets[0].String(), n, p.SFEN(), illegal == nil}, illegal, nil
}

// encode returns the number of a position.
func encode(args []string) (r indexReport, illegal, err error) {
	p, err := parsePosition(args[0])
	if err != nil {
		return r, nil, err
	}
	m := index.MaterialOf(&p)
	x, err := index.New(m)
	if err != nil {
		return r, nil, &usageError{err}
	}
	n, err := x.Encode(&p)
	if err != nil {
		return r, nil, &usageError{err}
	}
	return indexReport{m.String(), n, p.SFEN(), true}, nil, nil
}

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage"
)

// listReport is the JSON of list: the tables of one set in one folder.
type listReport struct {
	Material      string  `json:"material"`
	Dir           string  `json:"dir"`
	State         string  `json:"state"`
	OutcomeBytes  *int64  `json:"outcome_bytes"`
	DistanceBytes *int64  `json:"distance_bytes"`
	FormatVersion *int    `json:"format_version"`
	RulesVersion  *int    `json:"rules_version"`
	Error         *string `json:"error"`
}

// States of the tables of a set.
const (
	stateWhole       = "whole"
	stateNoDistances = "no-distances" // probing works, without numbers
	stateNoOutcomes  = "no-outcomes"  // nothing works
	stateDivided     = "divided"      // whole, with one of the files in another folder
	stateVersion     = "other-version"
	stateCorrupt     = "corrupt"
	stateUnreadable  = "unreadable"
)

func newListCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the tables found, their sizes, versions and states",
		Long: `List the tables found, their sizes, versions and states. Headers, directories and statistics of the files are
checked; verify --checksums reads all of them.

States: whole; divided (as good as whole: one of the two files is in another folder); no-distances (probing tells
who wins, but not in how many plies); no-outcomes (of no use without); other-version (of the format or the rules);
corrupt; unreadable.`,
		Example: `  gogotb list
  gogotb list --json --dir /srv/minishogi --dir tables`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			tables, err := openTables(cmd, 0)
			if err != nil {
				return err
			}
			defer tables.Close()
			files, unreadable := tables.List()
			sets := reportSets(files)
			if asJSON {
				for _, s := range sets {
					if err := writeJSON(cmd.OutOrStdout(), s); err != nil {
						return err
					}
				}
				return unreadable
			}
			if len(sets) > 0 || unreadable == nil {
				describeList(cmd, tables, sets)
			}
			return unreadable
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write a JSON object a set, one a line")
	return cmd
}

// reportSets puts the two files of each set together; they follow one another.
func reportSets(files []storage.TableInfo) []*listReport {
	var sets []*listReport
	var last struct {
		dir string
		set index.Material
	}
	for _, f := range files {
		dir := f.Dir
		if len(sets) == 0 || last.dir != dir || last.set != f.Material {
			last.dir, last.set = dir, f.Material
			sets = append(sets, &listReport{Material: f.Material.String(), Dir: dir, State: stateWhole,
				RulesVersion: pointer(rules.Version)})
		}
		s := sets[len(sets)-1]
		if f.Err == nil && s.Error == nil {
			s.FormatVersion = &f.Format
		}
		if f.Kind == storage.Outcomes {
			s.OutcomeBytes = pointer(f.Bytes)
		} else {
			s.DistanceBytes = pointer(f.Bytes)
		}
		s.fail(f.Err)
	}
	for _, s := range sets {
		s.compare(files)
	}
	return sets
}

// compare says what the files come to that can be used, beside those in other folders.
func (s *listReport) compare(files []storage.TableInfo) {
	if s.State != stateWhole {
		return
	}
	var own []storage.TableInfo
	for _, f := range files {
		if f.Material.String() == s.Material && f.Dir == s.Dir {
			own = append(own, f)
		}
	}
	one := own[0]
	divided := slices.ContainsFunc(files, func(f storage.TableInfo) bool {
		return f.Material == one.Material && f.Kind != one.Kind && f.Err == nil && f.Making == one.Making
	})
	switch {
	case len(own) == 2 && one.Making == own[1].Making:
	case len(own) == 2:
		s.fail(&storage.CorruptError{File: own[1].Path, What: "these distances do not belong to the outcomes beside them"})
		if divided { // the outcomes are of use, with those of another folder
			s.State = stateDivided
		}
	case divided:
		s.State = stateDivided
	case one.Kind == storage.Distances:
		s.State = stateNoOutcomes
	default:
		s.State = stateNoDistances
	}
}

// fail notes what is wrong with a file; the first of two flaws stays.
func (s *listReport) fail(err error) {
	if err == nil || s.Error != nil {
		return
	}
	s.Error = pointer(err.Error())
	s.FormatVersion, s.RulesVersion = nil, nil
	var version *storage.VersionError
	var read *storage.ReadError
	switch {
	case errors.As(err, &version):
		s.State = stateVersion
		if version.What == "format" {
			s.FormatVersion = &version.Version
		} else {
			s.RulesVersion = &version.Version
		}
	case errors.As(err, &read):
		s.State = stateUnreadable
	default:
		s.State = stateCorrupt
	}
}

// describeList shows the tables to people.
func describeList(cmd *cobra.Command, tables *storage.Tables, sets []*listReport) {
	if len(sets) == 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "no tables in %s\n", strings.Join(tables.Dirs(), ", "))
		return
	}
	t := newTable(cmd.OutOrStdout(), "set", "outcome bytes", "distance bytes", "together", "format", "rules", "state", "folder")
	number := func(n *int) string {
		if n == nil {
			return "-"
		}
		return comma(*n)
	}
	var outcomes, distances int64
	for _, s := range sets {
		o, d := "-", "-"
		together := int64(0)
		if s.OutcomeBytes != nil {
			o = comma(*s.OutcomeBytes)
			outcomes += *s.OutcomeBytes
			together += *s.OutcomeBytes
		}
		if s.DistanceBytes != nil {
			d = comma(*s.DistanceBytes)
			distances += *s.DistanceBytes
			together += *s.DistanceBytes
		}
		t.row(s.Material, o, d, comma(together), number(s.FormatVersion), number(s.RulesVersion), s.State, s.Dir)
	}
	t.row(countSets(len(sets)), comma(outcomes), comma(distances), comma(outcomes+distances))
	t.flush()
	for _, s := range sets {
		if s.Error != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", cmd.CommandPath(), *s.Error)
		}
	}
}

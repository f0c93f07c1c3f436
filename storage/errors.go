package storage

import (
	"fmt"
	"strings"

	"gogotb/index"
)

// OptionError says what is wrong with the arguments of Open.
type OptionError struct {
	What string
}

func (e *OptionError) Error() string { return e.What }

// MissingTableError says that no folder holds a table that the answer needs.
type MissingTableError struct {
	Material index.Material
	Kind     Kind     // which of the two tables is missing
	Dirs     []string // where it was looked for
}

func (e *MissingTableError) Error() string {
	if len(e.Dirs) == 1 {
		return fmt.Sprintf("no table of %s for %s in %s", e.Kind, e.Material, e.Dirs[0])
	}
	what := "them"
	if e.Kind == Distances {
		what = "those that belong to the outcomes"
	}
	return fmt.Sprintf("%s for %s: none of the folders %s has %s", e.Kind, e.Material, strings.Join(e.Dirs, ", "), what)
}

// CorruptError says that a table file is damaged: truncated, altered, or in
// contradiction with itself or with the other table of its set.
type CorruptError struct {
	File   string
	Offset int64 // byte of the file where the damaged part begins
	What   string
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("%s: corrupt at byte %d: %s", e.File, e.Offset, e.What)
}

// VersionError says that a table was written in a file format, or under a
// version of the rules, that this package does not read.
type VersionError struct {
	File           string
	What           string // "format" or "rules"
	Version        int    // of the file
	Oldest, Newest int    // that this package reads
}

func (e *VersionError) Error() string {
	reads := fmt.Sprintf("version %d", e.Newest)
	if e.Oldest < e.Newest {
		reads = fmt.Sprintf("versions %d to %d", e.Oldest, e.Newest)
	}
	return fmt.Sprintf("%s: %s version %d, but this program reads %s", e.File, e.What, e.Version, reads)
}

// NotATableError says that a file is no table at all, although its name is one.
type NotATableError struct {
	File string
}

func (e *NotATableError) Error() string {
	return e.File + ": not a table file"
}

// ValueError says that a Writer was given a value that no position can have.
type ValueError struct {
	Index uint64 // perfect index
	What  string
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("value at index %d: %s", e.Index, e.What)
}

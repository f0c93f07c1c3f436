package storage

import (
	"errors"
	"fmt"
	"strings"

	"gogotb/index"
)

// What a caller asks of an error with errors.Is: is it missing, is it broken, is it away? The types below have the details.
var (
	// ErrNotCovered: the position is one that no table here has. Its set is not installed (*MissingTableError), it has
	// more pieces than tables can have, or a side has no king (*index.KingError).
	ErrNotCovered = errors.New("not covered by a table")
	// ErrCorrupt: a table is broken. Its file is damaged (*CorruptError), or no table at all (*NotATableError).
	ErrCorrupt = errors.New("a table is corrupt")
	// ErrUnavailable: a table may be there, but the server that has it is away, or does not answer as it has to (a
	// *ReadError). Asked again later, it may.
	ErrUnavailable = errors.New("tables are unavailable")
)

// OptionError says what is wrong with the arguments of Open.
type OptionError struct {
	What string
}

func (e *OptionError) Error() string { return e.What }

// MissingTableError says that no folder holds a table that the answer needs. It is ErrNotCovered.
type MissingTableError struct {
	Material index.Material
	Kind     Kind     // which of the two tables is missing
	Dirs     []string // where it was looked for
}

// Is reports that the error is ErrNotCovered.
func (e *MissingTableError) Is(target error) bool { return target == ErrNotCovered }

func (e *MissingTableError) Error() string {
	if n := e.Material.PieceCount(); n > index.MaxPieces {
		return fmt.Sprintf("no table for %s: it has %d pieces, and tables have at most %d", e.Material, n, index.MaxPieces)
	}
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
// contradiction with itself or with the other table of its set. It is ErrCorrupt.
type CorruptError struct {
	File   string
	Offset int64 // byte of the file where the damaged part begins
	What   string
}

// Is reports that the error is ErrCorrupt.
func (e *CorruptError) Is(target error) bool { return target == ErrCorrupt }

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

// NotATableError says that a file is no table at all, although its name is one. It is ErrCorrupt.
type NotATableError struct {
	File string
}

// Is reports that the error is ErrCorrupt.
func (e *NotATableError) Is(target error) bool { return target == ErrCorrupt }

func (e *NotATableError) Error() string {
	return e.File + ": not a table file"
}

// notCovered makes an error of index.Encode ErrNotCovered, where that is what it says: a side has no king, or the
// position is of another set. Illegal positions are neither covered nor not.
func notCovered(err error) error {
	var king *index.KingError
	var material *index.MaterialError
	if errors.As(err, &king) || errors.As(err, &material) {
		return &notCoveredError{err}
	}
	return err
}

// notCoveredError is an error that is also ErrNotCovered.
type notCoveredError struct{ error }

func (e *notCoveredError) Is(target error) bool { return target == ErrNotCovered }
func (e *notCoveredError) Unwrap() error        { return e.error }

// ValueError says that a Writer was given a value that no position can have.
type ValueError struct {
	Index uint64 // perfect index
	What  string
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("value at index %d: %s", e.Index, e.What)
}

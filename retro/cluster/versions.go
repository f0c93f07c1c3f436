package cluster

import (
	"fmt"

	"gogotb/rules"
	"gogotb/storage"
)

// protocolVersion changes whenever workers of before and after could not work together, or could not read each other's
// objects.
const protocolVersion = 1

// Versions are what all who work together have in common.
type Versions struct {
	Program  string `json:"program"`  // and its version
	Protocol int    `json:"protocol"` // of this package
	Rules    int    `json:"rules"`
	Tables   int    `json:"tables"` // format of the files
}

// NewVersions returns the versions of a program that is linked with this package.
func NewVersions(program string) Versions {
	return Versions{program, protocolVersion, rules.Version, storage.FormatVersion}
}

// VersionError says that two cannot work together, and which version is the reason.
type VersionError struct {
	Who, Whose   string // such as "this worker", "the plan 0123456789ab"
	What         string // program, protocol, rules, format of tables
	Theirs, Ours string
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("refused: %s has the %s %s, and %s has %s", e.Who, e.What, e.Ours, e.Whose, e.Theirs)
}

// check compares the versions of who, which are v, with those of others.
func (v Versions) check(who string, others Versions, whose string) error {
	for _, c := range []struct{ what, ours, theirs string }{
		{"rules", fmt.Sprint(v.Rules), fmt.Sprint(others.Rules)},
		{"format of tables", fmt.Sprint(v.Tables), fmt.Sprint(others.Tables)},
		{"protocol", fmt.Sprint(v.Protocol), fmt.Sprint(others.Protocol)},
		{"program", v.Program, others.Program},
	} {
		if c.ours != c.theirs {
			return &VersionError{Who: who, Whose: whose, What: c.what, Ours: c.ours, Theirs: c.theirs}
		}
	}
	return nil
}

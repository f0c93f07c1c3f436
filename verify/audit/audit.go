package audit

import (
	"context"
	"fmt"
	"runtime"

	"gogotb/index"
	"gogotb/rules"
)

// DefaultLimit is the number of faults after which an audit stops.
const DefaultLimit = 10

// Options of an audit. The zero value uses all cores and stops after ten faults.
type Options struct {
	Workers int // goroutines, 0: one for each core
	Limit   int // faults after which the audit stops, 0: DefaultLimit
	// Memory is how many bytes Sample may take, beside what open tables take; it takes a byte a placement
	// and some more at most. 0: half a gigabyte.
	Memory uint64
	// Progress is called again and again from the goroutines that do the work, one call at a time.
	Progress func(Progress)
}

func (o Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

func (o Options) limit() int {
	if o.Limit > 0 {
		return o.Limit
	}
	return DefaultLimit
}

func (o Options) memory() uint64 {
	if o.Memory > 0 {
		return o.Memory
	}
	return defaultMemory
}

// Progress of an audit.
type Progress struct {
	Phase       Phase
	Done, Total uint64 // positions, in this phase
	// Part is the part of the table, from 0 on, that Sample has in memory, and Parts how many
	// there are.
	Part, Parts int
}

// Phase is a part of an audit.
type Phase uint8

const (
	// Wins: the won positions, and which placements are illegal.
	Wins Phase = iota
	// Others: the lost and the open positions.
	Others
	// Undecided: the positions that mate leaves undecided, as a graph.
	Undecided
	// Samples: positions chosen at random, the one phase of Sample.
	Samples
	// Phases is how many an audit of all values goes through, each over all placements. Few are
	// left for the last one, which may be skipped.
	Phases = 3
)

func (p Phase) String() string {
	return [...]string{"won positions", "other positions", "undecided positions", "samples"}[p]
}

// Check is the check that found a fault.
type Check uint8

const (
	// Equations: the values of the successors make the value another.
	Equations Check = iota
	// DualGame: the undecided region, solved again, gives the position to another player.
	DualGame
	// LeastRank: the rank is not that of the least solution.
	LeastRank
)

func (c Check) String() string {
	return [...]string{"equations", "dual game", "least rank"}[c]
}

// Fault is a position whose value is wrong.
type Fault struct {
	Index    uint64
	Position rules.Position // Sente to move
	Check    Check
	// Found is the value in the table. A win with the number 0 is one whose distance the
	// table does not store.
	Found rules.Value
	// Expected is the value that the successors give. If one of these is wrong, so may
	// this be. Found by DualGame and LeastRank, it is the true one.
	Expected rules.Value
}

// Error names the position, the value found and the value expected.
func (f *Fault) Error() string {
	return fmt.Sprintf("index %d, %s: found %v, expected %v (%v)", f.Index, f.Position.SFEN(), f.Found, f.Expected, f.Check)
}

// Report is the result of an audit.
type Report struct {
	Material index.Material
	// Checked is the number of placements checked: all of them, unless Faults ended it
	// early or a sample was asked for.
	Checked uint64
	// Faults are the first ones in index order, up to the limit. If the won positions alone
	// have that many, the others are not looked at.
	Faults []Fault
	// Counted is what the values add up to. It is whole only if there are no Faults.
	Counted rules.Stats
	// Statistics are the statistics of the table that are not as counted, up to the limit.
	Statistics []Miscount
}

// OK tells whether nothing was found wrong.
func (r *Report) OK() bool { return len(r.Faults) == 0 && len(r.Statistics) == 0 }

// Values audits values in index order; the numbers of won positions may be left 0. Stats is
// what is claimed about them. The error is that of ctx, a *SizeError, or one of
// index for an index that is broken; wrong values are no error but faults in the report.
func Values(ctx context.Context, x *index.Index, values []rules.Value, stats rules.Stats, opt Options) (*Report, error) {
	if uint64(len(values)) != x.Size() {
		return nil, &SizeError{x.Material(), uint64(len(values)), x.Size()}
	}
	t := newTable(x.Size())
	t.put(0, values)
	return run(ctx, x, t, stats, opt, false)
}

// SizeError says that there are more or fewer values than the index has placements, or
// that the index does not have as many as the board.
type SizeError struct {
	Material    index.Material
	Found, Want uint64
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("%s: %d placements, expected %d", e.Material, e.Found, e.Want)
}

// IndexError says that the position of an index has another number.
type IndexError struct {
	Position       rules.Position
	Index, Encoded uint64
}

func (e *IndexError) Error() string {
	return fmt.Sprintf("index %d, %s: the position has the number %d", e.Index, e.Position.SFEN(), e.Encoded)
}

// PlacementError says that the placement of an index cannot be one.
type PlacementError struct {
	Index uint64
	Err   error
}

func (e *PlacementError) Error() string { return fmt.Sprintf("index %d: %v", e.Index, e.Err) }
func (e *PlacementError) Unwrap() error { return e.Err }

// run audits a table in memory. Where the values of illegal placements mean nothing, dontCare
// is true.
func run(ctx context.Context, x *index.Index, t *table, stats rules.Stats, opt Options, dontCare bool) (*Report, error) {
	all, size := placements(x.Material())
	if size != x.Size() {
		return nil, &SizeError{x.Material(), x.Size(), size}
	}
	a := &audit{x: x, t: t, opt: opt, dontCare: dontCare, rotated: rotatedSlices(x)}
	report := &Report{Material: x.Material(), Counted: emptyStats()}
	if err := a.wins(ctx); err != nil {
		return nil, err
	}
	report.Checked = a.checked
	if len(a.faults) < opt.limit() {
		if err := a.others(ctx, &report.Counted); err != nil {
			return nil, err
		}
		report.Checked = a.checked
	}
	if len(a.faults) == 0 {
		if a.weight != all {
			return nil, &SizeError{x.Material(), a.weight, all}
		}
		if err := a.undecided(ctx, &report.Counted); err != nil {
			return nil, err
		}
	}
	report.Faults = firstFaults(append(a.faults, a.suspects...), opt.limit())
	if len(report.Faults) == 0 {
		report.Statistics = miscounts(&stats, &report.Counted)
		report.Statistics = report.Statistics[:min(len(report.Statistics), opt.limit())]
	}
	return report, nil
}

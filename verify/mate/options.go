package mate

import (
	"fmt"
	"time"

	"gogotb/rules"
)

// Options say what is asked and how much it may cost. The zero value asks for the shortest mate by
// any moves, and takes whatever time it needs.
type Options struct {
	// Tsume lets the side to move attack, and give nothing but checks. Otherwise both sides may
	// play any moves, and either may turn out to mate the other.
	Tsume bool
	// By, if not nil, is the only side whose mate is looked for, so that NoMate and NoMateWithin say nothing of the other's. It
	// is of no use in Tsume.
	By *rules.Color
	// MaxPlies is the longest mate that counts, in plies, up to MaxMaxPlies; 0: any length.
	MaxPlies int
	// AnyLength is content with the first mate that is found, which need not be the shortest.
	AnyLength bool
	// Tree is the greatest number of moves that Result.Tree may have; 0: no tree.
	Tree int

	// Timeout and MaxNodes (moves made) end a search that takes too long; 0: no such limit.
	Timeout  time.Duration
	MaxNodes uint64
	// Jobs is the number of workers that search at the same time, each in a goroutine of its own; 0: one. With more than one,
	// Nodes and, among lines of best play, the line differ from run to run; verdicts and lengths do not.
	Jobs int
	// Progress is called every now and then (at most ten times a second) by the goroutine that solves.
	Progress func(Progress)
	// Pause is called every few milliseconds by the goroutine that solves, which goes on when it returns: to wait in it
	// leaves the processor to others. With Pause there is one worker, whatever Jobs says.
	Pause func()

	// Table, if not nil, is asked first: the value of a position, for the side to move, and whether it is known. It may
	// know the positions of some material only. It is of no use in Tsume.
	Table func(*rules.Position) (rules.Value, bool)
}

// MaxMaxPlies is how deep the search goes. Of longer mates it knows nothing.
const MaxMaxPlies = maxPath

// MaxJobs is the greatest number of workers.
const MaxJobs = 1 << 10

// jobs returns the number of workers.
func (o *Options) jobs() int {
	if o.Pause != nil {
		return 1
	}
	return max(o.Jobs, 1)
}

// asks tells whether a mate by that side counts.
func (o *Options) asks(side rules.Color) bool { return o.By == nil || *o.By == side }

// OptionError names an option whose value makes no sense.
type OptionError struct {
	Option string
	Value  any
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("mate: %s cannot be %v", e.Option, e.Value)
}

func (o *Options) validate() error {
	switch {
	case o.MaxPlies < 0, o.MaxPlies > MaxMaxPlies:
		return &OptionError{"MaxPlies", o.MaxPlies}
	case o.Tree < 0:
		return &OptionError{"Tree", o.Tree}
	case o.Jobs < 0, o.Jobs > MaxJobs:
		return &OptionError{"Jobs", o.Jobs}
	case o.Timeout < 0:
		return &OptionError{"Timeout", o.Timeout}
	}
	return nil
}

// Verdict is the kind of an answer.
type Verdict uint8

const (
	// Unknown: a limit was reached first; Result.Cause says which.
	Unknown Verdict = iota
	// MateIn: the side to move mates.
	MateIn
	// MatedIn: the side to move is mated, or has no legal move now (in 0 plies).
	MatedIn
	// NoMate: neither side can mate, in any number of plies. In tsume: the side to move cannot; with Options.By: that side.
	NoMate
	// NoMateWithin: neither side (in tsume: the side to move; with Options.By: that side) can mate within MaxPlies.
	NoMateWithin
)

func (v Verdict) String() string {
	switch v {
	case MateIn:
		return "mate"
	case MatedIn:
		return "mated"
	case NoMate:
		return "no mate"
	case NoMateWithin:
		return "no mate within the limit"
	}
	return "unknown"
}

// Bounds are what is proved about the length of a mate.
type Bounds struct {
	// None: there is no mate, by either side that was asked about, within so many plies; math.MaxInt if there is none at all.
	None int
	// Most: there is a mate in so many plies or fewer; -1 if none is proved. If it is
	// odd, the side to move mates; if it is even, it is mated.
	Most int
}

// Progress is how far a search has got.
type Progress struct {
	Nodes   uint64 // moves made
	Elapsed time.Duration
	Bounds  Bounds
}

// Result is an answer.
type Result struct {
	Verdict Verdict
	// Plies to the end with MateIn and MatedIn: shortest for the side that mates, longest for the other (with
	// AnyLength, an upper bound); the limit with NoMateWithin; otherwise 0.
	Plies int
	// Line is best play by both sides with MateIn and MatedIn: Plies moves (with AnyLength, at most).
	Line []rules.Move
	// Tree holds all best defences, if asked for: the moves from the position on.
	Tree []Branch
	// Bounds are what is proved, whatever the verdict.
	Bounds Bounds
	// FromTable: Options.Table answered.
	FromTable bool
	// Cause says why the verdict is Unknown: ErrTimeout, ErrMaxNodes, ErrTooDeep, ErrTree, ErrCollision or the cause of the context's end.
	Cause   error
	Nodes   uint64 // moves made
	Elapsed time.Duration
}

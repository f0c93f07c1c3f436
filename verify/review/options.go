package review

import (
	"context"
	"fmt"
	"math"

	"gogotb/rules"
	"gogotb/verify/mate"
)

// Limits of a search where nothing else is said.
const (
	DefaultNodes = 2_000_000 // moves made by the solver in a position
	DefaultPlies = 31        // the longest mate that counts
	// DefaultHash is the memory of all searches together, in bytes.
	DefaultHash = 128 << 20
)

// Options say how games are reviewed, and how much it may cost.
type Options struct {
	// Nodes limits the search in a position, in moves made by the solver; Plies is the longest mate that counts.
	Nodes uint64
	Plies int
	// Jobs is how many positions are searched at the same time; 0: one.
	Jobs int
	// Hash is the memory of all searches together, in bytes; 0: DefaultHash.
	Hash int64
	// Table, if not nil, is asked first, as in mate.Options.
	Table func(*rules.Position) (rules.Value, bool)
	// Evaluate, if not nil, asks a back end about a position of which nothing is known; nil where it has nothing to say. Several goroutines call
	// it, at most Jobs at a time.
	Evaluate func(context.Context, *rules.Position) (*Evaluation, error)
	// Scale and Thresholds are for a back end's estimates; the zero values stand for DefaultScale and DefaultThresholds.
	Scale      float64
	Thresholds Thresholds
	// Game has the rules that a game is adjudicated by.
	Game rules.GameOptions
	// Lend, if not nil, lends solvers, which have to be as new, in place of those that a Reviewer makes by itself. To wait
	// in it is to wait for one's turn. The context ends a search early, which is then undecided.
	Lend func(context.Context) (turn context.Context, solver *mate.Solver, giveBack func(), err error)
	// Progress is told how many parts of a game are done, of how many, by the goroutine that calls Review.
	Progress func(done, total int)
}

// Thresholds are the losses in winning chances, in percent, from which on a move is an inaccuracy, a mistake, a blunder.
type Thresholds struct{ Inaccuracy, Mistake, Blunder float64 }

// DefaultThresholds are those of the usual analysis boards.
var DefaultThresholds = Thresholds{5, 10, 15}

// DefaultScale is the number of centipawns that make the odds of winning e to one.
const DefaultScale = 270

// Evaluation is what a back end says of a position, for the side to move.
type Evaluation struct {
	// Centipawns is its estimate, if it claims no mate.
	Centipawns int
	// Claims is by whom it claims a mate: Win, Loss, or Unknown if it claims none; Plies is its length.
	Claims Category
	Plies  int
	// Move is the one that it would make, 0 if it says none.
	Move rules.Move
}

// Chance returns the chance of winning, from 0 to 1, that an evaluation stands for.
func (e *Evaluation) Chance(scale float64) float64 {
	switch {
	case e.Claims == Win:
		return 1
	case e.Claims == Loss:
		return 0
	}
	return 1 / (1 + math.Exp(-float64(e.Centipawns)/scale))
}

// OptionError names an option whose value makes no sense.
type OptionError struct {
	Option string
	Value  any
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("review: %s cannot be %v", e.Option, e.Value)
}

// complete checks options, and puts in what is left out.
func (o *Options) complete() error {
	if o.Scale == 0 {
		o.Scale = DefaultScale
	}
	if o.Thresholds == (Thresholds{}) {
		o.Thresholds = DefaultThresholds
	}
	if o.Hash == 0 {
		o.Hash = DefaultHash
	}
	o.Jobs = max(o.Jobs, 1)
	t := o.Thresholds
	switch {
	case o.Nodes < 1 || o.Nodes > math.MaxInt64:
		return &OptionError{"Nodes", o.Nodes}
	case o.Plies < 1 || o.Plies > mate.MaxMaxPlies:
		return &OptionError{"Plies", o.Plies}
	case o.Jobs > mate.MaxJobs:
		return &OptionError{"Jobs", o.Jobs}
	case o.Hash < 0:
		return &OptionError{"Hash", o.Hash}
	case !(o.Scale > 0) || math.IsInf(o.Scale, 1):
		return &OptionError{"Scale", o.Scale}
	case !(0 < t.Inaccuracy && t.Inaccuracy <= t.Mistake && t.Mistake <= t.Blunder && t.Blunder <= 100):
		return &OptionError{"Thresholds", o.Thresholds}
	}
	return nil
}

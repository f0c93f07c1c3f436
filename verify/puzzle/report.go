package puzzle

import (
	"slices"

	"gogotb/rules"
)

// Verdict on a puzzle.
type Verdict uint8

const (
	// Sound: the claim is true, and nothing refutes the puzzle.
	Sound Verdict = iota
	// Refuted: see the flaws.
	Refuted
	// Undecided: nothing was found that refutes it, but some question stayed open.
	Undecided
)

func (v Verdict) String() string {
	return [...]string{"sound", "refuted", "undecided"}[v]
}

// Outcome is what was found out about the mate itself.
type Outcome uint8

const (
	// Unknown: the search gave up.
	Unknown Outcome = iota
	// Mate: the attacker mates.
	Mate
	// NoMateFound: there is none, or none within some number of plies.
	NoMateFound
)

// FlawKind is what is wrong.
type FlawKind uint8

// The flaws, as the package documentation has them.
const (
	NoMate FlawKind = iota
	Longer
	Shorter
	IllegalMove
	WeakAttack
	WeakDefence
	Unfinished
	Cook
	HandLeft
	SameLength
	Futile
	PawnDropMate
	Perpetual
	MateMissed
)

var flawNames = [...]string{"no-mate", "longer", "shorter", "illegal-move", "weak-attack", "weak-defence", "unfinished",
	"cook", "hand-left", "same-length", "futile", "pawn-drop-mate", "perpetual", "mate-missed"}

func (k FlawKind) String() string { return flawNames[k] }

// Flaw is something that a composer wants to know.
type Flaw struct {
	Kind FlawKind
	// Variation is the number of the variation that is meant, from 1; 0: the solution.
	Variation int
	// Ply of the solution or variation, from 1, at which the first of Moves is played; where there are none,
	// the ply that is meant, or 0.
	Ply   int
	Moves []rules.Move
	// Plies is how long the puzzle takes if Moves are played, from its first move on; 0 if
	// there is no mate, or no number to give.
	Plies int
	// Hand are the pieces left, for HandLeft.
	Hand rules.Hand
	// Err says which rule is broken, for IllegalMove.
	Err error
	// Tolerated is why the flaw is forgiven, 0 if it is not.
	Tolerated Tolerance
	// Refutes: the puzzle does not stand.
	Refutes bool
}

// Omission is something that the report does not tell, or not for certain.
type Omission uint8

const (
	// PerpetualRanks: without a table only wins by perpetual check of rank 1 are looked for, and among so many
	// positions. None was found, which does not say that there is none.
	PerpetualRanks Omission = iota
	// PerpetualAlternatives: whether another move of the attacker wins because of a perpetual check was asked of no table.
	PerpetualAlternatives
	// SameLengthLines: there were too many lines to find every defence of the same length that leaves nothing in hand.
	SameLengthLines
	// FutileCounts: there were too many lines to count without futile interpositions.
	FutileCounts
)

var omissionNames = [...]string{"perpetual-ranks", "perpetual-alternatives", "same-length-lines", "futile-counts"}

func (o Omission) String() string { return omissionNames[o] }

// Report is what was found out about a puzzle.
type Report struct {
	Puzzle *Puzzle
	// Position is the puzzle's with the defender's hand completed, if that was asked for.
	Position rules.Position
	Attacker rules.Color
	Verdict  Verdict
	Outcome  Outcome
	// Claim tells whether the claim is true; false too if that is not known.
	Claim bool
	// Plies is the length of the shortest mate, if there is one. WithoutFutile is the same without
	// futile interpositions, -1 if it is not known.
	Plies         int
	WithoutFutile int
	// NoMateWithin is the number of plies within which there is proved to be no mate, for
	// NoMateFound; AnyLength: there is none at all.
	NoMateWithin int
	// Solution is the claimed line as far as it is right, completed, or the best line.
	Solution []rules.Move
	// Searched is the number of plies, from the first move of the puzzle on, within which
	// all other mates were looked for; AnyLength: all lengths.
	Searched int
	Flaws    []Flaw
	// Omissions are what was not looked into, or not to the end.
	Omissions []Omission
	// Variations are the results of the puzzle's variations, in the same order.
	Variations []VariationResult
	// Nodes is the number of moves made in searches.
	Nodes uint64
}

// AnyLength stands for a number of plies without a limit.
const AnyLength = 1 << 30

// add notes a flaw.
func (r *Report) add(f Flaw) { r.Flaws = append(r.Flaws, f) }

// omit notes an omission once.
func (r *Report) omit(o Omission) {
	if !slices.Contains(r.Omissions, o) {
		r.Omissions = append(r.Omissions, o)
	}
}

// Has tells whether there is a flaw of the kind.
func (r *Report) Has(k FlawKind) bool {
	for i := range r.Flaws {
		if r.Flaws[i].Kind == k {
			return true
		}
	}
	return false
}

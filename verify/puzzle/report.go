package puzzle

import "gogotb/rules"

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
)

var flawNames = [...]string{"no-mate", "longer", "shorter", "illegal-move", "weak-attack", "weak-defence", "unfinished",
	"cook", "hand-left", "same-length", "futile", "pawn-drop-mate", "perpetual"}

func (k FlawKind) String() string { return flawNames[k] }

// Flaw is something that a composer wants to know.
type Flaw struct {
	Kind FlawKind
	// Ply of the solution, from 1, at which the first of Moves is played; where there are none,
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
	// Nodes is the number of moves made in searches.
	Nodes uint64
}

// AnyLength stands for a number of plies without a limit.
const AnyLength = 1 << 30

// add notes a flaw.
func (r *Report) add(f Flaw) { r.Flaws = append(r.Flaws, f) }

// Has tells whether there is a flaw of the kind.
func (r *Report) Has(k FlawKind) bool {
	for i := range r.Flaws {
		if r.Flaws[i].Kind == k {
			return true
		}
	}
	return false
}

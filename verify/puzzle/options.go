package puzzle

import (
	"fmt"
	"strings"

	"gogotb/rules"
)

// Options of a Checker. The zero value checks puzzles of any moves, strictly and by search alone.
type Options struct {
	// Tsume: the attacker may give check only. Tables cannot answer for such puzzles.
	Tsume bool
	// CompleteHand gives the defender all pieces that are nowhere, see CompleteHand.
	CompleteHand bool
	// Tolerate are the imperfections that do not refute a puzzle.
	Tolerate Tolerance
	// MaxPlies is how far a mate is searched for where the claim is false or missing; 0:
	// DefaultMaxPlies.
	MaxPlies int
	// Beyond is by how many plies more than the solution takes other mates are searched for; it may be
	// AnyLength, which is sensible for Tsume.
	Beyond int
	// Nodes limits the search for each single question, in moves made; 0: DefaultNodes.
	Nodes uint64
	// Hash is the size of the transposition table in bytes; 0: DefaultHash.
	Hash int64
	// Jobs is the number of workers of a search, see mate.Options; 0: one. Which questions stay open for lack of Nodes may
	// differ from run to run if there are more.
	Jobs int
	// Table is the value of a position if a table covers it; nil: there are no tables.
	Table func(*rules.Position) (v rules.Value, ok bool)
}

// Defaults of Options.
const (
	DefaultMaxPlies = 15
	DefaultNodes    = 3_000_000
	DefaultHash     = 64 << 20 // bytes
)

// Tolerance is a set of imperfections that composers often forgive.
type Tolerance uint8

const (
	// LastMove: the mating move itself has alternatives, but for the attacker's first move, which is the key.
	LastMove Tolerance = 1 << iota
	// Promotion: promoting, or not, changes nothing.
	Promotion
	// LongerMate: an alternative takes more plies. Where the attacker may play any move, that is hard to
	// avoid: a side that wins can mostly dally.
	LongerMate
	// FutileLength: the claimed length does not count futile interpositions.
	FutileLength
)

var toleranceNames = []struct {
	t    Tolerance
	name string
}{{LastMove, "last"}, {Promotion, "promotion"}, {LongerMate, "longer"}, {FutileLength, "futile"}}

// DefaultTolerance returns what custom forgives: LastMove, Promotion and FutileLength, and
// LongerMate unless only checks are allowed.
func DefaultTolerance(tsume bool) Tolerance {
	t := LastMove | Promotion | FutileLength
	if !tsume {
		t |= LongerMate
	}
	return t
}

// ParseTolerance reads names separated by commas: last, promotion, longer, futile, or none.
func ParseTolerance(text string) (Tolerance, error) {
	var t Tolerance
	if text == "none" {
		return t, nil
	}
words:
	for _, word := range strings.Split(text, ",") {
		for _, n := range toleranceNames {
			if n.name == word {
				t |= n.t
				continue words
			}
		}
		return 0, fmt.Errorf("%q cannot be tolerated; last, promotion, longer, futile can, or none", word)
	}
	return t, nil
}

// String returns the names, as ParseTolerance reads them.
func (t Tolerance) String() string {
	var names []string
	for _, n := range toleranceNames {
		if t&n.t != 0 {
			names = append(names, n.name)
		}
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ",")
}

package rules

import "fmt"

// Outcome is what a position comes to for the side to move with best play.
type Outcome uint8

const (
	// Illegal marks a placement that is not a legal position.
	Illegal Outcome = iota
	// Open: neither side can force a win; play repeats.
	Open
	// MateWin: the side to move mates (or stalemates) in a bounded number of plies.
	MateWin
	// MateLoss: the side to move has no legal move, or is mated in a bounded number of
	// plies.
	MateLoss
	// PerpetualWin: the opponent can hold out only by checking forever, which loses.
	PerpetualWin
	// PerpetualLoss: the side to move can hold out only by checking forever, which loses.
	PerpetualLoss
)

// Wins tells whether the side to move wins.
func (o Outcome) Wins() bool { return o == MateWin || o == PerpetualWin }

// Loses tells whether the side to move loses.
func (o Outcome) Loses() bool { return o == MateLoss || o == PerpetualLoss }

// ByMate tells whether the side to move mates or is mated, in a bounded number of plies.
func (o Outcome) ByMate() bool { return o == MateWin || o == MateLoss }

// ByPerpetual tells whether somebody loses by perpetual check.
func (o Outcome) ByPerpetual() bool { return o == PerpetualWin || o == PerpetualLoss }

func (o Outcome) String() string {
	switch o {
	case Open:
		return "open"
	case MateWin:
		return "win by mate"
	case MateLoss:
		return "loss by mate"
	case PerpetualWin:
		return "win by perpetual check"
	case PerpetualLoss:
		return "loss by perpetual check"
	}
	return "illegal"
}

// Value is the exact value of a position for the side to move, assuming fresh history: an Outcome and a number.
// The number is plies until a player has no legal move for MateWin (odd) and MateLoss (even), the rank (1 or
// more) for PerpetualWin and PerpetualLoss, and 0 otherwise. A MateWin, PerpetualWin or PerpetualLoss with the
// number 0 is one whose number is not known; a MateLoss with the number 0 is the end of the game. Values are
// comparable with ==.
type Value uint16

// valueBits is the width of the number in a Value.
const valueBits = 12

// MaxNumber is the largest number of plies, or rank, that a Value can hold.
const MaxNumber = 1<<valueBits - 1

// MakeValue puts an outcome and its number together; n is at most MaxNumber.
func MakeValue(o Outcome, n int) Value { return Value(o)<<valueBits | Value(n) }

// Outcome returns what the position comes to.
func (v Value) Outcome() Outcome { return Outcome(v >> valueBits) }

// Number returns plies for values by mate, the rank for values by perpetual check.
func (v Value) Number() int { return int(v & MaxNumber) }

// Wins tells whether the side to move wins.
func (v Value) Wins() bool { return v.Outcome().Wins() }

// Loses tells whether the side to move loses.
func (v Value) Loses() bool { return v.Outcome().Loses() }

// Distance returns the plies until a player has no legal move with best play, DTM; ok is false for values that are
// not by mate, and for a win whose distance is not known.
func (v Value) Distance() (plies int, ok bool) {
	n := v.Number()
	if !v.Outcome().ByMate() || v.Wins() && n == 0 {
		return 0, false
	}
	return n, true
}

// Rank returns the rank of a win or loss by perpetual check; ok is false for other values, and where the rank is
// not known.
func (v Value) Rank() (rank int, ok bool) {
	n := v.Number()
	if !v.Outcome().ByPerpetual() || n == 0 {
		return 0, false
	}
	return n, true
}

// String names the side that wins, seen from the side to move: "win in 3", "loss in 4", "win by perpetual check,
// rank 2", "open".
func (v Value) String() string {
	if n, ok := v.Distance(); ok {
		if v.Wins() {
			return fmt.Sprintf("win in %d", n)
		}
		return fmt.Sprintf("loss in %d", n)
	}
	if n, ok := v.Rank(); ok {
		return fmt.Sprintf("%v, rank %d", v.Outcome(), n)
	}
	return v.Outcome().String()
}

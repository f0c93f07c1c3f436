package rules

import "fmt"

// Outcome is what a position comes to for the side to move with best play.
type Outcome uint8

const (
	// Illegal marks a placement that is not a legal position.
	Illegal Outcome = iota
	// Open: nobody can force a result; play repeats.
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

// Value is the exact value of a position for the side to move, assuming fresh
// history: an Outcome and a number. The number is plies until a player has no legal
// move for MateWin (odd) and MateLoss (even), the rank (1 or more) for PerpetualWin
// and PerpetualLoss, and 0 otherwise. Values are comparable with ==.
type Value uint16

// valueBits is the width of the number in a Value.
const valueBits = 12

// MaxNumber is the largest number of plies, or rank, that a Value can hold.
const MaxNumber = 1<<valueBits - 1

// MakeValue puts an outcome and its number together; n is at most MaxNumber.
func MakeValue(o Outcome, n int) Value { return Value(o)<<valueBits | Value(n) }

// Outcome of the value.
func (v Value) Outcome() Outcome { return Outcome(v >> valueBits) }

// Number of plies for values by mate, rank for values by perpetual check.
func (v Value) Number() int { return int(v & MaxNumber) }

func (v Value) String() string {
	switch v.Outcome() {
	case Open:
		return "open"
	case MateWin, MateLoss:
		return fmt.Sprintf("mate %d", v.Number())
	case PerpetualWin:
		return fmt.Sprintf("perpetual %d (win)", v.Number())
	case PerpetualLoss:
		return fmt.Sprintf("perpetual %d (loss)", v.Number())
	}
	return "illegal"
}

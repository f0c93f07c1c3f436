package record

import (
	"fmt"
	"slices"
)

// End is how a line is said to end.
type End struct {
	// Text is the word of the file, "" if nothing is said.
	Text string
	Kind EndKind
}

// EndKind is what the word for an end stands for, whatever the format.
type EndKind uint8

const (
	// NoEnd: nothing is said, or the line is cut off.
	NoEnd EndKind = iota
	// OtherEnd: a word of which only End.Text tells.
	OtherEnd
	// Resigns: the side to move gives up.
	Resigns
	// Interrupted: the game was not played to its end.
	Interrupted
	// Checkmate: the side to move has no legal move.
	Checkmate
	// NoCheckmate: of a puzzle, this line is no mate.
	NoCheckmate
	// Repetition: the position has occurred for the fourth time.
	Repetition
	// Impasse: both kings have entered.
	Impasse
	// Draw: a draw, for a reason that is not said.
	Draw
	// OutOfTime: the side to move loses on time.
	OutOfTime
	// IllegalLoses: the side to move has made an illegal move.
	IllegalLoses
	// IllegalWins: the move before was illegal.
	IllegalWins
	// EnteringWins: the side to move declares its win, its king having entered.
	EnteringWins
	// DefaultLoses: the side to move did not appear.
	DefaultLoses
	// DefaultWins: its opponent did not.
	DefaultWins
	// Sealed: the next move is sealed; the game goes on another day.
	Sealed
	// PlyLimit: the game is as long as it may be.
	PlyLimit
)

// endCodes are the kinds of ends for programs.
var endCodes = [...]string{
	NoEnd: "", OtherEnd: "other", Resigns: "resigns", Interrupted: "interrupted", Checkmate: "checkmate", NoCheckmate: "no-checkmate",
	Repetition: "repetition", Impasse: "impasse", Draw: "draw", OutOfTime: "out-of-time", IllegalLoses: "illegal-loses",
	IllegalWins: "illegal-wins", EnteringWins: "entering-wins", DefaultLoses: "default-loses", DefaultWins: "default-wins",
	Sealed: "sealed", PlyLimit: "ply-limit",
}

// Code returns the name of the kind for programs, "" for NoEnd.
func (k EndKind) Code() string {
	if int(k) < len(endCodes) {
		return endCodes[k]
	}
	return fmt.Sprintf("end-%d", k)
}

// EndOf returns the kind with that code; ok tells whether there is one.
func EndOf(code string) (kind EndKind, ok bool) {
	i := slices.Index(endCodes[:], code)
	return EndKind(max(i, 0)), i >= 0
}

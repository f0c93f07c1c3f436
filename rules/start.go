package rules

// StartSFEN is the starting position of an even game.
const StartSFEN = "rbsgk/4p/5/P4/KGSBR b - 1"

// Handicap is a starting position in which Gote, the stronger player, goes without
// some pieces and moves first.
type Handicap struct {
	Name string
	SFEN string
}

// Handicaps are the usual handicap starts, the smallest first.
var Handicaps = []Handicap{
	{"bishop", "r1sgk/4p/5/P4/KGSBR w - 1"},
	{"rook", "1bsgk/4p/5/P4/KGSBR w - 1"},
	{"two-piece", "2sgk/4p/5/P4/KGSBR w - 1"},
	{"three-piece", "3gk/4p/5/P4/KGSBR w - 1"},
	{"four-piece", "4k/4p/5/P4/KGSBR w - 1"},
	{"naked-king", "4k/5/5/P4/KGSBR w - 1"},
}

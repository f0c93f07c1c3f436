package position

import (
	"regexp"
	"strings"

	"gogotb/rules"
	"gogotb/rules/record/kif"
)

// western is how moves begin in the notation of the servers, and not in USI.
var western = regexp.MustCompile(`^\+?[A-Z][-x1-9]|^\+|^[A-Z]\*[0-9]`)

// ParseMove reads a move of p in USI (G*3c), as Fairy-Stockfish has it (G@c3), in the western notation of the servers
// (G*33) or in KIF (３三金打). last is the target of the move before, or NoSquare. The move need not be legal in the first
// two. Errors are of type *rules.MoveError or, if the move is understood and breaks a rule, *rules.IllegalMoveError.
func ParseMove(p *rules.Position, text string, last rules.Square) (rules.Move, error) {
	m, err := parseMove(text)
	switch {
	case err == nil:
	case western.MatchString(text):
		return p.ParseWestern(text)
	case japanese.MatchString(text):
		return kif.ParseMove(p, text, last)
	}
	return m, err
}

// japanese is how moves of KIF begin, perhaps behind a triangle: a square has a file and a rank, which in USI is a letter.
var japanese = regexp.MustCompile(`^[^\x00-\x7f]|^[0-9][^a-z]`)

// same is how KIF begins a move to the square of the move before, often with a wide blank behind.
const same = "同"

// moveNumber may stand before a move.
var moveNumber = regexp.MustCompile(`^[0-9]+\.+$`)

// Moves returns the moves that stand in a text, without their numbers; see ParseMove.
func Moves(text string) []string {
	var moves []string
	joined := false // with the word before
	for _, word := range strings.Fields(text) {
		switch {
		case moveNumber.MatchString(word):
			continue
		case joined:
			moves[len(moves)-1] += word
		default:
			moves = append(moves, word)
		}
		joined = strings.HasSuffix(word, same)
	}
	return moves
}

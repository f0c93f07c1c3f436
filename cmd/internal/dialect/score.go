package dialect

import (
	"fmt"
	"slices"
	"strconv"
)

// Score is what a position is worth for the side to move. Greater is better: lost by mate, by
// perpetual check, by repetition, then estimates in centipawns with the draw at 0
// among them, then the wins in the opposite order. The negative of a score is that of the
// opponent.
type Score int32

const (
	// Drawn is the score of a draw.
	Drawn Score = 0
	// MateUnknown is a win by mate in an unknown number of plies.
	MateUnknown Score = 900_000
	// RepetitionWin is a win because play repeats, under first-player-loses.
	RepetitionWin Score = 400_000
	// MaxEstimate is the greatest estimate.
	MaxEstimate Score = 100_000

	mateScore      Score = 1_000_000
	perpetualScore Score = 500_000
	// maxDistance is the greatest number of plies, or rank.
	maxDistance = 10_000
)

// MateIn returns a win by mate in n plies, an odd number.
func MateIn(n int) Score { return mateScore - Score(n) }

// MatedIn returns a loss by mate in n plies, an even number: 0 if there is no legal move now.
func MatedIn(n int) Score { return Score(n) - mateScore }

// PerpetualWin returns a win by the opponent's perpetual check; the lower the rank, the sooner.
func PerpetualWin(rank int) Score { return perpetualScore - Score(rank) }

// Mate returns the number of plies of a score by mate, for both sides; ok is false for other
// scores, and for MateUnknown.
func (s Score) Mate() (plies int, ok bool) {
	if s < 0 {
		s = -s
	}
	return int(mateScore - s), s > mateScore-maxDistance
}

// Perpetual returns the rank of a score by perpetual check, for both sides.
func (s Score) Perpetual() (rank int, ok bool) {
	if s < 0 {
		s = -s
	}
	return int(perpetualScore - s), s > perpetualScore-maxDistance && s <= perpetualScore
}

// Decided tells whether the score is a win or a loss that is certain.
func (s Score) Decided() bool { return s > MaxEstimate || s < -MaxEstimate }

// Before returns the score for the player whose move has led to a position with this score for
// the opponent: the negative, and a ply more to mate.
func (s Score) Before() Score {
	if _, ok := s.Mate(); ok {
		return -s - Score((-s).sign())
	}
	return -s
}

// After returns the score for the opponent after a move that is worth this score: what Before undoes.
func (s Score) After() Score {
	if _, ok := s.Mate(); ok {
		return -s + Score((-s).sign())
	}
	return -s
}

// sign is 1 or -1.
func (s Score) sign() int {
	if s < 0 {
		return -1
	}
	return 1
}

// Centipawns returns the score in a unit that every protocol has, for what it has no other word for: all wins are
// above all estimates, those by mate, whose way is not known or cannot be said, above those by
// perpetual check, and these above those by repetition.
func (s Score) Centipawns() int {
	const (
		repetition = 10_000
		perpetual  = 20_000
		mate       = 30_000
	)
	if plies, ok := s.Mate(); ok {
		return s.sign() * (mate - plies)
	}
	if rank, ok := s.Perpetual(); ok {
		return s.sign() * (perpetual - rank)
	}
	switch s {
	case MateUnknown, -MateUnknown:
		return s.sign() * (perpetual + 1)
	case RepetitionWin, -RepetitionWin:
		return s.sign() * repetition
	}
	return min(max(int(s), 1-repetition), repetition-1)
}

// Moves returns the number of moves, of the side that mates, in the number of plies of a
// mate: negative for the side that is mated.
func (s Score) Moves() (moves int, ok bool) {
	plies, ok := s.Mate()
	if s < 0 {
		return -plies / 2, ok
	}
	return (plies + 1) / 2, ok
}

// Bound tells what a score says of the value: a search that it has left too high or too low knows only a bound.
type Bound uint8

const (
	Exact Bound = iota
	LowerBound
	UpperBound
)

// boundWords follow a score in an info line.
var boundWords = [...]string{Exact: "", LowerBound: "lowerbound", UpperBound: "upperbound"}

// String returns the word that follows the score in an info line; none if it is exact.
func (b Bound) String() string { return boundWords[b] }

// ParseBound reads such a word.
func ParseBound(word string) (b Bound, ok bool) {
	i := slices.Index(boundWords[1:], word)
	return Bound(i + 1), i >= 0
}

// Text returns what follows the word score in an info line: USI counts plies, and has a sign for who is mated now; UCI counts moves.
func (d Dialect) Text(s Score) string {
	plies, mate := s.Mate()
	switch {
	case mate && d == UCI:
		moves, _ := s.Moves()
		return fmt.Sprintf("mate %d", moves)
	case mate && s < 0:
		return fmt.Sprintf("mate -%d", plies)
	case mate:
		return fmt.Sprintf("mate %d", plies)
	case d == USI && s == MateUnknown:
		return "mate +"
	case d == USI && s == -MateUnknown:
		return "mate -"
	}
	return fmt.Sprintf("cp %d", s.Centipawns())
}

// ParseScore reads what follows the word score in another engine's info line: a unit and a number.
func (d Dialect) ParseScore(unit, number string) (Score, error) {
	if unit == "mate" && d == USI {
		switch number {
		case "+":
			return MateUnknown, nil
		case "-":
			return -MateUnknown, nil
		}
	}
	n, err := strconv.Atoi(number)
	if err != nil {
		return 0, fmt.Errorf("score %q: not a number", number)
	}
	switch unit {
	case "cp":
		return Score(min(max(n, int(-MaxEstimate)), int(MaxEstimate))), nil
	case "mate":
		n = min(max(n, 1-maxDistance/2), maxDistance/2-1)
		switch {
		case n > 0 && d == UCI:
			return MateIn(2*n - 1), nil
		case n > 0:
			return MateIn(n), nil
		case d == UCI:
			return MatedIn(-2 * n), nil
		}
		return MatedIn(-n), nil
	}
	return 0, fmt.Errorf("score %q: not cp or mate", unit)
}

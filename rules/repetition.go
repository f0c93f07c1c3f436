package rules

import "fmt"

// Repetition is the rule for a position that occurs for the fourth time without
// perpetual check. Perpetual check comes first under every rule: a player who alone has
// given check with all moves since the first occurrence loses.
type Repetition uint8

const (
	// RepetitionDraw: the game is a draw.
	RepetitionDraw Repetition = iota
	// FirstPlayerLoses: the player who made the first move of the game loses.
	FirstPlayerLoses
	// Inventor: a player who alone has given any check since the first occurrence
	// loses; the game is a draw if both have, or neither.
	Inventor
)

var repetitionTexts = [...]string{"draw", "first-player-loses", "inventor"}

func (r Repetition) String() string {
	if int(r) < len(repetitionTexts) {
		return repetitionTexts[r]
	}
	return fmt.Sprintf("repetition %d", uint8(r))
}

// ParseRepetition reads what String writes.
func ParseRepetition(text string) (Repetition, error) {
	for r, name := range repetitionTexts {
		if name == text {
			return Repetition(r), nil
		}
	}
	return 0, fmt.Errorf("repetition rule %q is not one of draw, first-player-loses, inventor", text)
}

// repeated returns the result of a game whose current position has occurred four times.
func (g *Game) repeated() Status {
	always, ever := g.checksSinceFirst()
	return g.options.Repetition.decide(always, ever, g.FirstPlayer())
}

// decide returns the result by the rule, given for each player whether all moves, and whether
// any, since the first occurrence gave check.
func (r Repetition) decide(always, ever [2]bool, first Color) Status {
	switch {
	case always[Sente] != always[Gote]:
		return Status{Win, winnerOver(always), PerpetualCheck}
	case r == FirstPlayerLoses:
		return Status{Win, first.Other(), FourfoldRepetition}
	case r == Inventor && ever[Sente] != ever[Gote]:
		return Status{Win, winnerOver(ever), FourfoldRepetition}
	}
	return Status{Result: Draw, Reason: FourfoldRepetition}
}

// winnerOver returns the opponent of the one player to blame.
func winnerOver(blamed [2]bool) Color {
	if blamed[Sente] {
		return Gote
	}
	return Sente
}

// checksSinceFirst tells, for each player, whether all moves since the current position
// first occurred gave check, and whether any did.
func (g *Game) checksSinceFirst() (always, ever [2]bool) {
	always = [2]bool{true, true}
	now := len(g.moves)
	first := 0
	for !g.positions[first].Same(&g.positions[now]) {
		first++
	}
	for i := first; i < now; i++ {
		mover := g.positions[i].sideToMove
		check := g.positions[i+1].InCheck()
		always[mover] = always[mover] && check
		ever[mover] = ever[mover] || check
	}
	return always, ever
}

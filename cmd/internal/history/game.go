package history

import (
	"fmt"

	"gogotb/rules"
	"gogotb/storage"
)

// Game is a game in which somebody is to move. It knows what occurred before, and goes on
// where the rules see a game as ended: analysts do.
type Game struct {
	Start rules.Position
	Moves []rules.Move
	Rule  storage.Adjudication

	// game, its positions, and how often each occurred, by key, are those since the start,
	// or since the last time that the rules saw the game as ended.
	game        *rules.Game
	positions   []rules.Position
	occurrences map[uint64]int
}

// New plays moves from a position. The error wraps a *rules.IllegalMoveError, that of the first illegal move.
func New(start rules.Position, moves []rules.Move, rule storage.Adjudication) (*Game, error) {
	g := &Game{Start: start, Moves: moves, Rule: rule}
	g.restart(start)
	for i, m := range moves {
		if g.Status().Result != rules.Ongoing {
			g.restart(g.Position())
		}
		if err := g.Play(m); err != nil {
			return nil, fmt.Errorf("ply %d: %w", i+1, err)
		}
	}
	if g.Status().Result != rules.Ongoing {
		g.restart(g.Position())
	}
	return g, nil
}

// restart forgets what came before a position, but not who made the first move.
func (g *Game) restart(p rules.Position) {
	first := g.Rule.FirstPlayer
	g.game = rules.NewGame(p, rules.GameOptions{Repetition: g.Rule.Repetition, FirstPlayer: &first})
	g.positions = []rules.Position{p}
	g.occurrences = map[uint64]int{p.Key(): 1}
}

// Play makes a move, until Undo. The error is an *rules.IllegalMoveError.
func (g *Game) Play(m rules.Move) error {
	if err := g.game.Play(m); err != nil {
		return err
	}
	p := g.game.Position()
	g.positions = append(g.positions, p)
	g.occurrences[p.Key()]++
	return nil
}

// Undo takes the last move of Play back.
func (g *Game) Undo() {
	end := len(g.positions) - 1
	g.occurrences[g.positions[end].Key()]--
	g.positions = g.positions[:end]
	g.game.Undo()
}

// Position returns the current position.
func (g *Game) Position() rules.Position { return g.positions[len(g.positions)-1] }

// Positions returns the positions of the game so far, the current one last. They belong to the game.
func (g *Game) Positions() []rules.Position { return g.positions }

// Status tells how the game stands.
func (g *Game) Status() rules.Status { return g.game.Status() }

// Occurred returns how often a position has occurred.
func (g *Game) Occurred(p *rules.Position) int { return g.occurrences[p.Key()] }

// Last is how many occurrences make the next one the end of the game.
const Last = 3

// Endangered tells whether some position would end the game if it came back.
func (g *Game) Endangered() bool {
	for _, n := range g.occurrences {
		if n >= Last {
			return true
		}
	}
	return false
}

// OnlyChecked tells whether a position that a move of the side to move leads to has occurred, and
// all moves of that side since were checks, as the one that leads there now is.
func (g *Game) OnlyChecked(after *rules.Position) bool {
	if !after.InCheck() {
		return false
	}
	seen := false
	for i := range g.positions {
		p := &g.positions[i]
		switch {
		case !seen:
			seen = p.Same(after)
		case p.SideToMove() == after.SideToMove() && !p.InCheck():
			return false
		}
	}
	return seen
}

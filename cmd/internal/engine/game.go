package engine

import (
	"gogotb/rules"
	"gogotb/storage"
)

// Game is a game in which the engine is to move. It knows what occurred before, and goes on
// where the rules see a game as ended: analysts do.
type Game struct {
	Start rules.Position
	Moves []rules.Move

	rule storage.Adjudication
	// game, its positions, and how often each occurred, by key, are those since the start,
	// or since the last time that the rules saw the game as ended.
	game        *rules.Game
	positions   []rules.Position
	occurrences map[uint64]int
}

// NewGame plays moves from a position. The error is that of the first illegal move.
func NewGame(start rules.Position, moves []rules.Move, repetition rules.Repetition) (*Game, error) {
	g := &Game{Start: start, Moves: moves, rule: storage.Adjudication{Repetition: repetition, FirstPlayer: start.Turn()}}
	g.restart(start)
	for _, m := range moves {
		if g.game.Status().Result != rules.Ongoing {
			g.restart(g.game.Position())
		}
		if err := g.play(m); err != nil {
			return nil, err
		}
	}
	if g.game.Status().Result != rules.Ongoing {
		g.restart(g.game.Position())
	}
	return g, nil
}

// restart forgets what came before a position, but not who made the first move.
func (g *Game) restart(p rules.Position) {
	first := g.rule.FirstPlayer
	g.game = rules.NewGame(p, rules.GameOptions{Repetition: g.rule.Repetition, FirstPlayer: &first})
	g.positions = []rules.Position{p}
	g.occurrences = map[uint64]int{p.Key(): 1}
}

func (g *Game) play(m rules.Move) error {
	if err := g.game.Play(m); err != nil {
		return err
	}
	p := g.game.Position()
	g.positions = append(g.positions, p)
	g.occurrences[p.Key()]++
	return nil
}

func (g *Game) undo() {
	end := len(g.positions) - 1
	g.occurrences[g.positions[end].Key()]--
	g.positions = g.positions[:end]
	g.game.Undo()
}

// Position is the current position.
func (g *Game) Position() rules.Position { return g.positions[len(g.positions)-1] }

// occurred is how often a position has occurred.
func (g *Game) occurred(p *rules.Position) int { return g.occurrences[p.Key()] }

// last is how many occurrences make the next one the end of the game.
const last = 3

// endangered tells whether some position would end the game if it came back.
func (g *Game) endangered() bool {
	for _, n := range g.occurrences {
		if n >= last {
			return true
		}
	}
	return false
}

// onlyChecked tells whether a position that a move of the side to move leads to has occurred, and
// all moves of that side since were checks, as the one that leads there now is.
func (g *Game) onlyChecked(after *rules.Position) bool {
	if !after.InCheck() {
		return false
	}
	seen := false
	for i := range g.positions {
		p := &g.positions[i]
		switch {
		case !seen:
			seen = p.Same(after)
		case p.Turn() == after.Turn() && !p.InCheck():
			return false
		}
	}
	return seen
}

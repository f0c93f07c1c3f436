package engine

import (
	"gogotb/cmd/internal/history"
	"gogotb/rules"
	"gogotb/storage"
)

// Game is a game in which the engine is to move.
type Game struct{ *history.Game }

// NewGame plays moves from a position, whose side to move has made the first move of the game. The error is that of
// the first illegal move.
func NewGame(start rules.Position, moves []rules.Move, repetition rules.Repetition) (*Game, error) {
	g, err := history.New(start, moves, storage.Adjudication{Repetition: repetition, FirstPlayer: start.SideToMove()})
	if err != nil {
		return nil, err
	}
	return &Game{g}, nil
}

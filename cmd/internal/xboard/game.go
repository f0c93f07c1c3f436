package xboard

import (
	"errors"
	"fmt"

	"gogotb/cmd/internal/dialect"
	"gogotb/cmd/internal/engine"
	"gogotb/rules"
)

// game is the game on the board.
type game struct {
	start      rules.Position
	moves      []rules.Move
	repetition rules.Repetition
}

// newGame returns a game from the starting position.
func newGame() game {
	start, err := rules.ParseSFEN(rules.StartSFEN)
	if err != nil {
		panic(err) // a constant
	}
	return game{start: start}
}

// referee returns the game as the rules see it. One that goes on after its end, as those of analysts and records
// do, has no history from there on.
func (g *game) referee() *rules.Game {
	first := g.start.SideToMove()
	options := rules.GameOptions{Repetition: g.repetition, FirstPlayer: &first}
	r := rules.NewGame(g.start, options)
	for _, m := range g.moves {
		if r.Status().Result != rules.Ongoing {
			r = rules.NewGame(r.Position(), options)
		}
		if err := r.Play(m); err != nil {
			panic(err) // all moves were legal when they were made
		}
	}
	return r
}

// position returns what is on the board.
func (g *game) position() rules.Position {
	p := g.start
	for _, m := range g.moves {
		p.Make(m)
	}
	return p
}

func (g *game) sideToMove() rules.Color {
	if len(g.moves)%2 == 1 {
		return g.start.SideToMove().Other()
	}
	return g.start.SideToMove()
}

func (g *game) status() rules.Status { return g.referee().Status() }

func (g *game) over() bool { return g.status().Result != rules.Ongoing }

// play makes a move; the error says why it is illegal.
func (g *game) play(m rules.Move) error {
	p := g.position()
	if !p.HasMove() {
		return &rules.IllegalMoveError{Move: m, Rule: rules.GameOver}
	}
	if err := p.Legal(m); err != nil {
		return err
	}
	g.moves = append(g.moves, m)
	return nil
}

// undo takes moves back; false if fewer were played.
func (g *game) undo(n int) bool {
	if n > len(g.moves) {
		return false
	}
	g.moves = g.moves[:len(g.moves)-n]
	return true
}

// forEngine returns the game as the engine wants it.
func (g *game) forEngine() *engine.Game {
	e, err := engine.NewGame(g.start, append([]rules.Move(nil), g.moves...), g.repetition)
	if err != nil {
		panic(err) // all moves were legal when they were made
	}
	return e
}

// colors are what XBoard calls the players.
var colors = [2]string{rules.Sente: "White", rules.Gote: "Black"}

// result returns how the game has ended, as XBoard writes it.
func (g *game) result() string {
	s := g.status()
	score := "1/2-1/2"
	if s.Result == rules.Win {
		score = [2]string{rules.Sente: "1-0", rules.Gote: "0-1"}[s.Winner]
	}
	winner, loser := colors[s.Winner], colors[s.Winner.Other()]
	reason := ""
	switch s.Reason {
	case rules.Checkmate:
		reason = winner + " mates"
	case rules.Stalemate:
		reason = loser + " has no legal move"
	case rules.PerpetualCheck:
		reason = loser + " gave perpetual check"
	case rules.FourfoldRepetition:
		reason = "Draw by repetition"
		if s.Result == rules.Win {
			reason = "Repetition, and " + loser + " moved first"
		}
	}
	return fmt.Sprintf("%s {%s}", score, reason)
}

func moveText(m rules.Move) string { return dialect.FairyMove(m) }

func parseMove(text string) (rules.Move, error) { return dialect.UCI.ParseMove(text) }

// whyIllegal returns what is said of an illegal move.
func whyIllegal(err error) string {
	var illegal *rules.IllegalMoveError
	if errors.As(err, &illegal) {
		return illegal.Rule.String()
	}
	return err.Error()
}

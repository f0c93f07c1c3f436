package selfplay

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"gogotb/cmd/internal/backend"
	"gogotb/rules"
)

// Setting is how one side plays.
type Setting struct {
	Name  string
	Nodes uint64 // searched for each move
}

// Settings are the two that play each other. The weaker one overlooks mates, and the stronger one some that
// are long: games between equals end in few kinds of mates.
var Settings = [2]Setting{{"fairy-stockfish, 3000 nodes", 3000}, {"fairy-stockfish, 500 nodes", 500}}

// Lengths of games, in plies.
const (
	longestOpening = 8   // random moves
	longestGame    = 120 // then nobody has won
)

// Match is a pair of engines with the two settings, for one caller at a time.
type Match struct {
	command  string
	settings [2]Setting
	engines  [2]*backend.Engine
}

// NewMatch starts two engines by one command line.
func NewMatch(ctx context.Context, command string, settings [2]Setting) (*Match, error) {
	m := &Match{command: command, settings: settings}
	return m, m.start(ctx)
}

func (m *Match) start(ctx context.Context) (err error) {
	for i := range m.engines {
		m.engines[i], err = backend.Start(ctx, m.command, []backend.Option{{Name: "Threads", Value: "1"}, {Name: "Hash", Value: "16"}})
		if err != nil {
			m.Close()
			return err
		}
	}
	return nil
}

// Close ends the engines.
func (m *Match) Close() {
	for i, e := range m.engines {
		if e != nil {
			e.Close()
			m.engines[i] = nil
		}
	}
}

// Game is a game of a match.
type Game struct {
	Seed    uint64
	Players [2]string // by colour
	Moves   []rules.Move
}

// attempts is how often a game is begun: on a busy machine an engine may not answer in time. That changes no game.
const attempts = 10

// Play plays the game with a number. The first setting is Sente where it is even.
func (m *Match) Play(ctx context.Context, seed uint64) (*Game, error) {
	for n := 1; ; n++ {
		g, err := m.play(ctx, seed)
		var late *backend.LateError
		if err == nil || !errors.As(err, &late) || n == attempts || ctx.Err() != nil {
			return g, err
		}
		m.Close()
		if err := m.start(ctx); err != nil && (!errors.As(err, &late) || n == attempts) {
			return nil, err
		}
	}
}

func (m *Match) play(ctx context.Context, seed uint64) (*Game, error) {
	for _, e := range m.engines {
		if e == nil { // it could not be started in time
			return nil, &backend.LateError{Missing: "start"}
		}
		if err := e.NewGame(ctx); err != nil {
			return nil, err
		}
	}
	start, err := rules.ParseSFEN(rules.StartSFEN)
	if err != nil {
		return nil, err
	}
	g := rules.NewGame(start, rules.GameOptions{MaxPlies: longestGame})
	random := rand.New(rand.NewPCG(seed, 0))
	opening := 1 + random.IntN(longestOpening)
	first := rules.Color(seed % 2) // that plays by the first setting
	for g.Status().Result == rules.Ongoing {
		p := g.Position()
		moves := p.Moves(nil)
		move := moves[random.IntN(len(moves))]
		if g.PlyCount() >= opening {
			i := p.SideToMove() ^ first
			// The engine holds pawn drops that mate for legal, so it is told what to choose from.
			found, err := m.engines[i].Search(ctx, backend.Request{
				Start: start, Moves: g.Moves(), Among: moves, Nodes: m.settings[i].Nodes,
			}, nil)
			if err != nil {
				return nil, fmt.Errorf("game %d, move %d: %w", seed, g.PlyCount()+1, err)
			}
			move = found.Move
		}
		if err := g.Play(move); err != nil {
			return nil, err
		}
	}
	return &Game{Seed: seed, Players: [2]string{m.settings[first].Name, m.settings[1^first].Name}, Moves: g.Moves()}, nil
}

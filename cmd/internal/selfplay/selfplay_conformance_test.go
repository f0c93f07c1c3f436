//go:build conformance

package selfplay

import (
	"fmt"
	"os/exec"
	"testing"

	"gogotb/rules"
	"gogotb/verify"
	"gogotb/verify/puzzle"
)

// TestGamesAgain plays some of the games again that the shipped puzzles are from, in any order: they come to the same
// positions by the same moves. With another version of the engine they need not.
func TestGamesAgain(t *testing.T) {
	engine, err := exec.LookPath("fairy-stockfish")
	if err != nil {
		engine = "/usr/games/fairy-stockfish"
	}
	var all []*puzzle.Puzzle
	for p, err := range puzzle.Read("games.sfen", verify.GamePuzzles) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	m, err := NewMatch(t.Context(), engine, Settings)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for i := 3; i > 0; i-- {
		p := all[(len(all)-1)*i/3]
		var seed uint64
		var ply int
		if _, err := fmt.Sscanf(p.Name, "seed %d, move %d", &seed, &ply); err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		g, err := m.Play(t.Context(), seed)
		if err != nil {
			t.Fatal(err)
		}
		if len(g.Moves) < ply-1 {
			t.Errorf("%s: the game has %d moves", p.Name, len(g.Moves))
			continue
		}
		q, err := rules.ParseSFEN(rules.StartSFEN)
		if err != nil {
			t.Fatal(err)
		}
		for _, move := range g.Moves[:ply-1] {
			q.Make(move)
		}
		if q.SFEN() != p.Position.SFEN() || g.Moves[ply-2] != p.Last.Move {
			t.Errorf("%s: %s after %v, want %s after %v", p.Name, q.SFEN(), g.Moves[ply-2], p.Position.SFEN(), p.Last.Move)
		}
	}
}

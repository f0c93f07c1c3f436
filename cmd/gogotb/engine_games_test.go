//go:build conformance

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"gogotb/cmd/internal/backend"
	"gogotb/cmd/internal/tabletest"
	"gogotb/rules"
	"gogotb/storage"
)

// fairyStockfish is Debian's engine.
func fairyStockfish(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"fairy-stockfish", "/usr/games/fairy-stockfish"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("fairy-stockfish is not installed (Debian: apt-get install fairy-stockfish)")
	return ""
}

// engineScript is a program without arguments that runs ours with some.
func engineScript(t *testing.T, args string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "engine")
	script := fmt.Sprintf("#!/bin/sh\nexec '%s' --dir '%s' %s\n", program, smallTables(t), args)
	if err := os.WriteFile(name, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return name
}

// startEngine starts an engine as our back ends are started, with a look at what it does.
func startEngine(t *testing.T, path string, options ...backend.Option) *backend.Engine {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	e, err := backend.Start(ctx, path, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

// move asks an engine for a move, which is legal. Fairy-Stockfish holds pawn drops that mate for legal, so it is
// told what to choose from.
func move(t *testing.T, e *backend.Engine, g *rules.Game, limit time.Duration) rules.Move {
	t.Helper()
	p := g.Position()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	found, err := e.Search(ctx, backend.Request{
		Start: g.Start(), Moves: g.Moves(), Among: p.Moves(nil), MoveFor: limit, Grace: time.Second,
	}, nil)
	if err != nil {
		t.Fatalf("%s, %v moves %v: %v", e.Name, g.Start(), g.Moves(), err)
	}
	return found.Move
}

// play plays a game to its end, at most 300 plies.
func play(t *testing.T, start rules.Position, players [2]*backend.Engine, limits [2]time.Duration) *rules.Game {
	t.Helper()
	g := rules.NewGame(start, rules.GameOptions{MaxPlies: rules.PlyLimit})
	for g.Status().Result == rules.Ongoing {
		p := g.Position()
		if err := g.Play(move(t, players[p.SideToMove()], g, limits[p.SideToMove()])); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// Games from the usual starts and from endings, with each colour: no illegal move, no crash, no missing answer,
// alone and with a back end. Where the tables cover the material, no half point is lost.
func TestGamesAgainstFairyStockfish(t *testing.T) {
	fairy := startEngine(t, fairyStockfish(t))
	alone := startEngine(t, engineScript(t, "usi"))
	backed := startEngine(t, engineScript(t, "usi"), backend.Option{Name: "EnginePath", Value: fairyStockfish(t)})
	tables, err := storage.Open([]string{smallTables(t)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	starts := []string{rules.StartSFEN, rules.Handicaps[1].SFEN, rules.Handicaps[3].SFEN, "4k/5/5/5/K4 b RB", "1r2k/4p/5/5/K4 w -", "4k/4p/5/P4/K4 b -", "1s2k/5/5/5/K2B1 w -"}
	results := map[string]int{}
	for i, sfen := range starts {
		start, err := rules.ParseSFEN(sfen)
		if err != nil {
			t.Fatal(err)
		}
		for ours := range rules.Color(2) {
			us := []*backend.Engine{alone, backed}[(i+int(ours))%2]
			players := [2]*backend.Engine{fairy, fairy}
			players[ours] = us
			g := play(t, start, players, [2]time.Duration{20 * time.Millisecond, 20 * time.Millisecond})
			status := g.Status()
			result := "drawn"
			if status.Result == rules.Win {
				result = map[bool]string{true: "won", false: "lost"}[status.Winner == ours]
			}
			results[result]++
			t.Logf("%s, we are %v: %s by %v after %d plies", sfen, ours, result, status.Reason, g.PlyCount())
			r, err := tables.Probe(&start)
			if err != nil {
				continue // not covered
			}
			worst := storage.Adjudication{}.Verdict(r.Value.Outcome(), start.SideToMove())
			if ours != start.SideToMove() {
				worst = -worst
			}
			if got := map[string]storage.Verdict{"won": storage.Win, "drawn": storage.Draw, "lost": storage.Loss}[result]; got < worst && status.Reason != rules.PlyLimitReached {
				t.Errorf("%s, we are %v: %s, but the tables know better: %v", sfen, ours, result, g.Moves())
			}
		}
	}
	t.Log(results)
}

// Twenty won positions against the best defence that Fairy-Stockfish finds: mate in the distance of the tables, or
// sooner.
func TestWinsAgainstBestDefence(t *testing.T) {
	fairy := startEngine(t, fairyStockfish(t))
	ours := startEngine(t, engineScript(t, "usi"))
	tables, err := storage.Open([]string{smallTables(t)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	random := rand.New(rand.NewPCG(20, 20))
	sets := []string{"RP", "GP", "RB", "BG", "SP"}
	exact := 0
	for n := 0; n < 20; {
		p := tabletest.RandomPosition(t, random, sets[n%len(sets)])
		r, err := tables.Probe(&p)
		if err != nil {
			t.Fatal(err)
		}
		if r.Value.Outcome() != rules.MateWin || r.Value.Number() < 9 {
			continue
		}
		n++
		players := [2]*backend.Engine{fairy, fairy}
		players[p.SideToMove()] = ours
		g := play(t, p, players, [2]time.Duration{100 * time.Millisecond, 100 * time.Millisecond})
		status := g.Status()
		if status.Result != rules.Win || status.Winner != p.SideToMove() || status.Reason != rules.Checkmate && status.Reason != rules.Stalemate || g.PlyCount() > r.Value.Number() {
			t.Errorf("%v is %v: %+v after %d plies: %v", &p, r.Value, status, g.PlyCount(), g.Moves())
		}
		if g.PlyCount() == r.Value.Number() {
			exact++
		}
		t.Logf("%v is %v: %v after %d plies", &p, r.Value, status.Reason, g.PlyCount())
	}
	t.Logf("%d of 20 in exactly their distance", exact)
}

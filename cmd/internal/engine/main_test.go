package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"gogotb/cmd/internal/tabletest"
	"gogotb/rules"
	"gogotb/storage"
)

// tables are those of the sets below.
var tables *storage.Tables

var testSets = []string{"none", "R", "G", "P", "RP", "RB", "GP", "PP"}

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "gogotb-engine-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if err := tabletest.Write(dir, testSets...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if tables, err = storage.Open([]string{dir}, nil); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer tables.Close()
	return m.Run()
}

func parse(t testing.TB, sfen string) rules.Position {
	t.Helper()
	p, err := rules.ParseSFEN(sfen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func newGame(t testing.TB, start rules.Position, moves []rules.Move, r rules.Repetition) *Game {
	t.Helper()
	g, err := NewGame(start, moves, r)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// randomPosition is a random legal position of a set, with either side to move, that can be moved in.
func randomPosition(t testing.TB, random *rand.Rand, set string) rules.Position {
	t.Helper()
	for {
		if p := tabletest.RandomPosition(t, random, set); p.HasMove() {
			return p
		}
	}
}

func probe(t testing.TB, p *rules.Position) rules.Value {
	t.Helper()
	r, err := tables.Probe(p)
	if err != nil {
		t.Fatal(err)
	}
	return r.Value
}

// think lets an engine with tables think.
func think(g *Game, limits Limits) (Answer, []Info) {
	e := &Engine{Tables: tables, Lines: 1}
	var infos []Info
	a := e.Think(context.Background(), g, limits, func(i Info) { infos = append(infos, i) })
	return a, infos
}

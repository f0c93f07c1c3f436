package engine

import (
	"context"
	"math/rand/v2"
	"testing"

	"gogotb/cmd/internal/dialect"
	"gogotb/cmd/internal/history"
	"gogotb/rules"
	"gogotb/storage"
)

// In positions without history the answer has the value of the tables, and its line is as long as that
// says.
func TestKnown(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	seen := map[rules.Outcome]int{}
	for i := 0; len(seen) < 5 || i < 400; i++ {
		p := randomPosition(t, random, testSets[i%len(testSets)])
		g := newGame(t, p, nil, rules.RepetitionDraw)
		v := probe(t, &p)
		if seen[v.Outcome()]++; seen[v.Outcome()] > 200 {
			continue
		}
		a, infos := think(g, Limits{})
		after := p
		if err := p.Legal(a.Move); err != nil {
			t.Fatalf("%v: %v", &p, err)
		}
		after.Make(a.Move)
		w := probe(t, &after)
		last := infos[len(infos)-1]
		switch n := v.Number(); v.Outcome() {
		case rules.MateWin:
			if w != rules.MakeValue(rules.MateLoss, n-1) || a.Score != dialect.MateIn(n) || len(last.PV) != n {
				t.Errorf("%v is %v: %v, then %v, score %d, line %v", &p, v, a.Move, w, a.Score, last.PV)
			}
		case rules.MateLoss:
			if w != rules.MakeValue(rules.MateWin, n-1) || a.Score != dialect.MatedIn(n) || len(last.PV) != n {
				t.Errorf("%v is %v: %v, then %v, score %d, line %v", &p, v, a.Move, w, a.Score, last.PV)
			}
		case rules.PerpetualWin:
			if w.Outcome() != rules.PerpetualLoss || a.Score != dialect.PerpetualWin(n) {
				t.Errorf("%v is %v: %v, then %v, score %d", &p, v, a.Move, w, a.Score)
			}
		case rules.PerpetualLoss:
			if w.Outcome() != rules.PerpetualWin || a.Score != -dialect.PerpetualWin(n) {
				t.Errorf("%v is %v: %v, then %v, score %d", &p, v, a.Move, w, a.Score)
			}
		case rules.Open:
			if w.Outcome() != rules.Open || a.Score != dialect.Drawn {
				t.Errorf("%v is %v: %v, then %v, score %d", &p, v, a.Move, w, a.Score)
			}
		}
		if last.Score != a.Score || last.PV[0] != a.Move || len(last.PV) > 1 && last.PV[1] != a.Ponder {
			t.Errorf("%v: answer %+v, but the last line is %+v", &p, a, last)
		}
	}
}

// Several lines are the moves in the order of their values.
func TestLines(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for i := range 60 {
		p := randomPosition(t, random, testSets[i%len(testSets)])
		e := &Engine{Tables: tables, Lines: 5}
		final := map[int]Info{}
		e.Think(context.Background(), newGame(t, p, nil, rules.RepetitionDraw), Limits{}, func(i Info) { final[i.MultiPV] = i })
		moves, err := tables.Moves(&p, storage.Adjudication{})
		if err != nil {
			t.Fatal(err)
		}
		if len(final) != min(5, len(moves)) {
			t.Fatalf("%v: %d lines of %d moves", &p, len(final), len(moves))
		}
		for rank, info := range final {
			want := history.Score(moves[rank-1].Result, storage.Adjudication{}, p.SideToMove().Other()).Before()
			if _, perpetual := want.Perpetual(); !perpetual && info.Score != want {
				t.Errorf("%v: line %d has score %d, want %d", &p, rank, info.Score, want)
			}
			q := p
			for _, m := range info.PV {
				if err := q.Legal(m); err != nil {
					t.Fatalf("%v: %v: %v", &p, info.PV, err)
				}
				q.Make(m)
			}
		}
	}
}

// Moves to choose from are kept to, though others are better; they are all if none of those is legal.
func TestAmong(t *testing.T) {
	p := parse(t, "4k/5/5/5/K4 b R 1")
	among := []rules.Move{rules.Step(20, 21, false), rules.Step(20, 15, false)}
	a, _ := think(newGame(t, p, nil, rules.RepetitionDraw), Limits{Among: among})
	if a.Move != among[0] && a.Move != among[1] {
		t.Error(a)
	}
	if a, _ := think(newGame(t, p, nil, rules.RepetitionDraw), Limits{Among: []rules.Move{rules.Step(0, 1, false)}}); p.Legal(a.Move) != nil {
		t.Error(a)
	}
}

func TestNoLegalMove(t *testing.T) {
	p := parse(t, "2k2/2G2/2K2/5/5 w - 1") // mated
	a, infos := think(newGame(t, p, nil, rules.RepetitionDraw), Limits{})
	if !a.None || len(infos) != 1 || infos[0].Score != dialect.MatedIn(0) {
		t.Error(a, infos)
	}
}

// Tables stay open as long as nothing changes, the size of their cache among it.
func TestOpenTables(t *testing.T) {
	e := &Engine{Hash: 1 << 20}
	dir := t.TempDir()
	var before *storage.Tables
	for _, c := range []struct {
		path string
		hash int64
		same bool
	}{{dir, 1 << 20, false}, {dir, 1 << 20, true}, {dir, 2 << 20, false}, {dir + "/other", 2 << 20, false}, {"", 2 << 20, false}} {
		e.Hash = c.hash
		if err := e.OpenTables(c.path); err != nil || (e.Tables == nil) != (c.path == "") || (e.Tables == before) != c.same {
			t.Errorf("%+v: %v, tables %p, before %p", c, err, e.Tables, before)
		}
		before = e.Tables
	}
	if e.Close(); e.Tables != nil {
		t.Error("tables are open after Close")
	}
}

package engine

import (
	"context"
	"math/rand/v2"
	"testing"

	"gogotb/cmd/internal/history"
	"gogotb/rules"
	"gogotb/storage"
)

// back is the move that takes back a step that captured and promoted nothing; 0 if there is none.
func back(p *rules.Position, m rules.Move) rules.Move {
	if m.IsDrop() || m.Promotes() || p.At(m.To()) != rules.NoPiece {
		return 0
	}
	return rules.Step(m.To(), m.From(), false)
}

// endangeredGame is a game in which the position after first, a move in p, has occurred three
// times, and p is to be moved in; ok is false if the pieces cannot go to and fro.
func endangeredGame(p rules.Position, first rules.Move, random *rand.Rand) (start rules.Position, moves []rules.Move, ok bool) {
	start = p
	u := back(&p, first)
	if u == 0 {
		return start, nil, false
	}
	start.Make(first)
	replies := start.Moves(nil)
	for _, i := range random.Perm(len(replies)) {
		q := start
		a := replies[i]
		b := back(&q, a)
		if b == 0 {
			continue
		}
		q.Make(a)
		if q.Legal(u) != nil {
			continue
		}
		q.Make(u)
		if q.Legal(b) != nil {
			continue
		}
		moves = append(moves, a, u, b, first, a, u, b, first, a, u, b)
		return start, moves, true
	}
	return start, nil, false
}

// adversary plays against the engine: perfectly, or for repetition, or at random.
type adversary func(g *Game, random *rand.Rand) rules.Move

func perfect(g *Game, random *rand.Rand) rules.Move {
	p := g.Position()
	list, err := history.Fresh(tables, &p, g.Rule)
	if err != nil {
		panic(err)
	}
	best := equal(list)
	return best[random.IntN(len(best))].Move
}

// repeating goes where the game has been most often, and does not care for the rest.
func repeating(g *Game, random *rand.Rand) rules.Move {
	p := g.Position()
	moves := p.Moves(nil)
	most, best := -1, moves[0]
	for _, i := range random.Perm(len(moves)) {
		q := p
		q.Make(moves[i])
		if n := g.Occurred(&q); n > most {
			most, best = n, moves[i]
		}
	}
	return best
}

// stubborn is perfect, but of moves worth the same prefers what has occurred most often.
func stubborn(g *Game, random *rand.Rand) rules.Move {
	p := g.Position()
	list, err := history.Fresh(tables, &p, g.Rule)
	if err != nil {
		panic(err)
	}
	most, best := -1, list[0].Move
	for _, c := range list {
		if (c.Score > 0) != (list[0].Score > 0) || (c.Score < 0) != (list[0].Score < 0) {
			break
		}
		q := p
		q.Make(c.Move)
		if n := g.Occurred(&q); n > most {
			most, best = n, c.Move
		}
	}
	return best
}

// playOut lets the engine play on, with the adversary on the other side, and returns how the
// game ends.
func playOut(t *testing.T, start rules.Position, moves []rules.Move, r rules.Repetition, a adversary, random *rand.Rand) (rules.Status, *Game) {
	t.Helper()
	const most = 120
	referee := rules.NewGame(start, rules.GameOptions{Repetition: r, MaxPlies: len(moves) + most})
	for _, m := range moves {
		if err := referee.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	e := &Engine{Tables: tables}
	ours := true
	for referee.Status().Result == rules.Ongoing {
		g := newGame(t, start, referee.Moves(), r)
		var m rules.Move
		if ours {
			m = e.Think(context.Background(), g, Limits{}, func(Info) {}).Move
		} else {
			m = a(g, random)
		}
		if err := referee.Play(m); err != nil {
			t.Fatal(err)
		}
		ours = !ours
	}
	return referee.Status(), newGame(t, start, referee.Moves(), r)
}

var adversaries = map[string]adversary{"perfect": perfect, "repeating": repeating, "stubborn": stubborn}

// A won position in which the best move would be the fourth occurrence is still won, where another move wins.
func TestWinsInSpiteOfHistory(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	games := 0
	for games < 25 {
		p := randomPosition(t, random, testSets[random.IntN(len(testSets))])
		list, err := history.Fresh(tables, &p, storage.Adjudication{})
		if err != nil {
			t.Fatal(err)
		}
		if plies, ok := list[0].Score.Mate(); !ok || list[0].Score < 0 || plies < 5 || len(list) < 2 {
			continue
		}
		if plies, ok := list[1].Score.Mate(); !ok || list[1].Score < 0 || plies < 5 {
			continue // no other move mates
		}
		start, moves, ok := endangeredGame(p, list[0].Move, random)
		if !ok {
			continue
		}
		g := newGame(t, start, moves, rules.RepetitionDraw)
		if !g.Endangered() || !g.Positions()[len(g.Positions())-1].Same(&p) {
			t.Fatalf("%v %v is not what it should be", &start, moves)
		}
		games++
		for name, a := range adversaries {
			status, end := playOut(t, start, moves, rules.RepetitionDraw, a, random)
			if status.Result != rules.Win || status.Winner != p.SideToMove() {
				t.Errorf("%v moves %v: against %s: %+v, moves %v", &start, moves, name, status, end.Moves[len(moves):])
			}
		}
	}
}

// A lost position is saved by the fourth occurrence.
func TestSavedByRepetition(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	saved := 0
	for saved < 15 {
		p := randomPosition(t, random, testSets[random.IntN(len(testSets))])
		if probe(t, &p).Outcome() != rules.MateLoss {
			continue
		}
		list := p.Moves(nil)
		first := list[random.IntN(len(list))]
		start, moves, ok := endangeredGame(p, first, random)
		if !ok {
			continue
		}
		referee := rules.NewGame(start, rules.GameOptions{})
		for _, m := range moves {
			if err := referee.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		if err := referee.Play(first); err != nil {
			t.Fatal(err)
		}
		s := referee.Status()
		referee.Undo()
		if s.Result != rules.Draw {
			continue // perpetual check
		}
		saved++
		a, _ := think(newGame(t, start, moves, rules.RepetitionDraw), Limits{})
		if a.Score < 0 {
			t.Errorf("%v moves %v: %v, score %d", &start, moves, a.Move, a.Score)
		}
		for name, a := range adversaries {
			status, end := playOut(t, start, moves, rules.RepetitionDraw, a, random)
			if status.Result == rules.Win && status.Winner != p.SideToMove() {
				t.Errorf("%v moves %v: against %s: %+v, moves %v", &start, moves, name, status, end.Moves[len(moves):])
			}
		}
	}
}

// Wins by perpetual check are won against every adversary, from fresh history.
func TestPerpetualWins(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	for games := 0; games < 10; {
		p := randomPosition(t, random, "RB")
		if probe(t, &p).Outcome() != rules.PerpetualWin {
			continue
		}
		games++
		for name, a := range adversaries {
			for _, r := range []rules.Repetition{rules.RepetitionDraw, rules.FirstPlayerLoses} {
				status, end := playOut(t, p, nil, r, a, random)
				if status.Result != rules.Win || status.Winner != p.SideToMove() {
					t.Errorf("%v against %s, %v: %+v, moves %v", &p, name, r, status, end.Moves)
				}
			}
		}
	}
}

// Open positions are held: under draw they are not lost; under first-player-loses they are not lost by the
// second player, and won if the first does not avoid repetition.
func TestOpenPositions(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	for games := 0; games < 8; {
		set := []string{"PP", "RB", "GP", "RP"}[random.IntN(4)]
		p := randomPosition(t, random, set)
		if probe(t, &p).Outcome() != rules.Open {
			continue
		}
		games++
		for name, a := range adversaries {
			status, end := playOut(t, p, nil, rules.RepetitionDraw, a, random)
			if status.Result == rules.Win && status.Winner != p.SideToMove() {
				t.Errorf("%v against %s: %+v, moves %v", &p, name, status, end.Moves)
			}
			// The adversary makes the first move of the game, and the engine is the second player.
			before := p
			m := a(newGame(t, before, nil, rules.FirstPlayerLoses), random)
			before.Make(m)
			if o := probe(t, &before).Outcome(); o != rules.Open {
				continue
			}
			status, end = playOut(t, p, []rules.Move{m}, rules.FirstPlayerLoses, a, random)
			if status.Result == rules.Win && status.Winner == p.SideToMove() || name == "repeating" && status.Result != rules.Win {
				t.Errorf("%v against %s, engine second: %+v, moves %v", &p, name, status, end.Moves)
			}
		}
	}
}

// A game that goes on after its end, as analysts' do, has no history from there on.
func TestAfterTheEnd(t *testing.T) {
	p := parse(t, "4k/5/5/5/K4 b - 1")
	var moves []rules.Move
	for range 3 {
		for _, text := range []string{"5e4e", "1a2a", "4e5e", "2a1a"} {
			m, err := rules.ParseUSI(text)
			if err != nil {
				t.Fatal(err)
			}
			moves = append(moves, m)
		}
	}
	referee := rules.NewGame(p, rules.GameOptions{})
	for _, m := range moves {
		if err := referee.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	if referee.Status().Result != rules.Draw {
		t.Fatal(referee.Status())
	}
	g := newGame(t, p, append(moves, moves[:3]...), rules.FirstPlayerLoses)
	if g.Endangered() || g.Rule.FirstPlayer != rules.Sente || len(g.Moves) != 15 {
		t.Error(g.Positions(), g.Rule)
	}
	if _, err := NewGame(p, moves[:1], rules.RepetitionDraw); err != nil {
		t.Error(err)
	}
	if _, err := NewGame(p, []rules.Move{moves[1]}, rules.RepetitionDraw); err == nil {
		t.Error("an illegal move is taken")
	}
}

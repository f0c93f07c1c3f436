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

// The share of replies that keep a result, counted from the list of all moves.
func TestKeepers(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for i := range 300 {
		p := randomPosition(t, random, testSets[i%len(testSets)])
		for _, rule := range []storage.Adjudication{{}, {Repetition: rules.FirstPlayerLoses, FirstPlayer: rules.Gote}} {
			moves, err := tables.Moves(&p, rule)
			if err != nil {
				t.Fatal(err)
			}
			keep := 0
			sideToMove := p.SideToMove().Other()
			for _, m := range moves {
				if rule.Verdict(m.Value.Outcome(), sideToMove) == rule.Verdict(moves[0].Value.Outcome(), sideToMove) {
					keep++
				}
			}
			got, err := keepers(tables, p, rule)
			if want := float64(keep) / float64(len(moves)); err != nil || got != want {
				t.Errorf("%v: %v, %v, want %v", &p, got, err, want)
			}
		}
	}
}

// Of drawing moves without repetition the engine takes one that leaves the fewest good replies.
func TestHardestDraw(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	better := 0
	for n := 0; n < 40; {
		p := randomPosition(t, random, []string{"PP", "RB"}[n%2])
		if probe(t, &p).Outcome() != rules.Open {
			continue
		}
		n++
		list, err := history.Fresh(tables, &p, storage.Adjudication{})
		if err != nil {
			t.Fatal(err)
		}
		shares := map[rules.Move]float64{}
		least, most := 2.0, 0.0
		for _, c := range equal(list) {
			q := p
			q.Make(c.Move)
			share, err := keepers(tables, q, storage.Adjudication{})
			if err != nil {
				t.Fatal(err)
			}
			shares[c.Move] = share
			least, most = min(least, share), max(most, share)
		}
		a, _ := think(newGame(t, p, nil, rules.RepetitionDraw), Limits{})
		if shares[a.Move] != least {
			t.Errorf("%v: %v leaves %v of the replies, the least is %v", &p, a.Move, shares[a.Move], least)
		}
		if least < most {
			better++
		}
	}
	if better < 10 {
		t.Errorf("a choice in %d positions only", better)
	}
}

// Positions that can be held open by checks alone, for now, are held without perpetual check: the engine finds
// the way to another move in time.
func TestHoldingByChecks(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	for games := 0; games < 5; {
		p := randomPosition(t, random, "RB")
		if probe(t, &p).Outcome() != rules.Open || !onlyChecksKeepOpen(t, &p) {
			continue
		}
		games++
		for name, a := range adversaries {
			status, end := playOut(t, p, nil, rules.RepetitionDraw, a, random)
			if status.Result == rules.Win && status.Winner != p.SideToMove() {
				t.Errorf("%v against %s: %+v, moves %v", &p, name, status, end.Moves)
			}
		}
	}
}

func onlyChecksKeepOpen(t *testing.T, p *rules.Position) bool {
	list, err := history.Fresh(tables, p, storage.Adjudication{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range equal(list) {
		if !p.GivesCheck(c.Move) {
			return false
		}
	}
	return true
}

// Of moves that lose equally late the one is made that repeats, as the fourth occurrence would save the game; under
// first-player-loses only the second player does so.
func TestLostPositionsRepeat(t *testing.T) {
	random := rand.New(rand.NewPCG(14, 14))
	for n := 0; n < 30; {
		p := randomPosition(t, random, testSets[random.IntN(len(testSets))])
		list, err := history.Fresh(tables, &p, storage.Adjudication{})
		if err != nil {
			t.Fatal(err)
		}
		worst := equal(list)
		if worst[0].Score >= -dialect.PerpetualWin(0) || len(worst) < 2 {
			continue
		}
		first := worst[random.IntN(len(worst))].Move
		start, moves, ok := endangeredGame(p, first, random)
		if !ok || p.GivesCheck(first) {
			continue
		}
		n++
		for _, r := range []rules.Repetition{rules.RepetitionDraw, rules.FirstPlayerLoses} {
			g := newGame(t, start, moves[:3], r) // whoever is to move now made the second move
			a, _ := think(g, Limits{})
			after := p
			after.Make(a.Move)
			if g.Occurred(&after) == 0 {
				t.Errorf("%v moves %v, %v: %v", &start, moves[:3], r, a.Move)
			}
			g.Rule.FirstPlayer = p.SideToMove()
			a, _ = think(g, Limits{})
			after = p
			after.Make(a.Move)
			if r == rules.FirstPlayerLoses && g.Occurred(&after) > 0 {
				t.Errorf("%v moves %v: %v repeats, for the first player", &start, moves[:3], a.Move)
			}
		}
	}
}

// Once a position has come back by checks alone, a move that is no check is preferred to one that is.
func TestPerpetualCheckIsAvoided(t *testing.T) {
	random := rand.New(rand.NewPCG(10, 10))
	for n := 0; n < 80; {
		p := randomPosition(t, random, "RB")
		if probe(t, &p).Outcome() != rules.Open {
			continue
		}
		list, err := history.Fresh(tables, &p, storage.Adjudication{})
		if err != nil {
			t.Fatal(err)
		}
		// A check that keeps the position open, after which the pieces can go back by another check.
		for _, c := range equal(list) {
			if !p.GivesCheck(c.Move) || onlyChecksKeepOpen(t, &p) {
				continue
			}
			start, moves, ok := endangeredGame(p, c.Move, random)
			if !ok {
				continue
			}
			g := newGame(t, start, moves[:7], rules.RepetitionDraw) // once around, not yet in danger
			after := g.Position()
			after.Make(c.Move)
			if !g.OnlyChecked(&after) {
				continue
			}
			n++
			list, free, err := known(context.Background(), tables, g, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, other := range list[:free] { // among which a back end may choose
				first, after := p, p
				first.Make(list[0].Move)
				if after.Make(other.Move); g.OnlyChecked(&after) && !g.OnlyChecked(&first) {
					t.Errorf("%v moves %v: %v is as free as %v", &start, moves[:7], other.Move, list[0].Move)
				}
			}
			a, _ := think(g, Limits{})
			if a.Score == dialect.Drawn && p.GivesCheck(a.Move) && a.Move == c.Move {
				t.Errorf("%v moves %v: %v", &start, moves[:7], a.Move)
			}
			break
		}
	}
}

package review

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"gogotb/rules"
)

// TestLosses: what a back end says of the positions, and what becomes of it by the thresholds.
func TestLosses(t *testing.T) {
	const game = "startpos moves 5e4d" // after which it is the other side's
	move := rules.Step(20, 16, false)
	for _, c := range []struct {
		before, after int // centipawns, each for the side to move
		best          rules.Move
		options       Options
		want          Judgement
	}{
		{0, 0, 0, Options{}, OK},
		{0, 0, move, Options{}, Best},
		{0, 500, move, Options{}, Best}, // it has changed its mind
		{0, 56, 0, Options{}, Inaccuracy},
		{0, 52, 0, Options{}, OK},
		{0, 112, 0, Options{}, Mistake},
		{0, 108, 0, Options{}, Inaccuracy},
		{0, 169, 0, Options{}, Blunder},
		{0, 165, 0, Options{}, Mistake},
		{0, -500, 0, Options{}, OK},
		{1000, -900, 0, Options{}, OK}, // a pawn less where all is won
		{0, 169, 0, Options{Scale: 1000}, OK},
		{0, 169, 0, Options{Thresholds: Thresholds{15, 40, 50}}, Inaccuracy},
		{0, 169, 0, Options{Thresholds: Thresholds{1, 2, 50}}, Mistake},
	} {
		options := c.options
		options.Evaluate = func(_ context.Context, p *rules.Position) (*Evaluation, error) {
			if p.SideToMove() == rules.Sente {
				return &Evaluation{Centipawns: c.before, Move: c.best}, nil
			}
			return &Evaluation{Centipawns: c.after}, nil
		}
		s, moves := summaryOf(t, game, options)
		// 1/(1+exp(-x/270)) is .45 at -54.2, .4 at -109.5 and .35 at -167.1.
		if m := moves[0]; m.Judgement != c.want || m.Proved || s.Known.Evaluated != 1 {
			t.Errorf("%+v: %v, proved %v, loss %v", c, m.Judgement, m.Proved, m.Loss)
		}
	}
}

// TestClaims: a mate that a back end sees is confirmed by search, with more effort than a search by itself has, or is a claim.
func TestClaims(t *testing.T) {
	const game = "startpos moves 5e4d"
	claim := &Evaluation{Claims: Loss, Plies: 4}
	evaluate := func(_ context.Context, p *rules.Position) (*Evaluation, error) { return claim, nil }
	_, moves := summaryOf(t, game, Options{Evaluate: evaluate})
	if m := moves[0]; m.Before.Category != Unknown || m.Before.Evaluation != claim || m.Before.None < 4 || m.Judgement != OK {
		t.Errorf("a claim that is not true: %+v", m)
	}
	// Three rooks' worth of moves, and a mate in 5 (TestByBruteForce knows such) that takes some effort.
	const mate = "sfen 2sgk/5/3R1/5/4K b RG 1 moves 2c3c"
	r, err := New(Options{Nodes: 1 << 40, Plies: 9})
	if err != nil {
		t.Fatal(err)
	}
	g, _ := theGame(t, mate)
	found, err := r.valued(t.Context(), &g.Start, rules.Sente)
	if err != nil || found.Category != Win {
		t.Fatalf("%+v, %v", found, err)
	}
	confirmed := 0
	for nodes := uint64(1); nodes < 5000; nodes = nodes*3/2 + 1 {
		asked := false
		r, err := New(Options{Nodes: nodes, Plies: 9, Evaluate: func(context.Context, *rules.Position) (*Evaluation, error) {
			asked = true
			return &Evaluation{Claims: Win, Plies: found.Most}, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		v, err := r.valued(t.Context(), &g.Start, rules.Sente)
		switch {
		case err != nil:
			t.Fatal(err)
		case v.Category == Win && asked:
			confirmed++
			if v.Evaluation != nil {
				t.Errorf("proved, and still a claim: %+v", v)
			}
		case v.Category == Unknown && v.Evaluation == nil:
			t.Errorf("neither: %+v", v)
		}
	}
	if confirmed == 0 {
		t.Error("no claim was confirmed")
	}
}

// TestBackEndFails: its error ends the review, with the moves before it.
func TestBackEndFails(t *testing.T) {
	wrong := errors.New("it is gone")
	r, err := New(Options{Nodes: 100, Plies: 5, Evaluate: func(context.Context, *rules.Position) (*Evaluation, error) { return nil, wrong }})
	if err != nil {
		t.Fatal(err)
	}
	g, _ := theGame(t, "startpos moves 5e4d")
	if _, err := r.Review(t.Context(), g, func(*Move) error { return nil }); !errors.Is(err, wrong) {
		t.Error(err)
	}
}

// TestOptions: values that make no sense are named.
func TestOptions(t *testing.T) {
	good := Options{Nodes: 1, Plies: 1}
	if _, err := New(good); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Options){
		"Nodes": func(o *Options) { o.Nodes = 0 }, "Plies": func(o *Options) { o.Plies = 0 }, "Jobs": func(o *Options) { o.Jobs = 1 << 20 },
		"Hash": func(o *Options) { o.Hash = -1 }, "Scale": func(o *Options) { o.Scale = math.Inf(1) },
		"Thresholds": func(o *Options) { o.Thresholds = Thresholds{3, 2, 1} },
	} {
		o := good
		spoil(&o)
		var wrong *OptionError
		if _, err := New(o); !errors.As(err, &wrong) || wrong.Option != name {
			t.Errorf("%s: %v", name, fmt.Sprint(err))
		}
	}
}

//go:build long && conformance

package main

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"gogotb/cmd/internal/backend"
	"gogotb/cmd/internal/dialect"
	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/verify/mate"
	"gogotb/verify/review"
)

const (
	reviewedGames = 50
	longestGame   = 120
	// checkNodes is how long Fairy-Stockfish looks for a mate where we say that there is none.
	checkNodes = 5000
)

// TestReviewedGames reviews games of Fairy-Stockfish against itself. Each mate that a judgement is about is confirmed by a search
// that tries all moves of the defender; where no mate is said to be, Fairy-Stockfish finds none.
func TestReviewedGames(t *testing.T) {
	engine := startEngine(t, fairyStockfish(t), backend.Option{Name: "Hash", Value: "16"})
	r, err := review.New(review.Options{Nodes: 50_000, Plies: 31, Jobs: runtime.GOMAXPROCS(0)})
	if err != nil {
		t.Fatal(err)
	}
	mates, none, illegal := 0, 0, 0
	for seed := range uint64(reviewedGames) {
		g := selfPlay(t, engine, seed)
		plain := plainSearch{hints: mate.New(16 << 20), known: map[plainQuestion]bool{}}
		_, err := r.Review(t.Context(), g, func(m *review.Move) error {
			p := m.Position
			switch m.Judgement {
			case review.MissedMate, review.Longer:
				mates++
				if !plain.mates(&p, m.Mate) {
					t.Errorf("game %d, ply %d, %s: no mate in %d", seed, m.Ply, p.SFEN(), m.Mate)
				}
			case review.AllowedMate:
				mates++
				p.Make(m.Move)
				if !plain.mates(&p, m.Mate) {
					t.Errorf("game %d, ply %d, %s: no mate in %d", seed, m.Ply, p.SFEN(), m.Mate)
				}
			}
			if m.Before.Category == review.Unknown && m.Before.None > 0 {
				none++
				if plies := engineMate(t, engine, &m.Position); plies > 0 && plies <= m.Before.None {
					// It knows nothing of pawn drops that may not mate.
					p := m.Position
					side := plies%2 == 0
					if !side && plain.mates(&p, plies) || side && plain.mated(&p, plies) {
						t.Errorf("game %d, ply %d, %s: a mate in %d, and none is said to be within %d", seed, m.Ply, p.SFEN(), plies, m.Before.None)
					}
					illegal++
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d mates confirmed; %d positions without one, in %d of which the engine had a mate that the rules forbid", mates, none, illegal)
	if mates < reviewedGames || none < 20*reviewedGames || illegal > none/100 {
		t.Error("these are not the games that were meant")
	}
}

// selfPlay lets an engine play a game against itself, with searches of lengths that a seed gives.
func selfPlay(t *testing.T, e *backend.Engine, seed uint64) *record.Game {
	random := rand.New(rand.NewPCG(seed, 14))
	start, err := rules.ParseSFEN(rules.StartSFEN)
	if err != nil {
		t.Fatal(err)
	}
	g := &record.Game{Start: start, Line: record.Line{Ply: 1}}
	p := start
	game := rules.NewGame(start, rules.GameOptions{MaxPlies: longestGame})
	for game.Status().Result == rules.Ongoing {
		// All moves are named, because it holds pawn drops that mate for legal.
		found, err := e.Search(t.Context(), backend.Request{
			Start: start, Moves: g.Played(), Among: p.Moves(nil), Nodes: 100 << random.IntN(6), Grace: time.Minute,
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := game.Play(found.Move); err != nil {
			t.Fatal(err)
		}
		if err := g.Play(&p, found.Move); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// engineMate returns the length of the shortest mate that an engine sees, odd if the side to move mates; 0 if it sees none.
func engineMate(t *testing.T, e *backend.Engine, p *rules.Position) (plies int) {
	_, err := e.Search(t.Context(), backend.Request{Start: *p, Nodes: checkNodes, Grace: time.Minute}, func(i backend.Info) {
		if n, ok := i.Score.Mate(); ok && n > 0 && i.Bound == dialect.Exact && (plies == 0 || n < plies) {
			plies = n
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return plies
}

// plainSearch tries all moves. The solver may say which of the attacker's to try first: a wrong hint costs time, and nothing else.
type plainSearch struct {
	hints *mate.Solver
	known map[plainQuestion]bool
}

type plainQuestion struct {
	sfen  string
	plies int
}

// mates tells whether the side to move can force, within plies, that its opponent has no legal move.
func (s *plainSearch) mates(p *rules.Position, plies int) bool {
	if plies < 1 {
		return false
	}
	q := plainQuestion{p.SFEN(), plies}
	if known, ok := s.known[q]; ok {
		return known
	}
	try := func(m rules.Move) bool {
		u := p.Make(m)
		defer p.Unmake(u)
		return s.mated(p, plies-1)
	}
	found := false
	if plies > 3 {
		hint, err := s.hints.Solve(context.Background(), p, mate.Options{MaxPlies: plies, MaxNodes: 2_000_000, AnyLength: true})
		found = err == nil && hint.Verdict == mate.MateIn && try(hint.Line[0])
	}
	for _, m := range p.Moves(nil) {
		if found = found || try(m); found {
			break
		}
	}
	s.known[q] = found
	return found
}

// mated tells whether the side to move cannot avoid, within plies, to have no legal move.
func (s *plainSearch) mated(p *rules.Position, plies int) bool {
	for _, m := range p.Moves(nil) {
		if plies < 2 {
			return false
		}
		u := p.Make(m)
		mated := s.mates(p, plies-1)
		p.Unmake(u)
		if !mated {
			return false
		}
	}
	return true
}

package puzzle

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"

	"gogotb/index"
	"gogotb/rules"
)

// MakeOptions say which puzzles Make looks for.
type MakeOptions struct {
	Material index.Material
	// Plies of the mate, odd.
	Plies int
	// Count is how many are wanted.
	Count int
	// Seed of the choice. The same seed gives the same puzzles, and the first ones of a
	// larger Count are those of a smaller one.
	Seed uint64
	// Tolerate: only LongerMate matters. Without it, no other move of the attacker may
	// win at all.
	Tolerate Tolerance
	// Table is the value of a position of the set. It is called by several goroutines.
	Table func(*rules.Position) (v rules.Value, ok bool)
	// Progress, if not nil, is told how much of the table has been looked at.
	Progress func(done, total uint64, found int)
}

// stretch is how many neighbours in the table are looked at together. They give one
// puzzle at most, because neighbours look alike.
const stretch = 1024

// Make mines a table for puzzles of any moves in which the solution is unique: against every
// longest defence the attacker has, at each of his turns and at the last too, one move only that
// mates in time. No two of them have solutions that meet in their first third, mirror images
// included. All of them are sound to a Checker with the same tolerance, and have a Grade. There may be fewer than are
// wanted.
func Make(ctx context.Context, opt MakeOptions) ([]*Puzzle, error) {
	if opt.Plies < 1 || opt.Plies%2 == 0 {
		return nil, fmt.Errorf("a puzzle of %d plies cannot be made: the side to move mates, in an odd number of plies", opt.Plies)
	}
	x, err := index.New(opt.Material)
	if err != nil {
		return nil, err
	}
	stretches := (x.Size() + stretch - 1) / stretch
	order := newShuffle(stretches, opt.Seed)
	workers := runtime.GOMAXPROCS(0)
	var puzzles []*Puzzle
	passed := map[positionKey]bool{}
	found := make([]*Puzzle, 4*workers)
	for done := uint64(0); done < stretches && len(puzzles) < opt.Count; done += uint64(len(found)) {
		clear(found)
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				for i := w; i < len(found) && done+uint64(i) < stretches && ctx.Err() == nil; i += workers {
					found[i] = opt.mine(ctx, x, order.at(done+uint64(i))*stretch)
				}
			})
		}
		wg.Wait()
		if err := ctx.Err(); err != nil {
			return puzzles, err
		}
		for _, p := range found {
			if p == nil || len(puzzles) == opt.Count || !isNew(p, passed) {
				continue
			}
			d, err := Rate(ctx, p)
			if err != nil {
				return puzzles, err
			}
			p.Grade = d.Grade()
			puzzles = append(puzzles, p)
		}
		if opt.Progress != nil {
			opt.Progress(min(done+uint64(len(found)), stretches)*stretch, stretches*stretch, len(puzzles))
		}
	}
	return puzzles, nil
}

// isNew tells whether the first third of a solution meets none of those passed before, and adds them.
func isNew(p *Puzzle, passed map[positionKey]bool) bool {
	l := newLine(p.Position)
	var keys []positionKey
	for i := 0; ; i++ {
		q := l.last()
		if passed[keyOf(&q)] {
			return false
		}
		mirrored := q.Mirrored()
		keys = append(keys, keyOf(&q), keyOf(&mirrored))
		if i == len(p.Moves)/3 {
			break
		}
		l.play(p.Moves[i])
	}
	for _, key := range keys {
		passed[key] = true
	}
	return true
}

// shuffle is an order of the numbers below n in which neighbours are far apart.
type shuffle struct{ n, factor, first uint64 }

func newShuffle(n, seed uint64) shuffle {
	random := rand.New(rand.NewPCG(seed, n))
	s := shuffle{n: n, factor: 1, first: random.Uint64N(n)}
	for range 100 {
		if f := 1 + random.Uint64N(n); gcd(f, n) == 1 {
			s.factor = f
			break
		}
	}
	return s
}

// at returns the i-th number. A table has less than 2^32 stretches.
func (s shuffle) at(i uint64) uint64 { return (s.first + i*s.factor) % s.n }

func gcd(a, b uint64) uint64 {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// mine returns the first puzzle in a stretch of the table, or nil.
func (opt *MakeOptions) mine(ctx context.Context, x *index.Index, start uint64) *Puzzle {
	want := rules.MakeValue(rules.MateWin, opt.Plies)
	checker := NewChecker(Options{Tolerate: opt.Tolerate & LongerMate, Table: opt.Table})
	for c := x.Cursor(start); c.Index() < min(start+stretch, x.Size()); c.Next() {
		if ctx.Err() != nil {
			return nil
		}
		p := c.Position()
		if p.Validate() != nil {
			continue
		}
		if v, ok := opt.Table(&p); !ok || v != want || !opt.unique(&p, opt.Plies) {
			continue
		}
		puzzle := &Puzzle{Position: p, Plies: opt.Plies}
		report, err := checker.Check(ctx, puzzle)
		if err == nil && report.Verdict == Sound {
			puzzle.Moves = report.Solution
			return puzzle
		}
	}
	return nil
}

// unique tells whether the attacker, to move, has one solution in n plies against all longest defences.
func (opt *MakeOptions) unique(p *rules.Position, n int) bool {
	var solution rules.Move
	for _, m := range p.Moves(make([]rules.Move, 0, rules.MaxMoves)) {
		v := opt.after(p, m)
		switch {
		case v == rules.MakeValue(rules.MateLoss, n-1):
			if solution != 0 {
				return false
			}
			solution = m
		case v.Loses():
			if opt.Tolerate&LongerMate == 0 {
				return false
			}
		}
	}
	if solution == 0 {
		return false
	}
	if n == 1 {
		return true
	}
	u := p.Make(solution)
	defer p.Unmake(u)
	for _, m := range p.Moves(make([]rules.Move, 0, rules.MaxMoves)) {
		if opt.after(p, m) != rules.MakeValue(rules.MateWin, n-2) {
			continue
		}
		u := p.Make(m)
		unique := opt.unique(p, n-2)
		p.Unmake(u)
		if !unique {
			return false
		}
	}
	return true
}

// after returns the value of the position after a move; Illegal if there is none.
func (opt *MakeOptions) after(p *rules.Position, m rules.Move) rules.Value {
	u := p.Make(m)
	defer p.Unmake(u)
	v, _ := opt.Table(p)
	return v
}

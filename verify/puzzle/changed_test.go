package puzzle

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"gogotb/rules"
)

// changed are the shipped puzzles with one piece moved or added, so many times each.
func changed(t testing.TB, random *rand.Rand, times int) []*Puzzle {
	t.Helper()
	var all []*Puzzle
	puzzles := shipped(t)
	for _, material := range slices.Sorted(maps.Keys(puzzles)) {
		for _, p := range puzzles[material] {
			for i := range 2 * times {
				q := movePiece
				if i%2 == 1 {
					q = addPiece
				}
				if c := q(p, random); c != nil {
					c.Line = p.Line
					all = append(all, c)
				}
			}
		}
	}
	return all
}

// judgeWithin judges by trying everything, as far as so many positions go.
func judgeWithin(p *Puzzle, positions int) standing {
	b := newBrute(false)
	b.room = positions
	verdict := notKnown
	for far := 1; verdict == notKnown && far <= p.Plies; far += 2 {
		verdict = judge(p, false, b.exactly, far)
		if b.short {
			return notKnown
		}
	}
	return verdict
}

// tally counts how a checker's verdicts and those of trying everything agree.
type tally struct {
	t                    testing.TB
	checked, stand, long int
	// undecided are those that the checker leaves open: they do not pass, and standing of them would have deserved to.
	undecided, standing int
	// notKnown are those that do not pass, and that trying everything has not judged.
	notKnown int
}

// compare checks a puzzle: it passes only if trying everything has shown that it stands, and is refuted only if it does
// not. want is the judgement on what is claimed or, where nothing is, on what the report says is true.
func (c *tally) compare(checker *Checker, p *Puzzle, want func(claim *Puzzle) standing) {
	c.t.Helper()
	r, err := checker.Check(context.Background(), p)
	if err != nil {
		c.t.Fatal(err)
	}
	claim := p
	if p.Plies == 0 {
		if r.Outcome != Mate || len(r.Solution) < r.Plies {
			return // there is nothing to judge
		}
		claim = &Puzzle{Position: p.Position, Plies: r.Plies, Moves: r.Solution}
	}
	c.checked++
	judged := want(claim)
	if r.Verdict == Sound && judged != stands || r.Verdict == Refuted && judged == stands {
		c.t.Errorf("line %d changed to %s, claim %d: %v, %v, %d plies by %v; trying everything: %v",
			p.Line, p.Position.SFEN(), p.Plies, r.Verdict, flaws(r), r.Plies, r.Solution, judged)
	}
	switch {
	case r.Verdict == Sound:
		c.stand++
		if claim.Plies > 5 {
			c.long++
		}
	case r.Verdict == Undecided:
		c.undecided++
		if judged == stands {
			c.standing++
		}
	case judged == notKnown:
		c.notKnown++
	}
}

// log says what was compared, and fails where that is too little to show anything.
func (c *tally) log(what string) {
	c.t.Helper()
	c.t.Logf("%s: %d checked; %d pass and stand, %d of them in more than 5 plies; %d undecided, of which %d stand; "+
		"%d refuted and not judged by trying everything", what, c.checked, c.stand, c.long, c.undecided, c.standing, c.notKnown)
	if c.stand == 0 || c.standing > c.stand || 3*(c.undecided+c.notKnown) > c.checked {
		c.t.Errorf("%s: too few were compared", what)
	}
}

// unclaimed is the puzzle without its solution.
func unclaimed(p *Puzzle) *Puzzle { return &Puzzle{Position: p.Position, Line: p.Line} }

// compareChanged compares, by search, the puzzles with pieces moved or added so many times each: what they claim
// and, for those of no more plies than are searched, what is true of them instead.
func compareChanged(t *testing.T, times, positions int, opt Options) {
	t.Helper()
	checker := NewChecker(opt)
	claimed, solved := tally{t: t}, tally{t: t}
	want := func(p *Puzzle) standing { return judgeWithin(p, positions) }
	for _, p := range changed(t, rand.New(rand.NewPCG(11, 11)), times) {
		claimed.compare(checker, p, want)
		if p.Plies <= opt.MaxPlies {
			solved.compare(checker, unclaimed(p), want)
		}
	}
	claimed.log("as claimed")
	solved.log("as solved")
}

// TestChanged: the puzzles of the project with a piece moved or added pass by search only where
// trying everything says so.
func TestChanged(t *testing.T) {
	compareChanged(t, 1, 10_000, Options{Tolerate: LongerMate, Nodes: 30_000, MaxPlies: 5})
}

// movePiece is the puzzle with a piece on another square, if that is legal.
func movePiece(p *Puzzle, random *rand.Rand) *Puzzle {
	b := board(&p.Position)
	from, to := random.IntN(len(b)), random.IntN(len(b))
	for b[from] == rules.NoPiece {
		from = random.IntN(len(b))
	}
	if b[to] != rules.NoPiece {
		return nil
	}
	b[from], b[to] = b[to], b[from]
	return with(p, b, p.Position.Hand(rules.Sente), p.Position.Hand(rules.Gote))
}

// addPiece is the puzzle with a piece more, on the board or in a hand, if that is legal.
func addPiece(p *Puzzle, random *rand.Rand) *Puzzle {
	b := board(&p.Position)
	hands := [2]rules.Hand{p.Position.Hand(rules.Sente), p.Position.Hand(rules.Gote)}
	kind, owner, to := rules.Kind(random.IntN(rules.HandKinds)), rules.Color(random.IntN(2)), random.IntN(len(b)+3)
	switch {
	case to >= len(b):
		hands[owner][kind]++
	case b[to] != rules.NoPiece:
		return nil
	default:
		if kind.CanPromote() && random.IntN(2) == 0 {
			kind = kind.Promote()
		}
		b[to] = rules.MakePiece(owner, kind)
	}
	return with(p, b, hands[0], hands[1])
}

func with(p *Puzzle, b [rules.Squares]rules.Piece, sente, gote rules.Hand) *Puzzle {
	q, err := rules.New(b, [2]rules.Hand{sente, gote}, p.Position.SideToMove())
	if err != nil {
		return nil
	}
	return &Puzzle{Position: q, Plies: p.Plies, Moves: p.Moves}
}

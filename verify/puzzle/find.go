package puzzle

import (
	"context"
	"slices"

	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/verify/mate"
)

// FindOptions say which puzzles a Finder looks for.
type FindOptions struct {
	// Least and Most are the plies of the mate; less than 3 in Least is 3, because a mate in one is no puzzle.
	Least, Most int
	// Beyond is by how many plies more than the solution's no other move may mate.
	Beyond int
	// Nodes limits the search for a mate in each position, in moves made; 0: FindNodes. Each question about a
	// mate that is found may take followUp times as many.
	Nodes uint64
}

// FindNodes is the default of FindOptions.Nodes.
const FindNodes = 10_000

// followUp is how much more is spent on the few positions that have a mate.
const followUp = 50

// findHash is the memory of a Finder, in bytes. What it finds depends on it where Nodes are few.
const findHash = 32 << 20

// Finder finds puzzles in games. It is not safe for concurrent use.
type Finder struct {
	opt    FindOptions
	solver *mate.Solver
}

// NewFinder makes a Finder.
func NewFinder(opt FindOptions) *Finder {
	if opt.Nodes == 0 {
		opt.Nodes = FindNodes
	}
	opt.Least = max(opt.Least, 3)
	return &Finder{opt: opt, solver: mate.New(findHash)}
}

// Found is a puzzle from a game.
type Found struct {
	*Puzzle
	Difficulty Difficulty
	// Ply is the number of its first move in the game, from 1.
	Ply int
	// Aside: it is in a variation, not in the game itself.
	Aside bool
}

// Tally counts what became of the positions of games.
type Tally struct {
	Positions int
	Mates     int // with a mate by the side to move, in a number of plies that is wanted
	Open      int // of these, such that a question about other moves was not answered within the nodes
	Ambiguous int // another move mates, too
	Trivial   int
	Unsound   int // not sound to the checker
}

// Add adds the counts of another game.
func (t *Tally) Add(u Tally) {
	t.Positions += u.Positions
	t.Mates += u.Mates
	t.Open += u.Open
	t.Ambiguous += u.Ambiguous
	t.Trivial += u.Trivial
	t.Unsound += u.Unsound
}

// Find returns the puzzles in a game, in the order of their moves, those of variations after them. They are all sound, have
// one solution, are not trivial, and no two are of a kind (see Kinds). What a game gives does not depend on those
// before. The error is that of ctx.
func (f *Finder) Find(ctx context.Context, g *record.Game) ([]*Found, Tally, error) {
	f.solver.Clear()
	s := gameSearch{Finder: f, ctx: ctx, seen: map[positionKey]bool{}}
	err := s.line(g.Start, &g.Line, false)
	return s.distinct(), s.tally, err
}

// gameSearch is the search through one game.
type gameSearch struct {
	*Finder
	ctx   context.Context
	seen  map[positionKey]bool
	found []*Found
	tally Tally
}

// line looks at the positions after the moves of a line, from its end, because the mates that are near make those
// before easier to find; then at its variations.
func (s *gameSearch) line(start rules.Position, l *record.Line, aside bool) error {
	positions := []rules.Position{start}
	again := make([]bool, 1+len(l.Moves)) // where a position is one that was there before
	for i, m := range l.Moves {
		p := positions[i]
		p.Make(m.Move)
		positions = append(positions, p)
		key := keyOf(&p)
		again[i+1], s.seen[key] = s.seen[key], true
	}
	first := len(s.found)
	for i := len(l.Moves); i > 0; i-- {
		if again[i] {
			continue
		}
		p, err := s.position(&positions[i], &PriorMove{positions[i-1], l.Moves[i-1].Move})
		if err != nil {
			return err
		}
		if p != nil {
			p.Ply, p.Aside = l.Ply+i, aside
			s.found = append(s.found, p)
		}
	}
	slices.Reverse(s.found[first:])
	for i := range l.Variations {
		v := &l.Variations[i]
		if err := s.line(positions[v.Ply-l.Ply], v, true); err != nil {
			return err
		}
	}
	return nil
}

// position returns the puzzle that a position is, or nil.
func (s *gameSearch) position(p *rules.Position, last *PriorMove) (*Found, error) {
	s.tally.Positions++
	n, err := s.mate(p)
	if err != nil || n < s.opt.Least {
		return nil, err
	}
	s.tally.Mates++
	switch u, err := s.unique(p, n); {
	case err != nil:
		return nil, err
	case u == open:
		s.tally.Open++
		return nil, nil
	case u == several:
		s.tally.Ambiguous++
		return nil, nil
	}
	puzzle := &Puzzle{Position: *p, Plies: n, Last: last}
	// A checker of its own, so that the answer depends on nothing else.
	report, err := NewChecker(Options{Tolerate: LastMove, Beyond: s.opt.Beyond, Hash: findHash}).Check(s.ctx, puzzle)
	if err != nil {
		return nil, err
	}
	if report.Verdict != Sound || len(report.Solution) != n {
		s.tally.Unsound++
		return nil, nil
	}
	puzzle.Moves = report.Solution
	if puzzle.trivial() {
		s.tally.Trivial++
		return nil, nil
	}
	found := &Found{Puzzle: puzzle}
	if found.Difficulty, err = Rate(s.ctx, puzzle); err != nil {
		return nil, err
	}
	puzzle.Grade = found.Difficulty.Grade()
	return found, nil
}

// mate returns the plies of the shortest mate by the side to move, 0 if there is none within Most that is found.
func (s *gameSearch) mate(p *rules.Position) (int, error) {
	by := p.SideToMove()
	r, err := s.ask(p, mate.Options{By: &by, MaxPlies: s.opt.Most, MaxNodes: s.opt.Nodes, AnyLength: true})
	if err == nil && r.Verdict == mate.MateIn {
		r, err = s.ask(p, mate.Options{By: &by, MaxPlies: r.Plies, MaxNodes: followUp * s.opt.Nodes})
	}
	if err != nil || r.Verdict != mate.MateIn {
		return 0, err
	}
	return r.Plies, nil
}

// ask searches. The error may be that of the context.
func (s *gameSearch) ask(p *rules.Position, opt mate.Options) (mate.Result, error) {
	r, err := s.solver.Solve(s.ctx, p, opt)
	if err == nil {
		err = s.ctx.Err()
	}
	return r, err
}

// distinct returns one puzzle of each kind, the one that comes first in the game.
func (s *gameSearch) distinct() []*Found {
	var kinds Kinds
	var distinct []*Found
	var earlier []*Puzzle
	for _, p := range s.found {
		if !isLater(p.Puzzle, earlier) && kinds.Add(p.Puzzle) {
			distinct = append(distinct, p)
		}
		earlier = append(earlier, p.Puzzle)
	}
	return distinct
}

package puzzle

import (
	"context"
	"errors"

	"gogotb/rules"
)

// Checker checks puzzles one after the other. It is not safe for concurrent use.
type Checker struct {
	opt    Options
	search search
}

// NewChecker makes a Checker.
func NewChecker(opt Options) *Checker {
	if opt.MaxPlies == 0 {
		opt.MaxPlies = DefaultMaxPlies
	}
	if opt.Nodes == 0 {
		opt.Nodes = DefaultNodes
	}
	if opt.Hash == 0 {
		opt.Hash = DefaultHash
	}
	return &Checker{opt: opt, search: mateSearch(opt)}
}

// check is one check: what it works on and what it has found.
type check struct {
	*Report
	opt     *Options
	lengths *lengths
	// start is the first position. It is changed and restored by whoever looks ahead.
	start rules.Position
	// legal are the claimed moves up to the first illegal one, solution those of the Report.
	legal, solution line
	// claimed is the claimed length, 0 if there is none.
	claimed int
	// count is how lengths are counted in this puzzle: with futile interpositions or without.
	count  counting
	futile *futileCounter
	// emptied remembers the answers of leavesNone.
	emptied map[leftoverKey]bool
	// open: a question that matters for soundness has no answer.
	open bool
}

// Check says what is true of a puzzle, and what is wrong with it. The error is that of ctx or
// of the search; a flawed puzzle is none.
func (c *Checker) Check(ctx context.Context, p *Puzzle) (*Report, error) {
	k := c.newCheck(ctx, p)
	k.run()
	if err := k.lengths.err; err != nil {
		return nil, err
	}
	k.Nodes = k.lengths.nodes
	k.Solution = k.solution.moves
	switch {
	case k.refuted():
		k.Verdict = Refuted
	case k.open:
		k.Verdict = Undecided
	}
	return k.Report, nil
}

func (c *Checker) newCheck(ctx context.Context, p *Puzzle) *check {
	attacker := p.Attacker()
	start := p.Position
	if c.opt.CompleteHand {
		start = CompleteHand(start, attacker)
	}
	return &check{
		Report:  &Report{Puzzle: p, Position: start, Attacker: attacker, WithoutFutile: -1},
		opt:     &c.opt,
		start:   start,
		claimed: p.Claimed(),
		emptied: map[leftoverKey]bool{},
		lengths: &lengths{
			ctx: ctx, attacker: attacker, tsume: c.opt.Tsume, table: c.opt.Table, search: c.search,
			known: map[positionKey]length{},
		},
	}
}

func (k *check) run() {
	k.readMoves()
	root := k.rootLength()
	if root.state != mates {
		k.withoutMate(root)
		k.variations()
		return
	}
	k.Outcome, k.Plies = Mate, root.plies
	k.futile = newFutileCounter(k)
	k.WithoutFutile = k.futile.root()
	k.compare()
	k.solve()
	k.cooks()
	k.futileDrops()
	k.leftover()
	k.pawnDropMates()
	k.variations()
	if k.futile.gaveUp {
		k.omit(FutileCounts)
	}
}

// counting is a way to count plies: lengths.of, or that of a futileCounter.
type counting func(p *rules.Position, limit int) length

// rootLength returns the exact length of the puzzle, if it can be found out: within the claim
// first, and then as far as the options go.
func (k *check) rootLength() length {
	root := length{state: fails}
	far := k.opt.MaxPlies
	if k.claimed > 0 {
		root = k.lengths.of(&k.start, k.claimed)
		far = max(far, k.claimed+k.futileRoom())
	}
	if root.state == fails && root.plies < far {
		if more := k.lengths.of(&k.start, far); more.state != unknown || k.claimed == 0 {
			return more
		}
	}
	return root
}

// withoutMate reports a puzzle in which no mate has been found.
func (k *check) withoutMate(root length) {
	if root.state == unknown {
		k.open = true
		k.backward()
		return
	}
	k.Outcome, k.NoMateWithin = NoMateFound, root.plies
	switch {
	case root.plies < k.claimed:
		k.open = true // there may be one of the length claimed
		return
	case root.plies < AnyLength && k.claimed == 0:
		k.open = true // there may be a longer one
	default:
		k.add(Flaw{Kind: NoMate, Refutes: true})
	}
	if k.wonByPerpetual() {
		k.add(Flaw{Kind: Perpetual})
	}
}

// compare holds the claimed length against the true one.
func (k *check) compare() {
	k.count = k.lengths.of
	switch {
	case k.claimed == 0 || k.claimed == k.Plies:
		k.Claim = true
		return
	case k.claimed == k.WithoutFutile && k.opt.Tolerate&FutileLength != 0:
		k.Claim = true
		k.count = k.futile.of
		return
	}
	kind := Longer
	if k.claimed > k.Plies {
		kind = Shorter
	}
	k.add(Flaw{Kind: kind, Ply: 1, Plies: k.Plies, Moves: k.best(k.start, k.Plies).moves, Refutes: true})
}

// pawnDropMates looks for pawn drops that would mate at once, at the attacker's turns.
func (k *check) pawnDropMates() {
	for i := range k.solution.positions {
		p := &k.solution.positions[i]
		if !k.lengths.attacking(p) || p.HandCount(k.Attacker, rules.Pawn) == 0 {
			continue
		}
		for s := range rules.Square(rules.Squares) {
			m := rules.Drop(rules.Pawn, s)
			var illegal *rules.IllegalMoveError
			if errors.As(p.Legal(m), &illegal) && illegal.Rule == rules.PawnDropMate {
				k.add(Flaw{Kind: PawnDropMate, Ply: i + 1, Moves: []rules.Move{m}})
			}
		}
	}
}

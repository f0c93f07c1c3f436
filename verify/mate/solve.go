package mate

import (
	"context"
	"math"
	"time"

	"gogotb/rules"
)

// DefaultHash is the memory of Solve, in bytes.
const DefaultHash = 256 << 20

// Solver keeps what it has proved from one position to the next, in memory of a fixed size. It is not safe for
// concurrent use.
type Solver struct {
	table *table
	// closureBytes is what remains for the closures.
	closureBytes int64
	last         *question // nil: none, or an answer was wrong
}

// New makes a solver that uses about hash bytes: three quarters for the transposition
// table, the rest for proofs that there is no mate. 0 means DefaultHash.
func New(hash int64) *Solver {
	if hash <= 0 {
		hash = DefaultHash
	}
	return &Solver{table: newTable(hash / 4 * 3), closureBytes: hash / 4}
}

// Clear forgets everything.
func (s *Solver) Clear() {
	clear(s.table.slots)
	s.last = nil
}

// Solve solves one position with a new solver of DefaultHash bytes.
func Solve(ctx context.Context, pos *rules.Position, opt Options) (Result, error) {
	return New(0).Solve(ctx, pos, opt)
}

// Solve finds the shortest mate, or proves that there is none. A search that ends early, because of a limit or of ctx, is no
// error: its verdict is Unknown. The error is a *rules.PositionError for an illegal position, or an *OptionError.
func (s *Solver) Solve(ctx context.Context, pos *rules.Position, opt Options) (Result, error) {
	if err := opt.validate(); err != nil {
		return Result{}, err
	}
	if err := pos.Validate(); err != nil {
		return Result{}, err
	}
	q := newQuest(ctx, s, pos, &opt)
	r := q.answer()
	r.Bounds = q.bounds()
	q.remember()
	if r.Cause == ErrCollision {
		r.Bounds = Bounds{Most: -1} // nothing is certain
		s.Clear()
	}
	r.Nodes = q.meter.total()
	r.Elapsed = time.Since(q.meter.begin)
	return r, nil
}

// quest is one question to a solver.
type quest struct {
	*Solver
	pos   rules.Position
	opt   *Options
	meter *meter
	// sides are the possible attackers: the side to move and, except in tsume, the other; with Options.By one of them.
	sides []*side
}

func newQuest(ctx context.Context, s *Solver, pos *rules.Position, opt *Options) *quest {
	q := &quest{Solver: s, pos: *pos, opt: opt}
	var report func()
	if opt.Progress != nil {
		report = func() {
			q.remember()
			opt.Progress(Progress{q.meter.total(), time.Since(q.meter.begin), q.bounds()})
		}
	}
	q.meter = newMeter(ctx, opt, report)
	s.table.shared = opt.jobs() > 1
	if opt.asks(pos.SideToMove()) || opt.Tsume {
		q.sides = append(q.sides, q.newSide(pos.SideToMove()))
	}
	if opt.asks(pos.SideToMove().Other()) && !opt.Tsume {
		q.sides = append(q.sides, q.newSide(pos.SideToMove().Other()))
	}
	return q
}

// answer is the whole way to a result.
func (q *quest) answer() Result {
	if !q.opt.Tsume && !q.pos.HasMove() {
		other := q.sides[len(q.sides)-1]
		if other.attacking() { // it was not asked about
			other.none = true
			return Result{Verdict: NoMate}
		}
		other.most = 0
		return Result{Verdict: MatedIn}
	}
	if r, ok := q.fromTable(); ok {
		return r
	}
	q.recall()
	winner := q.find()
	if winner == nil {
		return q.noMate()
	}
	if !q.opt.AnyLength && !winner.shorten(q.meter) {
		return Result{Cause: q.meter.cause}
	}
	return q.play(winner)
}

// noMate is the answer if no side has been found to mate.
func (q *quest) noMate() Result {
	all := true
	for _, s := range q.sides {
		if !s.settled() {
			return Result{Cause: q.meter.cause}
		}
		all = all && s.none
	}
	if all {
		return Result{Verdict: NoMate}
	}
	return Result{Verdict: NoMateWithin, Plies: q.opt.MaxPlies}
}

// bounds are what has been proved.
func (q *quest) bounds() Bounds {
	b := Bounds{None: math.MaxInt, Most: -1}
	for _, s := range q.sides {
		if !s.none {
			b.None = min(b.None, s.least+1)
		}
		if s.most >= 0 {
			b.Most = s.most
		}
	}
	if b.Most >= 0 {
		b.None = min(b.None, b.Most-1)
	}
	return b
}

package review

import (
	"context"
	"strings"
	"sync"

	"gogotb/rules"
	"gogotb/verify/mate"
)

// moreEffort is how much more than usual is spent where a mate stands beside a position of which nothing is known, or
// the back end claims one.
const moreEffort = 4

// valued returns the value of a position by itself.
func (r *Reviewer) valued(ctx context.Context, p *rules.Position, first rules.Color) (Value, error) {
	if !p.HasMove() {
		return mated(), nil
	}
	if v, ok := r.probe(p, first); ok {
		return v, nil
	}
	key := cacheKey(p)
	if v, ok := r.cache.get(key); ok {
		return v, nil
	}
	v, whole, err := r.searched(ctx, p)
	if err == nil && whole {
		r.cache.put(key, v)
	}
	return v, err
}

// probe returns what a table knows.
func (r *Reviewer) probe(p *rules.Position, first rules.Color) (Value, bool) {
	if r.options.Table == nil {
		return Value{}, false
	}
	known, ok := r.options.Table(p)
	if !ok {
		return Value{}, false
	}
	return r.fromTable(p, known, first)
}

// searched returns the value of a position by search and, if that finds nothing, by the back end; whole is false if the search was
// ended early.
func (r *Reviewer) searched(ctx context.Context, p *rules.Position) (v Value, whole bool, err error) {
	v, whole = unknown(), true
	err = r.borrow(ctx, func(s *searcher) {
		v = s.value(p, mate.Options{MaxPlies: r.options.Plies, MaxNodes: r.options.Nodes})
		whole = s.turn.Err() == nil
	})
	if err != nil || v.Category != Unknown || r.options.Evaluate == nil {
		return v, whole, err
	}
	e, err := r.options.Evaluate(ctx, p)
	if err != nil || e == nil {
		return v, whole, err
	}
	if e.Claims != Unknown {
		err := r.borrow(ctx, func(s *searcher) {
			v.learn(s.value(p, mate.Options{MaxPlies: within(e.Plies), MaxNodes: moreEffort * r.options.Nodes}))
			whole = whole && s.turn.Err() == nil
		})
		if err != nil || v.Category != Unknown {
			return v, whole, err
		}
	}
	v.Evaluation = e
	return v, whole, nil
}

// learn adds what another search has proved of the same position.
func (v *Value) learn(other Value) {
	if v.Category == Unknown || v.By == ByMate {
		v.None = max(v.None, other.None)
		if other.Most >= 0 {
			v.tighten(other.Most, other.Line)
		}
	}
}

// searcher is a solver on loan.
type searcher struct {
	*mate.Solver
	turn context.Context
}

// borrow has a function use a solver, which is as new. The error is that of waiting for it, or that the review has ended.
func (r *Reviewer) borrow(ctx context.Context, use func(*searcher)) error {
	turn, solver, giveBack, err := r.lend(ctx)
	if err != nil {
		return err
	}
	use(&searcher{solver, turn})
	giveBack()
	return ctx.Err()
}

// ownSolvers lends as many solvers as there are jobs; each is made when it is needed.
func ownSolvers(jobs int, hash int64) func(context.Context) (context.Context, *mate.Solver, func(), error) {
	solvers := make(chan *mate.Solver, jobs)
	for range jobs {
		solvers <- nil
	}
	return func(ctx context.Context) (context.Context, *mate.Solver, func(), error) {
		var solver *mate.Solver
		select {
		case solver = <-solvers:
		case <-ctx.Done():
			return nil, nil, nil, ctx.Err()
		}
		if solver == nil {
			solver = mate.New(max(hash/int64(jobs), 1))
		}
		return ctx, solver, func() {
			solver.Clear()
			solvers <- solver
		}, nil
	}
}

// value asks the solver. A mate whose length is open has a line, too.
func (s *searcher) value(p *rules.Position, ask mate.Options) Value {
	v := unknown()
	found, err := s.Solve(s.turn, p, ask)
	if err != nil {
		return v // of a legal position, with options that make sense, there is none
	}
	v.None = min(max(found.Bounds.None, 0), mate.MaxMaxPlies)
	if found.Bounds.Most < 0 {
		return v
	}
	if found.Verdict == mate.Unknown {
		ask.AnyLength, ask.MaxNodes = true, ask.MaxNodes+lineEffort
		if found, err = s.Solve(s.turn, p, ask); err != nil || len(found.Line) == 0 {
			return v
		}
		v.tighten(found.Plies, found.Line)
		return v
	}
	v.tighten(found.Plies, found.Line)
	return v
}

// lineEffort is what the line of a mate that is proved may cost.
const lineEffort = 100_000

// cacheKey names a position, whatever its move number.
func cacheKey(p *rules.Position) string {
	sfen := p.SFEN()
	return sfen[:strings.LastIndexByte(sfen, ' ')]
}

// cache keeps the values of positions, of one game and from one to the next.
type cache struct {
	mu     sync.Mutex
	values map[string]Value
}

// cacheSize bounds the positions that are kept.
const cacheSize = 1 << 16

func (c *cache) get(key string) (Value, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.values[key]
	return v, ok
}

func (c *cache) put(key string, v Value) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.values == nil || len(c.values) >= cacheSize {
		c.values = map[string]Value{}
	}
	c.values[key] = v
}

// within returns a number of plies as the solver takes it for a limit.
func within(plies int) int { return min(max(plies, 1), mate.MaxMaxPlies) }

package engine

import (
	"context"
	"slices"
	"time"

	"gogotb/cmd/internal/dialect"
	"gogotb/rules"
	"gogotb/verify/mate"
)

// unknown answers without tables. First of all it finds some move, in a small part of the time, in case
// all else fails.
func (t *thought) unknown(ctx context.Context) Answer {
	t.moves = t.game.notLosing(t.moves)
	quick, cancel := context.WithTimeout(ctx, t.part(20, 50*time.Millisecond))
	var last Info
	fallback := t.searchOwn(quick, t.moves, 1, func(i Info) { last = i })
	cancel()
	if a, ok := t.askOthers(ctx); ok {
		return a
	}
	t.info(last)
	return fallback
}

// askOthers is unknown without that; ok is false if nothing was found out in time.
func (t *thought) askOthers(ctx context.Context) (a Answer, ok bool) {
	if len(t.moves) == 1 && t.limits.Budget > 0 {
		return a, false
	}
	if r, score, ok := t.mate(ctx); ok {
		t.info(Info{Depth: r.Plies, Score: score, Nodes: r.Nodes, PV: r.Line})
		return answer(r.Line, score), true
	}
	if ctx.Err() != nil || t.limits.Mate > 0 {
		return a, false
	}
	if a, ok := t.askBackEnd(ctx, t.moves, t.info); ok {
		return a, true
	}
	if ctx.Err() != nil {
		return a, false
	}
	return t.searchOwn(ctx, t.moves, max(t.Lines, 1), t.info), true
}

// part is a fraction of the time for the move, at most so much.
func (t *thought) part(fraction int, most time.Duration) time.Duration {
	if budget := t.limits.time(); budget > 0 {
		return min(most, budget/time.Duration(fraction))
	}
	return most
}

// searchOwn is the engine's own choice.
func (t *thought) searchOwn(ctx context.Context, among []rules.Move, lines int, report func(Info)) Answer {
	depth := maxDepth
	if t.limits.Depth > 0 {
		depth = t.limits.Depth
	}
	begin := time.Now()
	s := newSearcher(ctx, t.game, t.searchTable(), t.limits.Nodes)
	list := s.best(among, depth, lines, func(depth int, list []ranked) {
		for i, r := range list {
			report(Info{Depth: depth, Rank: i + 1, Score: r.score, Nodes: s.nodes, Took: time.Since(begin), PV: r.line})
		}
	})
	return answer(list[0].line, list[0].score)
}

// searchTable is kept from one thought to the next, as the mate solver is.
func (e *Engine) searchTable() []entry {
	if hash := e.hash(); e.table == nil || e.tableHash != hash {
		e.table, e.tableHash = newTable(hash), hash
	}
	return e.table
}

// mostForMate is how long the mate solver may take while others wait. It finds most mates in far less.
const mostForMate = 2 * time.Second

// withinReach is a number of plies for the mate solver: any number, 0, where it is more than it knows.
func withinReach(plies int) int {
	if plies > mate.MaxMaxPlies {
		return 0
	}
	return plies
}

// mate looks for a mate by either side in a part of the time. It is of use only
// if the history of the game does not spoil it.
func (t *thought) mate(ctx context.Context) (r mate.Result, score dialect.Score, ok bool) {
	if t.limits.Nodes > 0 {
		return r, 0, false
	}
	share := t.part(4, mostForMate)
	opt := mate.Options{MaxPlies: withinReach(t.limits.Depth)}
	if t.limits.Mate > 0 {
		share, opt.MaxPlies = t.remaining(), withinReach(t.limits.Mate)
	}
	if share > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, share)
		defer cancel()
	}
	r = t.solve(ctx, opt)
	switch r.Verdict {
	case mate.MateIn:
		score = dialect.MateIn(r.Plies)
	case mate.MatedIn:
		score = dialect.MatedIn(r.Plies)
	default:
		return r, 0, false
	}
	if len(r.Line) == 0 || !slices.Contains(t.moves, r.Line[0]) || t.game.spoils(r.Line[0]) {
		return r, 0, false
	}
	return r, score, true
}

// solve asks the mate solver: for some mate first, then for the shortest one if there is still time.
func (t *thought) solve(ctx context.Context, opt mate.Options) mate.Result {
	p := t.game.Position()
	opt.AnyLength = true
	some, err := t.mateSolver().Solve(ctx, &p, opt)
	if err != nil {
		t.remark("mate solver: %v", err)
		return mate.Result{}
	}
	if some.Verdict != mate.MateIn && some.Verdict != mate.MatedIn {
		return some
	}
	opt.AnyLength = false
	if shortest, err := t.mateSolver().Solve(ctx, &p, opt); err == nil && shortest.Verdict == some.Verdict {
		return shortest
	}
	return some
}

// mateSolver is kept from one thought to the next, because it remembers what it has proved.
func (e *Engine) mateSolver() *mate.Solver {
	hash := e.hash()
	if e.solver == nil || e.solverHash != hash {
		e.solver, e.solverHash = mate.New(hash), hash
	}
	return e.solver
}

// Tsume looks for the shortest mate in which every move of the side to move gives check. Tables cannot tell
// one from other mates, but where they know that there is no win, there is no mate.
func (e *Engine) Tsume(ctx context.Context, g *Game) (mate.Result, error) {
	p := g.Position()
	if e.Tables != nil {
		if o, err := e.Tables.Outcome(&p); err == nil && o != rules.MateWin {
			return mate.Result{Verdict: mate.NoMate}, nil
		}
	}
	return e.mateSolver().Solve(ctx, &p, mate.Options{Tsume: true})
}

// notLosing are the moves but for those that lose by repetition at once, perpetual check for example, unless all do.
// Other engines play by other rules.
func (g *Game) notLosing(moves []rules.Move) []rules.Move {
	if !g.endangered() {
		return moves
	}
	p := g.Position()
	safe := make([]rules.Move, 0, len(moves))
	for _, m := range moves {
		if g.play(m) != nil {
			continue
		}
		s := g.game.Status()
		if s.Result != rules.Win || s.Winner == p.Turn() {
			safe = append(safe, m)
		}
		g.undo()
	}
	if len(safe) == 0 {
		return moves
	}
	return safe
}

// spoils tells whether a move, or a reply to it, would end the game by repetition.
func (g *Game) spoils(m rules.Move) bool {
	if !g.endangered() {
		return false
	}
	p := g.Position()
	p.Make(m)
	if g.occurred(&p) >= last {
		return true
	}
	var room [rules.MaxMoves]rules.Move
	for _, reply := range p.Moves(room[:0]) {
		undo := p.Make(reply)
		n := g.occurred(&p)
		p.Unmake(undo)
		if n >= last {
			return true
		}
	}
	return false
}

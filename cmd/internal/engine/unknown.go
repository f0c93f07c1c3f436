package engine

import (
	"context"
	"time"

	"gogotb/cmd/internal/history"
	"gogotb/rules"
)

// unknown answers without tables. At the same time it finds some move, in a small part of the time, in case
// all else fails.
func (t *thought) unknown(ctx context.Context) Answer {
	t.moves = t.game.notLosing(t.moves)
	fallback := t.fallBack(ctx)
	defer fallback.wait()
	if a, ok := t.askOthers(ctx, fallback); ok {
		return a
	}
	fallback.wait()
	t.info(fallback.last)
	return fallback.answer
}

// fallback is an answer that is found beside others.
type fallback struct {
	done   chan struct{} // closed when these are there:
	answer Answer
	last   Info
}

func (f *fallback) wait() { <-f.done }

func (t *thought) fallBack(ctx context.Context) *fallback {
	f := &fallback{done: make(chan struct{})}
	go func() {
		defer close(f.done)
		quick, cancel := context.WithTimeout(ctx, t.part(50, 20*time.Millisecond))
		defer cancel()
		f.answer = t.searchOwn(quick, t.moves, 1, func(i Info) { f.last = i })
	}()
	return f
}

// askOthers is unknown without that; ok is false if nothing was found out in time.
func (t *thought) askOthers(ctx context.Context, before *fallback) (a Answer, ok bool) {
	switch {
	case len(t.moves) == 1 && t.limits.Budget > 0:
		return a, false
	case t.limits.Mate > 0:
		return t.mateAlone(ctx, t.info)
	}
	return t.besideMates(ctx, t.info, func(ctx context.Context) (Answer, bool) {
		if a, ok := t.askBackEnd(ctx, t.moves, t.info); ok {
			return a, true
		}
		if before.wait(); ctx.Err() != nil { // they share a table
			return Answer{}, false
		}
		return t.searchOwn(ctx, t.moves, max(t.Lines, 1), t.info), true
	})
}

// part returns a fraction of the time for the move, at most so much.
func (t *thought) part(fraction int, most time.Duration) time.Duration {
	if budget := t.limits.time(); budget > 0 {
		return min(most, budget/time.Duration(fraction))
	}
	return most
}

// searchOwn returns the engine's own choice.
func (t *thought) searchOwn(ctx context.Context, among []rules.Move, lines int, report func(Info)) Answer {
	depth := maxDepth
	if t.limits.Depth > 0 {
		depth = t.limits.Depth
	}
	begin := time.Now()
	s := newSearcher(ctx, t.game, t.searchTable(), t.limits.Nodes)
	list := s.best(among, depth, lines, func(depth int, list []scoredMove) {
		for i, r := range list {
			report(Info{Depth: depth, MultiPV: i + 1, Score: r.score, Nodes: s.nodes, Took: time.Since(begin), PV: r.line})
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

// notLosing returns the moves but for those that lose by repetition at once, perpetual check for example, unless
// all do. Other engines play by other rules.
func (g *Game) notLosing(moves []rules.Move) []rules.Move {
	if !g.Endangered() {
		return moves
	}
	p := g.Position()
	safe := make([]rules.Move, 0, len(moves))
	for _, m := range moves {
		if g.Play(m) != nil {
			continue
		}
		s := g.Status()
		if s.Result != rules.Win || s.Winner == p.SideToMove() {
			safe = append(safe, m)
		}
		g.Undo()
	}
	if len(safe) == 0 {
		return moves
	}
	return safe
}

// spoils tells whether a move, or a reply to it, would end the game by repetition.
func (g *Game) spoils(m rules.Move) bool {
	if !g.Endangered() {
		return false
	}
	p := g.Position()
	p.Make(m)
	if g.Occurred(&p) >= history.Last {
		return true
	}
	var room [rules.MaxMoves]rules.Move
	for _, reply := range p.Moves(room[:0]) {
		undo := p.Make(reply)
		n := g.Occurred(&p)
		p.Unmake(undo)
		if n >= history.Last {
			return true
		}
	}
	return false
}

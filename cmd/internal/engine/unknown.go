package engine

import (
	"context"
	"slices"
	"time"

	"gogotb/cmd/internal/backend"
	"gogotb/cmd/internal/dialect"
	"gogotb/rules"
)

// unknown answers without tables. First of all it finds some move, in a small part of the time, in case
// all else fails.
func (t *thought) unknown(ctx context.Context) Answer {
	quick, cancel := context.WithTimeout(ctx, t.part(20, 50*time.Millisecond))
	var last Info
	fallback := t.searchOwn(quick, t.moves, 1, func(i Info) { last = i })
	cancel()
	a := t.askOthers(ctx, fallback)
	if a == fallback {
		t.info(last)
	}
	return a
}

// askOthers is unknown with a move in case all else fails.
func (t *thought) askOthers(ctx context.Context, fallback Answer) Answer {
	if len(t.moves) == 1 && t.limits.Budget > 0 {
		return fallback
	}
	if line, score, ok := t.mate(ctx); ok {
		t.info(Info{Depth: len(line), Score: score, PV: line})
		return answer(line, score)
	}
	if ctx.Err() != nil || t.limits.Mate > 0 {
		return fallback
	}
	if a, ok := t.askBackEnd(ctx, t.moves, t.info); ok {
		return a
	}
	if ctx.Err() != nil {
		return fallback
	}
	return t.searchOwn(ctx, t.moves, max(t.Lines, 1), t.info)
}

// part is a fraction of the budget, at most so much.
func (t *thought) part(fraction int, most time.Duration) time.Duration {
	if t.limits.Budget == 0 {
		return most
	}
	return min(most, t.limits.Budget/time.Duration(fraction))
}

// searchOwn is the engine's own choice.
func (t *thought) searchOwn(ctx context.Context, among []rules.Move, lines int, report func(Info)) Answer {
	hash := t.Hash
	if hash <= 0 {
		hash = defaultHash
	}
	depth := maxDepth
	if t.limits.Depth > 0 {
		depth = t.limits.Depth
	}
	s := newSearcher(ctx, t.game, hash, t.limits.Nodes)
	list := s.best(among, depth, lines, func(depth int, list []ranked) {
		for i, r := range list {
			report(Info{Depth: depth, Rank: i + 1, Score: r.score, Nodes: s.nodes, PV: r.line})
		}
	})
	return answer(list[0].line, list[0].score)
}

// askBackEnd lets the back end choose; ok is false if there is none, or it fails.
func (t *thought) askBackEnd(ctx context.Context, among []rules.Move, report func(Info)) (a Answer, ok bool) {
	p := t.game.Position()
	if p.King(rules.Sente) == rules.NoSquare || p.King(rules.Gote) == rules.NoSquare {
		return a, false // puzzles are not for engines that play games
	}
	// What is kept back for a back end that does not stop when told to.
	grace := t.part(10, 500*time.Millisecond)
	if t.limits.Budget > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, max(t.remaining()-grace, time.Millisecond))
		defer cancel()
	}
	b, err := t.needBackEnd(ctx)
	if err != nil {
		t.remark("back end: %v", err)
		return a, false
	}
	if b == nil {
		return a, false
	}
	r := backend.Request{
		Start: t.game.Start, Moves: t.game.Moves, Lines: t.Lines, Grace: grace,
		Depth: t.limits.Depth, Nodes: t.limits.Nodes,
	}
	if len(among) < p.CountMoves() {
		r.Among = among
	}
	if t.limits.Budget > 0 {
		r.MoveFor = max(t.remaining()-grace, time.Millisecond)
	}
	var score dialect.Score
	found, err := b.Search(ctx, r, func(i backend.Info) {
		if i.Line == 1 {
			score = i.Score
		}
		report(Info{Depth: i.Depth, Rank: i.Line, Score: i.Score, Nodes: i.Nodes, PV: i.PV})
	})
	if err != nil {
		t.remark("back end: %s: %v", b.Name, err)
		t.dropBackEnd()
		return a, false
	}
	t.failures = 0
	return Answer{Move: found.Move, Ponder: found.Ponder, Score: score}, true
}

// Mate is what a mate solver has found out.
type Mate struct {
	Verdict Verdict
	Plies   int
	Line    []rules.Move
}

// Verdict of a mate solver.
type Verdict uint8

const (
	Unsolved Verdict = iota
	Mates            // the side to move mates in Plies
	Mated            // it is mated in Plies
	NoMate           // neither, proved: within the plies asked for, if there was a limit
)

// Tsume looks for a mate in which every move of the side to move gives check. Tables cannot tell
// one from other mates, but where they know that there is no win, there is no mate.
func (e *Engine) Tsume(ctx context.Context, g *Game) Mate {
	p := g.Position()
	if e.Tables != nil {
		if o, err := e.Tables.Outcome(&p); err == nil && o != rules.MateWin {
			return Mate{Verdict: NoMate}
		}
	}
	if solve == nil {
		return Mate{}
	}
	return solve(ctx, p, true, 0, e.Hash)
}

// solve is the mate solver.
var solve func(ctx context.Context, p rules.Position, checksOnly bool, maxPlies int, hash int64) Mate

// mate looks for a mate by either side in a part of the time. It is of use only
// if the history of the game does not spoil it.
func (t *thought) mate(ctx context.Context) (line []rules.Move, score dialect.Score, ok bool) {
	if solve == nil || t.limits.Nodes > 0 {
		return nil, 0, false
	}
	share := t.part(4, 5*time.Second)
	maxPlies := t.limits.Depth
	if t.limits.Mate > 0 {
		share, maxPlies = t.remaining(), t.limits.Mate
	}
	if share > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, share)
		defer cancel()
	}
	m := solve(ctx, t.game.Position(), false, maxPlies, t.Hash)
	switch m.Verdict {
	case Mates:
		score = dialect.MateIn(m.Plies)
	case Mated:
		score = dialect.MatedIn(m.Plies)
	default:
		return nil, 0, false
	}
	if len(m.Line) == 0 || !slices.Contains(t.moves, m.Line[0]) || t.game.spoils(m.Line[0]) {
		return nil, 0, false
	}
	return m.Line, score, true
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

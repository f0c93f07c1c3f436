package puzzle

import (
	"context"

	"gogotb/rules"
	"gogotb/verify/mate"
)

// length is what is known about the length of the shortest mate from a position.
type length struct {
	state lengthState
	// plies is the exact length of a mate, or the number of plies within which there is none.
	plies int
}

type lengthState uint8

const (
	unknown lengthState = iota
	mates
	fails
)

// within tells whether there is a mate in at most n plies.
func (l length) within(n int) bool { return l.state == mates && l.plies <= n }

// search answers a question about the side to move; Options.MaxPlies and AnyLength are the question, the other
// options are overwritten. The results are those of a mate.Solver.
type search func(ctx context.Context, p *rules.Position, ask mate.Options) (mate.Result, error)

// lengths answers, for one puzzle, how long the attacker's mates take: by table, where one
// covers the position, or by search. Answers of searches are kept.
type lengths struct {
	ctx      context.Context
	attacker rules.Color
	tsume    bool
	table    func(*rules.Position) (rules.Value, bool)
	search   search
	known    map[positionKey]length
	nodes    uint64
	err      error // of the search or of the context; all later answers are unknown
}

// positionKey tells positions apart, move numbers left out.
type positionKey struct{ board, all uint64 }

func keyOf(p *rules.Position) positionKey { return positionKey{p.BoardKey(), p.Key()} }

// value returns the table's value of a position. No table knows of tsume.
func (l *lengths) value(p *rules.Position) (rules.Value, bool) {
	if l.err == nil {
		l.err = l.ctx.Err()
	}
	if l.err != nil || l.tsume || l.table == nil {
		return 0, false
	}
	return l.table(p)
}

// covered tells whether a table answers for p, and so for all that comes after it.
func (l *lengths) covered(p *rules.Position) bool {
	_, ok := l.value(p)
	return ok
}

// attacking tells whether the attacker is to move.
func (l *lengths) attacking(p *rules.Position) bool { return p.SideToMove() == l.attacker }

// moves returns those that the side to move may make in a puzzle of this kind.
func (l *lengths) moves(p *rules.Position) []rules.Move {
	buf := make([]rules.Move, 0, rules.MaxMoves)
	if l.tsume && l.attacking(p) {
		return p.Checks(buf)
	}
	return p.Moves(buf)
}

// after returns the length from where a move leads, counted from there.
func (l *lengths) after(p *rules.Position, m rules.Move, limit int) length {
	u := p.Make(m)
	defer p.Unmake(u)
	return l.of(p, limit)
}

// of returns the length from p: mates, with the length of the shortest, or fails if there is none within the limit.
// A table knows of longer ones, too.
func (l *lengths) of(p *rules.Position, limit int) length {
	if v, ok := l.value(p); ok {
		won := rules.MateLoss
		if l.attacking(p) {
			won = rules.MateWin
		}
		if v.Outcome() == won {
			return length{state: mates, plies: v.Number()}
		}
		return length{state: fails, plies: AnyLength}
	}
	key := keyOf(p)
	switch k := l.known[key]; {
	case k.state == mates && k.plies > limit:
		// An answer must not depend on what was asked before.
		return length{state: fails, plies: limit}
	case k.state == mates, k.state == fails && k.plies >= limit:
		return k
	}
	var found length
	if l.attacking(p) {
		found = l.attack(p, limit)
	} else {
		found = l.defence(p, limit)
	}
	if found.state != unknown {
		l.known[key] = found
	}
	return found
}

func (l *lengths) attack(p *rules.Position, limit int) length {
	if limit < 1 {
		return length{state: fails, plies: limit}
	}
	ask := mate.Options{}
	if limit < AnyLength {
		ask.MaxPlies = min(limit, mate.MaxMaxPlies)
	}
	switch r := l.ask(p, ask); r.Verdict {
	case mate.MateIn:
		return length{state: mates, plies: r.Plies}
	case mate.NoMate, mate.MatedIn:
		return length{state: fails, plies: AnyLength}
	case mate.NoMateWithin:
		return length{state: fails, plies: r.Plies}
	}
	return length{}
}

// ask searches. Once a search has failed, nothing is known any more.
func (l *lengths) ask(p *rules.Position, ask mate.Options) mate.Result {
	if l.err != nil {
		return mate.Result{}
	}
	r, err := l.search(l.ctx, p, ask)
	l.nodes += r.Nodes
	if l.err = err; err != nil {
		return mate.Result{}
	}
	return r
}

// wins tells whether the attacker, to move, is found to mate in any number of plies with a small
// effort.
func (l *lengths) wins(p *rules.Position) bool {
	if k := l.known[keyOf(p)]; k.state != unknown && k.plies >= AnyLength || k.state == mates {
		return k.state == mates
	}
	return l.ask(p, mate.Options{AnyLength: true, MaxNodes: smallEffort}).Verdict == mate.MateIn
}

// smallEffort is a number of nodes, some tens of milliseconds.
const smallEffort = 50_000

// defence returns the longest of all defences: unknown if one is, unless another fails.
func (l *lengths) defence(p *rules.Position, limit int) length {
	most := length{state: mates}
	for _, m := range p.Moves(make([]rules.Move, 0, rules.MaxMoves)) {
		if limit < 1 {
			return length{state: fails, plies: limit}
		}
		after := l.after(p, m, sooner(limit))
		switch after.state {
		case fails:
			return length{state: fails, plies: later(after.plies)}
		case unknown:
			most.state = unknown
		case mates:
			most.plies = max(most.plies, after.plies+1)
		}
	}
	if most.state == unknown {
		return length{}
	}
	return most
}

// sooner returns a number of plies counted from one ply on, later from one ply before; AnyLength stays what it is.
func sooner(plies int) int {
	if plies == AnyLength {
		return AnyLength
	}
	return plies - 1
}

func later(plies int) int { return min(plies+1, AnyLength) }

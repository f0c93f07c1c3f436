package puzzle

import (
	"cmp"
	"errors"
	"slices"

	"gogotb/rules"
)

// line is a sequence of moves: positions[i] is before moves[i], the last one after all.
type line struct {
	positions []rules.Position
	moves     []rules.Move
}

func newLine(p rules.Position) line { return line{positions: []rules.Position{p}} }

// last returns the position after all moves.
func (l *line) last() rules.Position { return l.positions[len(l.moves)] }

func (l *line) play(m rules.Move) {
	p := l.last()
	p.Make(m)
	l.moves = append(l.moves, m)
	l.positions = append(l.positions, p)
}

// join adds a line that starts where this one ends.
func (l *line) join(m line) {
	for _, move := range m.moves {
		l.play(move)
	}
}

// ErrNoCheck is the Flaw.Err of a move that gives no check where only checks are allowed.
var ErrNoCheck = errors.New("it gives no check, and a tsume allows nothing else")

// readMoves plays the claimed moves as far as they are legal.
func (k *check) readMoves() {
	k.legal = newLine(k.start)
	for i, m := range k.Puzzle.Moves {
		p := k.legal.last()
		if err := k.illegal(&p, m); err != nil {
			k.add(Flaw{Kind: IllegalMove, Ply: i + 1, Moves: []rules.Move{m}, Err: err, Refutes: true})
			return
		}
		k.legal.play(m)
	}
}

// illegal is why a move may not be played in this puzzle, nil if it may.
func (k *check) illegal(p *rules.Position, m rules.Move) error {
	err := p.Legal(m)
	if err == nil && k.opt.Tsume && k.lengths.attacking(p) && !p.GivesCheck(m) {
		err = ErrNoCheck
	}
	return err
}

// solve follows the claimed moves as long as both sides play their best, and completes
// them with the best line.
func (k *check) solve() {
	k.solution = newLine(k.start)
	left := k.count(&k.start, k.Plies).plies
	for i, m := range k.legal.moves {
		p := k.solution.last()
		after := k.after(&p, m, left-1)
		if !after.within(left - 1) {
			k.better(WeakAttack, i, left)
			return
		}
		if after.plies < left-1 {
			k.better(WeakDefence, i, left)
			return
		}
		k.solution.play(m)
		left--
	}
	rest := k.best(k.solution.last(), left)
	if left > 0 && k.Puzzle.Plies == 0 && len(k.Puzzle.Moves) > 0 && len(k.legal.moves) == len(k.Puzzle.Moves) {
		k.add(Flaw{Kind: Unfinished, Ply: len(k.legal.moves) + 1, Moves: rest.moves,
			Plies: len(k.legal.moves) + left, Refutes: true})
	}
	k.solution.join(rest)
}

// better reports move i of the solution, and goes on with a better line.
func (k *check) better(kind FlawKind, i, left int) {
	best := k.best(k.solution.last(), left)
	k.add(Flaw{Kind: kind, Ply: i + 1, Moves: best.moves, Plies: i + left, Refutes: true})
	k.solution.join(best)
}

// after returns the length from where a move leads, as this puzzle counts.
func (k *check) after(p *rules.Position, m rules.Move, limit int) length {
	u := p.Make(m)
	defer p.Unmake(u)
	return k.count(p, limit)
}

// best returns the best line of a mate in exactly n plies: the attacker's shortest and the
// defender's longest moves. Among those the defender prefers not to interpose in vain, and then to
// leave the attacker nothing in hand. If a search gives up, the line stops.
func (k *check) best(p rules.Position, n int) line {
	l := newLine(p)
	for ; n > 0; n-- {
		p := l.last()
		m := k.bestMove(&p, n)
		if m == 0 {
			break
		}
		l.play(m)
	}
	return l
}

// bestMove returns a best move in a position with a mate in n plies, or 0: the first among equals in the order of
// the texts, so that it does not depend on what was searched before.
func (k *check) bestMove(p *rules.Position, n int) rules.Move {
	attacking := k.lengths.attacking(p)
	var best rules.Move
	bestRank := 0
	for _, m := range k.sortedMoves(p) {
		after := k.after(p, m, n-1)
		if after.state != mates || after.plies != n-1 {
			continue
		}
		if attacking {
			return m
		}
		if rank := k.rankDefence(p, m, n); rank > bestRank {
			best, bestRank = m, rank
		}
	}
	return best
}

// rankDefence orders the longest defences.
func (k *check) rankDefence(p *rules.Position, m rules.Move, n int) int {
	if m.IsDrop() && p.InCheck() && k.futile.isFutile(p, m) {
		return 1
	}
	u := p.Make(m)
	defer p.Unmake(u)
	if !k.leavesNone(p, n-1) {
		return 2
	}
	return 3
}

// sortedMoves returns the moves that may be played, in the order of their texts.
func (k *check) sortedMoves(p *rules.Position) []rules.Move {
	moves := k.lengths.moves(p)
	slices.SortFunc(moves, func(a, b rules.Move) int { return cmp.Compare(a.USI(), b.USI()) })
	return moves
}

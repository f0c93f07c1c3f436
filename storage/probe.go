package storage

import (
	"fmt"
	"slices"
	"strings"

	"gogotb/index"
	"gogotb/rules"
)

// Result is what the tables know of a position: its value, or, if the table of distances
// is not installed, its outcome alone.
type Result struct {
	Value rules.Value
	// Exact tells whether the number of the value, plies or rank, is known. Without the
	// table of distances it is not, and 0; that of an open position always is.
	Exact bool
}

// Probe gives the value of a legal position for the side to move, as if it had no
// history. Errors are *MissingTableError, *CorruptError, *ReadError, the other ones of
// opening a file, and those of index.Rank for positions that no table can have.
func (t *Tables) Probe(p *rules.Position) (Result, error) {
	s, err := t.Set(index.MaterialOf(p))
	if err != nil {
		return Result{}, err
	}
	return s.Probe(p)
}

// Outcome gives the outcome of a legal position alone. It does not allocate when the
// block is in the cache.
func (t *Tables) Outcome(p *rules.Position) (rules.Outcome, error) {
	s, err := t.Set(index.MaterialOf(p))
	if err != nil {
		return rules.Illegal, err
	}
	return s.Outcome(p)
}

// Outcome is Tables.Outcome for a position of the set.
func (s *Set) Outcome(p *rules.Position) (rules.Outcome, error) {
	i, err := s.index.Rank(p)
	if err != nil {
		return rules.Illegal, err
	}
	b, at, n, err := s.locate(i)
	if err != nil {
		return rules.Illegal, err
	}
	return b.outcome(at, n), nil
}

// locate finds an index: its block of outcomes, of n entries, and its place there.
func (s *Set) locate(i uint64) (b outcomeBlock, at, n int, err error) {
	h := &s.outcomes.header
	block := i >> h.shift
	b, err = s.outcomeBlock(block)
	return b, int(i - block<<h.shift), h.blockEntries(block), err
}

// Probe is Tables.Probe for a position of the set.
func (s *Set) Probe(p *rules.Position) (Result, error) {
	r, err := s.stored(p)
	if err != nil || s.distances == nil || r.Exact {
		return r, err
	}
	q := *p
	return s.derive(&q, r.Value.Outcome())
}

// stored is what the tables hold of a position: everything but the numbers of wins.
func (s *Set) stored(p *rules.Position) (Result, error) {
	i, err := s.index.Rank(p)
	if err != nil {
		return Result{}, err
	}
	b, at, n, err := s.locate(i)
	if err != nil {
		return Result{}, err
	}
	o := b.outcome(at, n)
	lost := o == rules.MateLoss || o == rules.PerpetualLoss
	if s.distances == nil || !lost {
		return Result{rules.MakeValue(o, 0), o == rules.Open}, nil
	}
	d, err := s.distanceBlock(i>>s.outcomes.header.shift, b)
	if err != nil {
		return Result{}, err
	}
	return Result{d.value(b, at, n), true}, nil
}

// derive finds the number of a win: one ply more than the quickest loss that a move leads
// to, or the lowest rank.
func (s *Set) derive(p *rules.Position, o rules.Outcome) (Result, error) {
	sought, more := rules.MateLoss, 1
	if o == rules.PerpetualWin {
		sought, more = rules.PerpetualLoss, 0
	}
	best := -1
	var room [rules.MaxMoves]rules.Move
	for _, m := range p.Moves(room[:0]) {
		undo := p.Make(m)
		r, err := s.stored(p)
		p.Unmake(undo)
		if err != nil {
			return Result{}, err
		}
		if n := r.Value.Number(); r.Value.Outcome() == sought && (best < 0 || n < best) {
			best = n
		}
	}
	if best < 0 {
		i, _ := s.index.Rank(p)
		return Result{}, &CorruptError{s.outcomes.name, int64(s.outcomes.offsets[i>>s.outcomes.header.shift]),
			fmt.Sprintf("a win at index %d without a move to a loss", i)}
	}
	return Result{rules.MakeValue(o, best+more), true}, nil
}

// Adjudication decides open positions. The zero value makes them draws.
type Adjudication struct {
	Repetition  rules.Repetition // RepetitionDraw or FirstPlayerLoses
	FirstPlayer rules.Color      // who made the first move of the game; Sente unless said otherwise
}

// Verdict is who wins by an outcome.
type Verdict int8

const (
	Loss Verdict = iota - 1
	Draw
	Win
)

// Verdict for the side to move, turn, of a position with the outcome.
func (a Adjudication) Verdict(o rules.Outcome, turn rules.Color) Verdict {
	switch o {
	case rules.MateWin, rules.PerpetualWin:
		return Win
	case rules.MateLoss, rules.PerpetualLoss:
		return Loss
	}
	switch {
	case a.Repetition != rules.FirstPlayerLoses:
		return Draw
	case turn == a.FirstPlayer:
		return Loss
	}
	return Win
}

// MoveResult is a legal move and what is known of the position after it, for the
// opponent, who is then to move.
type MoveResult struct {
	Move rules.Move
	Result
}

// Moves gives all legal moves of a position, best first: wins by the shortest mate, wins
// by perpetual check by the lowest rank, wins by repetition, draws, then losses in the
// opposite order, equal ones in the order of their USI text.
func (t *Tables) Moves(p *rules.Position, a Adjudication) ([]MoveResult, error) {
	s, err := t.Set(index.MaterialOf(p))
	if err != nil {
		return nil, err
	}
	q := *p
	var room [rules.MaxMoves]rules.Move
	legal := q.Moves(room[:0])
	moves := make([]MoveResult, 0, len(legal))
	for _, m := range legal {
		undo := q.Make(m)
		r, err := s.Probe(&q)
		q.Unmake(undo)
		if err != nil {
			return nil, err
		}
		moves = append(moves, MoveResult{m, r})
	}
	slices.SortFunc(moves, func(x, y MoveResult) int {
		if c := a.compare(x.Value, y.Value, p.Turn().Other()); c != 0 {
			return c
		}
		return strings.Compare(x.Move.USI(), y.Move.USI())
	})
	return moves, nil
}

// compare orders two values of positions with turn to move, the worst for that side,
// which is the best for the one that moves there, first.
func (a Adjudication) compare(x, y rules.Value, turn rules.Color) int {
	if c := a.grade(x, turn) - a.grade(y, turn); c != 0 {
		return c
	}
	n := x.Number() - y.Number()
	if o := x.Outcome(); o == rules.MateWin || o == rules.PerpetualWin {
		return -n
	}
	return n
}

// grade orders outcomes from the quick loss to the quick win.
func (a Adjudication) grade(v rules.Value, turn rules.Color) int {
	switch v.Outcome() {
	case rules.MateLoss:
		return -3
	case rules.PerpetualLoss:
		return -2
	case rules.PerpetualWin:
		return 2
	case rules.MateWin:
		return 3
	}
	return int(a.Verdict(v.Outcome(), turn))
}

// Line is a line of best play by both sides: to the end of the game for values by mate;
// for values by perpetual check until a position comes back, that move included; none for
// open positions. Without the table of distances there is no line.
func (t *Tables) Line(p *rules.Position) ([]rules.Move, error) {
	q := *p
	var line []rules.Move
	seen := map[uint64]bool{}
	for !seen[q.Key()] {
		seen[q.Key()] = true
		r, err := t.Probe(&q)
		if err != nil || !r.Exact || r.Value.Outcome() == rules.Open {
			return line, err
		}
		moves, err := t.Moves(&q, Adjudication{})
		if err != nil || len(moves) == 0 {
			return line, err
		}
		line = append(line, moves[0].Move)
		q.Make(moves[0].Move)
	}
	return line, nil
}

// Stats are the statistics of a set.
func (t *Tables) Stats(m index.Material) (index.Stats, error) {
	s, err := t.Set(m)
	if err != nil {
		return index.Stats{}, err
	}
	return s.Stats(), nil
}

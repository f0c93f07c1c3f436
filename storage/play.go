package storage

import (
	"slices"
	"strings"

	"gogotb/index"
	"gogotb/rules"
)

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

// Verdict decides for the side to move of a position with the outcome.
func (a Adjudication) Verdict(o rules.Outcome, sideToMove rules.Color) Verdict {
	switch {
	case o.Wins():
		return Win
	case o.Loses():
		return Loss
	case a.Repetition != rules.FirstPlayerLoses:
		return Draw
	case sideToMove == a.FirstPlayer:
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

// Moves lists all legal moves of a position, best first: wins by the shortest mate, wins
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
	moves := make([]MoveResult, len(legal))
	probe := func(q *rules.Position, i int) error {
		undo := q.Make(legal[i])
		r, err := s.Probe(q)
		q.Unmake(undo)
		moves[i] = MoveResult{legal[i], r}
		return err
	}
	if s.tables.far {
		err = parallel(farWorkers, len(legal), copiesOf(p), probe)
	}
	for i := 0; i < len(legal) && err == nil && !s.tables.far; i++ {
		err = probe(&q, i)
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(moves, func(x, y MoveResult) int {
		if c := a.compare(x.Value, y.Value, p.SideToMove().Other()); c != 0 {
			return c
		}
		return strings.Compare(x.Move.USI(), y.Move.USI())
	})
	return moves, nil
}

// compare orders two values of positions with a side to move, the worst for that side,
// which is the best for the one that moves there, first.
func (a Adjudication) compare(x, y rules.Value, sideToMove rules.Color) int {
	if c := a.grade(x, sideToMove) - a.grade(y, sideToMove); c != 0 {
		return c
	}
	n := x.Number() - y.Number()
	if x.Wins() {
		return -n
	}
	return n
}

// grade orders outcomes from the quick loss to the quick win.
func (a Adjudication) grade(v rules.Value, sideToMove rules.Color) int {
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
	return int(a.Verdict(v.Outcome(), sideToMove))
}

// Line returns a line of best play by both sides: to the end of the game for values by mate;
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

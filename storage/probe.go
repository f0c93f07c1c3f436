package storage

import (
	"fmt"
	"slices"

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

// String is the value, or, where the number is not known, the outcome alone.
func (r Result) String() string {
	if !r.Exact {
		return r.Value.Outcome().String()
	}
	return r.Value.String()
}

// Probe looks up the value of a legal position for the side to move, as if it had no
// history. The error is ErrNotCovered, ErrCorrupt, ErrUnavailable, a *ReadError or *VersionError of a file, or,
// where pieces cannot stand as they do, a *rules.PositionError. Whether the side that has just moved is
// in check is not looked at: such positions are illegal, and have any value, or an error.
func (t *Tables) Probe(p *rules.Position) (Result, error) {
	s, err := t.Set(index.MaterialOf(p))
	if err != nil {
		return Result{}, err
	}
	return s.Probe(p)
}

// ProbeRaw probes a position given by its squares in reading order, its hands and
// the side to move, for programs with a board of their own. The position need not be
// legal: for one that is not the error is a *rules.PositionError.
func (t *Tables) ProbeRaw(board *[rules.Squares]rules.Piece, hands *[2]rules.Hand, sideToMove rules.Color) (Result, error) {
	p, err := rules.New(*board, *hands, sideToMove)
	if err != nil {
		return Result{}, err
	}
	return t.Probe(&p)
}

// SoftProbe probes without reading a file: it answers only from what is in memory,
// blocks in the cache or loaded outcomes. ok is false if that does not even tell the
// outcome; if it tells no more, the result is not Exact.
func (t *Tables) SoftProbe(p *rules.Position) (r Result, ok bool) {
	s := t.opened(index.MaterialOf(p))
	if s == nil {
		return Result{}, false
	}
	q := *p
	r, err := s.pair.Load().probe(&q, fromMemory)
	return r, err == nil
}

// Outcome looks up the outcome of a legal position alone. It does not allocate when the
// block is in memory. Errors are those of Probe.
func (t *Tables) Outcome(p *rules.Position) (rules.Outcome, error) {
	s, err := t.Set(index.MaterialOf(p))
	if err != nil {
		return rules.Illegal, err
	}
	return s.Outcome(p)
}

// Outcome does what Tables.Outcome does, for a position of the set.
func (s *Set) Outcome(p *rules.Position) (rules.Outcome, error) {
	i, err := s.index.Encode(p)
	if err != nil {
		return rules.Illegal, notCovered(err)
	}
	for t := s.pair.Load(); ; {
		b, at, err := t.locate(i, &s.from)
		if err == nil {
			return b.At(at), nil
		}
		if t = s.another(t, err); t == nil {
			return rules.Illegal, err
		}
	}
}

// Probe does what Tables.Probe does, for a position of the set.
func (s *Set) Probe(p *rules.Position) (Result, error) {
	q := *p
	t, err := s.whole()
	if err != nil {
		return Result{}, err
	}
	for {
		r, err := t.probe(&q, &s.from)
		if err == nil {
			return r, nil
		}
		if t = s.another(t, err); t == nil {
			return Result{}, err
		}
	}
}

// probe makes and unmakes moves on p.
func (t *pair) probe(p *rules.Position, a *access) (Result, error) {
	r, err := t.stored(p, a)
	if err != nil || t.distances == nil || r.Exact {
		return r, err
	}
	if r.Value.Wins() {
		exact, err := t.derive(p, r.Value.Outcome(), a)
		if err == errNotInMemory {
			return r, nil
		}
		return exact, err
	}
	return r, nil
}

// copiesOf makes copies of a position, one for each goroutine that makes moves.
func copiesOf(p *rules.Position) func() *rules.Position {
	return func() *rules.Position {
		q := *p
		return &q
	}
}

// readAhead reads what derive needs, many blocks at once: from an address each of them takes its time. Errors are
// left to derive, which asks again.
func (t *pair) readAhead(p rules.Position, moves []rules.Move, a *access) {
	parallel(farWorkers, len(moves), copiesOf(&p), func(q *rules.Position, i int) error {
		undo := q.Make(moves[i])
		_, err := t.stored(q, a)
		q.Unmake(undo)
		return err
	})
}

// stored returns what the tables hold of a position: everything but the numbers of wins. From
// memory alone the outcome may be all there is.
func (t *pair) stored(p *rules.Position, a *access) (Result, error) {
	i, err := t.set.index.Encode(p)
	if err != nil {
		return Result{}, notCovered(err)
	}
	b, at, err := t.locate(i, a)
	if err != nil {
		return Result{}, err
	}
	o := b.At(at)
	r := Result{rules.MakeValue(o, 0), o == rules.Open}
	if t.distances == nil || !o.Loses() {
		return r, nil
	}
	d, err := t.distance(t.blockOf(i), at, b, a)
	if err == errNotInMemory {
		return r, nil
	}
	if err != nil {
		return Result{}, err
	}
	return Result{lossValue(o, d), true}, nil
}

// derive finds the number of a win: one ply more than the quickest loss that a move leads
// to, or the lowest rank.
func (t *pair) derive(p *rules.Position, o rules.Outcome, a *access) (Result, error) {
	sought, more := rules.MateLoss, 1
	if o == rules.PerpetualWin {
		sought, more = rules.PerpetualLoss, 0
	}
	best := -1
	var room [rules.MaxMoves]rules.Move
	moves := p.Moves(room[:0])
	if t.set.tables.far && a != fromMemory {
		if r, err := t.derive(p, o, fromMemory); err != errNotInMemory {
			return r, err
		}
		t.readAhead(*p, slices.Clone(moves), a)
	}
	for _, m := range moves {
		undo := p.Make(m)
		r, err := t.stored(p, a)
		p.Unmake(undo)
		if err != nil {
			return Result{}, err
		}
		if r.Value.Outcome() != sought {
			continue
		}
		if !r.Exact {
			return Result{}, errNotInMemory
		}
		if n := r.Value.Number(); best < 0 || n < best {
			best = n
		}
	}
	if best < 0 {
		return Result{}, t.contradiction(p)
	}
	return Result{rules.MakeValue(o, best+more), true}, nil
}

// contradiction returns the error for a win from which no move leads to a loss: the position
// is illegal, or the table is wrong.
func (t *pair) contradiction(p *rules.Position) error {
	if err := p.Validate(); err != nil {
		return err
	}
	i, err := t.set.index.Encode(p)
	if err != nil {
		return err
	}
	return t.outcomes.corruptBlock(t.blockOf(i), fmt.Sprintf("has a win without a move to a loss at index %d", i))
}

// Stats returns the statistics of a set.
func (t *Tables) Stats(m index.Material) (rules.Stats, error) {
	s, err := t.Set(m)
	if err != nil {
		return rules.Stats{}, err
	}
	return s.Stats(), nil
}

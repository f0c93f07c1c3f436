package audit

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage"
)

// sampler checks positions of a table of any size. The value of a position rests on some forty others, and where it
// is lost on those two moves away, more than a thousand, which lie all over the table. To look
// each of them up means to unpack a block for it. So the table passes through a window instead, and for each part of it
// all positions are gone through, and what they need of it is noted. This happens twice: once for the positions and
// those a move away, once for those two moves away from the ones that seem to be lost.
type sampler struct {
	set      *storage.Set
	window   *window
	workers  int
	progress func(share float64) // nil if nobody wants to know
}

// sampled is a position of a sample, and what has been seen of its successors.
type sampled struct {
	at    uint64
	found rules.Value
	// near is the successors, without the numbers of won ones.
	near succession
	// far is the successors in the order of moves, if all are won.
	far []wonSuccessor
}

// wonSuccessor is a successor that is called won, and what has been seen of its own ones.
type wonSuccessor struct {
	called   rules.Outcome
	bestLoss int16 // least number of a mate loss, or none
	lowRank  int16 // least rank of a perpetual loss, or none
}

func newSampler(s *storage.Set, entries uint64, workers int) (*sampler, error) {
	w, err := newWindow(s, entries)
	return &sampler{set: s, window: w, workers: workers}, err
}

// check finds the positions of a sample whose values are wrong.
func (s *sampler) check(ctx context.Context, sample []sampled) ([]Fault, error) {
	for i := range sample {
		sample[i].near = newSuccession()
	}
	if err := s.pass(ctx, sample, 0, (*looker).near); err != nil {
		return nil, err
	}
	for i := range sample {
		if p := &sample[i]; p.near.moves > 0 && p.near.unperpetuals == 0 {
			p.far = make([]wonSuccessor, p.near.moves)
			for n := range p.far {
				p.far[n] = wonSuccessor{bestLoss: none, lowRank: none}
			}
		}
	}
	if err := s.pass(ctx, sample, 0.5, (*looker).far); err != nil {
		return nil, err
	}
	var faults []Fault
	l := newLooker(s)
	for i := range sample {
		p := &sample[i]
		l.place(p.at)
		expected := l.expected(p)
		if p.found != expected && !(isWin(p.found) && p.found.Outcome() == expected.Outcome()) {
			faults = append(faults, Fault{Index: p.at, Position: l.pos, Found: p.found, Expected: expected})
		}
	}
	return faults, l.err
}

// sampleChunk is how many positions of a sample a worker takes at a time.
const sampleChunk = 64

// pass moves the window over the table and looks at it for each position; share of the work is done already.
func (s *sampler) pass(ctx context.Context, sample []sampled, share float64, look func(*looker, *sampled)) error {
	for part := range s.window.parts() {
		s.window.move(part)
		var next atomic.Uint64
		g, ctx := errgroup.WithContext(ctx)
		for worker := range s.workers {
			g.Go(func() error {
				l := newLooker(s)
				for l.err == nil && ctx.Err() == nil {
					from := min(int(next.Add(sampleChunk))-sampleChunk, len(sample))
					if from == len(sample) {
						return nil
					}
					for i := range sample[from:min(from+sampleChunk, len(sample))] {
						look(l, &sample[from+i])
					}
					if s.progress != nil && worker == 0 {
						done := float64(part) + float64(from)/float64(len(sample))
						s.progress(share + done/float64(s.window.parts())/2)
					}
				}
				if l.err != nil {
					return l.err
				}
				return ctx.Err()
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// looker looks at the window for one position after the other.
type looker struct {
	x      *index.Index
	window *window
	pos    rules.Position
	moves  [2][]rules.Move // by plies from the position
	err    error
}

func newLooker(s *sampler) *looker {
	l := &looker{x: s.set.Index(), window: s.window}
	for i := range l.moves {
		l.moves[i] = make([]rules.Move, 0, rules.MaxMoves)
	}
	return l
}

// place sets up a position and finds its moves.
func (l *looker) place(at uint64) {
	var err error
	if l.pos, err = l.x.Unrank(at); err != nil {
		l.err = err
	}
	l.moves[0] = l.pos.Moves(l.moves[0])
}

// value is that of the current position, if it is in the window.
func (l *looker) value() (rules.Value, bool) {
	i, err := l.x.Rank(&l.pos)
	if err != nil {
		l.err = err
		return 0, false
	}
	v, ok, err := l.window.at(i)
	if err != nil {
		l.err = err
	}
	return v, ok
}

// near notes the values of a position and of its successors.
func (l *looker) near(p *sampled) {
	l.place(p.at)
	if v, ok := l.value(); ok {
		p.found = v
	}
	for _, m := range l.moves[0] {
		undo := l.pos.Make(m)
		if v, ok := l.value(); ok {
			p.near.add(v, v.Outcome() == rules.PerpetualWin && l.pos.InCheck())
		}
		l.pos.Unmake(undo)
	}
}

// far notes, of a position whose successors are all won, what they are called, and the losses that they lead to.
func (l *looker) far(p *sampled) {
	if p.far == nil {
		return
	}
	l.place(p.at)
	for n, m := range l.moves[0] {
		undo := l.pos.Make(m)
		won := &p.far[n]
		if v, ok := l.value(); ok {
			won.called = v.Outcome()
		}
		l.moves[1] = l.pos.Moves(l.moves[1])
		for _, m := range l.moves[1] {
			undo := l.pos.Make(m)
			if v, ok := l.value(); ok {
				won.add(v)
			}
			l.pos.Unmake(undo)
		}
		l.pos.Unmake(undo)
	}
}

// add takes in the value of a successor.
func (w *wonSuccessor) add(v rules.Value) {
	list := &w.bestLoss
	switch v.Outcome() {
	case rules.PerpetualLoss:
		list = &w.lowRank
	case rules.MateLoss:
	default:
		return
	}
	if n := int16(v.Number()); *list == none || n < *list {
		*list = n
	}
}

// value is what the successor is called, with the number that its own successors give it; with 0
// if they make it something else, in which case it is wrong itself.
func (w *wonSuccessor) value() rules.Value {
	switch {
	case w.called == rules.MateWin && w.bestLoss != none:
		return makeValue(rules.MateWin, int(w.bestLoss)+1)
	case w.called == rules.PerpetualWin && w.bestLoss == none && w.lowRank != none:
		return makeValue(rules.PerpetualWin, int(w.lowRank))
	}
	return rules.MakeValue(w.called, 0)
}

// expected is the value that its successors give the position that has been placed.
func (l *looker) expected(p *sampled) rules.Value {
	if p.far == nil {
		return p.near.value()
	}
	s := newSuccession()
	for n := range p.far {
		s.add(p.far[n].value(), l.pos.GivesCheck(l.moves[0][n]))
	}
	return s.value()
}

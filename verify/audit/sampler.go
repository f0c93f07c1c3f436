package audit

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage"
)

// sampler checks positions of a table of any size. The value of a position rests on some
// forty others, and where it is lost on those two moves away, more than a thousand, which lie
// all over the table. To look each of them up in the files means to unpack a block for it. So
// the table passes through a window instead, as large as memory allows, and for each part of
// it all positions are gone through, and what they need of it is noted. This happens twice:
// once for the positions and those a move away, once for those two moves away from the ones
// that seem to be lost.
type sampler struct {
	set     *storage.Set
	window  *window
	workers int
	meter   *meter
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
	return &sampler{set: s, window: w, workers: workers, meter: &meter{}}, err
}

// check finds the positions of a sample whose values are wrong.
func (s *sampler) check(ctx context.Context, sample []sampled) ([]Fault, error) {
	for i := range sample {
		sample[i].near, sample[i].far = newSuccession(), sample[i].far[:0]
	}
	if err := s.pass(ctx, sample, nearWork, (*looker).near); err != nil {
		return nil, err
	}
	for i := range sample {
		if p := &sample[i]; p.near.moves > 0 && p.near.unperpetuals == 0 {
			for range p.near.moves {
				p.far = append(p.far, wonSuccessor{bestLoss: none, lowRank: none})
			}
		}
	}
	if err := s.pass(ctx, sample, farWork, (*looker).far); err != nil {
		return nil, err
	}
	var faults []Fault
	l := newLooker(s)
	for i := range sample {
		p := &sample[i]
		expected := p.near.value()
		if len(p.far) > 0 {
			expected = l.expected(p)
		}
		if p.found != expected && !(isWin(p.found) && p.found.Outcome() == expected.Outcome()) {
			l.place(p.at)
			faults = append(faults, Fault{Index: p.at, Position: l.pos, Found: p.found, Expected: expected})
		}
	}
	return faults, l.err
}

// sampleChunk is how many positions of a sample a worker takes at a time.
const sampleChunk = 64

// pass moves the window over the table, from the end where it is, and looks at it for each
// position, which is so much work.
func (s *sampler) pass(ctx context.Context, sample []sampled, work uint64, look func(*looker, *sampled)) error {
	parts := s.window.parts()
	backwards := s.window.part() == parts-1
	for part := range parts {
		if backwards {
			part = parts - 1 - part
		}
		s.window.move(part)
		s.meter.at(part, parts)
		if s.fills(len(sample)) {
			if err := s.window.fill(ctx, s.workers, s.meter.add); err != nil {
				return err
			}
		}
		if err := s.look(ctx, sample, work, look); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// fills tells whether this number of positions needs most of the blocks of the table, so that it is better
// to unpack them all in the order of the files.
func (s *sampler) fills(positions int) bool {
	const blocks = 256 // that a position needs, about
	return uint64(positions)*blocks >= s.set.BlockCount()
}

// look looks at the window for each position.
func (s *sampler) look(ctx context.Context, sample []sampled, work uint64, look func(*looker, *sampled)) error {
	var next atomic.Uint64
	g, ctx := errgroup.WithContext(ctx)
	for range s.workers {
		g.Go(func() error {
			l := newLooker(s)
			for l.err == nil && ctx.Err() == nil {
				from := min(int(next.Add(sampleChunk))-sampleChunk, len(sample))
				if from == len(sample) {
					return nil
				}
				chunk := sample[from:min(from+sampleChunk, len(sample))]
				for i := range chunk {
					look(l, &chunk[i])
				}
				s.meter.add(work * uint64(len(chunk)))
			}
			if l.err != nil {
				return l.err
			}
			return ctx.Err()
		})
	}
	return g.Wait()
}

// looker looks at the window for one position after the other.
type looker struct {
	x      *index.Index
	window *window
	pos    rules.Position
	moves  [2][]rules.Move // by plies from the position
	room   []rules.Value
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
	if l.pos, err = l.x.Decode(at); err != nil {
		l.err = err
	}
	l.moves[0] = l.pos.Moves(l.moves[0])
}

// value returns that of the current position, if it is in the window.
func (l *looker) value() (rules.Value, bool) {
	i, err := l.x.Encode(&l.pos)
	if err != nil {
		l.err = err
		return 0, false
	}
	v, ok, err := l.window.at(i, &l.room)
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

// far notes, of a position whose successors are all won, what they are called, and the losses
// that they lead to.
func (l *looker) far(p *sampled) {
	if len(p.far) == 0 {
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

// value returns what the successor is called, with the number that its own successors give it; with
// 0 if they make it something else, in which case it is wrong itself.
func (w *wonSuccessor) value() rules.Value {
	switch {
	case w.called == rules.MateWin && w.bestLoss != none:
		return makeValue(rules.MateWin, int(w.bestLoss)+1)
	case w.called == rules.PerpetualWin && w.bestLoss == none && w.lowRank != none:
		return makeValue(rules.PerpetualWin, int(w.lowRank))
	}
	return rules.MakeValue(w.called, 0)
}

// expected returns the value that its successors give a position, all of which are won.
func (l *looker) expected(p *sampled) rules.Value {
	l.place(p.at)
	s := newSuccession()
	for n := range p.far {
		s.add(p.far[n].value(), l.pos.GivesCheck(l.moves[0][n]))
	}
	return s.value()
}

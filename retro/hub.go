package retro

import (
	"context"
	"encoding/binary"
	"sort"
	"sync"

	"gogotb/rules"
)

// hub connects the parts of an analysis that are in one process. The results are kept in one place, like those of an
// analysis that is not divided, and so is the checkpoint: either goes on from what the other, or another number of
// parts, has saved.
type hub struct {
	plan  *Plan
	whole *solver       // has the results and the checkpoint, and no sets
	cores chan struct{} // who computes holds one of them
	begin Mark          // of the checkpoint

	mu      sync.RWMutex // whole, and what follows
	mark    Mark         // the newest
	meeting *meeting     // of the step that is being ended
}

// meeting is the end of a step.
type meeting struct {
	missing int // parts
	sums    Sums
	in      [][]Delta // by reader
	over    chan struct{}
}

func (h *hub) newMeeting() *meeting {
	return &meeting{missing: h.plan.Parts(), in: make([][]Delta, h.plan.Parts()), over: make(chan struct{})}
}

// solveInParts does what solve does, in parts.
func (s *solver) solveInParts(ctx context.Context, done mark) error {
	plan, err := NewPlan(s.layout.material, s.opt.Parts)
	if err != nil {
		return err
	}
	h := &hub{plan: plan, whole: s, cores: make(chan struct{}, s.opt.workers())}
	h.meeting = h.newMeeting()
	if done != (mark{}) {
		if err := s.countLegal(ctx); err != nil {
			return err
		}
		h.begin = Mark{0, Phase(done.Phase), int(done.Number), done.Decided, s.legal, done.Mated}
		h.mark, s.reached = h.begin, done
	}
	all, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var others sync.WaitGroup
	for i := 1; i < plan.Parts(); i++ {
		others.Go(func() {
			if _, err := h.solvePart(all, i); err != nil {
				cancel(err)
			}
		})
	}
	totals, err := h.solvePart(all, 0)
	if err != nil {
		cancel(err)
	}
	others.Wait()
	if err := context.Cause(all); err != nil {
		return err
	}
	s.decided, s.legal, s.mated, s.zugzwangs = totals.Decided, totals.Legal, totals.Mated, totals.Zugzwangs
	s.markReached(mark{Phase: uint64(ValuesPhase)})
	return nil
}

// solvePart runs a part. The first one, which runs where Solve was called, reports for all.
func (h *hub) solvePart(ctx context.Context, number int) (Totals, error) {
	opt := h.whole.opt
	if number > 0 {
		opt.Progress = nil
	}
	memory, err := planMemory(h.plan.material, opt)
	if err != nil {
		return Totals{}, err
	}
	var f *scratch
	if memory.scratch > 0 {
		if f, err = openScratch(opt.Scratch, memory.scratchOf(h.plan.share(number)), opt.Memory); err != nil {
			return Totals{}, err
		}
	}
	s := newPartSolver(h.plan, number, hubPart{h, number}, f, opt)
	defer s.close()
	s.cores = h.cores
	return s.solvePart(ctx)
}

// countLegal counts the legal positions of the set.
func (s *solver) countLegal(ctx context.Context) error {
	sums := make([]uint64, len(s.layout.units))
	err := s.eachUnit(ctx, s.all, func(w *worker, i int) {
		s.visitUnit(w, i, &choice{}, eachRow(func(w *worker) {
			r := legalRow(&w.place, rules.Sente)
			sums[i] += r.positions(&w.place)
		}))
	})
	s.legal = 0
	for _, n := range sums {
		s.legal += n
	}
	s.legal /= quarters
	return err
}

// hubPart is what a part sees of the hub.
type hubPart struct {
	*hub
	number int
}

func (p hubPart) Swap(ctx context.Context, step Step, out []Delta, in func(Delta) error) (Sums, error) {
	m, err := p.enter(step, out)
	if err != nil {
		return Sums{}, err
	}
	select {
	case <-m.over:
	case <-ctx.Done():
		return Sums{}, ctx.Err()
	}
	p.cores <- struct{}{}
	defer func() { <-p.cores }()
	for _, d := range m.in[p.number] {
		if err := in(d); err != nil {
			return Sums{}, err
		}
	}
	return m.sums, nil
}

// enter brings to a meeting what a part has found, and keeps the results.
func (p hubPart) enter(step Step, out []Delta) (*meeting, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.number == 0 && step.Mark != p.mark {
		if err := p.reach(step.Mark); err != nil {
			return nil, err
		}
	}
	m := p.meeting
	for i := range out {
		for _, reader := range p.plan.Readers(&out[i]) {
			m.in[reader] = append(m.in[reader], out[i])
		}
		if out[i].Kind.IsResult() {
			p.keep(&out[i])
		}
	}
	m.sums.Add(step.Sums)
	if m.missing--; m.missing == 0 {
		p.meeting = p.newMeeting()
		close(m.over)
	}
	return m, nil
}

// reach notes that all parts have come to a mark, and saves what was found before it when it is time.
func (h *hub) reach(m Mark) error {
	h.mark = m
	s := h.whole
	s.decided, s.legal, s.mated = m.Decided, m.Legal, m.Mated
	s.markReached(mark{Phase: uint64(m.Phase), Number: uint64(m.Number)})
	s.epoch = epochOf(m.Step)
	return s.saveNowAndThen()
}

// epochOf is the epoch of the chunks of a step. Those of the checkpoint are older.
func epochOf(step int) int { return step + 1 }

// keep adds a result to the log of its unit.
func (h *hub) keep(d *Delta) {
	s := h.whole
	i := s.layout.unitOf(d.Slice, d.Pair)
	rows := movedRows(d.Rows, (d.Pair-s.layout.units[i].pair)*s.layout.slices[d.Slice].rows)
	s.logBytes.Add(int64(len(rows)))
	s.logs[d.Kind][i] = append(s.logs[d.Kind][i], chunk{d.Value, epochOf(d.Step), rows})
}

func (p hubPart) Restore(context.Context) (Mark, error) { return p.begin, nil }

func (p hubPart) Replay(ctx context.Context, before int, in func(Delta) error) error {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for log := range p.whole.logs {
		for i := range p.whole.layout.slices {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := p.replaySlice(DeltaKind(log), i, before, in); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p hubPart) replaySlice(log DeltaKind, slice, before int, in func(Delta) error) (err error) {
	l := p.whole.layout
	all, err := p.whole.chunks(log, slice)
	if err != nil {
		return err
	}
	c := log.sideToMove()
	pairs := p.plan.parts[p.number].held(c)
	for i, chunks := range all {
		u := l.units[l.firstUnit[slice]+i]
		for _, ch := range chunks {
			if ch.epoch >= epochOf(before) {
				continue
			}
			ch.eachPair(l.slices[slice].rows, func(pair int, rows []byte) {
				if pair += u.pair; err == nil && pairs[pair] {
					err = in(Delta{Kind: log, Value: ch.value, Slice: slice, Pair: pair, Rows: rows})
				}
			})
		}
	}
	return err
}

// unitOf returns the unit of a whole analysis that has a king pair of a slice.
func (l *layout) unitOf(slice, pair int) int {
	first := l.firstUnit[slice]
	if l.single(&l.slices[slice]) {
		return first + pair
	}
	return first + sort.Search(len(l.units)-first, func(i int) bool {
		u := l.units[first+i]
		return u.slice > slice || u.ends > pair
	})
}

// movedRows are recorded rows with greater numbers.
func movedRows(recorded []byte, by int) []byte {
	if by == 0 {
		return recorded
	}
	skip, n := binary.Uvarint(recorded)
	return append(binary.AppendUvarint(nil, skip+uint64(by)), recorded[n:]...)
}

// eachPair calls f with what the chunk has of each king pair, counted from the first one of the unit, where a pair has
// a number of rows.
func (c *chunk) eachPair(rows int, f func(pair int, recorded []byte)) {
	pair := 0
	var recorded []byte
	for r := c.reader(); ; {
		left := r.bytes
		more := r.read()
		if len(recorded) > 0 && (!more || r.row/rows != pair) {
			f(pair, recorded)
			recorded = nil
		}
		if !more {
			return
		}
		whole := left[:len(left)-len(r.bytes)]
		if len(recorded) == 0 {
			pair = r.row / rows
			_, n := binary.Uvarint(whole)
			recorded = binary.AppendUvarint(nil, uint64(r.row%rows))
			whole = whole[n:]
		}
		recorded = append(recorded, whole...)
	}
}

package retro

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"gogotb/index"
	"gogotb/rules"
)

// Options of Solve. The zero value solves with all cores and reports nothing.
type Options struct {
	Workers  int            // goroutines, 0: one for each core
	Progress func(Progress) // called after each ply or rank, and with the last one of a checkpoint, from the goroutine of Solve
	// Checkpoint is the name of a file that the results are written to now and then, and when the
	// analysis is cancelled. If it is there, Solve goes on from it. "": none.
	Checkpoint      string
	CheckpointEvery time.Duration // how often at least; 0: every minute
	// Saved is called, from the goroutine of Solve or Values, when that many bytes of the checkpoint are durable and
	// will stay as they are: who copies them elsewhere can go on from there.
	Saved func(bytes int64)
	// Parts is how many parts the analysis is divided into, which takes more memory and more time, but needs none of
	// it in one piece; 0: it is not. The values are the same, and checkpoints go on with any number.
	Parts int
	// Memory is how many bytes the process may take; 0: no limit. Sets that do not fit keep their
	// boards in a scratch file in the folder Scratch, if it is given.
	Memory  uint64
	Scratch string
	// Beside is how many bytes the caller takes while values are written out.
	Beside uint64
	// Warn is called, from the goroutine of Solve, with what does not stop the analysis, but should
	// be known: a *DamageError.
	Warn func(error)
}

// workers returns the number of goroutines.
func (o Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// Phase is a part of the analysis.
type Phase uint8

const (
	// MatePhase finds the positions won and lost by mate, ply by ply.
	MatePhase Phase = iota
	// PerpetualPhase finds those won and lost by perpetual check, rank by rank.
	PerpetualPhase
	// ValuesPhase writes the values out in index order.
	ValuesPhase
)

func (p Phase) String() string { return [...]string{"mate", "perpetual check", "values"}[p] }

// Progress of Solve. Positions are counted as in rules.Stats.
type Progress struct {
	Phase   Phase
	Ply     int    // plies, or the rank
	Found   uint64 // positions decided by this ply, or of this rank
	Decided uint64 // positions decided so far
	Legal   uint64 // legal positions in all
	Elapsed time.Duration
}

// Rate returns how many positions a second have been decided so far.
func (p Progress) Rate() float64 {
	if p.Elapsed <= 0 {
		return 0
	}
	return float64(p.Decided) / p.Elapsed.Seconds()
}

// MutualCheckError reports that a set has positions in which both sides can give check for ever.
// The values of package rules would need another rule for these.
type MutualCheckError struct {
	Material  index.Material
	Positions uint64
}

func (e *MutualCheckError) Error() string {
	return fmt.Sprintf("%s: in %d positions both sides can give check for ever; such sets have no table", e.Material, e.Positions)
}

// solver is the state of an analysis that its phases share: mates, then perpetuals. Each phase owns
// the sets that it works on.
type solver struct {
	layout    *layout
	opt       Options
	scratch   *scratch // nil: all is in memory
	arena     *arena   // of the boards
	rows      int      // of a set
	tuning    tuning
	start     time.Time
	back      bool // the pass takes the units from the last one to the first
	logs      [2][][]chunk
	all       []int      // units
	own       [2][]int   // by side to move: the units in whose rows passes look for something
	copied    [2][]int   // by side to move: the units that have copies of other parts' rows
	held      [2][]int   // both
	order     [2][]int   // by side to move: its own units, in the order of passes of its moves
	byHands   [2][][]int // by mover: the units that its moves lead to, by pieces in hand, most first
	workers   []*worker
	open      *set // Sente to move: the open positions, when all is solved; nil in a part
	decided   uint64
	legal     uint64
	mated     uint64 // checkmates
	zugzwangs uint64

	part  *part         // nil: the analysis is not divided
	cores chan struct{} // of parts that share them: who computes holds one; nil: all are ours

	// checkpoint is nil if there is none. epoch counts what finished has reported: chunks of the
	// present epoch belong to an unfinished ply or rank. reached is the last one that is finished.
	checkpoint *checkpoint
	epoch      int
	reached    mark
	logBytes   atomic.Int64 // in memory
	keepBytes  int64        // how many of them may be kept there
}

// wins and losses number the logs.
const (
	wins = iota
	losses
)

// tuning is what makes no difference to the values. Checkpoints are by units, so they have another
// version whenever unitRows changes.
type tuning struct {
	unitRows   int // about how many rows make a unit
	sparseFrom int // rows of a set from which on few positions are kept in sparse sets
}

// defaultTuning has sparse sets, which take less memory, but more time, from four pieces on.
var defaultTuning = tuning{unitRows: 800, sparseFrom: 1 << 20}

// Solve analyses a material set of up to five pieces; EstimateSolve tells what it takes. It returns
// ctx.Err() when ctx is done, a *MutualCheckError where values cannot be given, a *MemoryError if
// Options.Memory does not suffice, a *ScratchError if the scratch file cannot be written, and a
// *CheckpointError if the checkpoint cannot be written or is another's. In the first and the last
// but one case the checkpoint holds what was done.
func Solve(ctx context.Context, m index.Material, opt Options) (*Solution, error) {
	x, err := index.New(m)
	if err != nil {
		return nil, err
	}
	memory, err := planMemory(m, opt)
	if err != nil {
		return nil, err
	}
	var f *scratch
	if memory.scratch > 0 && opt.Parts == 0 { // parts have scratch files of their own
		if f, err = openScratch(opt.Scratch, memory.scratch, opt.Memory); err != nil {
			return nil, err
		}
	}
	s := newSolver(newLayout(m, defaultTuning.unitRows), f, opt, defaultTuning)
	s.keepBytes = memory.results
	if opt.Checkpoint != "" {
		if s.checkpoint, err = openCheckpoint(opt.Checkpoint, m, len(s.layout.slices), opt.Warn); err != nil {
			s.close()
			return nil, err
		}
	}
	if err := s.solveOrSave(ctx); err != nil {
		s.close()
		return nil, err
	}
	return &Solution{solver: s, index: x}, nil
}

// solveOrSave solves, or saves the results of the plies and ranks that are finished if ctx is done
// or the scratch file cannot grow.
func (s *solver) solveOrSave(ctx context.Context) error {
	var done mark
	if s.checkpoint != nil {
		done = s.checkpoint.mark
	}
	var err error
	if s.opt.Parts == 0 {
		err = s.solve(ctx, done)
	} else {
		err = s.solveInParts(ctx, done)
	}
	var full *ScratchError
	if err != nil && s.checkpoint != nil && (ctx.Err() != nil || errors.As(err, &full)) {
		if failed := s.save(); failed != nil {
			return failed
		}
	}
	return err
}

// close lets go of the checkpoint and of the scratch file.
func (s *solver) close() {
	if s.checkpoint != nil {
		s.checkpoint.close()
	}
	s.arena.close()
}

// solve does what is left to do behind a mark.
func (s *solver) solve(ctx context.Context, done mark) error {
	if s.part != nil && Phase(done.Phase) == ValuesPhase {
		s.decided, s.mated, s.legal = done.Decided, done.Mated, s.part.mark.Legal
		return s.countZugzwangs(ctx)
	}
	m := newMates(s)
	if done == (mark{}) {
		if err := m.firstPlies(ctx); err != nil {
			return err
		}
		done.Number = 1
		s.markReached(mark{Phase: uint64(MatePhase), Number: 1})
	} else {
		if err := m.restore(ctx, done); err != nil {
			return err
		}
		s.report(Progress{Phase: Phase(done.Phase), Ply: int(done.Number)})
	}
	if Phase(done.Phase) == MatePhase {
		if err := m.morePlies(ctx, int(done.Number)); err != nil {
			return err
		}
		if err := m.shareUndecided(ctx); err != nil {
			return err
		}
		done = mark{Phase: uint64(PerpetualPhase)}
		s.markReached(done)
	}
	left := m.end()
	if Phase(done.Phase) == PerpetualPhase {
		p, err := newPerpetuals(ctx, s, left)
		if err != nil {
			return err
		}
		if err := p.ranks(ctx, int(done.Number)); err != nil {
			return err
		}
		left = p.end()
		s.markReached(mark{Phase: uint64(ValuesPhase)})
	}
	left.gote.releaseAll()
	if err := s.countZugzwangs(ctx); err != nil {
		return err
	}
	if s.part == nil {
		return s.keepOpen(ctx, left.sente)
	}
	left.sente.releaseAll()
	return nil
}

// keepOpen keeps the open positions for the values. Where the boards are in memory they move to an arena of their own,
// so that the values have the room of all others.
func (s *solver) keepOpen(ctx context.Context, open *set) error {
	s.open = open
	if s.scratch != nil {
		return nil
	}
	old := s.arena
	defer old.close()
	s.arena = newArena()
	s.open = s.newSet()
	if open.stored != nil {
		s.open = s.newSparseSet()
	}
	return s.eachUnit(ctx, s.all, func(_ *worker, i int) { open.copyTo(s.open, s.layout.units[i]) })
}

// markReached notes that all is found up to a mark.
func (s *solver) markReached(m mark) {
	m.Decided, m.Mated = s.decided, s.mated
	s.reached = m
	s.epoch++
	if s.part != nil {
		s.part.mark = Mark{s.part.step, Phase(m.Phase), int(m.Number), m.Decided, s.legal, m.Mated}
	}
}

func newSolver(l *layout, f *scratch, opt Options, t tuning) *solver {
	s := &solver{layout: l, opt: opt, scratch: f, tuning: t, start: time.Now()}
	if f != nil {
		s.arena = &f.arena
	} else {
		s.arena = newArena()
	}
	for i := range l.slices {
		s.rows += l.slices[i].rows * len(l.pairs)
	}
	for i := range s.logs {
		s.logs[i] = make([][]chunk, len(l.units))
	}
	for range min(opt.workers(), len(l.units)) {
		s.workers = append(s.workers, new(worker))
	}
	s.all = make([]int, len(l.units))
	for i := range s.all {
		s.all[i] = i
	}
	for _, c := range []rules.Color{rules.Sente, rules.Gote} {
		s.own[c], s.order[c] = l.unitsIn(l.own[c]), l.passOrder(c)
		s.held[c] = l.unitsIn(l.own[c].union(l.need[c.Other()]))
		for _, i := range s.held[c] {
			if !l.own[c][l.units[i].pair] {
				s.copied[c] = append(s.copied[c], i)
			}
		}
		s.byHands[c] = make([][]int, l.material.PieceCount()+1)
		for _, i := range l.unitsIn(l.need[c]) {
			onBoard := l.slices[l.units[i].slice].n
			s.byHands[c][onBoard] = append(s.byHands[c][onBoard], i)
		}
	}
	return s
}

func (s *solver) newSet() *set { return newSet(s.layout, s.arena) }

func (s *solver) newSparseSet() *set { return newSparseSet(s.layout, s.arena) }

func (s *solver) report(p Progress) {
	s.decided += p.Found
	if s.opt.Progress != nil {
		p.Decided, p.Legal, p.Elapsed = s.decided, s.legal, time.Since(s.start)
		s.opt.Progress(p)
	}
}

// countZugzwangs counts the positions that are lost for whoever is to move.
func (s *solver) countZugzwangs(ctx context.Context) error {
	lost := s.newSet()
	defer lost.releaseAll()
	if err := s.addResults(ctx, losses, lost, func(rules.Value) bool { return true }); err != nil {
		return err
	}
	var found atomic.Uint64
	err := s.visit(ctx, s.ownRows(rules.Gote, lost.flags), func(w *worker) {
		r := lost.readRotated(&w.place)
		r.and(lost.read(w.place.address))
		found.Add(r.positions(&w.place))
	})
	if err != nil {
		return err
	}
	sums, err := s.swap(ctx, Sums{Found: found.Load()}, nil)
	s.zugzwangs = sums.Found / quarters
	return err
}

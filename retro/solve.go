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
	// Checkpoint is the name of a file that the results are written to now and then, and
	// when the analysis is cancelled. If it is there, Solve goes on from it. "": none.
	Checkpoint      string
	CheckpointEvery time.Duration // how often at least; 0: every minute
	// Memory is how many bytes the process may take; 0: no limit. Sets that do not fit keep
	// their boards in a scratch file in the folder Scratch, if it is given.
	Memory  uint64
	Scratch string
	// Warn is called, from the goroutine of Solve, with what does not stop the analysis, but
	// should be known: a *DamageError.
	Warn func(error)
}

// workers is the number of goroutines.
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

// Progress of Solve. Positions are counted as in index.Stats.
type Progress struct {
	Phase   Phase
	Ply     int    // plies, or the rank
	Found   uint64 // positions decided by this ply, or of this rank
	Decided uint64 // positions decided so far
	Legal   uint64 // legal positions in all
	Elapsed time.Duration
}

// Rate is how many positions a second have been decided so far.
func (p Progress) Rate() float64 {
	if p.Elapsed <= 0 {
		return 0
	}
	return float64(p.Decided) / p.Elapsed.Seconds()
}

// MutualCheckError reports that a set has positions in which both sides can give check
// for ever. The values of package rules would need another rule for these.
type MutualCheckError struct {
	Material  index.Material
	Positions uint64
}

func (e *MutualCheckError) Error() string {
	return fmt.Sprintf("%s: in %d positions both sides can give check for ever; such sets have no table", e.Material, e.Positions)
}

// solver is the state of an analysis.
//
// Sente is the side that wins. notWon has Sente to move, notLost has Gote to move, and
// so nothing has to be turned from ply to ply: wins are found in notWon as the positions
// with a move into the last losses, losses in notLost as those without a move into
// notWon. notWon may keep lost positions, and notLost won ones: no winning move leads
// from the former, and a move into a lost position, which stays in notWon, keeps the
// latter from being taken for losses. sync removes both at once; it has to come between
// ply 1 and ply 2, because a pawn drop into a checkmate must not save Gote either.
type solver struct {
	layout    *layout
	opt       Options
	scratch   *scratch // nil: all is in ordinary memory
	rows      int      // of a set
	tuning    tuning
	start     time.Time
	notWon    *set  // Sente to move
	notLost   *set  // Gote to move
	last      *set  // Gote to move: the losses of the last even ply
	changed   flags // flags of the rows of notWon that have lost positions to the wins of the last odd ply
	logs      [2][][]chunk
	levels    [][]int  // units by pieces in hand, most first
	all       []int    // units
	sweeps    [2][]int // units, in the order of passes of each side's moves
	workers   []*worker
	decided   uint64
	legal     uint64
	mated     uint64 // checkmates
	zugzwangs uint64

	// checkpoint is nil if there is none. epoch counts what finished has reported: chunks
	// of the present epoch belong to an unfinished ply or rank. reached is the last one.
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

// tuning is what makes no difference to the values. Checkpoints are by units, so they have
// another version whenever unitRows changes.
type tuning struct {
	unitRows int // about how many rows make a unit
	thinFrom int // rows of a set from which on few positions are kept in thin sets
}

// usual has thin sets, which take less memory, but more time, from four pieces on.
var usual = tuning{unitRows: 800, thinFrom: 1 << 20}

// Solve analyses a material set of up to five pieces; EstimateSolve tells what it takes.
// It returns ctx.Err() when ctx is done, a *MutualCheckError where values cannot be given,
// a *MemoryError if Options.Memory does not suffice, a *ScratchError if the scratch file
// cannot be written, and a *CheckpointError if the checkpoint cannot be written or is
// another's. In the first and the last but one case the checkpoint holds what was done.
func Solve(ctx context.Context, m index.Material, opt Options) (*Solution, error) {
	x, err := index.New(m)
	if err != nil {
		return nil, err
	}
	plan, err := planMemory(m, opt)
	if err != nil {
		return nil, err
	}
	var f *scratch
	if plan.scratch > 0 {
		if f, err = openScratch(opt.Scratch, plan.scratch, opt.Memory); err != nil {
			return nil, err
		}
	}
	s := newSolver(m, f, opt, usual)
	s.keepBytes = plan.results
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

// solveOrSave solves, or saves the results of the plies and ranks that are finished if ctx
// is done or the scratch file cannot grow.
func (s *solver) solveOrSave(ctx context.Context) error {
	err := s.solve(ctx)
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
	if s.scratch != nil {
		s.scratch.close()
	}
}

// solve does what the checkpoint says is left to do.
func (s *solver) solve(ctx context.Context) error {
	var done mark
	if s.checkpoint != nil {
		done = s.checkpoint.mark
	}
	if done == (mark{}) {
		if err := s.firstPlies(ctx); err != nil {
			return err
		}
		done.Number = 1
		s.epoch++
		s.reached = mark{uint64(MatePhase), 1, s.decided, s.mated}
	} else {
		if err := s.restore(ctx, done); err != nil {
			return err
		}
		s.report(Progress{Phase: Phase(done.Phase), Ply: int(done.Number)})
	}
	if Phase(done.Phase) == MatePhase {
		if err := s.mates(ctx, int(done.Number)); err != nil {
			return err
		}
		done = mark{Phase: uint64(PerpetualPhase)}
		s.reached = mark{uint64(PerpetualPhase), 0, s.decided, s.mated}
		s.epoch++
	}
	if Phase(done.Phase) == PerpetualPhase {
		if err := s.perpetuals(ctx, int(done.Number)); err != nil {
			return err
		}
		s.reached = mark{uint64(ValuesPhase), 0, s.decided, s.mated}
		s.epoch++
	}
	return s.countZugzwangs(ctx)
}

func newSolver(m index.Material, f *scratch, opt Options, t tuning) *solver {
	l := newLayout(m, t.unitRows)
	s := &solver{layout: l, opt: opt, scratch: f, tuning: t, start: time.Now(), changed: newFlags(l)}
	for i := range l.slices {
		s.rows += l.slices[i].rows * len(kingPairs)
	}
	s.notWon, s.notLost, s.last = s.newSet(), s.newSet(), s.newSet()
	for i := range s.logs {
		s.logs[i] = make([][]chunk, len(l.units))
	}
	for range min(opt.workers(), len(l.units)) {
		s.workers = append(s.workers, new(worker))
	}
	s.levels = make([][]int, m.Pieces()+1)
	for i, u := range l.units {
		level := m.Pieces() - l.slices[u.slice].hands
		s.levels[level] = append(s.levels[level], i)
		s.all = append(s.all, i)
	}
	for _, c := range []rules.Color{rules.Sente, rules.Gote} {
		s.sweeps[c] = l.sweepOrder(c)
	}
	return s
}

func (s *solver) newSet() *set { return newSet(s.layout, s.scratch) }

func (s *solver) newThinSet() *set {
	t := s.newSet()
	t.present = newFlags(s.layout)
	return t
}

func (s *solver) report(p Progress) {
	s.decided += p.Found
	if s.opt.Progress != nil {
		p.Decided, p.Legal, p.Elapsed = s.decided, s.legal, time.Since(s.start)
		s.opt.Progress(p)
	}
}

// countZugzwangs counts the positions that are lost for whoever is to move. It makes
// last the set of all losses, and lets go of notLost.
func (s *solver) countZugzwangs(ctx context.Context) error {
	s.notLost.releaseAll(s.layout)
	s.last.releaseAll(s.layout)
	s.last = s.newSet()
	err := s.eachResult(ctx, losses, func(sl *slice, pair, r, x int, word uint32, _ rules.Value) {
		s.last.made(sl, pair, r).words()[x] |= word
		s.last.flags.put(sl, pair, r, true)
	})
	if err != nil {
		return err
	}
	var found atomic.Uint64
	err = s.eachFlagged(ctx, s.last.flags, func(w *worker) {
		p := &w.place
		r := s.layout.turned(p, s.last)
		r.and(s.last.rowAt(p))
		found.Add(weigh(p.s, p.pair, &r))
	})
	s.zugzwangs = found.Load() / weightUnit
	return err
}

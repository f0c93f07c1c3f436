package retro

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"gogotb/index"
	"gogotb/rules"
)

// Options of Solve. The zero value solves with all cores and reports nothing.
type Options struct {
	Workers  int            // goroutines, 0: one for each core
	Progress func(Progress) // called after each pass, from the goroutine of Solve
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
	start     time.Time
	notWon    *set // Sente to move
	notLost   *set // Gote to move
	last      *set // Gote to move: the losses of the last even ply
	changed   *set // flags of the rows of notWon that have lost positions to the wins of the last odd ply
	logs      [2][][]chunk
	levels    [][]int // units by pieces in hand, most first
	all       []int   // units
	workers   []*worker
	decided   uint64
	legal     uint64
	mated     uint64 // checkmates
	zugzwangs uint64
}

// wins and losses number the logs.
const (
	wins = iota
	losses
)

// Solve analyses a material set of up to five pieces. It needs about 0.8 bits of memory
// for each index of the set, three times, and the compressed results. It returns
// ctx.Err() when ctx is done and a *MutualCheckError where values cannot be given.
func Solve(ctx context.Context, m index.Material, opt Options) (*Solution, error) {
	x, err := index.New(m)
	if err != nil {
		return nil, err
	}
	s := newSolver(m, opt)
	if err := s.mates(ctx); err != nil {
		return nil, err
	}
	if err := s.perpetuals(ctx); err != nil {
		return nil, err
	}
	if err := s.countZugzwangs(ctx); err != nil {
		return nil, err
	}
	return &Solution{solver: s, index: x}, nil
}

func newSolver(m index.Material, opt Options) *solver {
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	l := newLayout(m)
	s := &solver{layout: l, opt: opt, start: time.Now(),
		notWon: newSet(l), notLost: newSet(l), last: newSet(l), changed: newFlags(l)}
	for i := range s.logs {
		s.logs[i] = make([][]chunk, len(l.units))
	}
	for range opt.Workers {
		s.workers = append(s.workers, new(worker))
	}
	s.levels = make([][]int, m.Pieces()+1)
	for i, u := range l.units {
		level := m.Pieces() - l.slices[u.slice].hands
		s.levels[level] = append(s.levels[level], i)
		s.all = append(s.all, i)
	}
	return s
}

// each runs f on the units, spread over the workers. Passes are separated by it: it
// returns when all units are done, or early with the error of ctx.
func (s *solver) each(ctx context.Context, units []int, f func(w *worker, unit int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for _, w := range s.workers {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(units) {
					return
				}
				f(w, units[i])
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// eachRow runs f on every row of all units, with w.place set.
func (s *solver) eachRow(ctx context.Context, f func(w *worker)) error {
	return s.each(ctx, s.all, func(w *worker, i int) {
		u := s.layout.units[i]
		sl := &s.layout.slices[u.slice]
		for pair := u.pair; pair < u.ends; pair++ {
			for r := range sl.rows {
				w.place.set(sl, pair, r)
				f(w)
			}
		}
	})
}

// eachFlagged runs f on the flagged rows of t, with w.place set. f may change the row
// that it is called for, and its flags.
func (s *solver) eachFlagged(ctx context.Context, t *set, f func(w *worker)) error {
	return s.each(ctx, s.all, func(w *worker, i int) {
		u := s.layout.units[i]
		sl := &s.layout.slices[u.slice]
		for pair := u.pair; pair < u.ends; pair++ {
			for r := range t.flaggedRows(sl, pair) {
				w.place.set(sl, pair, r)
				f(w)
			}
		}
	})
}

// weigh is how many legal positions the bits of a row stand for, in weightUnits: mirror
// images are counted, identical pieces are not told apart.
func weigh(s *slice, pair int, r *row) uint64 {
	n := uint64(r.count()) * weightUnit / uint64(s.twins)
	k := kingPairs[pair].king
	if k[rules.Sente].Column() != k[rules.Gote].Column() {
		n *= 2
	}
	return n
}

// weightUnit makes the weight of a bit whole: a placement has at most four cells.
const weightUnit = 4

func (s *solver) report(p Progress) {
	s.decided += p.Found
	if s.opt.Progress != nil {
		p.Decided, p.Legal, p.Elapsed = s.decided, s.legal, time.Since(s.start)
		s.opt.Progress(p)
	}
}

// countZugzwangs counts the positions that are lost for whoever is to move. It makes
// last the set of all losses.
func (s *solver) countZugzwangs(ctx context.Context) error {
	err := s.each(ctx, s.all, func(w *worker, i int) {
		u := s.layout.units[i]
		sl := &s.layout.slices[u.slice]
		for pair := u.pair; pair < u.ends; pair++ {
			for r := range s.last.flaggedRows(sl, pair) {
				*s.last.row(sl, pair, r) = row{}
			}
			clear(s.last.pairFlags(sl, pair))
		}
		for _, c := range s.logs[losses][i] {
			c.each(func(n, x int, bits uint32) {
				pair, r := u.pair+n/sl.rows, n%sl.rows
				s.last.row(sl, pair, r).words()[x] |= bits
				s.last.flag(sl, pair, r, true)
			})
		}
	})
	if err != nil {
		return err
	}
	var found atomic.Uint64
	err = s.eachRow(ctx, func(w *worker) {
		p := &w.place
		if s.last.flagged(p.s, p.pair, p.r) {
			r := s.layout.turned(p, s.last)
			r.and(s.last.row(p.s, p.pair, p.r))
			found.Add(weigh(p.s, p.pair, &r))
		}
	})
	s.zugzwangs = found.Load() / weightUnit
	return err
}

package retro

import (
	"context"
	"fmt"
	"math/bits"
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
	notWon    *set  // Sente to move
	notLost   *set  // Gote to move
	last      *set  // Gote to move: the losses of the last even ply
	changed   flags // flags of the rows of notWon that have lost positions to the wins of the last odd ply
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
func (s *solver) eachFlagged(ctx context.Context, t flags, f func(w *worker)) error {
	return s.each(ctx, s.all, func(w *worker, i int) {
		u := s.layout.units[i]
		sl := &s.layout.slices[u.slice]
		for pair := u.pair; pair < u.ends; pair++ {
			for r := range t.rows(sl, pair) {
				w.place.set(sl, pair, r)
				f(w)
			}
		}
	})
}

// sweep runs f on the flagged rows of target from which the mover of k may reach a row
// flagged in from. What f records gets the value v in the log; sweep returns how many
// positions that are.
func (s *solver) sweep(ctx context.Context, k *kernel, from flags, target *set, log int, v rules.Value, f func(w *worker)) (uint64, error) {
	var found atomic.Uint64
	err := s.each(ctx, s.all, func(w *worker, i int) {
		u := s.layout.units[i]
		sl := &s.layout.slices[u.slice]
		w.startLog(u)
		for pair := u.pair; pair < u.ends; pair++ {
			if !target.flags.any(sl, pair) || !k.reachablePair(from, sl, pair) {
				continue
			}
			for g, board := range target.flags.pair(sl, pair) {
				if board == 0 {
					continue
				}
				for board &= k.reachable(from, sl, pair, g); board != 0; board &= board - 1 {
					w.place.set(sl, pair, g*rules.Squares+bits.TrailingZeros32(board))
					f(w)
				}
			}
		}
		s.keepLog(w, log, i, v)
		found.Add(w.recorded)
	})
	return found.Load() / weightUnit, err
}

// recordEach runs f on the flagged rows of t and keeps what it records, as sweep does.
func (s *solver) recordEach(ctx context.Context, t *set, log int, v rules.Value, f func(w *worker)) (uint64, error) {
	var found atomic.Uint64
	err := s.each(ctx, s.all, func(w *worker, i int) {
		u := s.layout.units[i]
		sl := &s.layout.slices[u.slice]
		w.startLog(u)
		for pair := u.pair; pair < u.ends; pair++ {
			for r := range t.flags.rows(sl, pair) {
				w.place.set(sl, pair, r)
				f(w)
			}
		}
		s.keepLog(w, log, i, v)
		found.Add(w.recorded)
	})
	return found.Load() / weightUnit, err
}

// startLog prepares the worker to record rows of a unit.
func (w *worker) startLog(u unit) {
	w.log.reset()
	w.logPair, w.recorded = u.pair, 0
}

// record records the row at w.place.
func (w *worker) record(r *row) {
	p := &w.place
	w.log.add((p.pair-w.logPair)*p.s.rows+p.r, r)
	w.recorded += weigh(p.s, p.pair, r)
}

// keepLog moves what was recorded of unit i to a log.
func (s *solver) keepLog(w *worker, log, i int, v rules.Value) {
	if len(w.log.bytes) > 0 {
		s.logs[log][i] = append(s.logs[log][i], w.log.chunk(v))
	}
}

// clear empties a set.
func (s *solver) clear(ctx context.Context, t *set) error {
	return s.each(ctx, s.all, func(_ *worker, i int) {
		u := s.layout.units[i]
		for pair := u.pair; pair < u.ends; pair++ {
			t.clearPair(&s.layout.slices[u.slice], pair)
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
	if err := s.clear(ctx, s.last); err != nil {
		return err
	}
	err := s.each(ctx, s.all, func(_ *worker, i int) {
		u := s.layout.units[i]
		sl := &s.layout.slices[u.slice]
		for _, c := range s.logs[losses][i] {
			c.each(func(n, x int, word uint32) {
				pair, r := u.pair+n/sl.rows, n%sl.rows
				s.last.row(sl, pair, r).words()[x] |= word
				s.last.flags.put(sl, pair, r, true)
			})
		}
	})
	if err != nil {
		return err
	}
	var found atomic.Uint64
	err = s.eachFlagged(ctx, s.last.flags, func(w *worker) {
		p := &w.place
		r := s.layout.turned(p, s.last)
		r.and(s.last.row(p.s, p.pair, p.r))
		found.Add(weigh(p.s, p.pair, &r))
	})
	s.zugzwangs = found.Load() / weightUnit
	return err
}

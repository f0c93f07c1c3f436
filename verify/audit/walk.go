package audit

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"gogotb/index"
	"gogotb/rules"
)

// audit is the state of an audit of a table in memory.
type audit struct {
	x        *index.Index
	t        *table
	opt      Options
	dontCare bool           // values of illegal placements mean nothing
	rotated  []rotatedSlice // by slice

	checked  uint64  // placements whose value has been checked
	weight   uint64  // of all placements, mirror images counted
	faults   []Fault // certain ones
	suspects []Fault // undecided positions that break an equation
}

// chunk is how many placements a worker takes at a time.
const chunk = 1 << 14

// worker is what a goroutine of a walk has for itself. Its results are gathered
// after each chunk or at the end.
type worker struct {
	*audit
	cursor   index.Cursor
	value    rules.Value // of the placement that the cursor is at
	pos      rules.Position
	moves    []rules.Move
	next     []uint64 // indices of the successors, in the order of moves
	faults   []Fault
	suspects []Fault
	tally    tally
	weight   uint64 // of the placements visited
	found    arcs   // for the region
	err      error
}

// walk visits all placements in index order, in chunks that are spread over the
// workers; visit finds the placement in the worker's cursor. Once there are as many
// faults as the limit no new chunk is begun, so the lowest ones have always been
// found. gather, if any, is called after each chunk, in any order, one call at a time.
func (a *audit) walk(ctx context.Context, phase Phase, visit func(*worker), gather func(w *worker, chunk uint64)) error {
	size := a.x.Size()
	var next atomic.Uint64
	var stop atomic.Bool
	var mu sync.Mutex
	var failed error
	done, found := uint64(0), 0
	var wg sync.WaitGroup
	for range min(a.opt.workers(), int(size/chunk)+1) {
		wg.Go(func() {
			w := &worker{audit: a, moves: make([]rules.Move, 0, rules.MaxMoves), tally: newTally()}
			for !stop.Load() && ctx.Err() == nil {
				n := next.Add(1) - 1
				if n*chunk >= size {
					break
				}
				end := min((n+1)*chunk, size)
				for w.cursor = a.x.Cursor(n * chunk); w.cursor.Index() < end; w.cursor.Next() {
					w.value = a.t.at(w.cursor.Index())
					visit(w)
				}
				mu.Lock()
				if w.err != nil && failed == nil {
					failed = w.err
				}
				found += len(w.faults)
				a.faults = firstFaults(append(a.faults, w.faults...), a.opt.limit())
				a.suspects = firstFaults(append(a.suspects, w.suspects...), a.opt.limit())
				w.faults, w.suspects = w.faults[:0], w.suspects[:0]
				if gather != nil {
					gather(w, n)
				}
				done += end - n*chunk
				if found >= a.opt.limit() || failed != nil {
					stop.Store(true)
				}
				if a.opt.Progress != nil {
					a.opt.Progress(Progress{Phase: phase, Done: done, Total: size})
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	a.checked = done
	if failed != nil {
		return failed
	}
	return ctx.Err()
}

// firstFaults returns the first faults in index order, up to the limit.
func firstFaults(faults []Fault, limit int) []Fault {
	slices.SortStableFunc(faults, func(a, b Fault) int { return cmp.Compare(a.Index, b.Index) })
	return faults[:min(len(faults), limit)]
}

// fault notes that the value of the worker's position should be another one.
func (w *worker) fault(expected rules.Value) {
	f := Fault{Index: w.cursor.Index(), Position: w.pos, Found: w.value, Expected: expected}
	list := &w.faults
	if isUndecided(f.Found) && isUndecided(f.Expected) {
		list = &w.suspects
	}
	if len(*list) < w.opt.limit() { // a chunk is walked in index order
		*list = append(*list, f)
	}
}

// place sets up the position of the cursor, and checks that it has the cursor's index.
func (w *worker) place() {
	w.pos = w.cursor.Position()
	if i, err := w.x.Encode(&w.pos); err != nil {
		w.err = err
	} else if i != w.cursor.Index() {
		w.err = &IndexError{w.pos, w.cursor.Index(), i}
	}
}

// isIllegal tells whether the side that has just moved is in check. For no other reason may
// a placement of the index be illegal.
func (w *worker) isIllegal() bool {
	if w.pos.Attacked(w.pos.King(rules.Gote), rules.Sente) {
		return true
	}
	if err := w.pos.Validate(); err != nil {
		w.err = &PlacementError{w.cursor.Index(), err}
	}
	return false
}

// successors finds the moves of the worker's position and the indices they lead to.
func (w *worker) successors() {
	w.moves = w.pos.Moves(w.moves)
	w.next = w.next[:0]
	for _, m := range w.moves {
		undo := w.pos.Make(m)
		i, err := w.x.Encode(&w.pos)
		w.pos.Unmake(undo)
		if err != nil {
			w.err = err
		}
		w.next = append(w.next, i)
	}
}

// expected returns the value that the successors give the worker's position.
func (w *worker) expected() rules.Value {
	w.successors()
	s := newSuccession()
	for n, i := range w.next {
		v := w.t.at(i)
		s.add(v, v.Outcome() == rules.PerpetualWin && w.pos.GivesCheck(w.moves[n]))
	}
	return s.value()
}

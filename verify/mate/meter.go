package mate

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// Why a search ended without an answer, see Result.Cause.
var (
	ErrTimeout  = errors.New("out of time")
	ErrMaxNodes = errors.New("out of nodes")
	ErrTooDeep  = fmt.Errorf("no mate within %d plies, and nothing is searched beyond", maxPath)
)

// noBudget is a budget that is never used up.
const noBudget = 1 << 62

// pollEvery is the number of nodes between two looks at the clock and the context: a few milliseconds.
const pollEvery = 1 << 14

// meter counts the moves that all parts of a solver make, and tells them when to stop: for
// good, because a limit of the caller's is reached, or for now, because a part has used
// up its share (its budget).
type meter struct {
	ctx      context.Context
	begin    time.Time
	timeout  time.Duration
	maxNodes uint64
	report   func()
	pause    func()
	every    uint64 // nodes between two polls
	look     func() // of a worker in a crew: looks at what the others do

	nodes  uint64
	others atomic.Uint64 // nodes of the other workers
	budget uint64        // nodes at which the present part has to stop
	next   uint64        // nodes at which to look again: at the budget, or to poll
	halted bool          // stop now
	cause  error         // why, if for good
	shown  time.Time
}

func newMeter(ctx context.Context, opt *Options, report func()) *meter {
	now := time.Now()
	return &meter{
		ctx: ctx, begin: now, timeout: opt.Timeout, maxNodes: opt.MaxNodes, report: report, pause: opt.Pause, shown: now,
		every: pollEvery,
	}
}

// allow starts a part that may make n moves. It is false if everything is to stop.
func (m *meter) allow(n uint64) bool {
	m.budget = m.nodes + n
	m.halted = false
	m.poll()
	return !m.halted
}

// stopped tells whether to stop. To look costs next to nothing.
func (m *meter) stopped() bool {
	if m.nodes >= m.next && !m.halted {
		m.poll()
	}
	return m.halted
}

// total returns the moves that all workers have made.
func (m *meter) total() uint64 { return m.nodes + m.others.Load() }

func (m *meter) poll() {
	if m.look != nil {
		m.look()
		if m.halted {
			return
		}
	}
	if m.pause != nil {
		m.pause()
	}
	switch {
	case m.cause != nil:
	case m.ctx != nil && m.ctx.Err() != nil:
		m.cause = context.Cause(m.ctx)
	case m.timeout > 0 && time.Since(m.begin) >= m.timeout:
		m.cause = ErrTimeout
	case m.maxNodes > 0 && m.total() >= m.maxNodes:
		m.cause = ErrMaxNodes
	}
	if m.cause != nil || m.nodes >= m.budget {
		m.halted = true
		return
	}
	m.next = min(m.budget, m.nodes+m.every)
	if m.maxNodes > 0 {
		m.next = min(m.next, m.nodes+m.maxNodes-m.total())
	}
	if m.report != nil && time.Since(m.shown) >= 100*time.Millisecond {
		m.shown = time.Now()
		m.report()
	}
}

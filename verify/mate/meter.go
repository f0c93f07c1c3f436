package mate

import (
	"context"
	"errors"
	"fmt"
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

	nodes  uint64
	budget uint64 // nodes at which the present part has to stop
	next   uint64 // nodes at which to look again: at the budget, or to poll
	halted bool   // stop now
	cause  error  // why, if for good
	shown  time.Time
}

func newMeter(ctx context.Context, opt *Options, report func()) *meter {
	now := time.Now()
	return &meter{
		ctx: ctx, begin: now, timeout: opt.Timeout, maxNodes: opt.MaxNodes, report: report, pause: opt.Pause, shown: now,
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

func (m *meter) poll() {
	if m.pause != nil {
		m.pause()
	}
	switch {
	case m.cause != nil:
	case m.ctx.Err() != nil:
		m.cause = context.Cause(m.ctx)
	case m.timeout > 0 && time.Since(m.begin) >= m.timeout:
		m.cause = ErrTimeout
	case m.maxNodes > 0 && m.nodes >= m.maxNodes:
		m.cause = ErrMaxNodes
	}
	if m.cause != nil || m.nodes >= m.budget {
		m.halted = true
		return
	}
	m.next = min(m.budget, m.nodes+pollEvery)
	if m.maxNodes > 0 {
		m.next = min(m.next, m.maxNodes)
	}
	if m.report != nil && time.Since(m.shown) >= 100*time.Millisecond {
		m.shown = time.Now()
		m.report()
	}
}

package audit

import "sync"

// The work of Sample, in placements that could be unpacked in the same time: looking once at
// the window for a position, in its first and in its second pass, on average.
const (
	nearWork = 200
	farWork  = 1600
)

// meter reports the progress of Sample. One without a function to report to takes every call.
type meter struct {
	report func(Progress)

	mu    sync.Mutex
	now   Progress
	done  uint64 // work
	total uint64 // expected
}

// newMeter returns the meter of a sample that is checked in rounds of a number of positions.
func newMeter(s *sampler, positions, round int, report func(Progress)) *meter {
	m := &meter{report: report, now: Progress{Phase: Samples, Total: uint64(positions)}}
	size, parts := s.set.Index().Size(), uint64(s.window.parts())
	m.total = uint64(positions) * parts * (nearWork + farWork)
	for n, left := firstRound, positions; left > 0; left, n = left-n, round {
		if n = min(n, left); s.fills(n) {
			m.total += 2 * (size - size/parts) // the window turns around at the ends
		}
	}
	m.total += size / parts
	return m
}

// at says which part of the table the window shows.
func (m *meter) at(part, parts int) {
	m.mu.Lock()
	m.now.Part, m.now.Parts = part, parts
	m.mu.Unlock()
}

// add reports work that has been done.
func (m *meter) add(work uint64) {
	if m.report == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done += work
	share := min(float64(m.done)/float64(m.total), 1)
	m.now.Done = uint64(share * float64(m.now.Total))
	m.report(m.now)
}

// finish reports how many positions have been checked.
func (m *meter) finish(checked uint64) {
	if m.report == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now.Done = checked
	m.report(m.now)
}

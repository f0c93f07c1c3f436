package storage

import (
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// parallel calls f with 0 to n-1 on as many goroutines as there are workers, one for each core if that is 0; each
// of them has a state of its own. It stops at the first error, and returns it.
func parallel[State any](workers, n int, newState func() State, f func(State, int) error) error {
	var next atomic.Int64
	var failed atomic.Bool
	var g errgroup.Group
	for range min(workersOf(workers), n) {
		g.Go(func() error {
			state := newState()
			for !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= n {
					return nil
				}
				if err := f(state, i); err != nil {
					failed.Store(true)
					return err
				}
			}
			return nil
		})
	}
	return g.Wait()
}

// workersOf returns how many goroutines work if workers are asked for: one for each core if that is 0.
func workersOf(workers int) int {
	if workers <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return workers
}

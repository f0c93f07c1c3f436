package engine

import (
	"testing"
	"time"
)

func TestBudget(t *testing.T) {
	for _, c := range []struct {
		clock    Clock
		min, max time.Duration
	}{
		{Clock{}, 0, 0},
		{Clock{PerMove: time.Second}, 900 * time.Millisecond, time.Second - 1},
		{Clock{PerMove: time.Millisecond}, 1, 2 * time.Millisecond},
		{Clock{Limited: true}, 1, 2 * time.Millisecond},
		{Clock{Limited: true, Remaining: time.Minute}, time.Second, 6 * time.Second},
		{Clock{Limited: true, Byoyomi: time.Second}, 900 * time.Millisecond, time.Second - 1},
		{Clock{Limited: true, Remaining: time.Minute, Byoyomi: time.Second}, 2 * time.Second, 10 * time.Second},
		{Clock{Limited: true, Remaining: 10 * time.Second, Increment: time.Second}, time.Second, 2 * time.Second},
		{Clock{Limited: true, Remaining: 200 * time.Millisecond, Increment: 10 * time.Second}, 100 * time.Millisecond, 199 * time.Millisecond},
		{Clock{Limited: true, Remaining: time.Second, Moves: 1}, 900 * time.Millisecond, time.Second - 1},
		{Clock{Limited: true, Remaining: 10 * time.Second, Moves: 10}, time.Second, time.Second},
	} {
		if got := c.clock.Budget(); got < c.min || got > c.max {
			t.Errorf("%+v: %v, want %v to %v", c.clock, got, c.min, c.max)
		}
	}
}

// A game of 300 plies, half of them ours, does not use up the clock.
func TestBudgetOfAGame(t *testing.T) {
	remaining := 10 * time.Second
	for range 150 {
		remaining -= Clock{Limited: true, Remaining: remaining}.Budget()
		if remaining <= 0 {
			t.Fatal("out of time")
		}
	}
}

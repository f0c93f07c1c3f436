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
		{Clock{PerMove: time.Second}, time.Second, time.Second},
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
		c.clock.Overhead = DefaultOverhead
		got, slack := c.clock.Budget()
		if got < c.min || got > c.max {
			t.Errorf("%+v: %v, want %v to %v", c.clock, got, c.min, c.max)
		}
		if total := c.clock.Remaining + c.clock.Byoyomi; slack < 0 || c.clock.PerMove == 0 && got+slack > max(total, shortest) {
			t.Errorf("%+v: %v and %v are more than there is", c.clock, got, slack)
		}
	}
}

// Whoever knows how long the answer is on its way gets exactly that for it, unless nothing would be left.
func TestOverhead(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		clock         Clock
		budget, slack time.Duration
	}{
		{Clock{Limited: true, Byoyomi: 1000 * ms}, 1000 * ms, 0},
		{Clock{Limited: true, Byoyomi: 1000 * ms, Overhead: 300 * ms}, 700 * ms, 0},
		{Clock{Limited: true, Byoyomi: 1000 * ms, Overhead: 5000 * ms}, 250 * ms, 0},
		{Clock{Limited: true, Remaining: 2500 * ms, Overhead: 300 * ms}, 100 * ms, 2100 * ms},
		{Clock{PerMove: 1000 * ms, Overhead: 300 * ms}, 1000 * ms, Unlimited}, // the clock does not run out
	} {
		if budget, slack := c.clock.Budget(); budget != c.budget || slack != c.slack {
			t.Errorf("%+v: %v, %v, want %v, %v", c.clock, budget, slack, c.budget, c.slack)
		}
	}
}

// A game of 300 plies, half of them ours, does not use up the clock.
func TestBudgetOfAGame(t *testing.T) {
	remaining := 10 * time.Second
	for range 150 {
		budget, _ := Clock{Limited: true, Remaining: remaining}.Budget()
		remaining -= budget
		if remaining <= 0 {
			t.Fatal("out of time")
		}
	}
}

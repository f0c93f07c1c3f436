package engine

import "time"

// Clock is what a protocol says about time. Zero values say nothing.
type Clock struct {
	Remaining time.Duration // on our clock
	Increment time.Duration // added after every move
	Byoyomi   time.Duration // for every move once nothing remains
	Moves     int           // to go until the clock is set again
	PerMove   time.Duration // exactly this for the move
	Limited   bool          // something was said: 0 is then no time at all
}

const (
	// overhead is kept back for what lies between the end of the search and the opponent's clock.
	overhead = 40 * time.Millisecond
	// usualMoves is how many more moves a game is expected to have.
	usualMoves = 25
	// shortest is what is taken even if the clock says that there is no time.
	shortest = 2 * time.Millisecond
)

// Budget is how long to think; 0 if the clock says nothing.
func (c Clock) Budget() time.Duration {
	if c.PerMove > 0 {
		return leave(c.PerMove)
	}
	if !c.Limited {
		return 0
	}
	moves := usualMoves
	if c.Moves > 0 {
		moves = min(c.Moves, usualMoves)
	}
	share := c.Remaining/time.Duration(moves) + c.Increment*3/4 + c.Byoyomi
	return min(leave(c.Remaining+c.Byoyomi), max(share, shortest))
}

// leave takes the overhead from a time that must not be passed.
func leave(t time.Duration) time.Duration {
	return max(t-min(overhead, t/4), shortest)
}

package engine

import "time"

// Clock is what a protocol says about time. Zero values say nothing.
type Clock struct {
	Remaining time.Duration // on our clock
	Increment time.Duration // added after every move
	Byoyomi   time.Duration // for every move once nothing remains
	Moves     int           // to go until the clock is set again
	PerMove   time.Duration // this for the move, whatever the clock says
	Limited   bool          // something was said: 0 is then no time at all
	Overhead  time.Duration // lies between the end of the thought and the opponent's clock
}

const (
	// DefaultOverhead and MaxOverhead are for Clock.Overhead.
	DefaultOverhead = 40 * time.Millisecond
	MaxOverhead     = 10 * time.Second
	// Unlimited is a slack where no clock runs out.
	Unlimited = time.Hour
	// usualMoves is how many more moves a game is expected to have.
	usualMoves = 25
	// shortest is what is taken even if the clock says that there is no time.
	shortest = 2 * time.Millisecond
)

// Budget returns how long to think, 0 if the clock says nothing, and how much longer than that the answer may take
// before the time is over.
func (c Clock) Budget() (budget, slack time.Duration) {
	switch {
	case c.PerMove > 0:
		return max(c.PerMove, shortest), Unlimited
	case !c.Limited:
		return 0, 0
	}
	moves := usualMoves
	if c.Moves > 0 {
		moves = min(c.Moves, usualMoves)
	}
	share := c.Remaining/time.Duration(moves) + c.Increment*3/4 + c.Byoyomi
	most := c.leave(c.Remaining + c.Byoyomi)
	budget = min(most, max(share, shortest))
	return budget, most - budget
}

// leave takes the overhead from a time that must not be passed, if enough of it is left.
func (c Clock) leave(t time.Duration) time.Duration {
	return max(t-min(c.Overhead, t*3/4), shortest)
}

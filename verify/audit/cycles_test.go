package audit

import (
	"testing"

	"gogotb/rules"
)

// verdict is who is claimed to win.
type verdict uint8

const (
	undecidedYet verdict = iota
	claimedWon
	claimedLost
)

// cycles looks for a false claim that holds itself up: positions claimed won and lost,
// each lost one with moves to won ones only, each won one with a move to a lost one, and
// no move from the others to a lost one.
type cycles struct {
	*region
	claim []verdict
	trail []uint32 // what was claimed, in order, to take it back
}

// claimLost calls a position lost, and so all around it won; false if that contradicts
// an earlier claim.
func (c *cycles) claimLost(i uint32) bool {
	if c.claim[i] != undecidedYet {
		return c.claim[i] == claimedLost
	}
	c.set(i, claimedLost)
	for _, list := range [][]uint32{c.next.from(i), c.prev.from(i)} {
		for _, j := range list {
			if c.claim[j] == claimedLost {
				return false
			}
			if c.claim[j] == undecidedYet {
				c.set(j, claimedWon)
			}
		}
	}
	return true
}

func (c *cycles) set(i uint32, v verdict) {
	c.claim[i] = v
	c.trail = append(c.trail, i)
}

func (c *cycles) takeBack(length int) {
	for _, i := range c.trail[length:] {
		c.claim[i] = undecidedYet
	}
	c.trail = c.trail[:length]
}

// unsupported is a position claimed won without a move to a lost one, if there is one.
func (c *cycles) unsupported() (uint32, bool) {
	for _, i := range c.trail {
		if c.claim[i] != claimedWon {
			continue
		}
		held := false
		for _, to := range c.next.from(i) {
			held = held || c.claim[to] == claimedLost
		}
		if !held {
			return i, true
		}
	}
	return 0, false
}

// support gives every won position its lost one, in at most so many tries.
func (c *cycles) support(tries *int) bool {
	i, ok := c.unsupported()
	if !ok {
		return true
	}
	for _, to := range c.next.from(i) {
		if c.claim[to] != undecidedYet {
			continue
		}
		if *tries--; *tries < 0 {
			return false
		}
		length := len(c.trail)
		if c.claimLost(to) && c.support(tries) {
			return true
		}
		c.takeBack(length)
	}
	return false
}

// close calls lost what has moves to won positions only.
func (c *cycles) close() {
	for grows := true; grows; {
		grows = false
		for i := range c.claim {
			if c.claim[i] != undecidedYet {
				continue
			}
			out := false
			for _, to := range c.next.from(uint32(i)) {
				out = out || c.claim[to] != claimedWon
			}
			if !out {
				c.claimLost(uint32(i))
				grows = true
			}
		}
	}
}

// TestFalseWonCycles claims that sets of open positions are won and lost, each upheld by
// the others: who wins is in accord everywhere, but nobody ever gets there. They are
// claimed as perpetual check, and as mates, too.
func TestFalseWonCycles(t *testing.T) {
	for _, set := range []string{"none", "P"} {
		s := solve(t, set)
		a := &audit{x: s.x, t: newTable(s.x.Size())}
		a.t.put(0, s.values)
		n := a.numberUndecided()
		r, err := a.buildRegion(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		at := make([]uint64, n.count)
		n.each(func(number uint32, i uint64) { at[number] = i })
		found := 0
		for seed := uint32(0); seed < n.count && found < 10; seed++ {
			c := cycles{region: r, claim: make([]verdict, n.count)}
			tries := 2000
			if !c.claimLost(seed) || !c.support(&tries) {
				continue
			}
			c.close()
			found++
			for _, claims := range [][2]rules.Value{
				{rules.MakeValue(rules.PerpetualWin, 1), rules.MakeValue(rules.PerpetualLoss, 1)},
				{rules.MakeValue(rules.MateWin, 3), rules.MakeValue(rules.MateLoss, 2)},
				{rules.MakeValue(rules.MateWin, 0), rules.MakeValue(rules.MateLoss, 2)},
			} {
				wrong := changed(s)
				for i, v := range c.claim {
					if v != undecidedYet {
						wrong.values[at[i]] = claims[v-claimedWon]
					}
				}
				if report := audited(t, recounted(wrong), Options{}); len(report.Faults) == 0 {
					t.Errorf("%s, seed %d: %d false claims like %v are not found", set, seed, len(c.trail), claims)
				}
			}
		}
		if found == 0 {
			t.Errorf("%s: no cycle can be claimed", set)
		}
	}
}

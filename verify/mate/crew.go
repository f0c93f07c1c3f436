package mate

import (
	"sync"
	"sync/atomic"
)

// crew is several workers that search one tree by depth-first proof-number search at the same time. They share the
// table, in which everything that is proved holds for all of them; each has a path and
// numbers of its own. What makes them work together:
//
//   - Where a worker is, its node counts for more in the eyes of the others (virtual proof numbers; Kaneko, "Parallel
//     depth first proof number search", 2010), so that they go other ways if these are not much worse.
//   - A worker that comes back to a node where others are looks up what has become of the other children.
//   - Every now and then, a worker looks up the nodes of its path, and gives up what others have decided.
//
// The first worker belongs to the goroutine that solves. The others join it only when a search has lasted for a while.
type crew struct {
	first  *prover
	others []*prover
	// taken counts the workers at or below nodes, by their seats: some bits of the nodes' keys.
	taken [seats]atomic.Int32
	over  atomic.Bool         // the search has ended
	found atomic.Pointer[kid] // what one of the others has found out about the root
	wait  sync.WaitGroup
	begun uint64 // nodes of the first worker when the search began
	whole bool   // the others have joined
}

const (
	seats = 1 << 14
	// crewPolls is the number of moves between two looks at what the others have done.
	crewPolls = 1 << 10
	// refreshAfter is the number of moves below one child that make it worth while to look up its siblings.
	refreshAfter = 1 << 11
	// nowhere is no depth.
	nowhere = -1
)

// joinAfter is the number of moves that the first worker makes in a search before the others join: some milliseconds. Shorter
// ones run alike each time. It is a variable for the tests.
var joinAfter uint64 = 1 << 15

// seat returns the index of a node in crew.taken.
func seat(n node) uint16 { return uint16((n.key ^ uint64(n.hand)*slotMix) >> 50) }

// newCrew makes a crew of the first worker and others like it.
func newCrew(first *prover, others int) *crew {
	c := &crew{first: first}
	first.crew = c
	for range others {
		p := newProver(first.game, first.table, &meter{budget: noBudget, every: crewPolls})
		p.crew = c
		p.look = p.lookAround
		c.others = append(c.others, p)
	}
	return c
}

// search is prover.search by a whole crew, from the position of its first worker.
func (c *crew) search(plies uint16) kid {
	p := c.first
	c.over.Store(false)
	c.found.Store(nil)
	c.begun, c.whole = p.nodes, false
	p.look, p.every = p.lookAround, crewPolls
	p.next = min(p.next, p.nodes+crewPolls)
	r := p.search(plies)
	c.over.Store(true)
	c.wait.Wait()
	p.look, p.every = nil, pollEvery
	if found := c.found.Load(); found != nil && !r.decided() {
		r = *found
	}
	p.goOn() // if it was another worker that made it stop
	return r
}

// join lets the others help the first worker.
func (c *crew) join() {
	c.whole = true
	for _, p := range c.others {
		p.pos = c.first.root
		plies := c.first.limit
		c.wait.Go(func() {
			p.goOn()
			r := p.search(plies)
			p.report()
			if r.decided() && c.found.CompareAndSwap(nil, &r) {
				c.over.Store(true)
			}
		})
	}
}

// goOn lets a worker go on that has stopped: its meter is polled next.
func (p *prover) goOn() { p.back, p.halted, p.next = nowhere, false, p.nodes }

// report adds the moves that another worker than the first has made since it did so last.
func (p *prover) report() {
	p.crew.first.others.Add(p.nodes - p.told)
	p.told = p.nodes
}

// lookAround is what a worker does when its meter is polled: it stops if the search is over, and goes back to a
// node on its path that another has decided.
func (p *prover) lookAround() {
	c := p.crew
	if p != c.first {
		p.report()
	}
	if len(p.path) == 0 {
		return
	}
	if c.over.Load() {
		p.halted = true
		return
	}
	if p == c.first && !c.whole { // this one does not know yet how long it will take
		if p.nodes-c.begun >= joinAfter {
			c.join()
		}
		return
	}
	plies := p.limit
	for depth, n := range p.path {
		if e, ok := p.table.lookup(n, plies); ok && (e.pn == 0 || e.dn == 0) {
			p.halted, p.back = true, depth
			return
		}
		plies -= step(plies)
	}
}

// shared tells whether another worker is at or below the node that this one is at.
func (p *prover) shared() bool {
	return p.crew != nil && p.crew.taken[seat(p.path[len(p.path)-1])].Load() > 1
}

// spread chooses the child to search among those from the first on whose numbers are below a limit, and returns with it the
// number of the next best. It is -1 if the quiet moves are to be tried. Each worker at a child makes its number count once more.
func (p *prover) spread(first int, limit uint32, quietsLeft bool) (best int, second uint32) {
	best = -1
	number, second := infinite, infinite
	if quietsLeft {
		number = quietPn
	}
	attacks := p.attacking()
	for i := first; i < len(p.kids); i++ {
		k := &p.kids[i]
		n := k.pn
		if !attacks {
			n = k.dn
		}
		if k.decided() || n >= limit {
			continue
		}
		n = uint32(min(uint64(n)+uint64(p.crew.taken[k.seat].Load())*uint64(n+1), uint64(infinite-1)))
		if n < number {
			best, number, second = i, n, number
		} else {
			second = min(second, n)
		}
	}
	return best, second
}

// refresh looks up the children from the first on, which have plies left. It returns one that decides the node, because
// another worker has decided it, or nil.
func (p *prover) refresh(first int, plies uint16) *kid {
	attacks := p.attacking()
	for i := first; i < len(p.kids); i++ {
		k := &p.kids[i]
		if k.decided() {
			continue
		}
		u := p.pos.Make(k.move)
		e, ok := p.table.lookup(p.node(), plies)
		p.pos.Unmake(u)
		if !ok {
			continue
		}
		*k = kid{pn: e.pn, dn: e.dn, lean: upright, plies: e.plies, move: k.move, seat: k.seat}
		if attacks && k.pn == 0 || !attacks && k.dn == 0 {
			return k
		}
	}
	return nil
}

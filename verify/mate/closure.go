package mate

import "gogotb/rules"

// closure proves that there is no mate at all, in any number of plies, where the positions that matter are few
// enough to be kept: it looks for a closed set of positions that the defender can stay in, by the local fixed-point
// algorithm of Liu and Smolka ("Simple linear-time algorithms for minimal fixed points", 1998). Positions
// are assumed to be not won until a mate shows otherwise:
//
//   - an attacker's position is won as soon as one of its moves leads to a won one, so that all of them are followed;
//   - a defender's position relies on one move that leads to a position not won, and chooses another when
//     that is found to be won; if none is left, it is won.
//
// When nothing is left to follow, the positions not won are such a set. There are no paths here, hence no
// repetitions to take care of, and every position is expanded once. If the root turns out won, that is
// a proof, too, but one without a length.
type closure struct {
	game
	*meter
	total rules.Hand // material of the game
	graph graph
	todo  []uint32
	buf   [rules.MaxMoves]rules.Move
}

type closureState uint8

const (
	closureOpen closureState = iota // to be continued
	closureWon                      // the attacker mates, some time
	closureNone                     // there is no mate
	closureFull                     // the memory is used up
)

func newClosure(g game, memory int64, m *meter) *closure {
	c := &closure{game: g, meter: m, total: material(&g.pos)}
	c.graph.limit = memory
	id, _ := c.graph.add(packPosition(&c.pos, c.attacker))
	c.todo = append(c.todo, id)
	return c
}

// run goes on until there is an answer or the meter stops it.
func (c *closure) run() closureState {
	for len(c.todo) > 0 {
		if c.stopped() {
			return closureOpen
		}
		if c.graph.full() {
			return closureFull
		}
		id := c.todo[len(c.todo)-1]
		c.todo = c.todo[:len(c.todo)-1]
		if c.graph.nodes[id].won {
			continue
		}
		c.pos = c.graph.nodes[id].position.unpack(&c.total, c.attacker)
		if c.attacking() {
			c.followAll(id)
		} else {
			c.followOne(id)
		}
		if c.graph.nodes[0].won {
			return closureWon
		}
	}
	return closureNone
}

// followAll makes sure that all moves of an attacker's position are followed.
func (c *closure) followAll(id uint32) {
	if c.mateInOne(&c.nodes) != 0 {
		c.win(id)
		return
	}
	for _, m := range c.moves(c.buf[:0]) {
		child, fresh := c.child(m)
		if c.graph.nodes[child].won {
			c.win(id)
			return
		}
		c.graph.depend(id, child)
		if fresh {
			c.todo = append(c.todo, child)
		}
	}
}

// followOne chooses a move for a defender's position: rather to a position that is followed already.
func (c *closure) followOne(id uint32) {
	moves := c.moves(c.buf[:0])
	for _, m := range moves {
		u := c.pos.Make(m)
		c.nodes++
		child, known := c.graph.find(packPosition(&c.pos, c.attacker))
		c.pos.Unmake(u)
		if known && !c.graph.nodes[child].won {
			c.graph.depend(id, child)
			return
		}
	}
	for _, m := range moves {
		child, fresh := c.child(m)
		if fresh {
			c.graph.depend(id, child)
			c.todo = append(c.todo, child)
			return
		}
	}
	c.win(id)
}

// child is the position after a move, added if it is new.
func (c *closure) child(m rules.Move) (id uint32, fresh bool) {
	u := c.pos.Make(m)
	c.nodes++
	id, fresh = c.graph.add(packPosition(&c.pos, c.attacker))
	c.pos.Unmake(u)
	return id, fresh
}

// win marks a position as won and everything that follows from it: attackers before it win at once, defenders
// that relied on it have to choose again.
func (c *closure) win(id uint32) {
	won := []uint32{id}
	c.graph.nodes[id].won = true
	for len(won) > 0 {
		id := won[len(won)-1]
		won = won[:len(won)-1]
		attacking := c.graph.nodes[id].position.attacking()
		for e := c.graph.nodes[id].dependents; e != 0; e = c.graph.edges[e].next {
			before := c.graph.edges[e].node
			switch {
			case c.graph.nodes[before].won:
			case attacking:
				c.todo = append(c.todo, before)
			default:
				c.graph.nodes[before].won = true
				won = append(won, before)
			}
		}
		c.graph.nodes[id].dependents = 0
	}
}

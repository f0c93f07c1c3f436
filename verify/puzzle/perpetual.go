package puzzle

import "gogotb/rules"

// wonByPerpetual tells whether the attacker, who has no mate, wins all the same, because the defender can hold out
// only by giving check for ever. A table knows. A search proves it only where the defender gets no quiet move in
// (rank 1 in the terms of package rules), and where the mates that would follow one are found with a small effort;
// what it does not find is an omission.
func (k *check) wonByPerpetual() bool {
	if k.opt.Tsume {
		return false // the attacker, too, gives nothing but check
	}
	if v, ok := k.lengths.value(&k.start); ok {
		return v.Outcome().ByPerpetual()
	}
	g := chase{lengths: k.lengths, number: map[positionKey]int{}}
	if g.proves(k.start) {
		return true
	}
	k.omit(PerpetualRanks)
	return false
}

// chase is the graph of the positions that the attacker's quiet moves and the defender's checks lead to. The
// attacker wins in the greatest part of it that the defender cannot leave. Checks of the attacker are left out,
// unless they mate, because nobody is to blame for a repetition in which both sides give check with every move.
type chase struct {
	lengths *lengths
	nodes   []chaseNode
	number  map[positionKey]int
}

type chaseNode struct {
	position  rules.Position
	attacking bool
	mate      bool // the attacker mates
	escaped   bool // the defender has a quiet move that is not met by a mate, or not by one that is found
	next      []int
}

// maxChase bounds the graph; what is beyond counts as escaped.
const maxChase = 2000

func (g *chase) proves(start rules.Position) bool {
	g.visit(start)
	for i := 0; i < len(g.nodes); i++ {
		g.expand(i)
	}
	held := g.held()
	if !held[0] {
		return false
	}
	// If the attacker can force a mate in this graph, it is a long mate and no perpetual check.
	return !g.forced()[0]
}

// visit returns the number of a position.
func (g *chase) visit(p rules.Position) int {
	key := keyOf(&p)
	n, ok := g.number[key]
	if !ok {
		n = len(g.nodes)
		g.number[key] = n
		g.nodes = append(g.nodes, chaseNode{position: p, attacking: g.lengths.attacking(&p)})
	}
	return n
}

func (g *chase) expand(i int) {
	n := g.nodes[i]
	p := &n.position
	n.mate = g.mates(p)
	switch {
	case n.mate:
	case len(g.nodes) >= maxChase:
		n.escaped = true
	case n.attacking:
		for _, m := range p.Moves(nil) {
			if p.GivesCheck(m) {
				continue
			}
			q := *p
			q.Make(m)
			n.next = append(n.next, g.visit(q))
		}
	default:
		n.escaped = g.quietEscape(p)
		if !n.escaped {
			for _, m := range p.Checks(nil) {
				q := *p
				q.Make(m)
				n.next = append(n.next, g.visit(q))
			}
		}
	}
	g.nodes[i] = n
}

// mates tells whether the attacker mates, or has mated.
func (g *chase) mates(p *rules.Position) bool {
	if g.lengths.attacking(p) {
		return g.lengths.wins(p)
	}
	return !p.HasMove()
}

// quietEscape tells whether a move of the defender that gives no check is not met by a mate.
func (g *chase) quietEscape(p *rules.Position) bool {
	for _, m := range p.Moves(nil) {
		if p.GivesCheck(m) {
			continue
		}
		q := *p
		if q.Make(m); !g.lengths.wins(&q) {
			return true
		}
	}
	return false
}

// held returns the positions from which the attacker can stay in the graph for ever or mate: all, but for
// those that are taken away because they have escaped, or lead where something was taken away.
func (g *chase) held() []bool {
	held := make([]bool, len(g.nodes))
	for i := range held {
		held[i] = !g.nodes[i].escaped
	}
	g.settle(held, false)
	return held
}

// forced returns the positions from which the attacker forces one of the mates.
func (g *chase) forced() []bool {
	forced := make([]bool, len(g.nodes))
	for i := range forced {
		forced[i] = g.nodes[i].mate
	}
	g.settle(forced, true)
	return forced
}

// settle changes to value what follows from the rest, until nothing changes: the
// attacker holds a position if one of the next is held, the defender's is held if all are.
func (g *chase) settle(held []bool, value bool) {
	for changed := true; changed; {
		changed = false
		for i := range g.nodes {
			n := &g.nodes[i]
			if held[i] == value || n.mate || n.escaped {
				continue
			}
			now := !n.attacking
			for _, next := range n.next {
				if held[next] == n.attacking {
					now = n.attacking
					break
				}
			}
			if now == value {
				held[i], changed = value, true
			}
		}
	}
}

package mate

import "gogotb/rules"

// Proof numbers: pn of a position says how many leaves of the tree below it must still turn out won, at the least, to
// prove a mate; dn how many must turn out not won to disprove it. Where the attacker is to move,
// pn is the least of the children's and dn their sum, and the other way round for the defender. Depth-first
// proof-number search (Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002) goes down to the
// leaf that counts most, with thresholds that say when another branch has become more promising.
//
// What is added here, with its source where there is one:
//
//   - The threshold of a child may pass its sibling's number by a quarter (1+epsilon; Pawlewicz and Lew,
//     "Improving depth-first PN-search: 1+epsilon trick", 2006), so that the search does not hop between branches.
//   - A new leaf counts for the number of moves that the defender has: one unit each in check, one for two out of check.
//   - Quiet moves come late: until the checks of a node have grown to quietPn, all its quiet moves
//     together are one child. Most nodes never need them.
//   - A search may be limited in plies. The last shallowPlies are left to a plain search.
//   - Children keep their numbers in the search's own memory as long as their parent is
//     being searched, so that it makes progress whatever the table forgets; and a child is looked up
//     again before it is entered, so that what was found by another way is not searched twice.
//
// A leaf that two ways lead to counts twice where they meet. Taking the greatest of the numbers, and one for each of the others,
// instead of their sum (weak proof-number search; Ueda et al., 2008) avoids that, but needs more nodes for the mates of
// minishogi: three times as many if the defender's are taken so.
//
// Repetitions. A shortest mate never comes back to a position, so that a child that was on the path already, or
// is like one that was but with less in the attacker's hand, counts as not won: the attacker has got nowhere.
// That holds for this path only (the graph-history interaction). Every disproof therefore
// knows how far up the path it leans: the least depth among the positions that it counts as repeated. If that is
// not above the node itself, the whole argument lies in the subtree: the defender, at a repetition, goes on as it did at the first
// occurrence, and is never mated. Then the disproof holds for good and is written to the table; otherwise the table
// gets high numbers, no verdict. Proofs never use a repetition.
const (
	epsilon     = 4 // a quarter
	quietPn     = 8
	quietDn     = 8
	quietEscape = 2
	// leaningPn stands for a disproof that leans on the path: not to be tried again soon.
	leaningPn = infinite / 4
	// maxPath is the greatest depth. What is deeper counts as not won, and is never written as such.
	maxPath = 1000
	// upright is the depth that a disproof leans on if it does not.
	upright int32 = 1 << 30
	// beyond is the depth that a disproof leans on which is cut off at maxPath: above the root.
	beyond int32 = -1
)

// prover is a depth-first proof-number search.
type prover struct {
	game
	*meter
	table   *table
	shallow shallow
	kids    []kid // of all nodes on the path, one after the other
	path    []node
	// onPath counts the nodes of the path by some bits of their keys, to tell quickly that a node is not on it.
	onPath [1 << 12]uint8

	// Of a worker in a crew:
	crew  *crew
	root  rules.Position // of the present search
	limit uint16         // in plies, of the present search
	told  uint64         // nodes that have been reported
	back  int            // depth of a node that another worker has decided: the search goes back to it; or nowhere
}

// kid is a child of a node on the path, or what is found out about a node.
type kid struct {
	pn, dn uint32
	lean   int32  // of a disproof: the depth it leans on
	plies  uint16 // of a proof: plies to the mate, at most
	move   rules.Move
	seat   uint16 // see crew
}

func (k *kid) decided() bool { return k.pn == 0 || k.dn == 0 }

func proof(plies uint16, m rules.Move) kid { return kid{dn: infinite, plies: plies, move: m} }
func disproof(lean int32, m rules.Move) kid {
	return kid{pn: infinite, lean: lean, move: m}
}

func newProver(g game, t *table, m *meter) *prover {
	p := &prover{game: g, meter: m, table: t, back: nowhere}
	p.shallow = shallow{game: &p.game, meter: m, table: t}
	return p
}

// search looks for a mate within plies, or unlimited, until it is decided or the meter stops it.
func (p *prover) search(plies uint16) kid {
	n := p.node()
	if e, ok := p.table.lookup(n, plies); ok && (e.pn == 0 || e.dn == 0) {
		return kid{pn: e.pn, dn: e.dn, lean: upright, plies: e.plies, move: e.move}
	}
	p.root, p.limit = p.pos, plies
	r := p.visit(n, plies, infinite, infinite)
	if r.dn == 0 && r.lean != upright {
		r.dn = 1 // cut off at maxPath
	}
	return r
}

// visit searches below a node until its pn or dn has reached a threshold.
func (p *prover) visit(n node, plies uint16, pnLimit, dnLimit uint32) kid {
	start, first, depth := p.nodes, len(p.kids), len(p.path)
	p.path = append(p.path, n)
	p.onPath[n.key%uint64(len(p.onPath))]++
	if p.crew != nil {
		p.crew.taken[seat(n)].Add(1)
	}
	var r kid
	if p.attacking() {
		r = p.attack(first, plies, pnLimit, dnLimit)
	} else {
		r = p.defend(first, plies, pnLimit, dnLimit)
	}
	p.onPath[n.key%uint64(len(p.onPath))]--
	p.path = p.path[:depth]
	p.kids = p.kids[:first]
	if p.crew != nil {
		p.crew.taken[seat(n)].Add(-1)
		if p.back == depth {
			p.goOn()
			if e, ok := p.table.lookup(n, plies); ok && (e.pn == 0 || e.dn == 0) {
				return kid{pn: e.pn, dn: e.dn, lean: upright, plies: e.plies, move: e.move}
			}
		}
	}
	work := p.nodes - start
	switch {
	case r.pn == 0:
		p.table.store(n, r.plies, 0, infinite, r.move, work)
	case r.dn == 0 && r.lean >= int32(depth):
		r.lean = upright
		p.table.store(n, plies, infinite, 0, r.move, work)
	case r.dn == 0:
		p.table.store(n, plies, leaningPn, 1, r.move, work)
	default:
		p.table.store(n, plies, r.pn, r.dn, r.move, work)
	}
	return r
}

// attack is visit for the attacker to move. Its kids begin at first.
func (p *prover) attack(first int, plies uint16, pnLimit, dnLimit uint32) kid {
	var buf [rules.MaxMoves]rules.Move
	for _, m := range p.pos.Checks(buf[:0]) {
		if won, k := p.expand(m, plies-step(plies)); won {
			return proof(k.plies+1, m)
		}
	}
	quietsLeft := !p.tsume
	for {
		best := -1
		pn, second, dn, lean := infinite, infinite, uint32(0), upright
		if quietsLeft {
			pn, dn = quietPn, quietDn
		}
		for i := first; i < len(p.kids); i++ {
			k := &p.kids[i]
			if k.dn == 0 {
				lean = min(lean, k.lean)
				continue
			}
			dn = sum(dn, k.dn)
			if k.pn < pn {
				best, pn, second = i, k.pn, pn
			} else {
				second = min(second, k.pn)
			}
		}
		switch {
		case dn == 0:
			return disproof(lean, 0)
		case pn >= pnLimit || dn >= dnLimit || p.stopped():
			r := kid{pn: pn, dn: dn}
			if best >= 0 {
				r.move = p.kids[best].move
			}
			return r
		}
		if best >= 0 && p.shared() {
			best, second = p.spread(first, pnLimit, quietsLeft)
		}
		if best < 0 {
			quietsLeft = false
			for _, m := range p.pos.Moves(buf[:0]) {
				if p.pos.GivesCheck(m) {
					continue
				}
				if won, k := p.expand(m, plies-step(plies)); won {
					return proof(k.plies+1, m)
				}
			}
			continue
		}
		k := &p.kids[best]
		begun := p.nodes
		p.enter(best, plies-step(plies), min(pnLimit, beyondSecond(second)), dnLimit-(dn-k.dn))
		if k = &p.kids[best]; k.pn == 0 {
			return proof(k.plies+1, k.move)
		}
		if p.nodes-begun >= refreshAfter && p.shared() {
			if k := p.refresh(first, plies-step(plies)); k != nil && k.pn == 0 {
				return proof(k.plies+1, k.move)
			}
		}
	}
}

// defend is visit for the defender to move.
func (p *prover) defend(first int, plies uint16, pnLimit, dnLimit uint32) kid {
	var buf [rules.MaxMoves]rules.Move
	moves := p.pos.Moves(buf[:0])
	if len(moves) == 0 {
		return proof(0, 0)
	}
	for _, m := range moves {
		if _, k := p.expand(m, plies-step(plies)); k.dn == 0 {
			return disproof(k.lean, m)
		}
	}
	for {
		best := -1
		dn, second, pn, longest := infinite, infinite, uint32(0), uint16(0)
		for i := first; i < len(p.kids); i++ {
			k := &p.kids[i]
			if k.pn == 0 {
				longest = max(longest, k.plies)
				continue
			}
			pn = sum(pn, k.pn)
			if k.dn < dn {
				best, dn, second = i, k.dn, dn
			} else {
				second = min(second, k.dn)
			}
		}
		if best < 0 {
			return proof(longest+1, 0)
		}
		k := &p.kids[best]
		if pn >= pnLimit || dn >= dnLimit || p.stopped() {
			return kid{pn: pn, dn: dn, move: k.move}
		}
		if p.shared() {
			best, second = p.spread(first, dnLimit, false)
			k = &p.kids[best]
		}
		begun := p.nodes
		p.enter(best, plies-step(plies), pnLimit-(pn-k.pn), min(dnLimit, beyondSecond(second)))
		if k = &p.kids[best]; k.dn == 0 {
			return disproof(k.lean, k.move)
		}
		if p.nodes-begun >= refreshAfter && p.shared() {
			if k := p.refresh(first, plies-step(plies)); k != nil && k.dn == 0 {
				return disproof(k.lean, k.move)
			}
		}
	}
}

// enter searches below the kid with index i and updates it.
func (p *prover) enter(i int, plies uint16, pnLimit, dnLimit uint32) {
	m := p.kids[i].move
	u := p.pos.Make(m)
	p.nodes++
	n := p.node()
	var r kid
	switch e, ok := p.table.lookup(n, plies); {
	case ok && (e.pn == 0 || e.dn == 0):
		r = kid{pn: e.pn, dn: e.dn, lean: upright, plies: e.plies}
	case plies <= shallowPlies:
		r = p.decide(plies)
	default:
		r = p.visit(n, plies, pnLimit, dnLimit)
	}
	p.pos.Unmake(u)
	r.move, r.seat = m, seat(n)
	p.kids[i] = r
}

// decide finds out by depth-first search whether there is a mate within a few plies.
func (p *prover) decide(plies uint16) kid {
	var won bool
	if p.attacking() {
		won = p.shallow.attack(int(plies))
	} else {
		won = p.shallow.defend(int(plies))
	}
	switch {
	case p.stopped():
		return kid{pn: 1, dn: 1}
	case won:
		return proof(plies, 0)
	}
	return disproof(upright, 0)
}

// step is 1 if plies are counted down, 0 if there is no limit.
func step(plies uint16) uint16 {
	if plies == unlimited {
		return 0
	}
	return 1
}

// beyondSecond is how far the best child may be searched when second is the number of the next best: always farther than the
// number that it has, even if that is the greatest that sums come to.
func beyondSecond(second uint32) uint32 { return min(second+second/epsilon+1, infinite) }

// sum adds two numbers, short of infinite.
func sum(a, b uint32) uint32 { return min(a+b, infinite-1) }

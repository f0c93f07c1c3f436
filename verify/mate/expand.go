package mate

import "gogotb/rules"

// expand makes a kid of a move. plies are left after it. It tells at once, without adding the kid, that the
// move mates or, for the attacker, is known to.
func (p *prover) expand(m rules.Move, plies uint16) (won bool, k kid) {
	attacks := p.attacking()
	u := p.pos.Make(m)
	p.nodes++
	n := p.node()
	k = p.weigh(n, plies)
	p.pos.Unmake(u)
	if attacks && k.pn == 0 {
		return true, k
	}
	k.move, k.seat = m, seat(n)
	p.kids = append(p.kids, k)
	return false, k
}

// weigh is what is known about n, the current position, or guessed if it is new.
func (p *prover) weigh(n node, plies uint16) kid {
	e, ok := p.table.lookup(n, plies)
	if ok && (e.pn == 0 || e.dn == 0) {
		return kid{pn: e.pn, dn: e.dn, lean: upright, plies: e.plies}
	}
	if depth, found := p.repeats(n); found {
		return disproof(depth, 0)
	}
	if len(p.path) >= maxPath {
		return disproof(beyond, 0)
	}
	if ok {
		return kid{pn: e.pn, dn: e.dn}
	}
	if p.attacking() {
		return kid{pn: 1, dn: 1}
	}
	moves := uint32(p.pos.CountMoves())
	switch {
	case moves == 0:
		return proof(0, 0)
	case plies == 0:
		return disproof(upright, 0)
	case p.pos.InCheck():
		return kid{pn: moves, dn: 1}
	}
	return kid{pn: 2 + moves/quietEscape, dn: 1}
}

// repeats finds the position on the path that n repeats, or falls short of: with the same board, and all
// that the attacker holds now in its hand already.
func (p *prover) repeats(n node) (depth int32, found bool) {
	if p.onPath[n.key%uint64(len(p.onPath))] == 0 {
		return 0, false
	}
	for i := len(p.path) - 2; i >= 0; i -= 2 {
		if a := &p.path[i]; a.key == n.key && a.hand.covers(n.hand) {
			return int32(i), true
		}
	}
	return 0, false
}

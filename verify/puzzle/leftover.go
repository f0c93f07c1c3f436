package puzzle

import "gogotb/rules"

// leftover reports the pieces that the attacker holds at the end of the solution, and
// defences of the same length after which there are none.
func (k *check) leftover() {
	end := k.solution.last()
	if !k.count(&end, 0).within(0) {
		return // the line is incomplete
	}
	hand := k.handLeft(&k.solution)
	if hand == (rules.Hand{}) {
		return
	}
	n := len(k.solution.moves)
	k.add(Flaw{Kind: HandLeft, Ply: n, Hand: hand})
	for i, played := range k.solution.moves {
		p := k.solution.positions[i]
		if k.lengths.attacking(&p) {
			continue
		}
		for _, m := range k.sortedMoves(&p) {
			if after := k.after(&p, m, n-i-1); m == played || after.state != mates || after.plies != n-i-1 {
				continue
			}
			l := newLine(p)
			l.play(m)
			q := l.last()
			if k.leavesNone(&q, n-i-1) {
				l.join(k.best(q, n-i-1))
				k.add(Flaw{Kind: SameLength, Ply: i + 1, Moves: l.moves, Plies: n})
			}
		}
	}
}

// handLeft returns what the attacker holds after a line, but for what futile interpositions have given him.
func (k *check) handLeft(l *line) rules.Hand {
	end := l.last()
	hand := end.Hand(k.Attacker)
	for i, m := range l.moves {
		p := &l.positions[i]
		if k.lengths.attacking(p) || !m.IsDrop() || i+1 == len(l.moves) || l.moves[i+1].To() != m.To() {
			continue
		}
		if n := &hand[m.DropKind()]; *n > 0 && p.InCheck() && k.futile.isFutile(p, m) {
			*n--
		}
	}
	return hand
}

// leavesNone tells whether, from a position with a mate in exactly n plies, the defender has
// longest defences that leave the attacker nothing in hand, whatever shortest mate he chooses.
func (k *check) leavesNone(p *rules.Position, n int) bool {
	held := 0
	for _, c := range p.Hand(k.Attacker) {
		held += int(c)
	}
	if held > (n+1)/2 {
		return false // too many to be dropped in time
	}
	if n == 0 {
		return true
	}
	key := leftoverKey{keyOf(p), n}
	if none, ok := k.emptied[key]; ok {
		return none
	}
	if len(k.emptied) >= maxEmptied {
		k.omit(SameLengthLines)
		return false
	}
	attacking := k.lengths.attacking(p)
	none := attacking
	for _, m := range k.lengths.moves(p) {
		u := p.Make(m)
		if after := k.count(p, n-1); after.state == mates && after.plies == n-1 {
			none = k.leavesNone(p, n-1)
		}
		p.Unmake(u)
		if none != attacking {
			break
		}
	}
	k.emptied[key] = none
	return none
}

type leftoverKey struct {
	positionKey
	plies int
}

// maxEmptied bounds the positions looked at: beyond, other lines are taken to leave something.
const maxEmptied = 1 << 16

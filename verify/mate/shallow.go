package mate

import "gogotb/rules"

// shallowPlies is the length up to which games are decided by depth-first search. Near the end the
// attacker has some fifty moves, and the first reply refutes almost every one: a search
// that stops at the first reply beats one that weighs all of them.
const shallowPlies = 4

// shallow decides whether the attacker mates within a few plies, trying all moves.
type shallow struct {
	*game
	*meter
	table *table
	// killers are the replies that refuted last, by plies left.
	killers [shallowPlies + 1][2]rules.Move
}

// attack tells whether the attacker, to move, mates within plies (odd). The answer is
// worthless once the meter has stopped.
func (s *shallow) attack(plies int) bool {
	if plies == 1 {
		return s.mateInOne(&s.nodes) != 0
	}
	n := s.node()
	e, ok := s.table.lookup(n, uint16(plies))
	if ok && (e.pn == 0 || e.dn == 0) {
		return e.pn == 0
	}
	start := s.nodes
	if m := s.mateInOne(&s.nodes); m != 0 {
		s.table.store(n, 1, 0, infinite, m, s.nodes-start)
		return true
	}
	var buf [rules.MaxMoves]rules.Move
	moves := s.moves(buf[:0])
	s.checksFirst(moves, e.move)
	for _, m := range moves {
		s.nodes++
		u := s.pos.Make(m)
		won := s.defend(plies - 1)
		s.pos.Unmake(u)
		if s.stopped() {
			return false
		}
		if won {
			s.table.store(n, uint16(plies), 0, infinite, m, s.nodes-start)
			return true
		}
	}
	s.table.store(n, uint16(plies), infinite, 0, 0, s.nodes-start)
	return false
}

// defend tells whether the defender, to move, is mated within plies (even, not 0).
func (s *shallow) defend(plies int) bool {
	// With two plies left, to look it up would take as long as to find it out.
	deep := plies > 2
	var n node
	var e entry
	if deep {
		n = s.node()
		var ok bool
		if e, ok = s.table.lookup(n, uint16(plies)); ok && (e.pn == 0 || e.dn == 0) {
			return e.pn == 0
		}
	}
	start := s.nodes
	var buf [rules.MaxMoves]rules.Move
	moves := s.pos.Moves(buf[:0])
	s.killersFirst(moves, e.move, &s.killers[plies])
	for _, m := range moves {
		s.nodes++
		u := s.pos.Make(m)
		won := s.attack(plies - 1)
		s.pos.Unmake(u)
		if s.stopped() {
			return false
		}
		if !won {
			if k := &s.killers[plies]; k[0] != m {
				k[0], k[1] = m, k[0]
			}
			if deep {
				s.table.store(n, uint16(plies), infinite, 0, m, s.nodes-start)
			}
			return false
		}
	}
	if deep {
		s.table.store(n, uint16(plies), 0, infinite, 0, s.nodes-start)
	}
	return true
}

func (s *shallow) checksFirst(moves []rules.Move, hint rules.Move) {
	at := moveTo(moves, 0, hint)
	if s.tsume {
		return
	}
	for i := at; i < len(moves); i++ {
		if s.pos.GivesCheck(moves[i]) {
			moves[at], moves[i] = moves[i], moves[at]
			at++
		}
	}
}

func (s *shallow) killersFirst(moves []rules.Move, hint rules.Move, killers *[2]rules.Move) {
	at := moveTo(moves, 0, hint)
	at = moveTo(moves, at, killers[0])
	at = moveTo(moves, at, killers[1])
	for i := at; i < len(moves); i++ { // captures
		if s.pos.Occupied().Has(moves[i].To()) {
			moves[at], moves[i] = moves[i], moves[at]
			at++
		}
	}
}

// moveTo swaps m to the place at, if it is there or behind, and returns the place after it.
func moveTo(moves []rules.Move, at int, m rules.Move) int {
	for i := at; i < len(moves); i++ {
		if moves[i] == m {
			moves[at], moves[i] = moves[i], moves[at]
			return at + 1
		}
	}
	return at
}

package mate

import "gogotb/rules"

// Three searches look for an answer in turns, for each side that might mate, with shares of moves
// that double from round to round:
//
//   - the prover, without a limit or within MaxPlies: finds most mates, not always the shortest;
//   - the prover within 1, 3, 5... plies (2, 4, 6... for the side that is not to move): finds short mates
//     that the first one misses, lost in long ones, and proves that there is none within so many;
//   - the closure, which proves that there is none at all.
//
// The prover gets what a round has, the other searches a smaller part; with a few pieces, whose positions can all
// be visited, they are the better ones, and get as much. The side not to move gets less in the same way. Where
// any mate will do, the prover is nearly always the first to find one, and the others get less still.
const (
	firstRound = 1 << 14
	smallPart  = 8
	otherPart  = 4
	anyLength  = 4 // makes these parts so much smaller
	fewPieces  = 3 // besides the kings
)

// side is a side that might mate, and what is known about that.
type side struct {
	game
	least   int    // proved: no mate within so many plies
	most    int    // proved: a mate within so many plies; -1: none found
	longest int    // the longest mate that counts; -1 if there is no limit
	none    bool   // proved: no mate at all
	wins    bool   // proved by the closure: a mate, of unknown length
	part    uint64 // of the deepening and the closure: one in so many
	prover  *prover
	crew    *crew    // of the prover; nil if it works alone
	closure *closure // nil when it is of no more use
}

func (q *quest) newSide(attacker rules.Color) *side {
	g := newGame(&q.pos, attacker, q.opt.Tsume)
	s := &side{
		game: g, most: -1, longest: -1, part: smallPart,
		prover:  newProver(g, q.table, q.meter),
		closure: newClosure(g, q.closureBytes/2, q.meter),
	}
	if q.opt.jobs() > 1 {
		s.crew = newCrew(s.prover, q.opt.jobs()-1)
	}
	if s.attacking() {
		s.least = -1
	}
	pieces := uint8(0)
	for _, n := range material(&q.pos) {
		pieces += n
	}
	if q.opt.AnyLength {
		s.part *= anyLength
	}
	if pieces <= fewPieces {
		s.part = 1
	}
	if limit := q.opt.MaxPlies; limit > 0 {
		s.longest = limit
		if (limit-s.least)%2 != 0 { // mates have the parity of least
			s.longest--
		}
	}
	return s
}

// settled tells that no mate, or none that counts, is left to find.
func (s *side) settled() bool { return s.none || s.longest >= 0 && s.least >= s.longest }

// find looks for a mate by either side, and returns the side that mates; nil if there is none or the meter
// has stopped the search for good.
func (q *quest) find() *side {
	fraction := uint64(otherPart)
	if q.opt.AnyLength {
		fraction *= anyLength
	}
	for _, s := range q.sides {
		if s.most >= 0 { // known from earlier
			for _, other := range q.sides {
				other.none = other != s
			}
			return s
		}
	}
	for share := uint64(firstRound); ; share *= 2 {
		open, before := false, q.meter.nodes
		for i, s := range q.sides {
			n := share
			if i > 0 {
				n /= fraction
			}
			if s.settled() {
				continue
			}
			mates := s.round(q.meter, n)
			if mates || s.wins {
				for _, other := range q.sides {
					other.none = other != s
				}
			}
			if mates {
				return s
			}
			open = open || !s.settled()
		}
		if q.meter.nodes == before && q.meter.cause == nil {
			q.meter.cause = ErrTooDeep // nothing is left to search, and so no round will find more
		}
		if !open || q.meter.cause != nil {
			return nil
		}
	}
}

// round gives each search its share, and tells whether a mate is proved.
func (s *side) round(m *meter, share uint64) bool {
	if m.allow(share) {
		s.within(s.longest)
	}
	if !s.decided() && m.allow(share/s.part) {
		for !s.decided() && s.least+2 <= maxPath && !m.stopped() {
			s.within(s.least + 2)
		}
	}
	if !s.decided() && s.closure != nil && m.allow(share/s.part) {
		switch s.closure.run() {
		case closureNone:
			s.none = true
		case closureWon:
			s.wins = true
		case closureOpen:
			return false
		}
		s.closure = nil
	}
	return s.most >= 0
}

func (s *side) decided() bool { return s.most >= 0 || s.settled() }

// within looks for a mate within plies, -1 for any length, and notes what is proved. It does nothing
// that a meter that stops does not undo: a search that is cut short proves nothing.
func (s *side) within(plies int) {
	limit := unlimited
	if plies >= 0 {
		limit = uint16(min(plies, maxPath))
	}
	switch r := s.search(&s.pos, limit); {
	case r.pn == 0:
		s.most = int(r.plies)
	case r.dn == 0 && limit == unlimited:
		s.none = true
	case r.dn == 0:
		s.least = max(s.least, int(limit))
	}
}

// shorten finds the exact length of a mate: it halves the distance between what is proved and what is
// excluded. It is false if the meter stops it.
func (s *side) shorten(m *meter) bool {
	m.allow(noBudget)
	for s.most-s.least > 2 && !m.stopped() {
		s.within(s.least + 2*((s.most-s.least+3)/4))
	}
	return s.most-s.least <= 2
}

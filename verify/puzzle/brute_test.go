package puzzle

import (
	"math"

	"gogotb/retro/retrotest"
	"gogotb/rules"
)

// brute answers by trying everything, and remembers what it has found out.
type brute struct {
	tsume bool
	known map[bruteKey]bounds
	// room is how many positions may be looked at; short: there were more, and answers since then mean nothing.
	room  int
	short bool
}

// bruteKey is a position without its move number.
type bruteKey struct {
	board      [rules.Squares]rules.Piece
	hands      [2]rules.Hand
	sideToMove rules.Color
}

// bounds are what is known of a position: a mate within so many plies (0: none is known, or it is mate already),
// and none within so many.
type bounds struct{ mate, none int }

// newBrute looks at as many positions as it takes.
func newBrute(tsume bool) *brute {
	return &brute{tsume: tsume, known: map[bruteKey]bounds{}, room: math.MaxInt}
}

// mates tells whether the attacker mates from p within n plies; who is to move follows from n, which is
// odd if the attacker is.
func (b *brute) mates(p rules.Position, n int) bool {
	attacking := n%2 == 1
	if n <= 0 {
		return n == 0 && !p.HasMove()
	}
	key := bruteKey{board(&p), [2]rules.Hand{p.Hand(rules.Sente), p.Hand(rules.Gote)}, p.SideToMove()}
	known, ok := b.known[key]
	switch {
	case known.mate > 0 && known.mate <= n:
		return true
	case ok && known.none >= n:
		return false
	case b.room == 0:
		b.short = true
		return false
	}
	b.room--
	result := b.tries(&p, n, attacking)
	if b.short {
		return false
	}
	if result {
		known.mate = n
	} else {
		known.none = n
	}
	b.known[key] = known
	return result
}

// tries looks at all moves, those of the attacker that give check first: mostly they decide.
func (b *brute) tries(p *rules.Position, n int, attacking bool) bool {
	moves := p.Moves(nil)
	for _, checks := range []bool{true, false} {
		if attacking && b.tsume && !checks {
			break
		}
		for _, m := range moves {
			if attacking && p.GivesCheck(m) != checks || !attacking && !checks {
				continue
			}
			q := *p
			q.Make(m)
			if b.mates(q, n-1) == attacking {
				return attacking
			}
		}
	}
	return !attacking
}

func board(p *rules.Position) (b [rules.Squares]rules.Piece) {
	for s := range b {
		b[s] = p.At(rules.Square(s))
	}
	return b
}

// exactly tells whether the shortest mate takes n plies.
func (b *brute) exactly(p rules.Position, n int) bool {
	for shorter := n % 2; shorter < n; shorter += 2 {
		if b.mates(p, shorter) {
			return false
		}
	}
	return b.mates(p, n)
}

// exactlyBy tells the same by the values of a set.
func exactlyBy(s *retrotest.Set) func(p rules.Position, n int) bool {
	return func(p rules.Position, n int) bool {
		value, ok := s.Value(&p)
		outcome := rules.MateLoss
		if n%2 == 1 {
			outcome = rules.MateWin
		}
		return ok && value == rules.MakeValue(outcome, n)
	}
}

// standing is whether a puzzle stands, if that is known.
type standing int

const (
	falls standing = iota
	stands
	notKnown
)

func (s standing) String() string { return [...]string{"falls", "stands", "not known"}[s] }

// judge tells whether a puzzle with a complete solution stands when only longer mates are forgiven, given a way to
// tell whether the shortest mate takes exactly n plies, for n up to far. It starts at the end of the solution,
// where the fewest plies are left: what is wrong there is enough.
func judge(p *Puzzle, tsume bool, exactly func(p rules.Position, n int) bool, far int) standing {
	if len(p.Moves) != p.Plies {
		return falls
	}
	positions := []rules.Position{p.Position}
	for i, m := range p.Moves {
		q := positions[i]
		if q.Legal(m) != nil || tsume && (p.Plies-i)%2 == 1 && !q.GivesCheck(m) {
			return falls
		}
		q.Make(m)
		positions = append(positions, q)
	}
	for left := 0; left <= p.Plies; left++ {
		q := positions[p.Plies-left]
		if left > far {
			// A mate that is too short would be seen all the same.
			for n := left % 2; n <= far; n += 2 {
				if exactly(q, n) {
					return falls
				}
			}
			continue
		}
		if !exactly(q, left) {
			return falls
		}
		if left%2 == 0 {
			continue
		}
		for _, m := range q.Moves(nil) {
			if m == p.Moves[p.Plies-left] || tsume && !q.GivesCheck(m) {
				continue
			}
			r := q
			if r.Make(m); exactly(r, left-1) {
				return falls
			}
		}
	}
	if p.Plies > far {
		return notKnown
	}
	return stands
}
